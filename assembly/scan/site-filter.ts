/*
 * Which sites can have rules or aliases.
 *
 * Memory: reads a site between the pointers it is given, up to 15 bytes after it, and the filter in the plan
 * region. The filter is its number of words less 1, then the words. Each site with rules or aliases sets two
 * bits of one word, by its length and its first sixteen bytes. A domain with rules sets those of its last two labels, so
 * that all its hosts pass. FIRST_BYTES is static data: 16 bytes of ones, then
 * 16 of zeros.
 */
import { FILTER } from "../catalog.generated";
import { hasDomains, ruleFilter } from "../plan";
import { DOT } from "../url/chars";

const MULTIPLIER: u64 = 0x9e3779b97f4a7c15;
const FIRST_BYTES: usize = memory.data(32, 16);

memory.fill(FIRST_BYTES, 0xff, 16);

/** Returns whether the site `[p, end)` can have rules or aliases, in a plan with some. Few sites without any pass. */
export function mayHaveRules(p: usize, end: usize): bool {
  return passes(p, end) || (hasDomains && passes(lastLabels(p, end), end));
}

/** Returns where the last two labels of a site begin. */
function lastLabels(p: usize, end: usize): usize {
  let dots = 0;
  let at = end;
  while (at > p && (load<u8>(at - 1) !== DOT || ++dots < 2)) at--;
  return at;
}

function passes(p: usize, end: usize): bool {
  const hash = siteHash(p, end);
  const word = (hash >> 10) & load<u32>(ruleFilter, FILTER.MASK);
  const two: u32 = (1 << (hash & 31)) | (1 << ((hash >> 5) & 31));
  return (load<u32>(ruleFilter + FILTER.BYTES + ((<usize>word) << 2)) & two) === two;
}

/** Returns the hash of a site, 32 bits, as src/plan/rule-layout.ts does. */
function siteHash(p: usize, end: usize): u32 {
  const length = end - p;
  const bytes = v128.and(v128.load(p), v128.load(FIRST_BYTES + 16 - min<usize>(length, 16)));
  const first = <u64>i64x2.extract_lane(bytes, 0);
  const second = <u64>i64x2.extract_lane(bytes, 1);
  return <u32>((((first ^ (second * MULTIPLIER)) + <u64>length) * MULTIPLIER) >> 32);
}
