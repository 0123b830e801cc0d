import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { createNormalizer } from "../../src/index.ts";
import { findDisagreements } from "../shared/agreement.ts";
import { linesOf, readCorpus } from "../shared/fixtures.ts";

// URLMILL_CORPUS names a list of URLs, gzipped or plain; without it the bundled one is read.
const file = process.env["URLMILL_CORPUS"];

function readList(): Uint8Array {
  if (file === undefined) return readCorpus();
  const content = readFileSync(file);
  return content[0] === 0x1f && content[1] === 0x8b ? gunzipSync(content) : content;
}

test(`every promise holds on every line of ${file ?? "the bundled corpus"}`, () => {
  const list = readList();
  const lines = linesOf(list);
  for (let first = 0; first < lines.length; first += 50_000) {
    expect(findDisagreements(lines.slice(first, first + 50_000), undefined)).toEqual([]);
  }
  const [wasm, js] = (["wasm", "js"] as const).map((engine) =>
    createNormalizer({ engine }).normalizeLines(list),
  );
  expect(Buffer.compare(wasm?.bytes as Uint8Array, js?.bytes as Uint8Array)).toBe(0);
  expect(wasm?.lines).toBe(lines.length);
  console.log(`${lines.length} lines, Node ${process.version}`);
});
