import { describe, expect, test } from "vitest";
import {
  ALIASES_HEADER,
  parseAliases,
  writeAliases,
} from "../../src/site-rules/aliases/alias-file.ts";
import {
  type Action,
  type Condition,
  type Evidence,
  parseRule,
  parseRules,
  RULES_HEADER,
  type Rule,
  ruleFromJson,
  ruleToJson,
  writeRule,
  writeRules,
} from "../../src/site-rules/index.ts";

const SITE = "example.org:8080";
const ANY: Condition = { path: null, params: [] };
const text = (value: string) => ({ kind: "text", text: value }) as const;

const ACTIONS: readonly (readonly [string, Action])[] = [
  ["drop sid", { type: "drop", params: ["sid"] }],
  ["drop a,b\\,c,\\!d", { type: "drop", params: ["a", "b,c", "!d"] }],
  ['drop ""', { type: "drop", params: [""] }],
  ["keep id,page", { type: "keep", params: ["id", "page"] }],
  ["keep", { type: "keep", params: [] }],
  ['keep ""', { type: "keep", params: [""] }],
  ["dropif page=1", { type: "dropif", param: "page", value: "1" }],
  ["dropif page=", { type: "dropif", param: "page", value: "" }],
  ["dropif a=b=c,d!*...", { type: "dropif", param: "a", value: "b=c,d!*..." }],
  ["set lang=en", { type: "set", param: "lang", value: "en" }],
  ["sort", { type: "sort" }],
  [
    "sub /index.html<$> => /",
    { type: "sub", from: [text("/index.html"), { kind: "end" }], to: ["/"] },
  ],
  ["sub &sid=<H> =>", { type: "sub", from: [text("&sid="), { kind: "hex" }], to: [] }],
  [
    "sub /p/<N>/<T>?x => /<2>/<1>",
    {
      type: "sub",
      from: [text("/p/"), { kind: "digits" }, text("/"), { kind: "word" }, text("?x")],
      to: ["/", 2, "/", 1],
    },
  ],
  ["sub a\\*b\\...c => a", { type: "sub", from: [text("a*b...c")], to: ["a"] }],
  [
    "path /old/*.html => /<1>",
    {
      type: "path",
      from: [text("/old/"), { kind: "segment", suffix: ".html" }],
      to: ["/", 1],
    },
  ],
  [
    "path /a/*-b/c../.... => /<1>",
    {
      type: "path",
      from: [
        text("/a/"),
        { kind: "segment", suffix: "-b" },
        text("/c../"),
        { kind: "rest", suffix: "." },
      ],
      to: ["/", 1],
    },
  ],
  ["cut print", { type: "cut", segment: "print" }],
  ["cut *,=!", { type: "cut", segment: "*,=!" }],
  ["lower path", { type: "lower" }],
  ["host example.org:8080 => www.example.org", { type: "host", to: "www.example.org" }],
  ["scheme https", { type: "scheme", to: "https" }],
  ["slash path", { type: "slash" }],
  ["sink /login?from=x", { type: "sink", target: "/login?from=x" }],
];

const LONG_ENOUGH: Condition = { path: [text("/index.php/long/enough/")], params: [] };

const CONDITIONS: readonly (readonly [string, Condition])[] = [
  ["*", ANY],
  ["/", { path: [text("/")], params: [] }],
  [
    "/a/<N>/<H>/b",
    { path: [text("/a/"), { kind: "digits" }, text("/"), { kind: "hex" }, text("/b")], params: [] },
  ],
  [
    "/a\\*/*.html/...",
    {
      path: [
        text("/a*/"),
        { kind: "segment", suffix: ".html" },
        text("/"),
        { kind: "rest", suffix: "" },
      ],
      params: [],
    },
  ],
  ["/a\\....b", { path: [text("/a."), { kind: "rest", suffix: "b" }], params: [] }],
  ["/a\\...b", { path: [text("/a...b")], params: [] }],
  ["* ?start=0", { path: null, params: [{ name: "start", is: "equal", value: "0" }] }],
  ["* ?a==b", { path: null, params: [{ name: "a", is: "equal", value: "=b" }] }],
  [
    '/x ?a&!b&c=&!""&\\!d',
    {
      path: [text("/x")],
      params: [
        { name: "a", is: "present", value: "" },
        { name: "b", is: "absent", value: "" },
        { name: "c", is: "equal", value: "" },
        { name: "", is: "absent", value: "" },
        { name: "!d", is: "present", value: "" },
      ],
    },
  ],
];

const EVIDENCE: readonly (readonly [string, Evidence])[] = [
  ["standard n=0 ok=0 lb=.0000", { level: "standard", n: 0, ok: 0, lb: 0 }],
  ["declared n=3 ok=3 lb=.4385", { level: "declared", n: 3, ok: 3, lb: 0.4385 }],
  ["fingerprint n=1443 ok=1442 lb=.9961", { level: "fingerprint", n: 1443, ok: 1442, lb: 0.9961 }],
  [
    "pattern n=9007199254740991 ok=1 lb=1",
    { level: "pattern", n: Number.MAX_SAFE_INTEGER, ok: 1, lb: 1 },
  ],
];

function ruleOf(over: Partial<Rule>): Rule {
  return { site: SITE, condition: ANY, action: { type: "sort" }, evidence: null, ...over };
}

function expectBothWays(line: string, rule: Rule): void {
  expect(parseRule(line)).toEqual(rule);
  expect(writeRule(rule)).toBe(line);
  const json = JSON.stringify(ruleToJson(rule));
  expect(ruleFromJson(JSON.parse(json))).toEqual(rule);
  expect(JSON.stringify(ruleToJson(ruleFromJson(JSON.parse(json))))).toBe(json);
  expect(writeRule(ruleFromJson(JSON.parse(json)))).toBe(line);
}

describe("a rule is read and written back to the same bytes, as TSV and as JSON, where it", () => {
  test.each(ACTIONS)("has the action %s", (written, action) => {
    const isSink = action.type === "sink";
    const condition = isSink ? LONG_ENOUGH : ANY;
    const where = isSink ? "/index.php/long/enough/" : "*";
    expectBothWays(`${SITE}\t${where}\t${written}`, ruleOf({ action, condition }));
  });

  test.each(CONDITIONS)("has the condition %s", (written, condition) => {
    expectBothWays(`${SITE}\t${written}\tsort`, ruleOf({ condition }));
  });

  test.each(EVIDENCE)("has the evidence %s", (written, evidence) => {
    expectBothWays(`${SITE}\t*\tsort\t${written}`, ruleOf({ evidence }));
  });

  test.each(["*", "a.b", "[::1]:8080", "127.0.0.1", "{x}.org"])("has the site %s", (site) => {
    expectBothWays(`${site}\t*\tsort`, ruleOf({ site }));
    expect(parseRules(`${RULES_HEADER}\n${site}\t*\tsort\n`)).toEqual([ruleOf({ site })]);
  });
});

describe("a file of rules", () => {
  const rules = [
    ...ACTIONS.filter(([, { type }]) => type !== "sink").map(([, action]) => ruleOf({ action })),
    ...CONDITIONS.map(([, condition]) => ruleOf({ condition })),
    ...EVIDENCE.map(([, evidence]) => ruleOf({ evidence })),
  ];

  test.each(["tsv", "json"] as const)("is read back from %s", (format) => {
    const file = writeRules(rules, format);
    expect(file.startsWith(`${RULES_HEADER}\n`)).toBe(true);
    expect(parseRules(file)).toEqual(rules);
    expect(writeRules(parseRules(file), format)).toBe(file);
  });

  test("mixes TSV and JSON, and has empty lines, comments and CRLF", () => {
    const file = [
      RULES_HEADER,
      "",
      "# a comment",
      "a.b\t*\tsort",
      '{"site":"a.b","condition":"*","action":"sort"}',
      RULES_HEADER,
    ].join("\r\n");
    expect(parseRules(file)).toEqual([ruleOf({ site: "a.b" }), ruleOf({ site: "a.b" })]);
  });

  test("is empty with its header alone", () => {
    expect(parseRules(RULES_HEADER)).toEqual([]);
    expect(writeRules([])).toBe(`${RULES_HEADER}\n`);
  });
});

test("a bound is rounded down, and never up to 1", () => {
  const evidence = { level: "fingerprint", n: 9, ok: 9, lb: 0.99996 } as const;
  expect(writeRule(ruleOf({ evidence }))).toBe(`${SITE}\t*\tsort\tfingerprint n=9 ok=9 lb=.9999`);
  expect(ruleToJson(ruleOf({ evidence })).evidence?.lb).toBe(0.9999);
  for (let lb = 0; lb <= 10_000; lb++) {
    const rule = ruleOf({ evidence: { level: "fingerprint", n: 0, ok: 0, lb: lb / 10_000 } });
    expect(parseRule(writeRule(rule)).evidence?.lb).toBe(lb / 10_000);
  }
});

test("marks of paths are text in a substring", () => {
  expect(parseRule("a.b\t*\tsub x*y...z => x").action).toMatchObject({ from: [text("x*y...z")] });
});

test("the levels of older files are read, and written by their words", () => {
  const words = ["standard", "declared", "fingerprint", "fetched", "size", "pattern"];
  for (const [number, word] of words.entries()) {
    const line = (level: string) => `a.b\t*\tsort\t${level} n=9 ok=9 lb=.7008`;
    expect(writeRule(parseRule(line(`E${number}`)))).toBe(line(word));
    const alias = (level: string) => `${ALIASES_HEADER}\na.b\t/x\t/y\t${level}\n`;
    expect(writeAliases(parseAliases(alias(`E${number}`)))).toBe(alias(word));
  }
});
