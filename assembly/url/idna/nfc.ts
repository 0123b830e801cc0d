/*
 * Memory: reads and writes code points, 4 bytes each, between the pointers it is given. DECOMPOSED is static
 * data for up to 4 x as many code points as a domain may have; no code point decomposes into more.
 */
import { LONGEST_DOMAIN } from "../../memory";
import { COMPOSES, combiningClassOf, composeOf, decompositionOf, flagsOf } from "./unicode";

const DECOMPOSED: usize = memory.data(16 * LONGEST_DOMAIN, 16);

// Hangul syllables are composed by arithmetic (Unicode 3.12).
const L_BASE: u32 = 0x1100;
const V_BASE: u32 = 0x1161;
const T_BASE: u32 = 0x11a7;
const S_BASE: u32 = 0xac00;
const L_COUNT: u32 = 19;
const V_COUNT: u32 = 21;
const T_COUNT: u32 = 28;
const S_COUNT: u32 = 11172;

/**
 * Puts the code points in `[p, end)`, which UTS #46 calls valid, in normalization form C (Unicode 3.11).
 * There must be room for 4 x as many. Returns the end.
 */
export function toNfc(p: usize, end: usize): usize {
  return isSurelyNfc(p, end) ? end : writeNfc(p, end, p);
}

/** Returns whether the code points in `[p, end)` are in normalization form C. */
export function isNfc(p: usize, end: usize): bool {
  if (isSurelyNfc(p, end)) return true;
  const length = writeNfc(p, end, DECOMPOSED) - DECOMPOSED;
  return length === end - p && memory.compare(DECOMPOSED, p, length) === 0;
}

/** Returns whether the quick check of UAX #15 9 passes: no code point may compose, and marks are in order. */
function isSurelyNfc(p: usize, end: usize): bool {
  let classBefore: u32 = 0;
  for (; p < end; p += 4) {
    const flags = flagsOf(load<u32>(p));
    const combiningClass = combiningClassOf(flags);
    if ((flags & COMPOSES) !== 0) return false;
    if (combiningClass !== 0 && combiningClass < classBefore) return false;
    classBefore = combiningClass;
  }
  return true;
}

function writeNfc(p: usize, end: usize, out: usize): usize {
  let decomposed = DECOMPOSED;
  for (; p < end; p += 4) decomposed = writeDecomposed(load<u32>(p), decomposed);
  reorder(DECOMPOSED, decomposed);
  return compose(DECOMPOSED, decomposed, out);
}

/** Writes the canonical decomposition. A Hangul syllable stays: it composes with what follows as its letters would. */
function writeDecomposed(code: u32, out: usize): usize {
  const pair = decompositionOf(code);
  if (pair === 0) {
    store<u32>(out, code);
    return out + 4;
  }
  out = writeDecomposed(load<u32>(pair), out);
  store<u32>(out, load<u32>(pair, 4));
  return out + 4;
}

/** Puts each run of combining marks in canonical order, by combining class; the sort is stable. */
function reorder(start: usize, end: usize): void {
  for (let p = start + 4; p < end; p += 4) {
    const code = load<u32>(p);
    const combiningClass = combiningClassOf(flagsOf(code));
    if (combiningClass === 0) continue;
    let hole = p;
    for (; hole > start; hole -= 4) {
      const before = load<u32>(hole - 4);
      if (combiningClassOf(flagsOf(before)) <= combiningClass) break;
      store<u32>(hole, before);
    }
    store<u32>(hole, code);
  }
}

/** Composes each code point with the last starter, unless something blocks it (canonical composition). */
function compose(p: usize, end: usize, out: usize): usize {
  let starter: usize = 0;
  let classBefore: u32 = 0;
  for (; p < end; p += 4) {
    const code = load<u32>(p);
    const flags = flagsOf(code);
    const combiningClass = combiningClassOf(flags);
    const isBlocked = starter !== 0 && out - 4 > starter && classBefore >= combiningClass;
    if (starter !== 0 && !isBlocked && (flags & COMPOSES) !== 0) {
      const composite = composePair(load<u32>(starter), code);
      if (composite !== 0) {
        store<u32>(starter, composite);
        continue;
      }
    }
    if (combiningClass === 0) starter = out;
    classBefore = combiningClass;
    store<u32>(out, code);
    out += 4;
  }
  return out;
}

function composePair(first: u32, second: u32): u32 {
  const l = first - L_BASE;
  const v = second - V_BASE;
  if (l < L_COUNT && v < V_COUNT) return S_BASE + (l * V_COUNT + v) * T_COUNT;
  const syllable = first - S_BASE;
  const t = second - T_BASE;
  if (syllable < S_COUNT && syllable % T_COUNT === 0 && t - 1 < T_COUNT - 1) return first + t;
  return composeOf(first, second);
}
