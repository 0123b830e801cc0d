import { describe, expect, test } from "vitest";
import { exportNoVarySearch, parseNoVarySearch } from "../../src/exchange/no-vary-search.ts";
import { createNormalizer } from "../../src/index.ts";
import { parseRule, parseRules, writeRule, writeRules } from "../../src/site-rules/index.ts";
import { Random } from "../shared/random.ts";

/** The actions of the rules that a header says. */
function said(header: string): string {
  return parseNoVarySearch(header)
    .map((rule) => writeRule(rule).slice("*\t*\t".length))
    .join("; ");
}

describe("No-Vary-Search, by the draft", () => {
  test.each([
    ["key-order", "sort"],
    ["key-order=?1", "sort"],
    [
      'params=("utm_source" "utm_medium" "utm_campaign")',
      "drop & utm_campaign,utm_medium,utm_source",
    ],
    ['except=("productId")', "keep & productId"],
    ["except=()", "keep &"],
    ['except=("x"), key-order', "keep & x; sort"],
    ['key-order, except=("x")', "keep & x; sort"],
    ['params=("%C3%A9+%E6%B0%97")', "drop & %C3%A9%20%E6%B0%97,%C3%A9+%E6%B0%97"],
  ])("%s", (header, meaning) => {
    expect(said(header)).toBe(meaning);
  });

  test.each([
    ["params", "keep &"],
    ["params=?1", "keep &"],
    ['params, except=("x")', "keep & x"],
    ['params, key-order, except=("x" "y")', "keep & x,y; sort"],
  ])("%s, as browsers read it first", (header, meaning) => {
    expect(said(header)).toBe(meaning);
  });

  test.each([
    'key-order="not a boolean"',
    'params="not an inner list"',
    "params=(not-a-string)",
    "params=?0",
    'params=("a"), except=("x")',
    "params=(), except=()",
    'params=?0, except=("x")',
    'params, except="not an inner list"',
    "params, except=(not-a-string)",
    "params, except=?1",
    "params=()",
    "key-order=?0",
    "unknown-key",
    "",
  ])("%s is the default: each query has an answer of its own", (header) => {
    expect(said(header)).toBe("");
  });

  test("is a dictionary of RFC 9651, of which other members, parameters and repeats are passed over", () => {
    expect(
      said(
        '  a=1.5;b;c=?0, params=("x";q=:aGk=: "y\\"\\\\" );z \t,\t*d=tok/en, e=@12, f=%"%c3%a9"',
      ),
    ).toBe("drop & x,y%22%5C");
    expect(said('params=("x"), params=( "y"  "z")  ')).toBe("drop & y,z");
  });

  test.each([
    'params=("a"),',
    'params=("a"',
    'params=("a""b")',
    'params=("a") key-order',
    'params= ("a")',
    'Params=("a")',
    'params=("é")',
    'params=("a\\b")',
    '\tparams=("a")',
    "key-order, 1",
    "key-order, a=1234567890123456",
  ])("%s is malformed, so it says nothing", (header) => {
    expect(said(header)).toBe("");
  });

  test("never throws, and takes time in proportion to its length", () => {
    const random = new Random(62);
    const pieces = [
      "params",
      "except",
      "key-order",
      "=",
      "(",
      ")",
      '"a"',
      '"',
      " ",
      ",",
      ";",
      "?1",
      "%",
      "\\",
      "é",
      "1.",
      "%41+&=",
    ];
    for (let round = 0; round < 20_000; round++) {
      const length = random.below(12);
      const header = Array.from({ length }, () => pieces[random.below(pieces.length)]).join("");
      for (const rule of parseNoVarySearch(header))
        expect(parseRule(writeRule(rule))).toEqual(rule);
    }
    const started = performance.now();
    for (const unit of ["a;", "( ", '"a" ', "a=1;a ", '"\\"', "a,"]) {
      parseNoVarySearch(`params=(${unit.repeat(8000)}`);
      parseNoVarySearch(unit.repeat(8000));
    }
    expect(performance.now() - started).toBeLessThan(2000);
  });
});

describe("URLs that differ only so", () => {
  test.each([
    ['params=("a")', "/t?a=1&b=2", "/t?b=2"],
    ['params=("a b")', "/t?a+b=1&a%20b=2&c", "/t?c"],
    ['params=("f[]")', "/t?f[]=1&f%5B%5D=2&f=3", "/t?f=3"],
    ['params=("%26%3D")', "/t?%26%3D=1&=2", "/t?=2"],
    ['params=("?a")', "/t??a=1&a=2", "/t?a=2"],
    ['params=("a")', "/t?a=1;b=2&c=3", "/t?a=1;b=2&c=3"],
    ['params=("" "a,b" "a;b" "%C3%A9" "50%25")', "/?=1&a,b=2&a%3Bb=3&%C3%A9=4&50%25=5&c", "/?c"],
    ['except=("id")', "/t?x=1&id=2&y", "/t?id=2"],
    ["except=()", "/t?x", "/t"],
    ["key-order", "/t?b=2&a=2&b=1&a=1", "/t?a=2&a=1&b=2&b=1"],
    ['key-order, params=("x")', "/t?b&x&a", "/t?a&b"],
  ])("by %s, %s is %s", (header, target, expected) => {
    const rules = writeRules(parseNoVarySearch(header));
    const { urls } = createNormalizer({ rules }).normalizeBatch([`http://a.org${target}`]);
    expect(urls).toEqual([`http://a.org${expected}`]);
  });
});

describe("exportNoVarySearch", () => {
  const file = (...lines: string[]) => parseRules(["#urlmill-rules 1", ...lines, ""].join("\n"));

  test("joins the rules of a path in one header, which says what they do", () => {
    const list = ["a.org\t/list\tdrop sid,b%20c", "a.org\t/list\tsort", "a.org\t/list\tdrop & ref"];
    const find = ["a.org\t/find/...\tkeep q,page", "a.org\t/find/...\tdrop page"];
    const all = ["b.org\t*\tkeep\tdeclared n=9 ok=9 lb=.7008"];
    const { headers, ignored } = exportNoVarySearch(file(...list, ...find, ...all));
    expect(ignored).toEqual([]);
    const text = (lines: string[], value: string) =>
      `${lines.map((line) => `# ${line}\n`).join("")}No-Vary-Search: ${value}\n`;
    expect(headers).toEqual([
      text(list, 'key-order, params=("sid" "b%20c" "ref")'),
      text(find, 'except=("q")'),
      text(all, "except=()"),
    ]);
  });

  test("is read back as rules that do the same", () => {
    const targets = [
      "/t?sid=1&q=2&x&page=3",
      "/t?b%20c=1&ref=2&b=3&a=4",
      "/t",
      "/t?a%5C=1&a\\=2&z",
    ];
    for (const lines of [
      ["drop sid,b%20c", "sort", "drop & ref"],
      ["keep q,page", "drop page"],
      ["keep q,page,x", "keep x,q"],
      ["keep"],
      ["sort"],
      ["drop a\\,z"],
    ]) {
      const rules = file(...lines.map((line) => `a.org\t/t\t${line}`));
      const [header = ""] = exportNoVarySearch(rules).headers;
      const keys = (own: typeof rules) =>
        createNormalizer({ rules: writeRules(own) }).normalizeBatch(
          targets.map((target) => `http://a.org${target}`),
        ).urls;
      const back = parseNoVarySearch(/^No-Vary-Search: (.*)\n$/m.exec(header)?.[1] ?? "");
      expect(keys(back)).toEqual(keys(rules));
    }
  });

  test("names the rules that a header cannot say", () => {
    const rules = file(
      "a.org\t*\tlower path",
      "a.org\t* ?a\tdrop b",
      "*\t*\tdrop b",
      "*.a.org\t*\tdrop b",
      "a.org\t*\tdrop b<*>",
      "a.org\t/t\tsort\n\tnot\t/t?a&b",
      "a.org\t*\tkeep & b",
    );
    const { headers, ignored } = exportNoVarySearch(rules);
    expect(headers).toEqual(['# a.org\t*\tkeep & b\nNo-Vary-Search: except=("b")\n']);
    const newer = "a domain, <*>, a class of values, a length, & or unless cannot be said there";
    expect(ignored.map(({ reason }) => reason)).toEqual([
      "No-Vary-Search drops, keeps and sorts parameters, and cannot lower",
      "No-Vary-Search tests no parameters",
      "a header belongs to the answers of one site",
      newer,
      newer,
      "No-Vary-Search has no exceptions",
    ]);
  });
});
