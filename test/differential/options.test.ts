import { expect, test } from "vitest";
import { linesOf, readCorpus } from "../shared/fixtures.ts";
import { HOSTILE_BASES, hostileUrls } from "../shared/hostile.ts";
import { atLength } from "../shared/length.ts";
import { findOptionFindings } from "../shared/option-agreement.ts";
import { Random } from "../shared/random.ts";
import { optionUrls, randomOptions } from "../shared/random-options.ts";

const SETS = atLength(6, 150, 400);

test(`under ${SETS} random option sets engines agree and output is a fixpoint`, () => {
  const random = new Random(4);
  const real = linesOf(readCorpus());
  let refused = 0;
  for (let set = 0; set < SETS; set++) {
    const options = randomOptions(random);
    const from = random.below(real.length - 200);
    const inputs = [
      ...real.slice(from, from + 100),
      ...hostileUrls(set, 100),
      ...optionUrls(set, 100),
    ];
    const findings = findOptionFindings(options, inputs);
    if (findings === "refused") refused++;
    else expect(findings).toEqual([]);
  }
  expect(refused).toBeLessThan(SETS / 3);
});

test("with a base engines agree under random option sets, and output is a fixpoint", () => {
  const random = new Random(5);
  const bases = new Array<typeof HOSTILE_BASES>(atLength(1, 3)).fill(HOSTILE_BASES).flat();
  for (const [at, base] of bases.entries()) {
    // A base takes the place of defaultScheme, which reads "a.b:80/" otherwise than as a scheme.
    const { maxLength: _, defaultScheme: __, ...options } = randomOptions(random);
    const findings = findOptionFindings(options, hostileUrls(1_000 + at, atLength(150, 500)), base);
    if (findings !== "refused") expect(findings).toEqual([]);
  }
});
