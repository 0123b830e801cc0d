/*
 * Blocks of rules: where their parts are, and which rules a comparison of a few words leaves as candidates.
 *
 * Memory: reads the ruled URL (ruled-url.ts) and the plan region. A block is the number of its rules (4), the
 * facts they need of a URL (4, bits below), the bits that some rule asks for (8), and the bits of values (8).
 * For each 64 rules follow the bits of those that a removed parameter can wake (8). Then come the masks, for
 * two rules at a time in 80 bytes, then the rules, 28 bytes each:
 *
 *    0  bits a URL must all have         lanes 0 and 1: the first rule of the two, and the second
 *   16  bits of which it must have one
 *   32  first bytes of its path          bits are those of params.ts and those below
 *   48  those of them that count
 *   64  bits of values it must all have
 *
 *    0  bytes of its path, at least       8  condition, or 0
 *    4  at most                          12  action (actions.ts), its subject 16, its object 20
 *                                      24  exceptions, a table of URLs (url-table.ts), or 0
 *
 * RECENT, static data, caches 64 answers: bits of a URL (8), first bytes of its path (8), block and first
 * rule (8), bits of values (8), and the candidates (8).
 */
import { isReduced, isUnsorted, nameBits, paramCount, readParams, valueBits } from "./params";
import { hasUpper, isHttp, pathEnd, targetEnd, targetStart } from "./ruled-url";

const PAIR: usize = 80;
export const RULE: usize = 28;
/** Rules that are looked at together. */
export const MANY: i32 = 64;

// The facts that a block can need.
const NAMES: u32 = 1;
const ORDER: u32 = 2;
const CASE: u32 = 4;

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
  return block === 0 ? 0 : load<u32>(block, 4);
}

function firstPair(block: usize): usize {
  return block + 24 + (((<usize>load<u32>(block) + 63) >> 6) << 3);
}

export function firstRule(block: usize): usize {
  return firstPair(block) + ((<usize>load<u32>(block) + 1) >> 1) * PAIR;
}

export function isIn(block: usize, rule: usize): bool {
  const first = firstRule(block);
  return rule >= first && rule < first + <usize>load<u32>(block) * RULE;
}

/** Returns, as bits, which of up to MANY rules from number `first` on a removed parameter can wake. */
export function wakeable(block: usize, first: i32): u64 {
  return load<u64>(block + 24 + (<usize>first >> 3));
}

/** Reads the facts of the URL again. */
export function readFacts(facts: u32): void {
  head = load<u64>(targetStart);
  pathLength = pathEnd - targetStart;
  if ((facts & NAMES) !== 0) readParams();
  setBits(facts);
}

/** Updates the bits of the URL if only parameters have gone. */
export function setBits(facts: u32): void {
  bits = ALWAYS;
  values = 0;
  if (isHttp) bits |= HTTP;
  if (isReduced ? paramCount > 0 : pathEnd < targetEnd) bits |= QUERY;
  if ((facts & CASE) !== 0 && hasUpper()) bits |= UPPER;
  if ((facts & NAMES) === 0) return;
  bits |= nameBits;
  values = valueBits;
  if ((facts & ORDER) !== 0 && isUnsorted()) bits |= UNSORTED;
}

/** Returns whether the URL has the bits that a rule asks for; `number` is the rule's number in the block. */
export function hasBits(block: usize, number: i32): bool {
  const masks = firstPair(block) + (<usize>number >> 1) * PAIR + ((<usize>number & 1) << 3);
  const missing = (load<u64>(masks) & ~bits) | (load<u64>(masks, 64) & ~values);
  return missing === 0 && (load<u64>(masks, 16) & bits) !== 0;
}

/** Returns, as bits, which of up to MANY rules of a block from number `first` on may change the URL. */
export function candidates(block: usize, first: i32): u64 {
  const asked = bits & load<u64>(block, 8);
  const askedValues = values & load<u64>(block, 16);
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
  const count = min(MANY, load<i32>(block) - first);
  const urlBits = i64x2.splat(bits);
  const urlValues = i64x2.splat(values);
  const urlHead = i64x2.splat(head);
  const none = i64x2.splat(0);
  let pair = firstPair(block) + (<usize>first >> 1) * PAIR;
  let found: u64 = 0;
  for (let at = 0; at < count; at += 2) {
    const missing = v128.or(
      v128.andnot(v128.load(pair), urlBits),
      v128.andnot(v128.load(pair, 64), urlValues),
    );
    const shared = v128.and(v128.load(pair, 16), urlBits);
    const begins = i64x2.eq(v128.and(urlHead, v128.load(pair, 48)), v128.load(pair, 32));
    const hasAll = v128.and(i64x2.eq(missing, none), begins);
    found |= (<u64>i64x2.bitmask(v128.andnot(hasAll, i64x2.eq(shared, none)))) << at;
    pair += PAIR;
  }
  return found;
}
