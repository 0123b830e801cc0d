import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { PRESETS } from "../../src/options/catalog.generated.ts";
import { KERNEL, planFor } from "../shared/engine-parts.ts";
import { linesOf, readCorpus } from "../shared/fixtures.ts";
import { hostileUrls } from "../shared/hostile.ts";
import { atLength } from "../shared/length.ts";
import { mutatedUrl } from "../shared/mutated.ts";
import { Random } from "../shared/random.ts";
import { randomRules, urlsForRules } from "../shared/random-rules.ts";
import { SCALAR_BYTES, TwoKernels } from "../shared/scalar-kernel.ts";

// `npm run proof scalar` repeats this at length, and runs the suites of the kernel on the kernel without SIMD.

const root = fileURLToPath(new URL("../..", import.meta.url));
const lines = (urls: readonly string[]): Uint8Array =>
  Buffer.from(`${urls.join("\n")}\n`, "latin1");

test("the kernel without SIMD has the exports of the other one, and imports nothing", () => {
  const scalar = new WebAssembly.Module(SCALAR_BYTES);
  expect(WebAssembly.Module.exports(scalar)).toEqual(WebAssembly.Module.exports(KERNEL));
  expect(WebAssembly.Module.imports(scalar)).toEqual([]);
});

test("where there is no SIMD, auto takes the kernel that loadKernel is given", () => {
  const script = `
    import { readFileSync } from "node:fs";
    import { createNormalizer, loadKernel } from "urlmill";
    const made = [createNormalizer()];
    await loadKernel(readFileSync("dist/kernel-scalar.wasm"));
    made.push(createNormalizer());
    const url = "HTTP://B\u00fccher.example/%7e/./a?b=%3a#c";
    console.log(JSON.stringify(made.map((n) => [n.engine, n.normalize(url)])));`;
  // V8 has no SIMD on x64 without SSE4.1; on other processors it always has.
  const flags = process.arch === "x64" ? ["--no-enable-sse4-1"] : [];
  const args = [...flags, "--input-type=module", "-e", script];
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: "utf8" });
  const url = "http://xn--bcher-kva.example/~/a?b=%3A#c";
  const first = process.arch === "x64" ? "js" : "wasm";
  expect([stdout, stderr]).toEqual([
    `${JSON.stringify([
      [first, url],
      ["wasm", url],
    ])}\n`,
    "",
  ]);
});

const COUNT = atLength(500, 20_000);

test.each(Object.keys(PRESETS))("both kernels write the same under %s", (preset) => {
  const kernels = new TwoKernels(planFor({ preset: preset as keyof typeof PRESETS }));
  const random = new Random(6);
  const real = linesOf(readCorpus());
  const from = random.below(real.length - COUNT);
  const urls = real.slice(from, from + COUNT);
  const mutated = urls.map((url) => mutatedUrl(url, random));
  expect(kernels.findDifference(lines([...urls, ...mutated, ...hostileUrls(3, COUNT)]))).toBeNull();
});

test("both kernels write the same under rules", () => {
  const random = new Random(7);
  for (let set = 0; set < atLength(10, 200); set++) {
    const kernels = new TwoKernels(planFor({ preset: "crawl", rules: randomRules(random, 6) }));
    expect(kernels.findDifference(lines(urlsForRules(random, 100)))).toBeNull();
  }
});

test("the comparison finds the line in which kernels differ", () => {
  const kernels = new TwoKernels(planFor(), planFor({ fragment: "remove" }));
  expect(kernels.findDifference(lines(["http://a/", "http://b/?c", "http://d/"]))).toBeNull();
  expect(kernels.findDifference(lines(["http://a/", "HTTP://b/#c", "http://d/"]))).toBe(
    "HTTP://b/#c",
  );
});
