import { expect, test } from "vitest";
import { linesOf, readCorpus } from "../shared/fixtures.ts";
import { hostileUrls } from "../shared/hostile.ts";
import { findOptionFindings } from "../shared/option-agreement.ts";
import { Random } from "../shared/random.ts";
import { optionUrls, randomOptions } from "../shared/random-options.ts";

// URLMILL_FUZZ_SEED and URLMILL_OPTION_SETS choose another run.
const seed = Number(process.env["URLMILL_FUZZ_SEED"] ?? 1);
const sets = Number(process.env["URLMILL_OPTION_SETS"] ?? 10_000);

test(`engines agree and output is a fixpoint under ${sets} random option sets, seed ${seed}`, () => {
  const random = new Random(seed);
  const real = linesOf(readCorpus());
  let refused = 0;
  for (let set = 0; set < sets; set++) {
    const options = randomOptions(random);
    const from = random.below(real.length - 200);
    const at = seed * sets + set;
    const inputs = [
      ...real.slice(from, from + 200),
      ...hostileUrls(at, 100),
      ...optionUrls(at, 100),
    ];
    const findings = findOptionFindings(options, inputs);
    if (findings === "refused") refused++;
    else expect(findings).toEqual([]);
  }
  console.log(`${sets - refused} option sets, ${refused} refused, 400 URLs each`);
});
