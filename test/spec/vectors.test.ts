import { expect, test } from "vitest";
import { describeEngines } from "../shared/engines.ts";
import { readJsonFixture } from "../shared/fixtures.ts";

interface Pair {
  readonly a: string;
  readonly b: string;
  readonly why: string;
}

const pairs = readJsonFixture<{ differ: Pair[]; equal: Pair[] }>("pairs.json");

interface Seed {
  readonly rule: string;
  readonly input: string;
  readonly options: { readonly preset: string };
  readonly expected: string;
}

const seeds = readJsonFixture<{ cases: Seed[] }>("seeds.json").cases;

describeEngines("pairs.json", (create) => {
  const normalizer = create();

  test.each(pairs.differ)("safe keeps apart: $why", ({ a, b }) => {
    expect(normalizer.normalize(a)).not.toBe(normalizer.normalize(b));
  });

  test.each(pairs.equal)("safe joins: $why", ({ a, b }) => {
    expect(normalizer.normalize(a)).toBe(normalizer.normalize(b));
  });
});

describeEngines("seeds.json, preset safe", (create) => {
  const normalizer = create();
  const safe = seeds.filter(({ options }) => JSON.stringify(options) === '{"preset":"safe"}');

  test.each(safe)("$rule: $input", ({ input, expected }) => {
    expect(normalizer.normalize(input)).toBe(expected);
  });
});
