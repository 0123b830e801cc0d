import { describe, expect, test } from "vitest";
import { createNormalizer } from "../../src/js.ts";
import { importNutchRules, NUTCH_SESSION_RULES } from "../../src/learn/exchange/index.ts";
import { applySiteRules } from "../../src/site-rules/apply/apply.ts";
import { parseRules, writeRule, writeRules } from "../../src/site-rules/index.ts";
import { joinParts, splitParts } from "../../src/url/parts.ts";
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

describe("Nutch's default regex-normalize.xml", () => {
  const read = importNutchRules(fileOf(DEFAULT));

  test("is read as rules for every site that the language takes", () => {
    expect(parseRules(writeRules(read.rules))).toEqual(read.rules);
    expect(read.rules.slice(0, NUTCH_SESSION_RULES.length)).toEqual(NUTCH_SESSION_RULES);
    expect(linesOf(read.rules.slice(NUTCH_SESSION_RULES.length))).toEqual([
      "sub ?& => ?",
      "sub && => &",
      "sub ?<$> =>",
      "sub &<$> =>",
      "sub .<$> =>",
      "path //... => /<1>",
      "sub ?// => ?/",
      "sub &// => &/",
      "sub =// => =/",
      "sub ;// => ;/",
      "sub /<T>// => /<1>/",
      "sub ?<T>// => ?<1>/",
      "sub &<T>// => &<1>/",
      "sub =<T>// => =<1>/",
      "sub ;<T>// => ;<1>/",
      "sub :<T>// => :<1>/",
    ]);
  });

  test("has its default pages as an option", () => {
    const { fragment, directoryIndex, ...others } = read.options;
    expect([fragment, others]).toEqual([undefined, {}]);
    expect(directoryIndex).toEqual(
      expect.arrayContaining([
        "index.html",
        "default.ASPX".toLowerCase(),
        "INDEX.PHP4",
        "Default.aspx",
      ]),
    );
    expect(directoryIndex).not.toContain("index.jspfx");
    expect(directoryIndex).not.toContain("index.txt");
  });

  test("says what is left out, and of which line", () => {
    expect(read.ignored.map(({ line, reason }) => [line, reason])).toEqual([
      [5, expect.stringContaining("a session in a path")],
      [5, expect.stringContaining("other case")],
      [9, expect.stringContaining("other case")],
      [9, "places inside a query"],
      [13, expect.stringContaining("it keeps what stands after a ? or & of the fragment")],
      [25, "places in a host"],
      [29, expect.stringContaining("it reads scheme or host")],
    ]);
  });

  test("merges no two URLs that Nutch does not", () => {
    const safe = createNormalizer();
    const normalizer = createNormalizer(read.options);
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
      const parts = splitParts(normalizer.normalize(url));
      applySiteRules(parts, () => read.rules);
      return joinParts(parts);
    };
    const random = new Random(7);
    const pieces = (
      "/ // /// : :// . .. ? & && ; = # a b /a x=1 y=2 sid=7 &sid=7 ?PHPSESSID=9 ;jsessionid=3A /index.html " +
      "/INDEX.php /default.aspx index.htm /index.htmlx &_sessionId=4 newsid=5"
    ).split(" ");
    const groups = new Map<string, string>();
    let merged = 0;
    for (let round = 0; round < 30_000; round++) {
      const length = 1 + random.below(5);
      const rest = Array.from({ length }, () => random.pick(pieces)).join("");
      const source = safe.normalize(`http://h.example/${rest}`);
      // What the importer's contract names: a session dropped by name between ";" or with "?" inside, and
      // default pages compared without case.
      if (/;[^?&#]*id=|id=[^&#]*[?;]/i.test(source) || source.includes("/INDEX.php")) continue;
      const key = ours(source);
      const theirs = nutch(source);
      const known = groups.get(key);
      if (known !== undefined && nutch(known) !== theirs) {
        expect.fail(`${known} and ${source} are ${key}, for Nutch ${nutch(known)} and ${theirs}`);
      }
      if (known !== undefined && known !== source) merged++;
      groups.set(key, source);
    }
    expect(merged).toBeGreaterThan(2000);
  });
});

describe("a pattern of regex-normalize.xml", () => {
  test.each([
    ["#.*$", "", { fragment: "remove" }],
    ["#.*", "", { fragment: "remove" }],
    ["/index\\.html?(\\?|#|$)", "/$1", { directoryIndex: ["/index.htm", "/index.html"] }],
    [
      "/(?:home|start)\\.php(\\?|&amp;|#|$)",
      "/$1",
      { directoryIndex: ["/home.php", "/start.php"] },
    ],
  ])("is an option: %s", (pattern, substitution, options) => {
    const read = one(pattern, substitution);
    expect(read.rules).toEqual([]);
    const expected =
      "directoryIndex" in options
        ? { directoryIndex: options.directoryIndex?.map((name) => name.slice(1)) }
        : options;
    expect(read.options).toEqual(expected);
  });

  test.each([
    ["&amp;amp;", "&amp;", ["sub &amp; => &"]],
    ["&amp;&amp;+", "&amp;", []],
    ["&amp;+", "&amp;", ["sub && => &"]],
    [";;", ";", ["sub ;; => ;"]],
    ["\\?(print|view)=1(&amp;|#)", "?$2", ["sub ?print=1& => ?&", "sub ?view=1& => ?&"]],
    ["/amp(/)", "$1", ["sub /amp/ => /"]],
  ])("is rules: %s", (pattern, substitution, lines) => {
    expect(linesOf(one(pattern, substitution).rules)).toEqual(lines);
  });

  test.each(["&amp;?$", "&amp;+$", "&amp;*$"])(
    "is a rule after one that removes fragments: %s",
    (pattern) => {
      expect(one(pattern, "")).toMatchObject({
        rules: [],
        ignored: [{ reason: expect.stringContaining("the end of a fragment") }],
      });
      const read = importNutchRules(
        fileOf([
          ["#.*$", ""],
          [pattern, ""],
        ]),
      );
      expect(linesOf(read.rules)).toEqual(["sub &<$> =>"]);
      expect(read.ignored).toEqual([]);
    },
  );

  test.each([
    ["(\\?|\\&amp;)PHPSESSID=[a-zA-Z0-9]{32}$", "", "exactly"],
    ["(\\?|\\&amp;)PHPSESSID=[a-zA-Z0-9]{32}(\\&amp;)(.*)", "$1$3", "repeats"],
    ["#.*?(\\?|&amp;|$)", "$1", "fragment"],
    ["^https?://www\\.", "http://", "scheme or host"],
    ["/{2,}$", "", "repeats"],
    ["[0-9]", "", "exactly"],
    ["(a)\\1", "", "exactly"],
    ["(?=x)y", "", "exactly"],
    ["a.c", "", "exactly"],
    ["a|b$", "", "exactly"],
    ["&amp;x=1|&amp;x=10", "", "exactly"],
    ["utm_[a-z]+=[^&amp;]*", "", "repeats"],
    ["a", "b", "smaller by its bytes"],
    ["a", "aa", "longer"],
    ["(x)y", "$1", "exactly"],
    ["sid=.*", "", "repeats"],
    ["(?i)(sid=.*?)(\\?|&amp;|#|$)", "$1", "repeats"],
    ["\\d+", "", "repeats"],
  ])("is ignored with a reason: %s", (pattern, substitution, reason) => {
    const read = one(pattern, substitution);
    expect(read.rules).toEqual([]);
    expect(read.options).toEqual({});
    expect(read.ignored).toMatchObject([{ line: 5 }]);
    expect(read.ignored[0]?.reason).toMatch(reason);
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
    expect(importNutchRules("<regex-normalize/>")).toEqual({ rules: [], options: {}, ignored: [] });
  });

  test("has its other elements named by line", () => {
    const xml =
      "<regex-normalize>\n<rule/>\n<regex>\n<pattern>&#x26;&#38;</pattern>\n<substitution>" +
      "<![CDATA[&]]></substitution></regex>\n<regex><pattern>a</pattern></regex>\n</regex-normalize>";
    const read = importNutchRules(xml);
    expect(linesOf(read.rules)).toEqual(["sub && => &"]);
    expect(read.ignored).toEqual([
      { line: 2, pattern: "", reason: "it is not a <regex>" },
      { line: 6, pattern: "", reason: "it lacks a pattern or a substitution" },
    ]);
  });
});
