// Memory: reads one URL between the pointers it is given, the base region, and writes at `out`.

import { BAD_SCHEME, fail, NO_SCHEME } from "../status";
import { baseScheme, hasBase, startsWithSlashes } from "./base";
import { COLON, hasClass, isAlpha, SCHEME } from "./chars";
import { find, writeLower } from "./component";
import { writeFileReference } from "./file";
import { findAuthorityEnd } from "./hierarchy";
import { writeOtherReference, writeOtherRest } from "./other-scheme";
import { FILE, HTTP, HTTPS, OTHER, schemeAt, schemeEnd } from "./scheme";
import { writeSpecialReference, writeSpecialRest } from "./special";

/**
 * Writes the normalized form (SPEC sections 2 and 3) of the URL or reference in `[p, end)`, which has
 * no surrounding space and no TAB, LF or CR. Returns the end of the output, or 0 when it fails.
 */
export function writeUrl(p: usize, end: usize, out: usize): usize {
  const length = webHeadLength(p, end);
  if (length !== 0) {
    v128.store(out, v128.load(p));
    out += length - 2;
    return writeSpecialRest(p + length, end, out, length === 7 ? HTTP : HTTPS);
  }
  const colon = schemeEnd(p, end);
  if (colon === 0) {
    if (!hasBase) return failWithoutScheme(p, end);
    if (baseScheme === FILE) return writeFileReference(p, end, out);
    return baseScheme === OTHER
      ? writeOtherReference(p, end, out)
      : writeSpecialReference(p, end, out);
  }
  const scheme = schemeAt(p, colon);
  const rest = colon + 1;
  if (scheme === FILE) return writeFileReference(rest, end, out);
  if (scheme !== OTHER && hasBase && scheme === baseScheme && !startsWithSlashes(rest, end)) {
    return writeSpecialReference(rest, end, out);
  }
  out = writeLower(p, rest, out);
  return scheme === OTHER
    ? writeOtherRest(rest, end, out)
    : writeSpecialRest(rest, end, out, scheme);
}

/** The length of `http://` or `https://` at `p`, 0 for any other beginning. */
function webHeadLength(p: usize, end: usize): usize {
  if (end - p < 8) return 0;
  const head = load<u64>(p);
  if (head === 0x2f2f3a7370747468) return 8;
  return (head & 0x00ffffffffffffff) === 0x002f2f3a70747468 ? 7 : 0;
}

function failWithoutScheme(p: usize, end: usize): usize {
  const stop = findAuthorityEnd(p, end, FILE);
  if (find(p, stop, COLON) === stop) return fail(NO_SCHEME, p);
  let bad = p;
  if (isAlpha(load<u8>(p))) while (hasClass(load<u8>(bad), SCHEME)) bad++;
  return fail(BAD_SCHEME, bad);
}
