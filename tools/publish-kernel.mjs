import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";

/** Copies a module to dist, and writes its digest in the form of sha256sum, for those who build it again and compare. */
export function publishKernel(name) {
  const from = new URL(`../build/${name}.wasm`, import.meta.url);
  mkdirSync(new URL("../dist/", import.meta.url), { recursive: true });
  copyFileSync(from, new URL(`../dist/${name}.wasm`, import.meta.url));
  const digest = createHash("sha256").update(readFileSync(from)).digest("hex");
  const line = `${digest}  ${name}.wasm\n`;
  writeFileSync(new URL(`../dist/${name}.wasm.sha256`, import.meta.url), line);
}
