/*
 * Blocks of rules: which rules a comparison of a few words leaves as candidates.
 *
 * Memory: reads the ruled URL (ruled-url.ts) and the plan region, where src/plan/rule-layout.ts says what a block is. In a
 * pair of masks lane 0 is of the first rule, lane 1 of the second. Bits are those of params.ts and those below.
 *
 * RECENT, static data, caches 64 answers: bits of a URL (8), first bytes of its path (8), block and first
 * rule (8), bits of values (8), and the candidates (8).
 */
import { BLOCK, FACT, MASK_BYTES, PAIR, RULE } from "../catalog.generated";
import { isReduced, isUnsorted, nameBits, paramCount, readParams, valueBits } from "./params";
import { hasUpper, isHttp, pathEnd, targetEnd, targetStart } from "./ruled-url";

/** Rules that are looked at together. */
export const MANY: i32 = 64;

const UNSORTED: u64 = 1 << 59;
const UPPER: u64 = 1 << 60;
const HTTP: u64 = 1 << 61;
const QUERY: u64 = 1 << 62;
const ALWAYS: u64 = 1 << 63;

const RECENT: usize = memory.data(64 * 40, 16);
const MULTIPLIER: u64 = 0x9e3779b97f4a7c15;

/**
 * The facts of the URL that rules ask for: its bits, the first bytes of its path and the length of its path.
 */
let bits: u64 = 0;
let values: u64 = 0;
let head: u64 = 0;
export let pathLength: usize = 0;

/** Forgets the cached answers of another plan. */
export function prepareBlocks(): void {
  memory.fill(RECENT, 0, 64 * 40);
}

/** Returns the facts that the rules of a block need; `block` may be 0 for no block. */
export function factsOf(block: usize): u32 {
  return block === 0 ? 0 : load<u32>(block, BLOCK.FACTS);
}

function firstPair(block: usize): usize {
  return block + BLOCK.BYTES + ((<usize>load<u32>(block, BLOCK.COUNT) + 63) >> 6) * MASK_BYTES;
}

export function firstRule(block: usize): usize {
  return firstPair(block) + ((<usize>load<u32>(block, BLOCK.COUNT) + 1) >> 1) * PAIR.BYTES;
}

export function isIn(block: usize, rule: usize): bool {
  const first = firstRule(block);
  return rule >= first && rule < first + <usize>load<u32>(block, BLOCK.COUNT) * RULE.BYTES;
}

/** Returns, as bits, which of up to MANY rules from number `first` on a removed parameter can wake. */
export function wakeable(block: usize, first: i32): u64 {
  return load<u64>(block + BLOCK.BYTES + (<usize>first >> 3));
}

/** Reads the facts of the URL again. */
export function readFacts(facts: u32): void {
  head = load<u64>(targetStart);
  pathLength = pathEnd - targetStart;
  if ((facts & FACT.NAMES) !== 0) readParams();
  setBits(facts);
}

/** Updates the bits of the URL if only parameters have gone. */
export function setBits(facts: u32): void {
  bits = ALWAYS;
  values = 0;
  if (isHttp) bits |= HTTP;
  if (isReduced ? paramCount > 0 : pathEnd < targetEnd) bits |= QUERY;
  if ((facts & FACT.CASE) !== 0 && hasUpper()) bits |= UPPER;
  if ((facts & FACT.NAMES) === 0) return;
  bits |= nameBits;
  values = valueBits;
  if ((facts & FACT.ORDER) !== 0 && isUnsorted()) bits |= UNSORTED;
}

/** Returns whether the URL has the bits that a rule asks for; `number` is the rule's number in the block. */
export function hasBits(block: usize, number: i32): bool {
  const masks =
    firstPair(block) + (<usize>number >> 1) * PAIR.BYTES + (<usize>number & 1) * MASK_BYTES;
  const missing = (load<u64>(masks, PAIR.ALL) & ~bits) | (load<u64>(masks, PAIR.VALUES) & ~values);
  return missing === 0 && (load<u64>(masks, PAIR.ANY) & bits) !== 0;
}

/** Returns, as bits, which of up to MANY rules of a block from number `first` on may change the URL. */
export function candidates(block: usize, first: i32): u64 {
  const asked = bits & load<u64>(block, BLOCK.ASKED);
  const askedValues = values & load<u64>(block, BLOCK.ASKED_VALUES);
  const key = ((asked + askedValues) ^ (head * MULTIPLIER)) + <u64>(block + <usize>first);
  const slot = RECENT + <usize>((key * MULTIPLIER) >> 58) * 40;
  const place = <u64>block | ((<u64>first) << 32);
  const isSame = load<u64>(slot) === asked && load<u64>(slot, 24) === askedValues;
  if (isSame && load<u64>(slot, 8) === head && load<u64>(slot, 16) === place) {
    return load<u64>(slot, 32);
  }
  const found = compareMasks(block, first);
  store<u64>(slot, asked);
  store<u64>(slot, head, 8);
  store<u64>(slot, place, 16);
  store<u64>(slot, askedValues, 24);
  store<u64>(slot, found, 32);
  return found;
}

function compareMasks(block: usize, first: i32): u64 {
  const count = min(MANY, load<i32>(block, BLOCK.COUNT) - first);
  const urlBits = i64x2.splat(bits);
  const urlValues = i64x2.splat(values);
  const urlHead = i64x2.splat(head);
  const none = i64x2.splat(0);
  let pair = firstPair(block) + (<usize>first >> 1) * PAIR.BYTES;
  let found: u64 = 0;
  for (let at = 0; at < count; at += 2) {
    const missing = v128.or(
      v128.andnot(v128.load(pair, PAIR.ALL), urlBits),
      v128.andnot(v128.load(pair, PAIR.VALUES), urlValues),
    );
    const shared = v128.and(v128.load(pair, PAIR.ANY), urlBits);
    const begins = i64x2.eq(
      v128.and(urlHead, v128.load(pair, PAIR.HEAD_MASK)),
      v128.load(pair, PAIR.HEAD),
    );
    const hasAll = v128.and(i64x2.eq(missing, none), begins);
    found |= (<u64>i64x2.bitmask(v128.andnot(hasAll, i64x2.eq(shared, none)))) << at;
    pair += PAIR.BYTES;
  }
  return found;
}
