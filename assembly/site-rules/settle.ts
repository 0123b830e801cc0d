/*
 * Rules of sites, which are applied after all options: what they make of a URL. Where all they do is to take
 * parameters between `&`, reading and options have no more to do than before: each looks at one
 * parameter, or at an order that stays.
 *
 * Memory: reads a URL in normal form between the pointers it is given and the plan region. Writes
 * ruledText; reading that again writes normal, and options then ruledAgain.
 */

import { LONGEST_RULED, normalStart, ruledAgain, ruledText } from "../memory";
import { rewriteUrl } from "../options/rewrite";
import { hasOptions, maxLength } from "../plan";
import { BY_RULES, note, reasons, resetReasons, UNTOLD } from "../reasons";
import { isLeftAlone } from "../scan/scan";
import { sameBytes, writeBytes } from "../url/component";
import { writeUrl } from "../url/url";
import { applySiteRules, isOnlyReduced, isRuled } from "./apply";
import { hasSemicolon, isEmptyQuery, writeTarget } from "./params";
import { isWebUrl, readRuledUrl, writeRuledFragment, writeRuledHead } from "./ruled-url";
import { findRules } from "./sites";

/** How often rules work on one URL, with reading and options between. */
const PASSES: i32 = 8;

/** Where the outcome of the last call stands, unless it still is to be written. */
let ruledStart: usize = 0;
let ruledEnd: usize = 0;
let isUnwritten: bool = false;

/**
 * Whether the rules of its site change the URL `[p, end)`, which reading and options leave alone; then
 * writeSettled writes what they make of it, a fixpoint of all three. A URL stays as it is that does not
 * come to rest, or would be longer than LONGEST_RULED or maxLength on the way.
 */
export function settleSiteRules(p: usize, end: usize): bool {
  const longest = min(LONGEST_RULED, maxLength);
  if (end - p > longest || !isWebUrl(p, end)) return false;
  ruledStart = p;
  ruledEnd = end;
  isUnwritten = false;
  const before = reasons;
  if (settle(longest)) {
    note(BY_RULES);
    return true;
  }
  resetReasons(before);
  return false;
}

/** The passes of settleSiteRules. */
function settle(longest: usize): bool {
  for (let pass = 0; pass < PASSES; pass++) {
    readRuledUrl(ruledStart, ruledEnd);
    if (!findRules()) return pass > 0;
    if (!applySiteRules(longest)) return false;
    if (!isRuled) return pass > 0;
    if (isOnlyReduced && !hasSemicolon && !isEmptyQuery()) {
      isUnwritten = true;
      return true;
    }
    const stop = writeRuledUrl(ruledText);
    const noted = reasons;
    const isLeft = isLeftAlone(ruledText, stop);
    resetReasons(noted);
    if (isLeft) {
      ruledStart = ruledText;
      ruledEnd = stop;
      return true;
    }
    // Rules, reading and options by turns: which of them did what is not kept apart here.
    note(UNTOLD);
    ruledStart = hasOptions ? ruledAgain : normalStart;
    ruledEnd = normalizeAgain(stop);
    if (ruledEnd === 0 || ruledEnd - ruledStart > longest) return false;
    const length = stop - ruledText;
    if (ruledEnd - ruledStart === length && sameBytes(ruledStart, ruledText, length)) return true;
  }
  return false;
}

/** Writes what the last call of settleSiteRules made of its URL, which must not stand at `out`. */
export function writeSettled(out: usize): usize {
  return isUnwritten ? writeRuledUrl(out) : writeBytes(ruledStart, ruledEnd, out);
}

/** The same where its URL begins at `out`. */
export function writeSettledOver(out: usize): usize {
  if (!isUnwritten) return writeBytes(ruledStart, ruledEnd, out);
  return writeBytes(ruledText, writeRuledUrl(ruledText), out);
}

/** Writes the ruled URL. */
function writeRuledUrl(out: usize): usize {
  return writeRuledFragment(writeTarget(writeRuledHead(out)));
}

/** Reads the URL in `[ruledText, end)` and applies the options; 0 where it is not a URL or does not pass. */
function normalizeAgain(end: usize): usize {
  const stop = writeUrl(ruledText, end, normalStart);
  return stop === 0 || !hasOptions ? stop : rewriteUrl(normalStart, stop, ruledAgain);
}
