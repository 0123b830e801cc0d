/*
 * Applies the rules of a site after all options. If rules only remove parameters between `&`, reading and
 * options need not run again. Each looks at one parameter at a time, or at the order of parameters, which
 * stays.
 *
 * Memory: reads a URL in normal form between the pointers it is given, and the plan region. Writes ruledText.
 * Reading that text writes normal, and the options then write ruledAgain.
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

/** How often rules work on one URL; reading and options run in between. */
const PASSES: i32 = 8;

/** The start of the outcome of the last call. It means nothing while the outcome is not written yet. */
let ruledStart: usize = 0;
let ruledEnd: usize = 0;
let isUnwritten: bool = false;

/**
 * Returns whether the rules of its site change the URL `[p, end)`, which reading and options leave as it is.
 * writeSettled then writes the outcome, which rules, reading and options leave as it is. A URL stays as it
 * was if it does not come to rest, or gets longer than LONGEST_RULED or maxLength on the way.
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

/** Runs the passes of settleSiteRules. */
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
    // Rules, reading and options ran by turns, and it is not noted which of them changed what.
    note(UNTOLD);
    ruledStart = hasOptions ? ruledAgain : normalStart;
    ruledEnd = normalizeAgain(stop);
    if (ruledEnd === 0 || ruledEnd - ruledStart > longest) return false;
    const length = stop - ruledText;
    if (ruledEnd - ruledStart === length && sameBytes(ruledStart, ruledText, length)) return true;
  }
  return false;
}

/** Writes the outcome of the last settleSiteRules. Its URL must not begin at `out`. */
export function writeSettled(out: usize): usize {
  return isUnwritten ? writeRuledUrl(out) : writeBytes(ruledStart, ruledEnd, out);
}

/** Does the same for a URL that begins at `out`. */
export function writeSettledOver(out: usize): usize {
  if (!isUnwritten) return writeBytes(ruledStart, ruledEnd, out);
  return writeBytes(ruledText, writeRuledUrl(ruledText), out);
}

/** Writes the ruled URL. */
function writeRuledUrl(out: usize): usize {
  return writeRuledFragment(writeTarget(writeRuledHead(out)));
}

/**
 * Reads the URL in `[ruledText, end)` and applies the options. Returns 0 if it is not a URL or its scheme
 * does not pass.
 */
function normalizeAgain(end: usize): usize {
  const stop = writeUrl(ruledText, end, normalStart);
  return stop === 0 || !hasOptions ? stop : rewriteUrl(normalStart, stop, ruledAgain);
}
