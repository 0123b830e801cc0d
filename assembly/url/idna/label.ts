// Memory: reads a label's code points, 4 bytes each, between the pointers it is given.
import { DOT } from "../chars";
import {
  AL,
  AN,
  bidiClassOf,
  combiningClassOf,
  EN,
  flagsOf,
  JOINS_BOTH,
  JOINS_LEFT,
  JOINS_RIGHT,
  joiningTypeOf,
  L,
  MARK,
  NSM,
  R,
  statusOf,
  TRANSPARENT,
  VALID,
} from "./unicode";

const VIRAMA: u32 = 9;
const NON_JOINER: u32 = 0x200c;
const JOINER: u32 = 0x200d;

/**
 * Returns whether a label, decoded if it was Punycode, is valid by UTS #46 4.1 without hyphens, Bidi and NFC.
 */
export function isValidLabel(p: usize, end: usize): bool {
  if (p < end && (flagsOf(load<u32>(p)) & MARK) !== 0) return false;
  for (let at = p; at < end; at += 4) {
    const code = load<u32>(at);
    if (code === DOT || statusOf(flagsOf(code)) !== VALID) return false;
    if ((code === NON_JOINER || code === JOINER) && !mayJoin(p, at, end)) return false;
  }
  return true;
}

/** Returns whether the joiner at `at` is allowed (RFC 5892 A.1 and A.2). */
function mayJoin(p: usize, at: usize, end: usize): bool {
  if (at > p && combiningClassOf(flagsOf(load<u32>(at - 4))) === VIRAMA) return true;
  if (load<u32>(at) === JOINER) return false;
  let left = TRANSPARENT;
  for (let before = at; left === TRANSPARENT && before > p; before -= 4) {
    left = joiningTypeOf(flagsOf(load<u32>(before - 4)));
  }
  let right = TRANSPARENT;
  for (let after = at + 4; right === TRANSPARENT && after < end; after += 4) {
    right = joiningTypeOf(flagsOf(load<u32>(after)));
  }
  return (
    (left === JOINS_LEFT || left === JOINS_BOTH) && (right === JOINS_RIGHT || right === JOINS_BOTH)
  );
}

// Sets of Bidi classes, one bit each. Any label may hold EN, ES, CS, ET, ON, BN and NSM.
const NEUTRAL: u32 = 0xfe0;
const IN_RTL: u32 = NEUTRAL | (1 << R) | (1 << AL) | (1 << AN);
const IN_LTR: u32 = NEUTRAL | (1 << L);
const ENDS_RTL: u32 = (1 << R) | (1 << AL) | (1 << EN) | (1 << AN);
const ENDS_LTR: u32 = (1 << L) | (1 << EN);
const BOTH_NUMBERS: u32 = (1 << EN) | (1 << AN);

/** Returns whether a label of a Bidi domain satisfies the Bidi rule (RFC 5893 2). */
export function satisfiesBidi(p: usize, end: usize): bool {
  if (p === end) return true;
  const first = bidiClassOf(flagsOf(load<u32>(p)));
  let last = first;
  let classes: u32 = 0;
  for (; p < end; p += 4) {
    const bidiClass = bidiClassOf(flagsOf(load<u32>(p)));
    classes |= 1 << bidiClass;
    if (bidiClass !== NSM) last = bidiClass;
  }
  if (first === L) return (classes & ~IN_LTR) === 0 && ((1 << last) & ENDS_LTR) !== 0;
  if (first !== R && first !== AL) return false;
  if ((classes & BOTH_NUMBERS) === BOTH_NUMBERS) return false;
  return (classes & ~IN_RTL) === 0 && ((1 << last) & ENDS_RTL) !== 0;
}
