import { describe, expect, test } from "vitest";
import {
  exportCleanParam,
  HERITRIX_SESSION_RULES,
  importCleanParam,
  NUTCH_SESSION_RULES,
} from "../../src/exchange/index.ts";
import { applySiteRules, type RuledParts } from "../../src/site-rules/apply/apply.ts";
import {
  parseRule,
  parseRules,
  type Rule,
  writeRule,
  writeRules,
} from "../../src/site-rules/index.ts";

const SITE = "forum.example";
const EVIDENCE = "declared n=0 ok=0 lb=.0000";

function apply(rules: readonly Rule[], target: string): string {
  const [path = "", ...query] = target.split("?");
  const isQuery = query.length > 0;
  const parts: RuledParts = {
    scheme: "http",
    host: SITE,
    port: "",
    path,
    query: isQuery ? query.join("?") : null,
  };
  expect(applySiteRules(parts, () => rules)).toBe(true);
  return parts.query === null ? parts.path : `${parts.path}?${parts.query}`;
}

const ROBOTS = `\uFEFFUser-agent: *
Disallow: /admin/   # not for robots
Clean-param: s&ref /forum/showthread.php
clean-param:utm_source&utm_medium

User-agent: Yandex
Crawl-delay: 2
Clean-Param: sid&sort /forum/*.php  # the manual's example
Clean-param: a[]&b&&a[] /news/*
Clean-param: x /\u043a\u0430\u0442\u0430\u043b\u043e\u0433/
# Clean-param: commented /out
Clean-param:
Clean-param: param1 param2
Clean-param: p *.html
Clean-param: p /a*b*c
Clean-param: p /index.php?id
Clean-param: p /a b
Clean-param: ${"p".repeat(501)}
Clean-param: a;b /x
Clean-param: n=1
Clean-param: dots /a/../b
Sitemap: https://forum.example/sitemap.xml
`;

describe("Clean-param of a robots.txt", () => {
  const { rules, ignored } = importCleanParam(ROBOTS.replaceAll("\n", "\r\n"), SITE);

  test("is read as drop rules that the site declares", () => {
    expect(rules.map(writeRule)).toEqual([
      `${SITE}\t/forum/showthread.php...\tdrop & s,ref\t${EVIDENCE}`,
      `${SITE}\t*\tdrop & utm_source,utm_medium\t${EVIDENCE}`,
      `${SITE}\t/forum/....php\tdrop & sid,sort\t${EVIDENCE}`,
      `${SITE}\t/news/...\tdrop & a%5B%5D,b\t${EVIDENCE}`,
      `${SITE}\t/%D0%BA%D0%B0%D1%82%D0%B0%D0%BB%D0%BE%D0%B3/...\tdrop & x\t${EVIDENCE}`,
    ]);
    expect(parseRules(writeRules(rules))).toEqual(rules);
  });

  test("is named by its line where it cannot be said", () => {
    expect(ignored).toEqual([
      { line: 8, reason: "/forum/*.php also means paths that go on after .php: left out" },
      { line: 12, reason: "it names no parameter" },
      { line: 13, reason: "the path param2 does not begin with /" },
      { line: 14, reason: "*.html begins with *, where a pattern begins with /" },
      { line: 15, reason: "/a*b*c has more than one * that is not at its end" },
      { line: 16, reason: expect.stringMatching(/^no normalized URL has|more than a path/) },
      { line: 17, reason: "it has more than parameters and a path" },
      { line: 18, reason: "it is longer than 500 characters" },
      { line: 19, reason: expect.stringContaining("; ends it") },
      { line: 20, reason: 'no parameter is named "n=1"' },
      { line: 21, reason: expect.stringContaining("dot-segment") },
    ]);
  });

  test.each([
    ["/forum/showthread.php?s=1&t=2", "/forum/showthread.php?t=2"],
    ["/forum/showthread.php5?s=1", "/forum/showthread.php5"],
    ["/forum/Showthread.php?s=1", "/forum/Showthread.php?s=1"],
    ["/forum/showthread.php?S=1", "/forum/showthread.php?S=1"],
    ["/other?s=1&utm_medium=x", "/other?s=1"],
    ["/forum/a/b.php?sid=1&sort=2&t=3", "/forum/a/b.php?t=3"],
    ["/forum/a.html?sid=1", "/forum/a.html?sid=1"],
    ["/forum/showthread.php?t=2;s=1&ref=3", "/forum/showthread.php?t=2;s=1"],
  ])("makes of %s what it says", (url, expected) => expect(apply(rules, url)).toBe(expected));

  test("of a name that is not a site's is refused", () => {
    expect(() => importCleanParam("", "http://a.example")).toThrow(
      "is not a host of a normalized URL",
    );
    expect(() => importCleanParam("", "*")).toThrow("is not a host of a normalized URL");
    expect(importCleanParam("", SITE)).toEqual({ rules: [], ignored: [] });
  });
});

describe("rules as Clean-param", () => {
  const rule = (text: string) => parseRule(text.replaceAll(" | ", "\t"));

  test("are a robots.txt a site", () => {
    const rules = [
      "a.example | * | drop & sid,s",
      "a.example | /forum/... | drop & ref | fingerprint n=9 ok=9 lb=.7008",
      "b.example:8080 | /x-y_z.php... | drop & q",
    ].map(rule);
    const { files, ignored } = exportCleanParam(rules);
    expect(ignored).toEqual([]);
    expect(files).toEqual([
      {
        site: "a.example",
        robotsTxt: "User-agent: Yandex\nClean-param: sid&s\nClean-param: ref /forum/\n",
      },
      {
        site: "b.example:8080",
        robotsTxt: "User-agent: Yandex\nClean-param: q /x-y_z.php\n",
      },
    ]);
    const read = files.flatMap(({ site, robotsTxt }) => importCleanParam(robotsTxt, site).rules);
    expect(read.map((each) => ({ ...each, evidence: null }))).toEqual(
      rules.map((each) => ({ ...each, evidence: null })),
    );
    const also = rule("a.example | * | drop sid,s");
    expect(exportCleanParam([also]).files).toEqual(exportCleanParam(rules.slice(0, 1)).files);
  });

  test.each([
    ["a.example | * | sort", "cannot sort"],
    ["a.example | * | keep id", "cannot keep"],
    ["* | * | drop sid", "belongs to one site"],
    ["a.example | * ?a | drop sid", "tests no parameters"],
    ["a.example | /a | drop sid", "by a prefix"],
    ["a.example | /a/<N>/... | drop sid", "by a prefix"],
    ["a.example | /a/....php | drop sid", "by a prefix"],
    ["a.example | /%20/... | drop sid", "A-Z a-z 0-9"],
    ["a.example | /\\*/... | drop sid", "A-Z a-z 0-9"],
    ['a.example | * | drop "",a', "without a name"],
    [`a.example | * | drop ${"n".repeat(501)}`, "at most 500 characters"],
  ])("are not written where that says something else: %s", (text, reason) => {
    const { files, ignored } = exportCleanParam([rule(text)]);
    expect(files).toEqual([]);
    expect(ignored).toEqual([{ rule: rule(text), reason: expect.stringContaining(reason) }]);
  });

  test("have a long list in several lines", () => {
    const names = Array.from({ length: 200 }, (_, index) => `parameter${index}`);
    const [file] = exportCleanParam([rule(`a.example | /a/... | drop ${names.join(",")}`)]).files;
    const lines = (file?.robotsTxt ?? "").trim().split("\n").slice(1);
    expect(lines.length).toBeGreaterThan(3);
    const values = lines.map((line) => line.replace("Clean-param: ", ""));
    expect(Math.max(...values.map(({ length }) => length))).toBeLessThanOrEqual(500);
    expect(values.flatMap((value) => value.replace(" /a/", "").split("&"))).toEqual(names);
  });
});

describe("baselines of session ids", () => {
  test("are rules of the language for every site", () => {
    for (const rules of [NUTCH_SESSION_RULES, HERITRIX_SESSION_RULES]) {
      expect(parseRules(writeRules(rules))).toEqual(rules);
      expect(new Set(rules.map(({ site }) => site))).toEqual(new Set(["*"]));
    }
  });

  test.each([
    ["/a?PHPSESSID=1&f=2", "/a?f=2"],
    ["/a?f=2&_sid=1&q=3", "/a?f=2&q=3"],
    ["/a?BV_SessionID=1&jsessionid=2&l=3", "/a?l=3"],
    ["/a.html;jsessionid=1E6FEC?b=1", "/a.html?b=1"],
    ["/a.html;JSESSIONID=1E6FEC", "/a.html"],
    ["/search?sid=77", "/search"],
    ["/news?NewsID=15&addressid=2&sids=3", "/news?NewsID=15&addressid=2&sids=3"],
  ])("do with %s what Nutch does", (url, expected) =>
    expect(apply(NUTCH_SESSION_RULES, url)).toBe(expected),
  );

  test.each([
    ["/a?PHPSESSID=1&f=2", "/a?f=2"],
    ["/a?CFID=1&CFTOKEN=2&d=3", "/a?d=3"],
    ["/a?CFID=1&d=3", "/a?CFID=1&d=3"],
    ["/a?jsessionid=1&sid=2", "/a"],
    ["/a?_sid=1", "/a?_sid=1"],
  ])("do with %s what Heritrix does", (url, expected) =>
    expect(apply(HERITRIX_SESSION_RULES, url)).toBe(expected),
  );
});
