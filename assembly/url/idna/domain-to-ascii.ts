/*
 * Memory: reads UTF-8 between the pointers it is given, writes ASCII at `out`. CODES and DECODED, static
 * data, hold the code points of one domain and of one Punycode label, 4 bytes each.
 */
import { LONGEST_DOMAIN } from "../../memory";
import { DOT } from "../chars";
import { isValidLabel, satisfiesBidi } from "./label";
import { isNfc, toNfc } from "./nfc";
import { decodePunycode, encodePunycode } from "./punycode";
import {
  DISALLOWED,
  flagsOf,
  HAS_CONTEXT,
  MAPPED,
  RIGHT_TO_LEFT,
  recordOf,
  statusOf,
  VALID,
  writeMapping,
} from "./unicode";

const CODES: usize = memory.data(16 * LONGEST_DOMAIN, 16);
const CODES_LIMIT: usize = CODES + 4 * LONGEST_DOMAIN;
const DECODED: usize = memory.data(4 * LONGEST_DOMAIN, 16);

/** The label read last, decoded. It is in CODES, or in DECODED if it was Punycode. */
let labelStart: usize = 0;
let labelEnd: usize = 0;
/** The flags of all code points of the domain, also of those in decoded labels. */
let flags: u32 = 0;

/**
 * Maps the UTF-8 in `[p, end)` by UTS #46 "ToASCII" as the URL Standard uses it (CheckBidi, CheckJoiners; not
 * CheckHyphens, not UseSTD3ASCIIRules, not Transitional_Processing, not VerifyDnsLength). Writes at `out`,
 * which may be `p`. Returns the end, or 0 if the mapping fails or the domain has more than LONGEST_DOMAIN
 * code points. The result can hold ASCII that no host may have.
 */
export function writeAsciiDomain(p: usize, end: usize, out: usize): usize {
  let codesEnd = mapCodes(p, end);
  if (codesEnd === 0) return 0;
  const isPlain = (flags & HAS_CONTEXT) === 0;
  if (!isPlain) codesEnd = toNfc(CODES, codesEnd);
  if (codesEnd > CODES_LIMIT) return 0;
  for (let label = CODES; ; ) {
    const stop = findDot(label, codesEnd);
    if (!readLabel(label, stop, isPlain)) return 0;
    out = writeLabel(label, stop, out);
    if (stop === codesEnd) break;
    store<u8>(out++, DOT);
    label = stop + 4;
  }
  return (flags & RIGHT_TO_LEFT) === 0 || allSatisfyBidi(codesEnd) ? out : 0;
}

/** Step 1, "Map": writes CODES. Returns 0 if a code point is disallowed or the domain too long. */
function mapCodes(p: usize, end: usize): usize {
  let out = CODES;
  flags = 0;
  while (p < end) {
    if (out > CODES_LIMIT) return 0;
    let code = <u32>load<u8>(p++);
    if (code >= 0x80) {
      // The text is UTF-8. The first byte tells how many bytes follow, with six bits each.
      const more: u32 = code >= 0xf0 ? 3 : code >= 0xe0 ? 2 : 1;
      code &= 0x3f >> more;
      for (let i: u32 = 0; i < more; i++) code = (code << 6) | (<u32>load<u8>(p++) & 0x3f);
    }
    const record = recordOf(code);
    const status = statusOf(load<u32>(record));
    if (status === VALID) {
      flags |= load<u32>(record);
      store<u32>(out, code);
      out += 4;
    } else if (status === MAPPED) {
      const from = out;
      out = writeMapping(code, record, out);
      addFlags(from, out);
    } else if (status === DISALLOWED) {
      return 0;
    }
  }
  return out > CODES_LIMIT ? 0 : out;
}

function addFlags(p: usize, end: usize): void {
  for (; p < end; p += 4) flags |= flagsOf(load<u32>(p));
}

/** Step 3, "Break": finds the next U+002E; mapping has turned the other dots into it. */
function findDot(p: usize, end: usize): usize {
  while (p < end && load<u32>(p) !== DOT) p += 4;
  return p;
}

/** Step 4: reads a label, and decodes it if it begins with `xn--`. Returns whether it is a label. */
function readLabel(p: usize, end: usize, isPlain: bool): bool {
  labelStart = p;
  labelEnd = end;
  if (!isPunycode(p, end)) return isPlain || isValidLabel(p, end);
  if (!isAscii(p, end)) return false;
  labelStart = DECODED;
  labelEnd = decodePunycode(p + 16, end, DECODED);
  if (labelEnd === 0 || isAscii(DECODED, labelEnd) || !isNfc(DECODED, labelEnd)) return false;
  addFlags(DECODED, labelEnd);
  return isValidLabel(DECODED, labelEnd);
}

function isPunycode(p: usize, end: usize): bool {
  return end - p >= 16 && load<u64>(p) === 0x6e_00000078 && load<u64>(p, 8) === 0x2d_0000002d;
}

function isAscii(p: usize, end: usize): bool {
  let all: u32 = 0;
  for (; p < end; p += 4) all |= load<u32>(p);
  return all < 0x80;
}

function writeLabel(p: usize, end: usize, out: usize): usize {
  if (!isAscii(p, end)) {
    store<u32>(out, 0x2d2d6e78); // xn--
    return encodePunycode(p, end, out + 4);
  }
  for (; p < end; p += 4) store<u8>(out++, load<u8>(p));
  return out;
}

/** Returns whether each label of a Bidi domain satisfies the Bidi rule. All labels must be valid already. */
function allSatisfyBidi(codesEnd: usize): bool {
  for (let label = CODES; label <= codesEnd; ) {
    const stop = findDot(label, codesEnd);
    readLabel(label, stop, true);
    if (!satisfiesBidi(labelStart, labelEnd)) return false;
    label = stop + 4;
  }
  return true;
}
