import fc from "fast-check";
import { expect, test } from "vitest";
import { UrlmillError } from "../../src/base/errors.ts";
import { applyRule, type RuledParts } from "../../src/site-rules/apply/apply.ts";
import {
  type Action,
  type Element,
  type Evidence,
  type ParamTest,
  type Pattern,
  parseRule,
  type Rule,
  ruleFromJson,
  ruleToJson,
  type Template,
  writeRule,
} from "../../src/site-rules/index.ts";
import { checkRule } from "../../src/site-rules/language/check.ts";
import { atLength } from "../shared/length.ts";

const SEED = 20260117;
const LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
const COMMON = [...`${LETTERS}0123456789-._~!$&()*+,;=:@/`, "...", "..", "**", ",", "!"];
const TRIPLETS = ["%2F", "%27", "%C3%A9", "%20", "%25"];
const inQuery = [...COMMON, "?", ...TRIPLETS];
const inPath = [...COMMON, "'", ...TRIPLETS];
const inSegment = inPath.filter((unit) => unit !== "/");
const inParam = inQuery.filter((unit) => unit !== "&" && unit !== ";");
const inName = inParam.filter((unit) => unit !== "=");
const inWord = inSegment.filter((unit) => !/[&=;:]/.test(unit));

const textOf = (units: readonly string[], minLength = 0, maxLength = 6) =>
  fc.array(fc.constantFrom(...units), { minLength, maxLength }).map((list) => list.join(""));
const hexRun = fc
  .array(fc.constantFrom(..."0123456789abcdefABCDEF"), { minLength: 16, maxLength: 20 })
  .map((list) => list.join(""));
const digitRun = fc.nat({ max: 99_999 }).map(String);

/** As the language reads it: no empty texts, no two texts side by side. */
function joined<T extends { kind: string; text?: string }>(elements: readonly T[]): T[] {
  const kept: T[] = [];
  for (const element of elements) {
    const last = kept.at(-1);
    if (element.kind === "text" && element.text === "") continue;
    if (last?.kind === "text" && element.kind === "text") {
      kept[kept.length - 1] = { ...last, text: `${last.text}${element.text}` };
    } else kept.push(element);
  }
  return kept;
}

const text = (value: string): Element => ({ kind: "text", text: value });
const isNoDots = (path: string) => !/\/\.\.?(\/|$)/.test(path);

const pathSegment: fc.Arbitrary<Element[]> = fc.oneof(
  textOf(inSegment).map((value) => [text(value)]),
  fc
    .tuple(textOf(inSegment), fc.constantFrom("digits", "hex"), textOf(inSegment))
    .map(([before, kind, after]) => [text(before), { kind } as Element, text(`-${after}`)]),
  fc
    .tuple(textOf(inSegment), textOf(inSegment))
    .map(([before, suffix]) => [text(before), { kind: "segment", suffix } as Element]),
);

const pathPattern: fc.Arbitrary<Pattern> = fc
  .tuple(
    fc.array(pathSegment, { minLength: 1, maxLength: 4 }),
    fc.option(fc.tuple(textOf(inPath), textOf(inPath)), { nil: null }),
  )
  .map(([segments, rest]) => [
    ...segments.flatMap((segment) => [text("/"), ...segment]),
    ...(rest === null ? [] : [text(`/${rest[0]}`), { kind: "rest", suffix: rest[1] } as Element]),
  ])
  .map(joined)
  .filter((pattern) =>
    pattern.every(
      (element) =>
        isNoDots("text" in element ? element.text : ".") &&
        isNoDots("suffix" in element ? element.suffix : "."),
    ),
  );

const delimiter = fc.constantFrom(..."/?&=;:");
const substringPattern: fc.Arbitrary<Pattern> = fc
  .tuple(
    textOf(inQuery, 1),
    fc.array(
      fc.tuple(delimiter, fc.constantFrom("digits", "hex", "word"), delimiter, textOf(inQuery)),
      {
        maxLength: 3,
      },
    ),
    fc.boolean(),
  )
  .map(([first, marks, isEnd]) =>
    joined([
      text(first),
      ...marks.flatMap(([before, kind, after, more]) => [
        text(before),
        { kind } as Element,
        text(after + more),
      ]),
      ...(isEnd ? [{ kind: "end" } as Element] : []),
    ]),
  );

const capturesIn = (pattern: Pattern) =>
  pattern.filter(({ kind }) => kind !== "text" && kind !== "end").length;

/** Captures in any order, with short texts between; or the pattern itself with another byte. */
function templateFor(
  pattern: Pattern,
  units: readonly string[],
  start: string,
): fc.Arbitrary<Template> {
  const all = Array.from({ length: Math.min(9, capturesIn(pattern)) }, (_, index) => index + 1);
  const shuffled = fc
    .tuple(
      fc.shuffledSubarray(all),
      fc.array(textOf(units, 0, 2), { minLength: 10, maxLength: 10 }),
    )
    .map(([order, texts]) => [start + texts[9], ...order.flatMap((n, at) => [n, texts[at] ?? ""])]);
  const sameWith = fc
    .tuple(fc.nat(), fc.constantFrom(...units.filter((unit) => unit.length === 1)))
    .map(([place, unit]) => changed(pattern, place, unit));
  return fc.oneof(shuffled, sameWith).map(joinedTemplate);
}

function changed(pattern: Pattern, place: number, unit: string): (string | number)[] {
  const long = pattern.map((element) => ("text" in element ? element.text.length : 0));
  const at = place % long.reduce((sum, length) => sum + length, 0);
  let passed = 0;
  let capture = 0;
  return pattern.flatMap((element, index): (string | number)[] => {
    const start = passed;
    passed += long[index] as number;
    if (element.kind === "end") return [];
    if (element.kind !== "text") return [++capture, "suffix" in element ? element.suffix : ""];
    if (at < start || at >= passed || element.text[at - start] === "%") return [element.text];
    return [element.text.slice(0, at - start) + unit + element.text.slice(at - start + 1)];
  });
}

function joinedTemplate(pieces: readonly (string | number)[]): Template {
  return joined(
    pieces.map((piece) =>
      typeof piece === "string" ? { kind: "text", text: piece } : { kind: `${piece}` },
    ),
  ).map((piece) => ("text" in piece ? (piece.text as string) : Number(piece.kind)));
}

const isWhole = (template: Template) =>
  template.every((piece) => typeof piece === "number" || !/%(?!2[057F]|C3|A9)/.test(piece));

const paramTest: fc.Arbitrary<ParamTest> = fc
  .tuple(fc.constantFrom("present", "absent", "equal"), textOf(inName), textOf(inParam))
  .map(([is, name, value]) => ({ name, is, value: is === "equal" ? value : "" }) as ParamTest);
const condition = fc.record({
  path: fc.option(pathPattern, { nil: null }),
  params: fc.array(paramTest, { maxLength: 3 }),
});
const names = fc.uniqueArray(textOf(inName), { minLength: 1, maxLength: 4 });

const path: fc.Arbitrary<Action> = pathPattern.chain((from) =>
  templateFor(from, inPath, "/").map((to) => ({ type: "path", from, to })),
);
const substitution: fc.Arbitrary<Action> = substringPattern.chain((from) =>
  templateFor(from, inQuery, "").map((to) => ({ type: "sub", from, to })),
);
const sink: fc.Arbitrary<Action> = fc
  .tuple(textOf(inPath), fc.option(textOf(inParam), { nil: null }))
  .map(([to, query]) => `/${to}${query === null ? "" : `?${query}`}`)
  .filter((target) => isNoDots(target.split("?")[0] as string))
  .map((target) => ({ type: "sink", target }));
const other: fc.Arbitrary<Action> = fc.oneof(
  names.map((params) => ({ type: "drop", params }) as const),
  fc
    .uniqueArray(textOf(inName), { maxLength: 4 })
    .map((params) => ({ type: "keep", params }) as const),
  fc
    .tuple(fc.constantFrom("dropif", "set"), textOf(inName), textOf(inParam))
    .map(([type, param, value]) => ({ type, param, value }) as Action),
  textOf(inSegment, 1)
    .filter((segment) => !/^\.\.?$/.test(segment))
    .map((segment) => ({ type: "cut", segment }) as const),
  fc.constantFrom<Action>(
    { type: "sort" },
    { type: "lower" },
    { type: "slash" },
    { type: "scheme", to: "https" },
  ),
  fc
    .constantFrom("b.example", "b.example:8443", "[::1]")
    .map((to) => ({ type: "host", to }) as const),
);
const evidence: fc.Arbitrary<Evidence | null> = fc.option(
  fc
    .tuple(
      fc.constantFrom("standard", "declared", "fingerprint", "fetched", "size", "pattern"),
      fc.maxSafeNat(),
      fc.maxSafeNat(),
      fc.nat(10_000),
    )
    .map(
      ([level, a, b, lb]) =>
        ({ level, n: Math.max(a, b), ok: Math.min(a, b), lb: lb / 10_000 }) as Evidence,
    ),
  { nil: null },
);

/** Rules that `checkRule` accepts. A changed byte can make a run or a dot-segment that is refused. */
function accepted(action: fc.Arbitrary<Action>): fc.Arbitrary<Rule> {
  return fc
    .record({
      site: fc.constantFrom("a.example", "a.example:8080", "[::2]"),
      condition,
      action,
      evidence,
    })
    .filter((rule) => isAccepted(rule));
}

function isAccepted(rule: Rule): boolean {
  const { action } = rule;
  if ((action.type === "sub" || action.type === "path") && !isWhole(action.to)) return false;
  try {
    checkRule(rule);
    return true;
  } catch (error) {
    if (error instanceof UrlmillError && error.code === "BAD_RULES") return false;
    throw error;
  }
}

test("random rules are read back from TSV and from JSON", () => {
  const rule = accepted(fc.oneof(other, other, substitution, path, sink));
  fc.assert(
    fc.property(rule, (rule) => {
      const line = writeRule(rule);
      expect(parseRule(line)).toEqual(rule);
      expect(writeRule(parseRule(line))).toBe(line);
      const json = JSON.stringify(ruleToJson(rule));
      expect(ruleFromJson(JSON.parse(json))).toEqual(rule);
      expect(writeRule(ruleFromJson(JSON.parse(json)))).toBe(line);
    }),
    { seed: SEED, numRuns: atLength(150, 1500) },
  );
});

/** A text that the pattern matches. */
function instanceOf(pattern: Pattern): fc.Arbitrary<string> {
  return fc.tuple(...pattern.map(instanceOfElement)).map((texts) => texts.join(""));
}

function instanceOfElement(element: Element): fc.Arbitrary<string> {
  switch (element.kind) {
    case "text":
      return fc.constant(element.text);
    case "digits":
      return digitRun;
    case "hex":
      return hexRun;
    case "word":
      return textOf(inWord, 1);
    case "segment":
      return textOf(inSegment, 1).map((value) => value + element.suffix);
    case "rest":
      return textOf(inPath).map((value) => value + element.suffix);
    case "end":
      return fc.constant("");
  }
}

/** A query that has what the tests ask for; those for absent parameters may fail. */
function queryFor(params: readonly ParamTest[]): string | null {
  const given = params.filter(({ is }) => is !== "absent");
  return given.length === 0
    ? null
    : given.map(({ name, is, value }) => (is === "equal" ? `${name}=${value}` : name)).join("&");
}

function partsOf(target: string): RuledParts {
  const [path = "", ...query] = target.split("?");
  const isQuery = query.length > 0;
  return {
    scheme: "http",
    host: "a.example",
    port: "",
    path,
    query: isQuery ? query.join("?") : null,
  };
}

const targetOf = ({ path, query }: RuledParts) => (query === null ? path : `${path}?${query}`);

/** Applies the rule to targets; how many it changed, having made each of them smaller. */
function countDecreases(
  cases: fc.Arbitrary<{ rule: Rule; target: string }>,
  numRuns: number,
): number {
  let applied = 0;
  fc.assert(
    fc.property(cases, ({ rule, target }) => {
      const parts = partsOf(target);
      if (!applyRule(parts, rule)) {
        expect(targetOf(parts)).toBe(target);
        return;
      }
      applied++;
      const after = targetOf(parts);
      const isSmaller =
        after.length < target.length || (after.length === target.length && after < target);
      if (!isSmaller) expect.fail(`${writeRule(rule)}: ${target} > ${after}`);
    }),
    { seed: SEED, numRuns },
  );
  return applied;
}

const anywhere = (rule: Rule): Rule => ({ ...rule, condition: { path: null, params: [] } });

test("each application of an accepted sub makes path and query smaller", () => {
  const cases = accepted(substitution).chain((accepted) => {
    const rule = anywhere(accepted);
    const { from } = rule.action as { from: Pattern };
    const isEnd = from.at(-1)?.kind === "end";
    return fc
      .tuple(
        textOf(inQuery),
        fc.array(instanceOf(from), { minLength: 1, maxLength: 3 }),
        textOf(inQuery),
      )
      .map(([before, instances, after]) => ({
        rule,
        target: `/${before}${instances.join("/")}${isEnd ? "" : after}`,
      }));
  });
  expect(countDecreases(cases, 2000)).toBeGreaterThan(1000);
});

test("each application of an accepted path makes path and query smaller", () => {
  const cases = accepted(path).chain((accepted) => {
    const rule = anywhere(accepted);
    return fc
      .tuple(instanceOf((rule.action as { from: Pattern }).from), fc.constantFrom("", "?", "?a=b"))
      .map(([path, query]) => ({ rule, target: path + query }));
  });
  expect(countDecreases(cases, 2000)).toBeGreaterThan(1600);
});

test("an accepted sink makes nothing longer, and does nothing when it is applied again", () => {
  let applied = 0;
  const cases = accepted(sink).chain((rule) => {
    const { path, params } = rule.condition;
    const query = queryFor(params);
    const start = path === null ? fc.constantFrom("/", "/a") : instanceOf(path);
    return start.map((start) => ({ rule, target: start + (query === null ? "" : `?${query}`) }));
  });
  fc.assert(
    fc.property(cases, ({ rule, target }) => {
      const parts = partsOf(target);
      if (!applyRule(parts, rule)) return;
      applied++;
      const after = targetOf(parts);
      if (after.length > target.length) expect.fail(`${writeRule(rule)}: ${target} > ${after}`);
      expect(applyRule(parts, rule)).toBe(false);
    }),
    { seed: SEED, numRuns: atLength(1200, 2000) },
  );
  expect(applied).toBeGreaterThan(1000);
});
