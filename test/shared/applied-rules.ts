import { createNormalizer } from "../../src/index.ts";
import type { LearnRecord } from "../../src/learn/records/record.ts";
import { writeRules } from "../../src/site-rules/language/rule-file.ts";
import type { Rule } from "../../src/site-rules/rule.ts";

/**
 * Counts the right and wrong merges of rules that the kernel applies to URLs with known
 * fingerprints.
 */
export function appliedRules(
  rules: readonly Rule[],
  records: readonly LearnRecord[],
): { right: number; wrong: number } {
  const normalizer = createNormalizer({ preset: "safe", rules: writeRules(rules) });
  const pages = new Map<string, string[]>();
  const { urls } = normalizer.normalizeBatch(records.map(({ url }) => url));
  for (const [index, { fp }] of records.entries()) {
    if (fp === undefined) continue;
    const key = urls[index] as string;
    const own = pages.get(key);
    if (own === undefined) pages.set(key, [fp]);
    else own.push(fp);
  }
  let [right, wrong] = [0, 0];
  for (const own of pages.values()) {
    const different = new Set(own).size;
    right += own.length - different;
    wrong += different - 1;
  }
  return { right, wrong };
}
