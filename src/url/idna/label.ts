import { DOT } from "../chars.ts";
import { toNfc } from "./nfc.ts";
import {
  BIDI,
  bidiClassOf,
  combiningClassOf,
  isMark,
  JOINS_BOTH,
  JOINS_LEFT,
  JOINS_RIGHT,
  joiningTypeOf,
  statusOf,
  TRANSPARENT,
  VALID,
} from "./table.ts";

const VIRAMA = 9;
const NON_JOINER = 0x200c;
const JOINER = 0x200d;

type Codes = readonly number[];

/**
 * Returns whether a label, decoded if it was Punycode, is valid by UTS #46 4.1 without hyphens and
 * Bidi.
 */
export function isValidLabel(codes: Codes): boolean {
  if (codes.length === 0) return true;
  if (isMark(codes[0] as number)) return false;
  if (codes.some((code) => code === DOT || statusOf(code) !== VALID)) return false;
  if (toNfc(codes).some((code, at) => code !== codes[at])) return false;
  return codes.every((code, at) => (code !== NON_JOINER && code !== JOINER) || mayJoin(codes, at));
}

/** Returns whether the joiner at `at` is allowed (RFC 5892 A.1 and A.2). */
function mayJoin(codes: Codes, at: number): boolean {
  if (at > 0 && combiningClassOf(codes[at - 1] as number) === VIRAMA) return true;
  if (codes[at] === JOINER) return false;
  let before = at - 1;
  while (before >= 0 && joiningTypeOf(codes[before] as number) === TRANSPARENT) before--;
  let after = at + 1;
  while (after < codes.length && joiningTypeOf(codes[after] as number) === TRANSPARENT) after++;
  if (before < 0 || after === codes.length) return false;
  const left = joiningTypeOf(codes[before] as number);
  const right = joiningTypeOf(codes[after] as number);
  return (
    (left === JOINS_LEFT || left === JOINS_BOTH) && (right === JOINS_RIGHT || right === JOINS_BOTH)
  );
}

const NEUTRAL = [BIDI.EN, BIDI.ES, BIDI.CS, BIDI.ET, BIDI.ON, BIDI.BN, BIDI.NSM];
const IN_RTL = new Set<number>([BIDI.R, BIDI.AL, BIDI.AN, ...NEUTRAL]);
const IN_LTR = new Set<number>([BIDI.L, ...NEUTRAL]);
const ENDS_RTL = new Set<number>([BIDI.R, BIDI.AL, BIDI.EN, BIDI.AN]);
const ENDS_LTR = new Set<number>([BIDI.L, BIDI.EN]);

/** Returns whether each label of a Bidi domain satisfies the Bidi rule (RFC 5893 2). */
export function satisfiesBidi(codes: Codes): boolean {
  if (codes.length === 0) return true;
  const classes = codes.map(bidiClassOf);
  const first = classes[0] as number;
  const isRtl = first === BIDI.R || first === BIDI.AL;
  if (!isRtl && first !== BIDI.L) return false;
  const last = classes.findLast((bidiClass) => bidiClass !== BIDI.NSM) as number;
  if (!isRtl) return classes.every((each) => IN_LTR.has(each)) && ENDS_LTR.has(last);
  if (classes.includes(BIDI.EN) && classes.includes(BIDI.AN)) return false;
  return classes.every((each) => IN_RTL.has(each)) && ENDS_RTL.has(last);
}
