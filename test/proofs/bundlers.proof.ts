import { readdirSync } from "node:fs";
import { join } from "node:path";
import { nodeResolve } from "@rollup/plugin-node-resolve";
import { rollup } from "rollup";
import { build as viteBuild } from "vite";
import { expect, test } from "vitest";
import webpack from "webpack";
import { bundleFolder, copyWorker, EXPECTED, EXTERNAL, PROGRAM, run } from "../shared/bundles.ts";

test("vite bundles a program for servers", async () => {
  const folder = bundleFolder("vite");
  await viteBuild({
    configFile: false,
    logLevel: "error",
    ssr: { noExternal: true, external: EXTERNAL },
    build: { ssr: PROGRAM, outDir: folder, emptyOutDir: true },
  });
  copyWorker(join(folder, "assets"));
  const program = readdirSync(folder).find((name) => name.startsWith("bundled-program"));
  expect(run(join(folder, program as string))).toBe(EXPECTED);
});

test("webpack bundles a program for servers, and takes the worker along", async () => {
  const folder = bundleFolder("webpack");
  const compiler = webpack({
    mode: "production",
    target: "node20",
    entry: PROGRAM,
    externals: Object.fromEntries(EXTERNAL.map((name) => [name, `import ${name}`])),
    experiments: { outputModule: true },
    output: { path: folder, filename: "program.mjs", module: true, chunkFormat: "module" },
  });
  const stats = await new Promise<webpack.Stats>((resolve, reject) => {
    compiler.run((error, done) => (done === undefined ? reject(error) : resolve(done)));
  });
  expect(stats.toJson({ errors: true }).errors).toEqual([]);
  expect(run(join(folder, "program.mjs"))).toBe(EXPECTED);
});

test.each([
  ["for servers", ["node"]],
  ["without a condition", []],
])("rollup bundles a program %s", async (name, exportConditions) => {
  const folder = bundleFolder(`rollup ${name}`);
  const bundle = await rollup({
    input: PROGRAM,
    external: [/^node:/, ...EXTERNAL],
    plugins: [nodeResolve({ exportConditions })],
  });
  await bundle.write({ file: join(folder, "program.mjs"), inlineDynamicImports: true });
  copyWorker(folder);
  expect(run(join(folder, "program.mjs"))).toBe(EXPECTED);
});
