import { describe, expect, test } from "vitest";
import { expandRegex } from "../../src/exchange/lists/expand-regex.ts";
import { exportPywbRules } from "../../src/exchange/lists/export-pywb.ts";
import { importList, type ListName } from "../../src/exchange/lists/import-list.ts";
import { TOO_MANY_STEPS } from "../../src/exchange/lists/list-draft.ts";
import { UrlmillError } from "../../src/index.ts";
import { parseRules } from "../../src/site-rules/index.ts";
import { atLength, IS_LONG, sampleOf, testAtLength } from "../shared/length.ts";

// What is quadratic takes minutes, and what is recursive overflows the stack, so it ends at the time limit of a test.

const LENGTH = 50_000;

/** Texts that are repeated to the length, with what may stand before and after. */
const SHAPES: readonly (readonly [string, string, string])[] = [
  ["", "(", ""],
  ["", "(?:", ")"],
  ["", "(a|", "b"],
  ["", "(a)?", ""],
  ["", "a|", "a"],
  ["^", "a?", "$"],
  ["", ".*", "x"],
  ["", "[ab]", ""],
  ["", "[", "]"],
  ["", "\\.", ""],
  ["", "\\", ""],
  ["", "a", ""],
  ["", "a", "\u2028b"],
  ["a", "\u2028", "b"],
  ["", " ", "\u2028b"],
  ["", "a.", ""],
  ["", ".", "x"],
  ["", "/", "?"],
  ["", "/a", "\n"],
  ["/", "a", "?"],
  ["", "*", "\n"],
  ["", "*/", "^"],
  ["", "=/", ""],
  ["", "=", "=\n"],
  ["", ",", ""],
  ["", "\\,", ","],
  ["", "$a,", "\u2028"],
  ["", "$", "!"],
  ["", ":1", "x"],
  ["", "<*>", "x"],
  ["", "!(", "a"],
  ["", "a&&", "a"],
  ["", "a||", "a"],
  ["", "!", "a"],
  ["'", "','", "'"],
  ["", "%41", ""],
  ["", "(?<=[?&])", "(?:&|$)"],
  ["^(", "\\?(?:.*&)?)", "!"],
  ["^(?!", "a|", ")()"],
];

const json = (value: unknown): string => JSON.stringify(value);
const provider = (members: object): string =>
  json({ providers: { p: { urlPattern: ".*", rules: ["a"], ...members } } });
const oneLine = (text: string): string => text.replaceAll("\n", " ");
const yaml = (value: string): string =>
  `rules:\n  - url_prefix: 'com,a)/'\n    fuzzy_lookup: ${value}\n`;

/** Lists with a text at each of their places. */
const PLACES: Record<ListName, readonly ((text: string) => string)[]> = {
  clearurls: [
    (text) => provider({ urlPattern: text }),
    (text) => provider({ urlPattern: `^https?:\\/\\/${text}` }),
    (text) => provider({ urlPattern: `^https?:\\/\\/a\\.b\\/${text}` }),
    (text) => provider({ rules: [text] }),
    (text) => provider({ exceptions: [text] }),
    (text) => provider({ exceptions: [`^https?:\\/\\/a\\.b\\/${text}`] }),
    (text) => provider({ rawRules: [text] }),
    (text) => json({ providers: { [text]: { urlPattern: "x", rules: ["a"] } } }),
    (text) => text,
  ],
  adguard: [
    (text) => `$removeparam=${oneLine(text)}`,
    (text) => `$removeparam=/^${oneLine(text)}/i\n@@$removeparam=/^${oneLine(text)}/`,
    (text) => `$removeparam=/^a=${oneLine(text)}/`,
    (text) => `||${oneLine(text)}$removeparam=a`,
    (text) => `||a.b/${oneLine(text)}$removeparam=a`,
    (text) => `@@||a.b/${oneLine(text)}$removeparam=a\n$removeparam=a`,
    (text) => `@@/${oneLine(text)}?$removeparam=a`,
    (text) => `@@||a.*/${oneLine(text)}$removeparam=a`,
    (text) => `$removeparam=a,domain=${oneLine(text)}`,
    (text) => `$${oneLine(text)},removeparam=a`,
    (text) => `!#if ${oneLine(text)}\n$removeparam=a\n!#else\n$removeparam=b\n!#endif`,
    (text) => text,
  ],
  brave: [
    (text) => json([{ include: [text], params: ["a"] }]),
    (text) => json([{ include: [`*://${text}/*`], params: ["a"] }]),
    (text) => json([{ include: [`*://a.b/${text}`, `*://a.b/${text}*`], params: ["a"] }]),
    (text) => json([{ include: ["*://a.b/*"], exclude: [`*://a.b/${text}`], params: ["a"] }]),
    (text) => json([{ include: ["*://a.b/*"], params: [text] }]),
  ],
  firefox: [
    (text) => text,
    (text) => json([{ stripList: [text] }]),
    (text) => json([{ stripList: ["a"], allowList: [text] }]),
    (text) => json({ a: { queryParams: ["a"], topLevelSites: [text] } }),
  ],
  pywb: [
    (text) => `rules:\n  - url_prefix: '${text}'\n    fuzzy_lookup: '()'\n`,
    (text) => `rules:\n  - url_prefix: com,a)/${text}\n    fuzzy_lookup: '()'\n`,
    (text) => `rules:\n  - url_prefix: [${text}]\n    fuzzy_lookup: '()'\n`,
    (text) => yaml(`'${text}'`),
    (text) => yaml(`\n      match: ${text}`),
    (text) => yaml(`\n      - ${text}`),
    (text) => yaml(`'^(?!a)${text}'`),
    (text) => `url_prefix:\n  url_normalize:\n    - match: ${text}\n      replace: ''\n`,
    (text) =>
      `url_prefix:\n  url_normalize:\n    - match: '^(a[^?]*\\?(?:.*&)?)${text}(?:&|$)'\n      replace: '\\1'\n`,
    (text) => text,
  ],
};

const names = Object.keys(PLACES) as ListName[];

/** Reads a list; one of another form is refused. */
function read(from: ListName, text: string): ReturnType<typeof importList> {
  try {
    return importList(text, from, "2026-11-26");
  } catch (error) {
    if (error instanceof UrlmillError && error.code === "BAD_INPUT")
      return { rules: [], leftOut: [] };
    throw error;
  }
}

describe.each(names)("a list of %s", (from) => {
  test.each(sampleOf(SHAPES, 8).map(([start, part, end]) => [part, start, end] as const))(
    "many %j in any place are read once",
    (part, start, end) => {
      const text = start + part.repeat(LENGTH / part.length) + end;
      for (const place of PLACES[from]) {
        const { leftOut } = read(from, place(text));
        expect(leftOut.every((each) => each.text.length + each.reason.length < 700)).toBe(true);
      }
    },
  );
});

const MANY = 2_000;
const each = <T>(make: (index: number) => T, count = MANY): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

/** Lists whose parts all go together with all others. Each takes more steps than it may, and the first of its kind takes least time. */
const PRODUCTS: readonly (readonly [string, ListName, () => string])[] = [
  [
    "names and exceptions",
    "clearurls",
    () =>
      provider({
        rules: each((at) => `n${at}`),
        exceptions: each((at) => `^https?:\\/\\/e${at}\\.b`),
      }),
  ],
  [
    "filters for all sites and exceptions",
    "adguard",
    () =>
      [
        ...each((at) => `@@||e${at}.b^$removeparam=/^n/`),
        ...each((at) => `$removeparam=n${at}`),
      ].join("\n"),
  ],
  [
    "filters and exceptions of any name",
    "adguard",
    () =>
      [
        ...each((at) => `@@||e${at}.b^$removeparam=/^a[0-9]b/`, 2 * MANY),
        ...each((at) => `||f${at}.b^$removeparam=n${at}`, 2 * MANY),
      ].join("\n"),
  ],
  [
    "filters and parts of the names of exceptions",
    "adguard",
    () =>
      [
        ...each((at) => `@@||a.b^$removeparam=/^${".*a".repeat(600)}.*b${at}/`, 200),
        ...each((at) => `||f.b^$removeparam=n${at}`, 400),
      ].join("\n"),
  ],
  [
    "filters and domains of an exception",
    "adguard",
    () =>
      [
        `@@$removeparam=n,domain=${each((at) => `e${at}.b`, 6 * MANY).join("|")}`,
        ...each((at) => `||f${at}.c^$removeparam=n`),
      ].join("\n"),
  ],
  [
    "domains of a filter and exceptions",
    "adguard",
    () =>
      [
        `$removeparam=n,domain=${each((at) => `f${at}.b`, 2 * MANY).join("|")}`,
        ...each((at) => `@@||e${at}.b^$removeparam=n`, 2 * MANY),
      ].join("\n"),
  ],
  [
    "excluded patterns and names",
    "brave",
    () =>
      json([
        {
          include: ["*://*/*"],
          exclude: each((at) => `*://e${at}.b/*`),
          params: each((at) => `n${at}`),
        },
      ]),
  ],
  [
    "patterns and names",
    "brave",
    () => json([{ include: each((at) => `*://f${at}.b/*`), params: each((at) => `n${at}`) }]),
  ],
  [
    "allowed hosts and names",
    "firefox",
    () => json([{ stripList: each((at) => `n${at}`), allowList: each((at) => `f${at}.b`) }]),
  ],
  [
    "hosts and names",
    "firefox",
    () => json([{ queryParams: each((at) => `n${at}`), topLevelSites: each((at) => `f${at}.b`) }]),
  ],
  [
    "prefixes of an entry and names",
    "pywb",
    () =>
      `rules:\n  - url_prefix: [${each((at) => `'com,a)/p${at}/'`).join(", ")}]\n    fuzzy_lookup:\n${each((at) => `      - n${at}\n`, 20).join("")}`,
  ],
  [
    "entries and entries before them",
    "pywb",
    () =>
      `rules:\n${each((at) => `  - url_prefix: 'com,a)/p${at}/'\n    fuzzy_lookup:\n      - n\n`, 4 * MANY).join("")}`,
  ],
];

/** In short, the first of each kind of list. */
const products = PRODUCTS.filter(
  ([, from], at) => IS_LONG || PRODUCTS.findIndex(([, first]) => first === from) === at,
);
test.each(products)("%s of %s are taken up to a number of steps", (_, from, text) => {
  const { leftOut } = read(from, text());
  expect(leftOut.map(({ reason }) => reason)).toContain(TOO_MANY_STEPS);
});

/** Lists of many lines that each take as long as one line may, with what is said of them. */
const LINES: readonly (readonly [string, ListName, () => string, string])[] = [
  [
    "names of many long texts",
    "adguard",
    () =>
      each((at) => `$removeparam=/^${"[ab]".repeat(6)}${"x".repeat(1900)}${at}/`, 200).join("\n"),
    "no rule can say this regular expression",
  ],
  [
    "names of many long texts",
    "clearurls",
    () => provider({ rules: each((at) => `${"[ab]".repeat(6)}${"x".repeat(1900)}${at}`, 200) }),
    "no rule can say this pattern of names",
  ],
  [
    "exceptions of many long texts",
    "clearurls",
    () =>
      provider({
        exceptions: each(
          (at) => `^https?:\\/\\/${"[ab]".repeat(6)}\\.c${"x".repeat(1900)}${at}`,
          200,
        ),
      }),
    "no rule can say this exception, which keeps its rules out; --lose-exceptions takes them",
  ],
  [
    "many empty groups",
    "adguard",
    () =>
      each((at) => `$removeparam=/^${"[ab]".repeat(6)}${"()".repeat(950)}${at}/`, 200).join("\n"),
    "no rule can say this regular expression",
  ],
  [
    "classes that nothing closes",
    "adguard",
    () => each((at) => `$removeparam=/${"[".repeat(1900)}${at}/`, 5 * MANY).join("\n"),
    "no rule can say this regular expression",
  ],
];

test.each(sampleOf(LINES, 5))("many lines with %s of %s are read fast", (_, from, text, reason) => {
  const { leftOut } = read(from, text());
  expect(new Set(leftOut.map((each) => each.reason)).has(reason)).toBe(true);
});

test("an expression is read once for all domains of its filter", () => {
  const domains = each((at) => `d${at}.b`, 500).join("|");
  const regex = `${"[ab]".repeat(6)}${"c()".repeat(140)}`;
  const text = each((at) => `$removeparam=/^${regex}${at}/,domain=${domains}`, 50).join("\n");
  expect(read("adguard", text).leftOut).toHaveLength(50);
});

test("conditions within many conditions are counted", () => {
  const [open, filters] = atLength([10_000, 10_000], [50_000, 50_000]);
  const text = `${"!#if !a\n".repeat(open)}${"$removeparam=b\n".repeat(filters)}!#else\n$removeparam=c\n!#endif\n$removeparam=d`;
  const { rules, leftOut } = read("adguard", text);
  expect(rules.map(({ action }) => action)).toMatchObject([{ params: ["b", "d"] }]);
  expect(leftOut).toMatchObject([{ reason: "it depends on the blocker (#if)" }]);
});

test("what is not a host is left out once for all names of its record", () => {
  const queryParams = each((at) => `n${at}`);
  const topLevelSites = each((at) => `f ${at}`);
  const some = read("firefox", json([{ queryParams, topLevelSites: ["a.b", ...topLevelSites] }]));
  expect(some.leftOut).toEqual(
    topLevelSites.map((text) => ({ line: 1, text, reason: "it is not a host" })),
  );
  expect(some.rules).toMatchObject([
    { action: { params: queryParams.flatMap((name) => [name, name.toUpperCase()]) } },
  ]);
  const none = read("firefox", json([{ queryParams, topLevelSites }]));
  expect(none.rules).toEqual([]);
  expect(none.leftOut).toHaveLength(2 * MANY);
});

test("a text that a list repeats, or of many megabytes, is read once", () => {
  const many = json([{ stripList: each(() => "n", atLength(1, 5) * MANY) }]);
  expect(read("firefox", many)).toMatchObject({
    rules: [{ action: { params: ["n", "N"] } }],
    leftOut: [],
  });
  const long = `${"\\".repeat(atLength(600_000, 6_000_000))}"`;
  expect(read("firefox", json([{ stripList: [long, "n"] }]))).toMatchObject({
    rules: [{ action: { params: ["n", "N"] } }],
    leftOut: [{ line: 1, reason: "it is longer than 10000 characters" }],
  });
});

test.each([
  ["clearurls", (text: string) => provider({ rules: [text, "b"] })],
  ["adguard", (text: string) => `$removeparam=/^${text}/\n$removeparam=b`],
] as const)(
  "%s: an expression that is too deep or too long is left out, and the next is read",
  (from, list) => {
    const deep = (depth: number): string => `${"(".repeat(depth)}a${")".repeat(depth)}`;
    for (const text of [
      deep(20_000),
      deep(21),
      `${"(a|".repeat(10_000)}b${")".repeat(10_000)}`,
      "x".repeat(2_001),
    ]) {
      const { rules, leftOut } = read(from, list(text));
      expect(rules.map(({ action }) => action)).toEqual([
        { type: "drop", params: ["b"], whole: true },
      ]);
      expect(leftOut).toHaveLength(1);
    }
    expect(read(from, list(deep(20))).leftOut).toEqual([]);
  },
);

test.each([
  ["a", ["b"]],
  ["!a", ["a"]],
  ["!!a", ["b"]],
  ["!a && !b", ["a"]],
  ["!a && b || !c", ["a"]],
  ["a && !b || c", ["b"]],
  ["!(a || b)", ["a"]],
  ["!(!a)", ["b"]],
  [`${"!(".repeat(20)}a${")".repeat(20)}`, ["b"]],
  [`${"!(".repeat(21)}a${")".repeat(21)}`, []],
  ["a b", []],
  ["(a", []],
  ["!a &&", []],
  ["", []],
])("a condition of AdGuard is read as its blockers read it: %s", (condition, names) => {
  const list = `!#if ${condition}\n$removeparam=a\n!#else\n$removeparam=b\n!#endif\n`;
  const { rules, leftOut } = read("adguard", list);
  expect(rules.flatMap(({ action }) => (action.type === "drop" ? action.params : []))).toEqual(
    names,
  );
  expect(leftOut).toHaveLength(2 - names.length);
});

test("expressions are the texts that they match, whatever is in their classes and groups", () => {
  for (const [regex, texts] of [
    ["a(b|c(d)?)?", ["ab", "acd", "ac", "a"]],
    ["(?:a|a)b", ["ab"]],
    ["[(|)]x", ["(x", "|x", ")x"]],
    ["\\(a\\)?", ["(a)", "(a"]],
    ["a||b", ["a", "", "b"]],
    ["()", [""]],
    ["a.*", ["a<*>"]],
    ["a.*?", null],
    ["(a", null],
    ["a)", null],
    ["(?=a)", null],
    ["a+", null],
    ["[a-z]", null],
    ["[ab][ab][ab][ab][ab][ab][ab]", null],
  ] as const) {
    expect([regex, expandRegex(regex)]).toEqual([regex, texts]);
  }
});

testAtLength("many rules are written for pywb, up to a number of look-ups", () => {
  const names = each((at) => `n${at}`, 10 * MANY);
  const drops = parseRules(`#urlmill-rules 1\n*\t*\tdrop ${names.join(",")}\n`);
  expect(exportPywbRules([...drops, ...drops]).yaml.match(/match: /g)).toHaveLength(
    names.length + 2,
  );
  const unless = each((at) => `\tunless\te${at}.b\t*\n`, 3).join("");
  const keeps = each((at) => `a${at}.b\t*\tkeep\n${unless}`, 10_100);
  const { yaml, ignored } = exportPywbRules(parseRules(`#urlmill-rules 1\n${keeps.join("")}`));
  expect(yaml.match(/url_prefix: /g)).toHaveLength(10_000);
  expect(new Set(ignored.map(({ reason }) => reason))).toEqual(
    new Set(["there are more than 10000 look-ups"]),
  );
});
