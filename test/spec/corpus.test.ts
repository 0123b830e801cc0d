import { expect, test } from "vitest";
import { createNormalizer } from "../../src/index.ts";
import { findDisagreements, findStringDisagreements } from "../shared/agreement.ts";
import { linesOf, readCorpus } from "../shared/fixtures.ts";
import { atLength, sampleOf } from "../shared/length.ts";

const corpus = readCorpus();
const lines = linesOf(corpus);

test("the corpus is 50,000 lines", () => {
  expect(lines.length).toBe(50_000);
});

test("every promise holds on real URLs", () => {
  expect(findDisagreements(sampleOf(lines, 50), undefined)).toEqual([]);
});

test("strings give what bytes give on real URLs, on both engines", () => {
  const urls = Buffer.from(corpus).toString("utf8").split("\n").slice(0, atLength(2_000, 10_000));
  expect(findStringDisagreements(urls)).toEqual([]);
});

test("lines of both engines are the same bytes, and what columns give", () => {
  const wasm = createNormalizer({ engine: "wasm" }).normalizeLines(corpus);
  const js = createNormalizer({ engine: "js" }).normalizeLines(corpus);
  expect(Buffer.compare(wasm.bytes, js.bytes)).toBe(0);
  expect(Buffer.compare(wasm.status, js.status)).toBe(0);
  expect(wasm.lines).toBe(50_000);
});
