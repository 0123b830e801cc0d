import { expect, test } from "vitest";
import { createNormalizer } from "../../src/index.ts";
import { parseRules, RULES_HEADER, ruleFromJson, writeRules } from "../../src/site-rules/index.ts";
import { MAX_EXCEPTIONS } from "../../src/site-rules/language/exception-text.ts";
import { atLength, testAtLength } from "../shared/length.ts";
import { Random } from "../shared/random.ts";
import { randomRules, urlsForRules, withExceptions } from "../shared/random-rules.ts";

const RULE = "a.b\t*\tsub .msg<N><$> => .0";
const NOT = "\tnot\t";
const file = (...lines: readonly string[]) => [RULES_HEADER, ...lines, ""].join("\n");

test("the lines after a rule list what it must not make", () => {
  const text = file(RULE, `${NOT}/?topic=1.0`, "# why", "", `${NOT}/?topic=2.0`, "a.b\t*\tsort");
  const [rule, other] = parseRules(text);
  expect(rule?.except).toEqual(new Set(["/?topic=1.0", "/?topic=2.0"]));
  expect(other).not.toHaveProperty("except");
});

test("exceptions are read back from TSV and from JSON, in their order", () => {
  const text = file(RULE, `${NOT}/?topic=2.0`, `${NOT}/?topic=1.0`, "c.d\t*\tdrop x", `${NOT}/y`);
  const rules = parseRules(text);
  expect(writeRules(rules)).toBe(text);
  expect(parseRules(writeRules(rules, "json"))).toEqual(rules);
  expect(writeRules(rules, "json")).toContain('"except":["/?topic=2.0","/?topic=1.0"]');
});

test("exceptions of random rules are read back from TSV, from JSON and from a plan", () => {
  const random = new Random(71);
  const plain = createNormalizer();
  let exceptions = 0;
  for (let set = 0; set < atLength(6, 300); set++) {
    const urls = plain.normalizeBatch(urlsForRules(random, 80)).urls.filter((url) => url !== null);
    const text = withExceptions(random, randomRules(random), urls);
    const rules = parseRules(text);
    exceptions += rules.reduce((sum, { except }) => sum + (except?.size ?? 0), 0);
    expect(writeRules(rules)).toBe(text);
    expect(parseRules(writeRules(rules, "json"))).toEqual(rules);
    const { plan } = createNormalizer({ rules: text });
    expect(createNormalizer({ rules: writeRules(rules, "json") }).plan).toEqual(plan);
  }
  expect(exceptions).toBeGreaterThan(atLength(25, 100));
});

test("an exception may stand after a rule that is a JSON object, and is one more", () => {
  const json = '{"site":"a.b","condition":"*","action":"sort","except":["/x"]}';
  const [rule] = parseRules(file(json, `${NOT}/y`));
  expect(rule?.except).toEqual(new Set(["/x", "/y"]));
});

test.each([
  ["/a b", '" " is always encoded'],
  ["/a|b", '"|" is always encoded'],
  ["/%41", 'always written "A"'],
  ["/a%2f", 'always written "%2F"'],
  ["/a/../b", 'the dot-segment ".." is always removed'],
  ["/a/.", 'the dot-segment "." is always removed'],
  ["/?'", "is always encoded"],
  ["/\u00e9", "is always encoded"],
  ["/a\tb", "is always encoded"],
  ["", 'is a path and perhaps a query, not ""'],
  ["?a", "is a path and perhaps a query"],
  ["http://a.b/x", "is a path and perhaps a query"],
  ["/a#b", "is a path and perhaps a query"],
  ["/x", "the exception /x is listed twice"],
])("the exception %j is refused with its line and the reason", (target, reason) => {
  const text = file(RULE, `${NOT}/x`, `${NOT}${target}`);
  expect(() => parseRules(text)).toThrow(`line 4 of the rules: `);
  expect(() => parseRules(text)).toThrow(reason);
  const except = ["/x", target];
  const json = { site: "a.b", condition: "*", action: "sort", except };
  expect(() => ruleFromJson(json)).toThrow(reason);
});

test("an exception without a rule above it is refused", () => {
  expect(() => parseRules(file("# none", `${NOT}/x`))).toThrow(
    "line 3 of the rules: an exception needs a rule above it",
  );
});

test("a file of exceptions after a file of rules is refused", () => {
  expect(() => parseRules(file(RULE, RULES_HEADER, `${NOT}/x`))).toThrow(
    "line 4 of the rules: an exception needs a rule above it",
  );
});

test.each([
  ["a.b\t/p\tnoindex", `${NOT}/x`],
  ["a.b\t*\ttrust og", "\tunless\ta.b\t/x"],
])(
  "a line for a crawl takes no exceptions, and gives none to the rule above it: %j",
  (line, exception) => {
    expect(() => parseRules(file(RULE, line, exception))).toThrow(
      "line 4 of the rules: an exception needs a rule above it",
    );
  },
);

test.each(["host a.b => c.d", "scheme https", "sink /"])("%s cannot have exceptions", (action) => {
  expect(() => parseRules(file(`a.b\t*\t${action}`, `${NOT}/`))).toThrow(
    `line 3 of the rules: a rule with the action ${action.split(" ")[0]} cannot have exceptions`,
  );
});

test.each([[{}], ["/x"], [[]], [[1]], [[null]]])("except of JSON cannot be %j", (except) => {
  expect(() => ruleFromJson({ site: "a.b", condition: "*", action: "sort", except })).toThrow(
    "except is a list of one or more texts",
  );
});

testAtLength("a rule has a million exceptions at most", () => {
  const except = Array.from({ length: MAX_EXCEPTIONS + 1 }, (_, n) => `/${n}`);
  const json = { site: "a.b", condition: "*", action: "sort", except };
  expect(() => ruleFromJson(json)).toThrow("a rule has more than 1000000 exceptions");
  except.pop();
  expect(ruleFromJson(json).except?.size).toBe(MAX_EXCEPTIONS);
});
