import { describe, expect, test } from "vitest";
import type { NormalizerOptions } from "../../src/index.ts";
import { OPTION_VALUES } from "../../src/options/catalog.generated.ts";

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
  readonly options: Omit<NormalizerOptions, "engine">;
  readonly expected: string;
}

const seeds = readJsonFixture<{ cases: Seed[] }>("seeds.json").cases;

describeEngines("pairs.json", (create) => {
  describe.each(OPTION_VALUES.preset)("preset %s", (preset) => {
    const normalizer = create({ preset });

    test.each(pairs.equal)("joins: $why", ({ a, b }) => {
      expect(normalizer.normalize(a)).toBe(normalizer.normalize(b));
    });
  });

  describe.each(["safe", "crawl"] as const)("preset %s", (preset) => {
    const normalizer = create({ preset });

    test.each(pairs.differ)("keeps apart: $why", ({ a, b }) => {
      expect(normalizer.normalize(a)).not.toBe(normalizer.normalize(b));
    });
  });
});

describeEngines("seeds.json", (create) => {
  test.each(seeds)("$rule: $input", ({ input, options, expected }) => {
    const normalizer = create(options);
    expect(normalizer.normalize(input)).toBe(expected);
    expect(normalizer.normalize(expected)).toBe(expected);
  });
});
