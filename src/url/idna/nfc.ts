import { combiningClassOf, composesInNfc, decomposesInNfc, unicodeTable } from "./table.ts";

// Hangul syllables are composed by arithmetic (Unicode 3.12).
const L_BASE = 0x1100;
const V_BASE = 0x1161;
const T_BASE = 0x11a7;
const S_BASE = 0xac00;
const L_COUNT = 19;
const V_COUNT = 21;
const T_COUNT = 28;
const S_COUNT = L_COUNT * V_COUNT * T_COUNT;

/** Returns normalization form C (Unicode 3.11) of code points that UTS #46 calls valid. */
export function toNfc(codes: readonly number[]): readonly number[] {
  if (isSurelyNfc(codes)) return codes;
  const decomposed: number[] = [];
  for (const code of codes) decompose(code, decomposed);
  reorder(decomposed);
  return compose(decomposed);
}

/** Returns whether the quick check of UAX #15 9 passes: no code point may compose, and marks are in order. */
function isSurelyNfc(codes: readonly number[]): boolean {
  let classBefore = 0;
  for (const code of codes) {
    const combiningClass = combiningClassOf(code);
    if (composesInNfc(code) || (combiningClass !== 0 && combiningClass < classBefore)) return false;
    classBefore = combiningClass;
  }
  return true;
}

/** Adds the canonical decomposition. A Hangul syllable stays: it composes with what follows as its letters would. */
function decompose(code: number, into: number[]): void {
  if (!decomposesInNfc(code)) {
    into.push(code);
    return;
  }
  const [first, second] = unicodeTable().decompose(code);
  decompose(first, into);
  into.push(second);
}

/** Puts each run of combining marks in canonical order, by combining class; the sort is stable. */
function reorder(codes: number[]): void {
  for (let start = 0; start < codes.length; ) {
    let end = start;
    while (end < codes.length && combiningClassOf(codes[end] as number) !== 0) end++;
    if (end - start > 1) {
      const run = codes.slice(start, end).sort((a, b) => combiningClassOf(a) - combiningClassOf(b));
      for (const [index, code] of run.entries()) codes[start + index] = code;
    }
    start = end + 1;
  }
}

/** Composes each code point with the last starter, unless something blocks it (canonical composition). */
function compose(codes: readonly number[]): number[] {
  const composed: number[] = [];
  let starter = -1;
  let classBefore = 0;
  for (const code of codes) {
    const combiningClass = combiningClassOf(code);
    const isBlocked =
      starter >= 0 && composed.length - 1 > starter && classBefore >= combiningClass;
    const mayCompose = starter >= 0 && !isBlocked && composesInNfc(code);
    const composite = mayCompose ? composePair(composed[starter] as number, code) : -1;
    if (composite >= 0) {
      composed[starter] = composite;
      continue;
    }
    if (combiningClass === 0) starter = composed.length;
    classBefore = combiningClass;
    composed.push(code);
  }
  return composed;
}

function composePair(first: number, second: number): number {
  const l = first - L_BASE;
  const v = second - V_BASE;
  if (l >= 0 && l < L_COUNT && v >= 0 && v < V_COUNT) return S_BASE + (l * V_COUNT + v) * T_COUNT;
  const syllable = first - S_BASE;
  const t = second - T_BASE;
  if (syllable >= 0 && syllable < S_COUNT && syllable % T_COUNT === 0 && t > 0 && t < T_COUNT) {
    return first + t;
  }
  return unicodeTable().compose(first, second);
}
