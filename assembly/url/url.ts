// Memory: reads one URL between the pointers it is given, the base region, and writes at `out`.

import { BY_SCHEME_CASE, BY_SLASHES } from "../catalog.generated";
import { note } from "../reasons";
import { BAD_SCHEME, fail, NO_SCHEME } from "../status";
import { baseScheme, hasBase, startsWithSlashes } from "./base";
import { COLON, hasClass, isAlpha, SCHEME } from "./chars";
import { find, sameBytes, writeLower } from "./component";
import { writeFileReference } from "./file";
import { findAuthorityEnd } from "./hierarchy";
import { writeOtherReference, writeOtherRest } from "./other-scheme";
import { isSlash } from "./path";
import { FILE, HTTP, HTTPS, OTHER, schemeAt, schemeEnd } from "./scheme";
import { writeSpecialReference, writeSpecialRest } from "./special";

/** Whether the last call noted all its reasons where it wrote the parts (reasons.ts). */
export let notesParts: bool = false;

/**
 * Writes the normalized form (docs/spec.md 2 and 3) of the URL or reference in `[p, end)`, which has no
 * surrounding space and no TAB, LF or CR. Returns the end of the output, or 0 on failure.
 */
export function writeUrl(p: usize, end: usize, out: usize): usize {
  const length = webHeadLength(p, end);
  notesParts = length !== 0;
  if (length !== 0) {
    noteSlashes(p + length - 2, end);
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
  const head = out;
  out = writeLower(p, rest, out);
  if (scheme === OTHER) return writeOtherRest(rest, end, out);
  notesParts = true;
  if (!sameBytes(p, head, rest - p)) note(BY_SCHEME_CASE);
  noteSlashes(rest, end);
  return writeSpecialRest(rest, end, out, scheme);
}

/** Notes whether slashes other than `//` follow the scheme; `p` is after its colon. */
function noteSlashes(p: usize, end: usize): void {
  const isPlain = startsWithSlashes(p, end);
  if (!isPlain || (end - p > 2 && isSlash(load<u8>(p, 2), HTTP))) note(BY_SLASHES);
}

/** Returns the length of `http://` or `https://` at `p`, 0 for any other text. */
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
