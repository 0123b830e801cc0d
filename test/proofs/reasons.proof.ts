import { expect, test } from "vitest";
import { OPTION_VALUES } from "../../src/options/catalog.generated.ts";

import { linesOf, readCorpus } from "../shared/fixtures.ts";
import { HOSTILE_BASES, hostileUrls } from "../shared/hostile.ts";
import { Random } from "../shared/random.ts";
import { optionUrls, randomOptions } from "../shared/random-options.ts";
import { randomRules, urlsForRules } from "../shared/random-rules.ts";
import { findReasonFindings } from "../shared/reasons.ts";

// URLMILL_REASON_SEED and URLMILL_REASON_SETS choose another run.
const seed = Number(process.env["URLMILL_REASON_SEED"] ?? 1);
const sets = Number(process.env["URLMILL_REASON_SETS"] ?? 600);

test.each(OPTION_VALUES.preset)(
  "under %s, reasons of all real URLs are what explain lists",
  (preset) => {
    const found = findReasonFindings({ preset }, linesOf(readCorpus()));
    expect(found).toMatchObject({ findings: [] });
    console.log(preset, found);
  },
);

test(`reasons are what explain lists under ${sets} random option sets, seed ${seed}`, () => {
  const random = new Random(seed);
  for (let set = 0; set < sets; set++) {
    const at = seed * sets + set;
    const urls = [...hostileUrls(at, 150), ...optionUrls(at, 150)];
    const rules = randomRules(random);
    const { maxLength: _, defaultScheme: __, ...options } = randomOptions(random);
    const cases = [
      findReasonFindings(randomOptions(random), urls),
      findReasonFindings({ ...options, rules }, [...urls, ...urlsForRules(random, 150)]),
      findReasonFindings(options, urls, random.pick(HOSTILE_BASES)),
    ];
    for (const found of cases) {
      if (found !== "refused") expect(found.findings).toEqual([]);
    }
  }
});
