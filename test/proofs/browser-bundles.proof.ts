import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build as viteBuild } from "vite";
import { expect, test } from "vitest";
import webpack from "webpack";
import { bundleFolder } from "../shared/bundles.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const PROGRAM = join(root, "test/shared/browser-program.mjs");
const KERNEL = readFileSync(join(root, "dist/kernel.wasm"));

/** Checks the files of a bundle: JavaScript of 66 KB with gzip at most, and the kernel as a file that it names. */
function checkFiles(folder: string): void {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const script = names.filter((name) => /\.m?js$/.test(name));
  const code = Buffer.concat(script.map((name) => readFileSync(join(folder, name))));
  expect(gzipSync(code, { level: 9 }).length).toBeLessThan(69_000);
  const kernels = names.filter((name) => name.endsWith(".wasm"));
  expect(kernels).toHaveLength(1);
  const [kernel = ""] = kernels;
  expect(readFileSync(join(folder, kernel)).equals(KERNEL)).toBe(true);
  expect(code.toString()).toContain(kernel.split("/").at(-1));
}

test("vite puts the kernel beside a bundle for browsers", async () => {
  const folder = bundleFolder("vite browser");
  await viteBuild({
    configFile: false,
    logLevel: "error",
    build: { outDir: folder, emptyOutDir: true, rollupOptions: { input: PROGRAM } },
  });
  checkFiles(folder);
});

test("webpack puts the kernel beside a bundle for browsers", async () => {
  const folder = bundleFolder("webpack browser");
  const compiler = webpack({
    mode: "production",
    target: "web",
    entry: PROGRAM,
    output: { path: folder, filename: "program.js" },
  });
  const stats = await new Promise<webpack.Stats>((resolve, reject) => {
    compiler.run((error, done) => (done === undefined ? reject(error) : resolve(done)));
  });
  expect(stats.toJson({ errors: true }).errors).toEqual([]);
  checkFiles(folder);
});
