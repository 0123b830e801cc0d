import { expect, test } from "vitest";
import type { Normalizer, NormalizerOptions } from "../../src/index.ts";
import { type Create, describeEngines } from "./engines.ts";

/** Lists rules, and URLs with their results under these rules. */
export type RuleTable = readonly (readonly [
  rules: readonly string[],
  rows: readonly (readonly [input: string, expected: string])[],
])[];

/** Makes a normalizer with rules, one a line, columns with `|` between. */
export function ruled(
  create: Create,
  lines: readonly string[],
  options: NormalizerOptions = {},
): Normalizer {
  const { engine: _, ...others } = options;
  const rules = ["#urlmill-rules 1", ...lines.map((line) => line.replaceAll(" | ", "\t"))];
  return create({ ...others, rules: rules.join("\n") });
}

/** Tests on both engines, by every method, that URLs have the results that a table lists. */
export function describeRules(name: string, table: RuleTable): void {
  describeEngines(name, (create) => {
    test.each(table)("%j gives what the table lists", (lines, rows) => {
      const normalizer = ruled(create, lines);
      const plain = create();
      const inputs = rows.map(([input]) => input);
      const expected = rows.map(([, output]) => output);
      expect(normalizer.normalizeBatch(inputs).urls).toEqual(expected);
      expect(normalizer.normalizeBatch(expected).urls).toEqual(expected);
      const bytes = normalizer.normalizeLines(Buffer.from(inputs.join("\n"))).bytes;
      expect(Buffer.from(bytes).toString()).toBe(`${expected.join("\n")}\n`);
      const inNormalForm = plain.normalizeBatch(inputs).urls as string[];
      expect(normalizer.normalizeBatch(inNormalForm).urls).toEqual(expected);
      for (const input of inputs) {
        const { url, steps } = normalizer.explain(input);
        expect(url).toBe(expected[inputs.indexOf(input)]);
        expect(steps.at(-1)?.after ?? input).toBe(url);
      }
    });
  });
}
