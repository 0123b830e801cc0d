import { createPool } from "urlmill/pool";
import { expect, test } from "vitest";
import { Status } from "../../src/index.ts";
import { importNutchRules, PLAN_HEADER, readVerdicts } from "../../src/learn/index.ts";
import { parseRules, RULES_HEADER, writeRules } from "../../src/site-rules/index.ts";
import { describeEngines } from "../shared/engines.ts";

const LINES = Buffer.from("\uFEFFhttp://a/\nHTTP://B\n");
const RULES = `${RULES_HEADER}\na.org\t*\tdrop x\n`;

describeEngines("a byte order mark in bytes", (create) => {
  test("is part of its line", () => {
    const { bytes, status } = create().normalizeLines(LINES);
    expect([...status]).toEqual([Status.BAD_SCHEME, Status.CHANGED]);
    expect(Buffer.from(bytes).toString()).toBe("\nhttp://b/\n");
  });

  test("is part of a reference", () => {
    const { bytes } = create().normalizeLines(Buffer.from("\uFEFFx\n"), { base: "http://a/" });
    expect(Buffer.from(bytes).toString()).toBe("http://a/%EF%BB%BFx\n");
  });
});

test("a byte order mark is part of its line in a pool, too", async () => {
  await using pool = createPool({ minBatchBytes: 1 << 20, threads: 1 });
  expect([...(await pool.normalizeLines(LINES)).status]).toEqual([
    Status.BAD_SCHEME,
    Status.CHANGED,
  ]);
});

test("a text of rules may begin with a byte order mark", () => {
  expect(writeRules(parseRules(`\uFEFF${RULES}`))).toBe(RULES);
});

test("a byte order mark elsewhere in a text of rules is an error", () => {
  expect(() => parseRules(`${RULES}\uFEFF${RULES}`)).toThrow(
    "line 3 of the rules: it begins with a byte order mark, which only a file can; remove the mark",
  );
});

test("a plan may begin with a byte order mark", () => {
  expect(readVerdicts(`\uFEFF${PLAN_HEADER}\nrule\tpair\turl\tother\n`)).toEqual([]);
});

test("rules of Nutch may begin with a byte order mark", () => {
  const xml = "<?xml version='1.0'?><regex-normalize></regex-normalize>";
  expect(importNutchRules(`\uFEFF${xml}`)).toEqual(importNutchRules(xml));
});
