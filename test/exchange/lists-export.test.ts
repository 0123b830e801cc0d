import { expect, test } from "vitest";
import { exportPywbRules } from "../../src/exchange/lists/export-pywb.ts";
import { importList } from "../../src/exchange/lists/import-list.ts";
import { parseRules, writeRules } from "../../src/site-rules/index.ts";

// python/tests/test_pywb.py asks pywb itself what these files mean.

const DAY = "2026-11-26";

/** What is written of rules, without what is the same for all, and the reasons for those that are left out. */
function written(...lines: readonly string[]): { yaml: string[]; reasons: string[] } {
  const { yaml, ignored } = exportPywbRules(parseRules(["#urlmill-rules 1", ...lines].join("\n")));
  const rows = yaml.split("\n").map((line) => line.trim().replace(/^- (?=match|url)/, ""));
  const from = rows.findIndex((row) => row.startsWith("url_normalize"));
  return {
    yaml: rows.slice(from).filter((row) => row !== ""),
    reasons: ignored.map(({ reason }) => reason),
  };
}

test("keep becomes a look-up, once for hosts with and without www.", () => {
  const { yaml, reasons } = written(
    "a.example\t/x/... ?id&p%5B0%5D\tkeep id,p%5B0%5D\tlist:pywb 2026-11-26",
    "\tunless\ta.example\t/x/... ?id=",
    "www.a.example\t/x/... ?id&p%5B0%5D\tkeep id,p%5B0%5D",
    "*.b.example\t*\tkeep",
    "\tunless\tb.example\t*",
    "*.c.example\t*\tkeep",
    "d.example\t*\tkeep",
    "\tunless\td.example\t/y/...",
  );
  expect(reasons).toEqual([]);
  expect(yaml).toEqual([
    "url_normalize: []",
    "rules:",
    "url_prefix: 'example,a)/x/'",
    "fuzzy_lookup:",
    "- 'id'",
    "- 'p[0]'",
    "url_prefix: 'example,b,'",
    "fuzzy_lookup: '()'",
    "url_prefix: 'example,c)/'",
    "fuzzy_lookup: '()'",
    "url_prefix: 'example,c,'",
    "fuzzy_lookup: '()'",
    "url_prefix: 'example,d)/'",
    "fuzzy_lookup: '^(?!example,d\\)/y/)()'",
  ]);
});

test("drop and dropif normalize keys", () => {
  const { yaml, reasons } = written(
    "*\t*\tdrop Gid,mc_<*>",
    "a.example\t/x/...\tdropif cb=<N8>",
    "*.b.example\t/y/\tdropif s=j<*>",
  );
  expect(reasons).toEqual([]);
  expect(yaml.filter((row) => row.startsWith("match"))).toEqual([
    "match: '(?<=[?&])gid(?:=[^&]*)?(?:&|$)'",
    "match: '(?<=[?&])mc_[^&=]*(?:=[^&]*)?(?:&|$)'",
    "match: '^(example,a\\)/x/[^?]*\\?(?:.*&)?)cb=[0-9]{8}(?:&|$)'",
    "match: '^(example,b(?:,[^):]*)?\\)/y\\?(?:.*&)?)s=j[^&]*(?:&|$)'",
    "match: '[?&]$'",
    "match: '()'",
  ]);
});

test.each([
  ["a.example\t*\tsort", "sort is not one of keep, drop and dropif"],
  ["a.example\t*\tkeep id", "the condition must ask for these alone"],
  ["a.example\t* ?id&x\tkeep id", "the condition must ask for these alone"],
  ["a.example\t* ?id=1\tkeep id", "the condition must ask for these alone"],
  ["a.example\t/x\tkeep", "cannot say its site and path"],
  ["*\t*\tkeep", "cannot say its site and path"],
  ["*.a.example\t/x...\tkeep", "cannot say its site and path"],
  ["www3288.com\t*\tkeep", "cannot say its site and path"],
  ["a.example\t* ?%C3%A4\tkeep %C3%A4", "what keys do not have"],
  ["a.example\t*\tkeep\n\tunless\ta.example\t* ?x=1", "cannot leave alone a.example * ?x=1"],
  ["a.example\t*\tkeep\n\tunless\t*\t/x", "cannot leave alone * /x"],
  ["a.example\t*\tdrop s\n\tunless\ta.example\t/x/...", "leaves no URL alone"],
  ["a.example\t* ?x\tdrop s", "whatever others a URL has"],
  ["a.example\t/<N>\tdrop s", "cannot say its site and path"],
  ["*\t/x\tdrop s", "cannot say its site and path"],
  ["1.2.3.4\t*\tdrop s", "cannot say its site and path"],
  ["a.example\t*\tdropif s=%26", "what keys do not have"],
  ["a.example\t*\tdrop s\n\tnot\t/x", "cannot list its exceptions"],
])("%j is left out", (rule, reason) => {
  expect(written(rule).reasons).toEqual([expect.stringContaining(reason)]);
});

test("a look-up that an earlier one may have is left out", () => {
  const { reasons } = written("a.example\t/x/... ?id\tkeep id", "a.example\t*\tkeep");
  expect(reasons).toEqual(["an earlier look-up may have its URLs"]);
});

test("what is exported is imported as it was", () => {
  const rules = [
    "*\t*\tdrop & gid,mc_<*>",
    "*\t*\tdropif & cb=<N>",
    "*\t*\tdropif & h=<H16>",
    "*\t*\tdropif & t=<T5>",
    "*\t*\tdropif & jq=jq<*>",
    "a.example\t/x/...\tdrop & a.b,p%5B0%5D,q%3C*%3E",
    "www.a.example\t/x/...\tdrop & a.b,p%5B0%5D,q%3C*%3E",
    "*.b.example\t/y\tdrop & <*>_id",
    "e.example:8080\t*\tdrop & ab",
    "www.e.example:8080\t*\tdrop & ab",
    "e.example:443\t*\tdrop & ab",
    "www.e.example:443\t*\tdrop & ab",
    "c.example\t/x/... ?id\tkeep & id",
    "\tunless\tc.example\t/x/... ?id=",
    "\tunless\tc.example\t/x/y/...",
    "\tunless\twww.c.example\t/x/y/...",
    "www.c.example\t/x/... ?id\tkeep & id",
    "\tunless\twww.c.example\t/x/... ?id=",
    "\tunless\tc.example\t/x/y/...",
    "\tunless\twww.c.example\t/x/y/...",
    "*.d.example\t*\tkeep &",
    "\tunless\td.example\t*",
    "\tunless\twww.d.example\t*",
    "e.example:8080\t/x/... ?id\tkeep & id",
    "\tunless\te.example\t/x/... ?id=",
    "\tunless\te.example\t/x/y/...",
    "\tunless\twww.e.example\t/x/y/...",
    "www.e.example:8080\t/x/... ?id\tkeep & id",
    "\tunless\twww.e.example\t/x/... ?id=",
    "\tunless\te.example\t/x/y/...",
    "\tunless\twww.e.example\t/x/y/...",
  ];
  const given = parseRules(["#urlmill-rules 1", ...rules].join("\n"));
  const { yaml, ignored } = exportPywbRules(given);
  expect(ignored).toEqual([]);
  const again = importList(yaml, "pywb", DAY).rules;
  const plain = writeRules(again).replaceAll(`\tlist:pywb ${DAY}`, "");
  expect(plain.trimEnd().split("\n").slice(1)).toEqual(rules);
  expect(exportPywbRules(again).yaml).toBe(yaml);
});

test("a look-up for a port leaves alone what is on this port", () => {
  const { yaml } = written("a.example:81\t*\tkeep", "\tunless\ta.example\t/y/...");
  expect(yaml.at(-1)).toBe("fuzzy_lookup: '^(?!example,a:81\\)/y/)()'");
  const { reasons } = written("a.example:81\t*\tkeep", "\tunless\t*.a.example\t*");
  expect(reasons).toEqual(["pywb cannot leave alone *.a.example *"]);
});

test("a file without rules is imported as it was exported", () => {
  const { yaml } = exportPywbRules(parseRules("#urlmill-rules 1\na.example\t*\tsort\n"));
  expect(importList(yaml, "pywb", DAY)).toEqual({ rules: [], leftOut: [] });
});
