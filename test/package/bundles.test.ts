// At full length only: it compiles and bundles as users do.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { expect, test } from "vitest";
import { bundleFolder, copyWorker, EXPECTED, EXTERNAL, PROGRAM, run } from "../shared/bundles.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

test("without a bundler both engines are WebAssembly", () => {
  expect(EXPECTED).toMatch(/^wasm wasm [0-9a-f]{64}\n$/);
});

test("a bundle for servers runs a normalizer, a pool and a set", async () => {
  const folder = bundleFolder("esbuild");
  const outfile = join(folder, "program.mjs");
  const options = { bundle: true, format: "esm", platform: "node" } as const;
  await build({ ...options, entryPoints: [PROGRAM], outfile, external: EXTERNAL });
  copyWorker(folder);
  expect(run(outfile)).toBe(EXPECTED);
});

test("a bundle in CommonJS has pools, and learns", async () => {
  const folder = bundleFolder("commonjs");
  const outfile = join(folder, "program.cjs");
  const contents = `
    import { learn } from "urlmill/learn";
    import { createPool } from "urlmill/pool";
    import { SeenSet } from "urlmill/seen";
    (async () => {
      const pool = createPool({ threads: 1, minBatchBytes: 0 });
      console.log((await pool.normalizeBatch(["HTTP://a"])).urls[0]);
      await pool.close();
      const seen = new SeenSet({ threads: 2 });
      console.log(await seen.add("http://a"));
      await seen.close();
      console.log((await learn([{ url: "http://a/" }])).rules.length);
    })();`;
  const options = { bundle: true, format: "cjs", platform: "node", logLevel: "error" } as const;
  const stdin = { contents, resolveDir: root };
  await build({ ...options, stdin, outfile, external: EXTERNAL });
  copyWorker(folder);
  expect(run(outfile)).toBe("http://a/\ntrue\n0\n");
});

test("a bundle without the worker of its pool says what to copy", async () => {
  const folder = bundleFolder("without worker");
  const outfile = join(folder, "program.mjs");
  const contents = `
    import { createPool } from "urlmill/pool";
    await createPool({ threads: 1, minBatchBytes: 0 })
      .normalizeBatch(["http://a"])
      .catch(({ code, message }) => console.log(code, message));`;
  const options = { bundle: true, format: "esm", platform: "node" } as const;
  const stdin = { contents, resolveDir: root };
  await build({ ...options, stdin, outfile, external: EXTERNAL });
  expect(run(outfile)).toMatch(/^WORKER_DIED .*copy urlmill\/pool\/thread\.cjs there/);
});

test("a bundle for the edge has the kernel beside it, with the loader that the documents name", async () => {
  const contents = 'export { default } from "urlmill/kernel.wasm";';
  const stdin = { contents, resolveDir: root };
  const options = { bundle: true, format: "esm", write: false, outdir: "out", stdin } as const;
  const { outputFiles } = await build({ ...options, loader: { ".wasm": "copy" } });
  const kernel = outputFiles.find(({ path }) => path.endsWith(".wasm"));
  expect(kernel?.contents).toEqual(new Uint8Array(readFileSync(join(root, "dist/kernel.wasm"))));
  await expect(build({ ...options, logLevel: "silent" })).rejects.toThrow("No loader");
});

test("a bundle that takes the files for Node says what to set", async () => {
  const outfile = join(bundleFolder("node files"), "program.mjs");
  const contents = `
    import { createNormalizer } from "urlmill";
    try { createNormalizer(); } catch ({ code, message }) { console.log(code, message); }`;
  const options = { bundle: true, format: "esm", platform: "node" } as const;
  const stdin = { contents, resolveDir: root };
  await build({ ...options, conditions: ["module-sync"], stdin, outfile });
  expect(run(outfile)).toMatch(/^ENGINE_UNAVAILABLE .*let it resolve the condition "module"/);
});

/** The bytes of a browser bundle of everything that an entry point exports, with gzip. */
async function browserBundle(entry: string, name: string): Promise<{ file: string; size: number }> {
  const file = join(bundleFolder(name), "bundle.mjs");
  await build({
    stdin: { contents: `export * from "${entry}";`, resolveDir: root },
    outfile: file,
    bundle: true,
    minify: true,
    format: "esm",
    platform: "browser",
  });
  return { file, size: gzipSync(readFileSync(file), { level: 9 }).length };
}

/** The most bytes of a bundle, and of one with `urlmill/js`, as docs/browsers-and-edge.md says them. */
const [MOST, MOST_OF_JS] = (
  /at most (\d+) KB of JavaScript, or (\d+) KB with `urlmill\/js`/
    .exec(readFileSync(join(root, "docs/browsers-and-edge.md"), "utf8"))
    ?.slice(1) ?? []
).map((kilobytes) => 1000 * Number(kilobytes)) as [number, number];

test("a bundle for browsers is as small as its document says, and loads the kernel", async () => {
  const { file, size } = await browserBundle("urlmill", "browser");
  expect(size).toBeLessThanOrEqual(MOST);
  const { createNormalizer, loadKernel } = (await import(file)) as typeof import("urlmill");
  const before = createNormalizer({ engine: "auto" });
  expect([before.engine, before.normalize("HTTP://B\u00fccher.de")]).toEqual([
    "js",
    "http://xn--bcher-kva.de/",
  ]);
  expect(before.engineReason).toContain("Wait for loadKernel()");
  expect(() => createNormalizer({ engine: "wasm" })).toThrow("Wait for loadKernel()");
  await expect(loadKernel("data:application/wasm,nothing")).rejects.toMatchObject({
    code: "ENGINE_UNAVAILABLE",
  });
  await loadKernel(readFileSync(join(root, "dist/kernel.wasm")));
  const after = createNormalizer({ engine: "auto" });
  expect([after.engine, after.engineReason, after.normalize("HTTP://B\u00fccher.de")]).toEqual([
    "wasm",
    null,
    "http://xn--bcher-kva.de/",
  ]);
});

test("a bundle of urlmill/js is as small as its document says", async () => {
  const { file, size } = await browserBundle("urlmill/js", "js");
  expect(readFileSync(file, "utf8")).not.toContain("WebAssembly.");
  expect(size).toBeLessThanOrEqual(MOST_OF_JS);
});

test("a bundle with a normalizer has no function that it does not call", async () => {
  const whole = await browserBundle("urlmill/js", "whole");
  const contents = 'export { createNormalizer } from "urlmill/js";';
  const options = { bundle: true, minify: true, format: "esm", platform: "browser" } as const;
  const stdin = { contents, resolveDir: root };
  const { outputFiles } = await build({ ...options, stdin, write: false });
  const ofDedupe = "there is no memory for more than";
  expect(readFileSync(whole.file, "utf8")).toContain(ofDedupe);
  expect(outputFiles[0]?.text).not.toContain(ofDedupe);
});

test("a bundle of urlmill/seen needs no package", async () => {
  const options = { bundle: true, format: "esm", platform: "node", write: false } as const;
  const contents = 'export * from "urlmill/seen";';
  const { metafile } = await build({
    ...options,
    stdin: { contents, resolveDir: root },
    external: EXTERNAL,
    metafile: true,
  });
  const [bundle] = Object.values(metafile.outputs);
  const packages = bundle?.imports
    .map(({ path }) => path)
    .filter((path) => !path.startsWith("node:"));
  expect(packages?.filter((path) => !EXTERNAL.includes(path))).toEqual([]);
});
