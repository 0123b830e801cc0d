import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { UrlmillError } from "../../src/index.ts";
import { PRESETS } from "../../src/options/catalog.generated.ts";
import { planFor } from "../shared/engine-parts.ts";
import { linesOf, readCorpus } from "../shared/fixtures.ts";
import { hostileUrls } from "../shared/hostile.ts";
import { mutatedUrl } from "../shared/mutated.ts";
import { Random } from "../shared/random.ts";
import { optionUrls, randomOptions } from "../shared/random-options.ts";
import { TwoKernels } from "../shared/scalar-kernel.ts";

// URLMILL_CORPUS names a list of URLs, gzipped or plain; without it the bundled one is read. URLMILL_FUZZ_SEED,
// URLMILL_FUZZ_COUNT and URLMILL_OPTION_SETS choose another run.
const file = process.env["URLMILL_CORPUS"];
const seed = Number(process.env["URLMILL_FUZZ_SEED"] ?? 1);
const count = Number(process.env["URLMILL_FUZZ_COUNT"] ?? 1_000_000);
const sets = Number(process.env["URLMILL_OPTION_SETS"] ?? 10_000);

function readList(): string[] {
  if (file === undefined) return linesOf(readCorpus());
  const content = readFileSync(file);
  return linesOf(content[0] === 0x1f && content[1] === 0x8b ? gunzipSync(content) : content);
}

const list = readList();
const presets = Object.keys(PRESETS) as (keyof typeof PRESETS)[];
const lines = (urls: readonly string[]): Uint8Array =>
  Buffer.from(`${urls.join("\n")}\n`, "latin1");

test.each(presets)(`both kernels write the same for each line of the list under %s`, (preset) => {
  expect(new TwoKernels(planFor({ preset })).findDifference(lines(list))).toBeNull();
  console.log(`${list.length} lines under ${preset}`);
});

test.each(presets)(`both kernels write the same for ${count} mutated URLs under %s`, (preset) => {
  const kernels = new TwoKernels(planFor({ preset }));
  const random = new Random(seed);
  for (let done = 0; done < count; done += 10_000) {
    const urls = Array.from({ length: Math.min(10_000, count - done) }, () =>
      mutatedUrl(random.pick(list), random),
    );
    expect(kernels.findDifference(lines(urls))).toBeNull();
  }
});

test(`both kernels write the same under ${sets} random option sets, 400 URLs each`, () => {
  const random = new Random(seed);
  let refused = 0;
  for (let set = 0; set < sets; set++) {
    const options = randomOptions(random);
    const from = random.below(list.length - 200);
    const at = seed * sets + set;
    const urls = [
      ...list.slice(from, from + 200),
      ...hostileUrls(at, 100),
      ...optionUrls(at, 100),
    ].map((url) => url.replaceAll("\n", ""));
    let plan: Uint8Array;
    try {
      plan = planFor(options);
    } catch (error) {
      if (!(error instanceof UrlmillError && error.code === "BAD_OPTION")) throw error;
      refused++;
      continue;
    }
    const difference = new TwoKernels(plan).findDifference(lines(urls));
    if (difference !== null) expect({ options, difference }).toBeNull();
  }
  expect(refused).toBeLessThan(sets / 3);
  console.log(`${sets - refused} option sets, ${refused} refused`);
});
