import { spawnSync } from "node:child_process";
import { statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { unicodeTableBytes } from "../../src/url/idna/table-bytes.ts";
import { atLength, testAtLength } from "../shared/length.ts";

const ROUNDS = atLength(60, 1_000);
const root = fileURLToPath(new URL("../..", import.meta.url));

/** What a script that sets `result` leaves there, run on the built package with a collector to call. */
function run(script: string): Record<string, number> {
  const prologue = `
    import { createNormalizer } from "urlmill";
    const collected = () => { gc(); gc(); const m = process.memoryUsage(); return m.heapUsed + m.external; };
    const urls = (count, from) => Array.from({ length: count }, (_, i) => "HTTP://Example.com/some/path/of/a/page/" + (from + i));
    const result = {};`;
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [
      "--expose-gc",
      "--input-type=module",
      "-e",
      `${prologue}\n${script}\nconsole.log(JSON.stringify(result));`,
    ],
    { cwd: root, encoding: "utf8" },
  );
  expect(stderr).toBe("");
  return JSON.parse(stdout) as Record<string, number>;
}

test.each(["wasm", "js"])("hundreds of batches leave no memory in use (%s)", (engine) => {
  const { grown } = run(`
    const normalizer = createNormalizer({ preset: "crawl", engine: "${engine}" });
    const batch = (from) => {
      const strings = urls(500, from);
      normalizer.normalizeBatch(strings);
      normalizer.fingerprintBatch(strings);
      normalizer.normalizeLines(Buffer.from(strings.join("\\n")));
    };
    for (let round = 0; round < 60; round++) batch(round);
    const before = collected();
    for (let round = 0; round < ${ROUNDS}; round++) batch(round);
    result.grown = collected() - before;`);
  expect(grown).toBeLessThan(128 * 1024 + 384 * ROUNDS);
});

testAtLength("a million lines add no more than twice their bytes, result included", () => {
  const { added, bytes } = run(`
    const normalizer = createNormalizer();
    normalizer.normalizeLines(Buffer.from("http://a"));
    const input = Buffer.from(urls(1_000_000, 0).join("\\n"));
    const before = collected();
    const lines = normalizer.normalizeLines(input);
    result.added = collected() - before;
    result.bytes = input.length + 0 * lines.lines;`);
  expect(added).toBeLessThan(2 * (bytes as number));
});

test("the kernel is small: under 87 KB without the Unicode table, which is under 100 KB", () => {
  const kernel = statSync(`${root}/dist/kernel.wasm`).size;
  const table = unicodeTableBytes().length;
  expect(table).toBeLessThan(100_000);
  expect(kernel - table).toBeLessThan(87 * 1024);
});
