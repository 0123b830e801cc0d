import { expect, test } from "vitest";
import { createNormalizer } from "../../src/index.ts";
import { decodePlan } from "../../src/plan/decode/decode.ts";
import { hashForward } from "../../src/plan/layout.ts";
import { parseRules, RULES_HEADER } from "../../src/site-rules/index.ts";
import { atLength } from "../shared/length.ts";
import { describeRules, ruled } from "../shared/ruled.ts";

const TOPIC = "a.b | * | sub .msg<N><$> => .0";

describeRules("exceptions of rules", [
  [
    [TOPIC, " | not | /?topic=2.0"],
    [
      ["http://a.b/?topic=1.msg7", "http://a.b/?topic=1.0"],
      ["http://a.b/?topic=2.msg7", "http://a.b/?topic=2.msg7"],
      ["https://a.b/?topic=2.msg7#x", "https://a.b/?topic=2.msg7#x"],
      ["http://a.b/?topic=22.msg7", "http://a.b/?topic=22.0"],
      ["http://a.b/?topic=2.0", "http://a.b/?topic=2.0"],
    ],
  ],
  // Each action that writes path and query.
  [
    [
      "a.b | * | drop x",
      " | not | /d",
      "a.b | * | keep k,x",
      " | not | /k?k",
      "a.b | * | dropif i=1",
      " | not | /i",
      "a.b | * ?s | set s=1",
      " | not | /s?s=1",
      "a.b | * | sort",
      " | not | /o?a&k",
      "a.b | * | cut c",
      " | not | /e",
      "a.b | * | lower path",
      " | not | /l",
      "a.b | /p/* | path /p/* => /<1>",
      " | not | /q",
    ],
    [
      ["http://a.b/?x", "http://a.b/"],
      ["http://a.b/d?x", "http://a.b/d?x"],
      ["http://a.b/k?k&z", "http://a.b/k?k&z"],
      ["http://a.b/?k&z", "http://a.b/?k"],
      ["http://a.b/c/e", "http://a.b/c/e"],
      ["http://a.b/c/f", "http://a.b/f"],
      ["http://a.b/L", "http://a.b/L"],
      ["http://a.b/M", "http://a.b/m"],
      ["http://a.b/p/q", "http://a.b/p/q"],
      ["http://a.b/p/r", "http://a.b/r"],
    ],
  ],
  [
    ["a.b | * | dropif i=1", " | not | /i", "a.b | * | set s=1", " | not | /s?s=1"],
    [
      ["http://a.b/i?i=1", "http://a.b/i?i=1"],
      ["http://a.b/j?i=1", "http://a.b/j"],
      ["http://a.b/s?s=2", "http://a.b/s?s=2"],
      ["http://a.b/t?s=2", "http://a.b/t?s=1"],
    ],
  ],
  [
    ["a.b | * | sort", " | not | /o?a&k", "a.b | * ?k | drop z"],
    [
      ["http://a.b/o?k&a", "http://a.b/o?k&a"],
      ["http://a.b/p?k&a", "http://a.b/p?a&k"],
      ["http://a.b/o?z&k&a", "http://a.b/o?a&k"],
    ],
  ],
  // What is left out for one URL is done once another rule has changed it.
  [
    ["a.b | * | drop x", " | not | /p?y", "a.b | * | drop y"],
    [
      ["http://a.b/p?x&y", "http://a.b/p"],
      ["http://a.b/p?x;y", "http://a.b/p"],
      ["http://a.b/p?x", "http://a.b/p"],
    ],
  ],
  // Parameters that other rules have taken are not back.
  [
    ["a.b | * | drop x", "a.b | * | drop y", " | not | /p", "a.b | * | lower path"],
    [
      ["http://a.b/p?x&y", "http://a.b/p?y"],
      ["http://a.b/P?x&y", "http://a.b/p"],
      ["http://a.b/q?x&y", "http://a.b/q"],
      ["http://a.b/p?x&y&z", "http://a.b/p?z"],
    ],
  ],
  // All matches of a pattern are one result, and the rules after it have their turn.
  [
    ["a.b | * | sub /x/ => /", " | not | /y", "a.b | * | drop s"],
    [
      ["http://a.b/x/y", "http://a.b/x/y"],
      ["http://a.b/x/y?s", "http://a.b/y"],
      ["http://a.b/x/x/y", "http://a.b/x/y"],
      ["http://a.b/x/z/x/y", "http://a.b/z/y"],
    ],
  ],
  // A rule for every site has its exceptions on every site.
  [
    ["* | * | drop s", " | not | /login?s=1", " | not | /login"],
    [
      ["http://a.b/login?s", "http://a.b/login?s"],
      ["http://c.d/login?s", "http://c.d/login?s"],
      ["http://c.d/?s", "http://c.d/"],
    ],
  ],
]);

const MANY = Array.from({ length: atLength(700, 3000) }, (_, n) => `/?topic=${7 * n}.0`);

test("many exceptions are all found, and nothing beside them", () => {
  const lines = [TOPIC, ...MANY.map((target) => ` | not | ${target}`)];
  const urls = Array.from(
    { length: atLength(4_900, 21_000) },
    (_, n) => `http://a.b/?topic=${n}.msg1`,
  );
  for (const engine of ["wasm", "js"] as const) {
    const normalizer = ruled((options) => createNormalizer({ ...options, engine }), lines);
    expect(normalizer.engine).toBe(engine);
    expect(normalizer.normalizeBatch(urls).urls).toEqual(
      urls.map((url, n) => (n % 7 === 0 ? url : url.replace(".msg1", ".0"))),
    );
  }
});

test("texts in one bucket are told apart", () => {
  const targets = Array.from({ length: 20_000 }, (_, n) => `/${n}`);
  const inOne = targets.filter((target) => (hashForward(target) & 255) === 7);
  const except = new Set(inOne.filter((_, at) => at % 2 === 0));
  expect(except.size).toBeGreaterThan(20);
  const lines = ["a.b | * | drop x", ...[...except].map((target) => ` | not | ${target}`)];
  const urls = inOne.map((target) => `http://a.b${target}?x`);
  for (const engine of ["wasm", "js"] as const) {
    const normalizer = ruled((options) => createNormalizer({ ...options, engine }), lines);
    expect(normalizer.normalizeBatch(urls).urls).toEqual(
      inOne.map((target) => `http://a.b${target}${except.has(target) ? "?x" : ""}`),
    );
  }
});

test("a plan has the exceptions, whatever order they came in", () => {
  const text = (targets: readonly string[]) =>
    [RULES_HEADER, "a.b\t*\tdrop x", ...targets.map((target) => `\tnot\t${target}`)].join("\n");
  const plan = createNormalizer({ rules: text(MANY) }).plan;
  expect(createNormalizer({ rules: text(MANY.toReversed()) }).plan).toEqual(plan);
  const [rule] = decodePlan(plan).siteRules?.bySite.get("a.b") ?? [];
  expect(rule?.except).toEqual(new Set(MANY));
  expect(rule).toEqual(parseRules(text(MANY))[0]);
});

test("explain names the rule that an exception kept from changing the URL", () => {
  for (const engine of ["wasm", "js"] as const) {
    const lines = [TOPIC, " | not | /?topic=2.0", "a.b | * | drop sid"];
    const normalizer = ruled((options) => createNormalizer({ ...options, engine }), lines);
    const kept = normalizer.explain("http://a.b/?topic=2.msg7&sid=1");
    expect(kept.steps.map(({ after }) => after)).toEqual(["http://a.b/?topic=2.msg7"]);
    expect(kept.excepted).toEqual([{ rule: TOPIC.replaceAll(" | ", "\t"), made: "/?topic=2.0" }]);
    for (const url of ["http://a.b/?topic=1.msg7", "http://a.b/?topic=2.0", "ftp://a.b/2.msg7"]) {
      expect(normalizer.explain(url)).not.toHaveProperty("excepted");
    }
  }
});
