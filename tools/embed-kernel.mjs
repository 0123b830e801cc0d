// Puts the compiled kernel where the package needs it: dist/kernel.wasm for other runtimes, and a
// TypeScript module with its bytes in Base64, for platforms that read no file.
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";

const kernel = new URL("../build/kernel.wasm", import.meta.url);
mkdirSync(new URL("../dist/", import.meta.url), { recursive: true });
copyFileSync(kernel, new URL("../dist/kernel.wasm", import.meta.url));
writeFileSync(
  new URL("../src/platform/kernel-base64.generated.ts", import.meta.url),
  `// Written by tools/embed-kernel.mjs from assembly/.\n/** Holds the kernel as Base64. */\nexport const kernelBase64: string =\n  "${readFileSync(kernel, "base64")}";\n`,
);
