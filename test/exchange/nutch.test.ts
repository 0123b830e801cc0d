import { describe, expect, test } from "vitest";
import { importNutchRules, NUTCH_SESSION_RULES } from "../../src/exchange/index.ts";
import { createNormalizer } from "../../src/js.ts";
import { applySiteRules } from "../../src/site-rules/apply/apply.ts";
import { parseRules, writeRule, writeRules } from "../../src/site-rules/index.ts";
import { joinParts, splitParts } from "../../src/url/parts.ts";
import { atLength } from "../shared/length.ts";
import { Random } from "../shared/random.ts";

/** The patterns of Nutch's default file, in its order, and the same in JavaScript. */
const DEFAULT: readonly (readonly [string, string, RegExp, string])[] = [
  [
    "(?i)(;?\\b_?(l|j|bv_)?(sid|phpsessid|sessionid)=.*?)(\\?|&amp;|#|$)",
    "$4",
    /(;?\b_?(l|j|bv_)?(sid|phpsessid|sessionid)=.*?)(\?|&|#|$)/gi,
    "$4",
  ],
  [
    "/((?i)index|default)\\.((?i)js[pf]{1}?[afx]?|cgi|cfm|asp[x]?|[psx]?htm[l]?|php[3456]?)(\\?|&amp;|#|$)",
    "/$3",
    /\/(index|default)\.(js[pf][afx]?|cgi|cfm|asp[x]?|[psx]?htm[l]?|php[3456]?)(\?|&|#|$)/gi,
    "/$3",
  ],
  ["#.*?(\\?|&amp;|$)", "$1", /#.*?(\?|&|$)/g, "$1"],
  ["\\?&amp;", "\\?", /\?&/g, "?"],
  ["&amp;{2,}", "&amp;", /&{2,}/g, "&"],
  ["[\\?&amp;\\.]$", "", /[?&.]$/g, ""],
  ["^file://+", "file:/", /^file:\/\/+/g, "file:/"],
  ["(?&lt;!:)/{2,}", "/", /(?<!:)\/{2,}/g, "/"],
];

function fileOf(regexes: readonly (readonly [string, string, ...unknown[]])[]): string {
  const elements = regexes.map(
    ([pattern, substitution]) =>
      `<regex>\n  <pattern>${pattern}</pattern>\n  <substitution>${substitution}</substitution>\n</regex>`,
  );
  return `<?xml version="1.0"?>\n<!-- WATCH OUT: <regex> in\n a comment -->\n<regex-normalize>\n${elements.join("\n")}\n</regex-normalize>\n`;
}

const one = (pattern: string, substitution: string) =>
  importNutchRules(fileOf([[pattern, substitution]]));
const linesOf = (rules: ReturnType<typeof importNutchRules>["rules"]) =>
  rules.map((rule) => writeRule(rule).replace("*\t*\t", ""));

const NOT_READ = "not read: only session ids and single parameters are read from such a file";

describe("Nutch's default regex-normalize.xml", () => {
  const read = importNutchRules(fileOf(DEFAULT));

  test("gives rules against session ids, for every site", () => {
    expect(read.rules).toEqual(NUTCH_SESSION_RULES);
    expect(parseRules(writeRules(read.rules))).toEqual(read.rules);
  });

  test("has its other patterns listed as not read, each with its line", () => {
    expect(read.ignored.map(({ line, reason }) => [line, reason])).toEqual([
      [5, expect.stringContaining("a session in a path")],
      [5, expect.stringContaining("other case")],
      ...[9, 13, 17, 21, 25, 29, 33].map((line) => [line, NOT_READ]),
    ]);
  });

  test("merges no two URLs that Nutch does not", () => {
    const safe = createNormalizer();
    const nutch = (url: string): string => {
      let last = "";
      for (let now = url; now !== last; ) {
        last = now;
        for (const [, , regex, by] of DEFAULT) now = now.replace(regex, by);
        if (now === last) return now;
      }
      return last;
    };
    const ours = (url: string): string => {
      const parts = splitParts(url);
      applySiteRules(parts, () => read.rules);
      return joinParts(parts);
    };
    const random = new Random(7);
    const pieces = (
      "/ // : . .. ? & && ; = # a b /a x=1 y=2 sid=7 &sid=7 ?sid=8 ?PHPSESSID=9 ;jsessionid=3A /index.html " +
      "&_sessionId=4 newsid=5"
    ).split(" ");
    const groups = new Map<string, string>();
    let merged = 0;
    for (let round = 0; round < atLength(10_000, 30_000); round++) {
      const length = 1 + random.below(5);
      const rest = Array.from({ length }, () => random.pick(pieces)).join("");
      const source = safe.normalize(`http://h.example/${rest}`);
      // What the importer's contract names: a session dropped by name between ";" or with "?" inside, and a
      // delimiter beside it, which Nutch's later patterns join with one in the fragment.
      if (/;[^?&#]*id=|id=[^&#]*[?;]|id=[^#]*#.*[?&]/i.test(source)) continue;
      const key = ours(source);
      const theirs = nutch(source);
      const known = groups.get(key);
      if (known !== undefined && nutch(known) !== theirs) {
        expect.fail(`${known} and ${source} are ${key}, for Nutch ${nutch(known)} and ${theirs}`);
      }
      if (known !== undefined && known !== source) merged++;
      groups.set(key, source);
    }
    expect(merged).toBeGreaterThan(500);
  });
});

describe("a pattern of regex-normalize.xml", () => {
  test.each([
    ["[?&amp;]ref=[^&amp;]*", ""],
    ["[\\?&amp;]ref=[^&amp;#]*", ""],
    ["([?&amp;])ref=[^&amp;]+", "$1"],
    ["(\\?|&amp;)ref=[^&amp;]*", "$1"],
    ["(\\?|\\&amp;)ref=[^&amp;]*", ""],
  ])("for one parameter is a rule that drops it: %s", (pattern, substitution) => {
    const read = one(pattern, substitution);
    expect([linesOf(read.rules), read.ignored]).toEqual([["drop ref"], []]);
  });

  test.each([
    ["#.*$", ""],
    ["/index\\.html?(\\?|#|$)", "/$1"],
    ["&amp;&amp;", "&amp;"],
    ["(?&lt;!:)/{2,}", "/"],
    ["(\\?|\\&amp;)PHPSESSID=[a-zA-Z0-9]{32}$", ""],
    ["^https?://www\\.", "http://"],
    ["[?&amp;]ref=[^&amp;]*", "$1"],
    ["[?&amp;]ref=[^&amp;]*", "x"],
    ["ref=[^&amp;]*", ""],
    ["[?&amp;]utm_.*=[^&amp;]*", ""],
    ["(?i)(sid=.*?)(\\?|&amp;|#|$)", "$1"],
  ])("of another form is not read: %s", (pattern, substitution) => {
    const read = one(pattern, substitution);
    expect(read.rules).toEqual([]);
    expect(read.ignored).toMatchObject([{ line: 5, reason: NOT_READ }]);
  });

  test("of session ids has the names it has", () => {
    const read = one("(;?\\b(x_)?(tok|key)=.*?)(\\?|&amp;|#|$)", "$4");
    expect(linesOf(read.rules)).toEqual(["drop tok,key,x_tok,x_key"]);
  });
});

describe("a file that is not one of Nutch's", () => {
  test("is refused without its element", () => {
    expect(() => importNutchRules("")).toThrow("<regex-normalize>");
    expect(() => importNutchRules("<regex></regex>")).toThrow("<regex-normalize>");
    expect(importNutchRules("<regex-normalize/>")).toEqual({ rules: [], ignored: [] });
  });

  test("has its other elements named by line", () => {
    const xml =
      "<regex-normalize>\n<rule/>\n<regex>\n<pattern>[?&#x26;]a=[^&#38;]*</pattern>\n<substitution>" +
      "<![CDATA[]]></substitution></regex>\n<regex><pattern>a</pattern></regex>\n</regex-normalize>";
    const read = importNutchRules(xml);
    expect(linesOf(read.rules)).toEqual(["drop a"]);
    expect(read.ignored).toEqual([
      { line: 2, pattern: "", reason: "it is not a <regex>" },
      { line: 6, pattern: "", reason: "it lacks a pattern or a substitution" },
    ]);
  });
});
