/*
 * Applies the rules of a site after all options, then its aliases. If rules only remove parameters between `&`,
 * reading and options need not run again. Each looks at one parameter at a time, or at the order of parameters,
 * which stays.
 *
 * Memory: reads a URL in normal form between the pointers it is given, and the plan region. Writes ruledText.
 * Reading that text writes normal, and the options then write ruledAgain. Rules never begin with a URL that is in
 * ruledText.
 */

import { BY_PAGE_ALIASES, BY_RULES } from "../catalog.generated";
import { LONGEST_RULED, normalStart, ruledAgain, ruledText } from "../memory";
import { maxLength, pageAliases } from "../plan";
import { note, reasons, resetReasons, UNTOLD } from "../reasons";
import { isLeftAlone } from "../scan/scan";
import { sameBytes, writeBytes } from "../url/component";
import { againStart, writeAgain, writeRuledUrl } from "./again";
import { takeAlias } from "./aliases";
import { applySiteRules, isOnlyReduced, isRuled } from "./apply";
import { hasSemicolon, isEmptyQuery } from "./params";
import { isWebUrl, readRuledUrl, ruledLength } from "./ruled-url";
import { findRules } from "./sites";

/** How often rules, or aliases, work on one URL; reading and options run in between. */
const PASSES: i32 = 8;

/** The start of the outcome of the last call. It means nothing while the outcome is not written yet. */
let ruledStart: usize = 0;
let ruledEnd: usize = 0;
let isUnwritten: bool = false;

// What settle returns: the rules leave the URL as it is, change it, or reach no fixpoint.
const KEPT: i32 = 0;
const SETTLED: i32 = 1;
const RESTLESS: i32 = 2;

/**
 * Returns whether the rules of its site, or aliases, change the URL `[p, end)`, which reading and options leave as it
 * is. writeSettled then writes the outcome, which rules, aliases, reading and options leave as it is. Rules or
 * aliases that reach no fixpoint, or make the URL longer than LONGEST_RULED or maxLength on the way, have
 * changed nothing.
 */
export function settleSiteRules(p: usize, end: usize): bool {
  const longest = min(LONGEST_RULED, maxLength);
  if (end - p > longest || !isWebUrl(p, end)) return false;
  const before = reasons;
  const isChanged = settleRules(p, end, longest) === SETTLED;
  return pageAliases === 0 ? isChanged : settleAliases(p, end, longest, before, isChanged);
}

/** Applies the rules to the URL `[p, end)`. */
function settleRules(p: usize, end: usize, longest: usize): i32 {
  ruledStart = p;
  ruledEnd = end;
  isUnwritten = false;
  const before = reasons;
  const result = settle(longest);
  if (result === SETTLED) note(BY_RULES);
  else resetReasons(before);
  return result;
}

/** Runs the passes of settleRules. */
function settle(longest: usize): i32 {
  for (let pass = 0; pass < PASSES; pass++) {
    readRuledUrl(ruledStart, ruledEnd);
    if (!findRules()) return pass > 0 ? SETTLED : KEPT;
    if (!applySiteRules(longest)) return RESTLESS;
    if (!isRuled) return pass > 0 ? SETTLED : KEPT;
    if (isOnlyReduced && !hasSemicolon && !isEmptyQuery()) {
      isUnwritten = true;
      return SETTLED;
    }
    const stop = writeRuledUrl(ruledText);
    if (isAtRest(stop)) {
      ruledStart = ruledText;
      ruledEnd = stop;
      return SETTLED;
    }
    if (!readAgain(stop, longest)) return RESTLESS;
    const length = stop - ruledText;
    if (ruledEnd - ruledStart === length && sameBytes(ruledStart, ruledText, length))
      return SETTLED;
  }
  return RESTLESS;
}

/** Applies the aliases to what rules made of the URL `[p, end)`; returns whether rules or aliases change it. */
function settleAliases(p: usize, end: usize, longest: usize, before: u64, isRuledUrl: bool): bool {
  if (!isRuledUrl) {
    ruledStart = p;
    ruledEnd = end;
  }
  if (!takeFirstAlias()) return isRuledUrl;
  if (followAliases(longest)) return true;
  resetReasons(before);
  return settleRules(p, end, longest) === SETTLED;
}

/** Takes the alias of what the rules made of the URL. Returns false, and changes nothing, if it is not an alias. */
function takeFirstAlias(): bool {
  if (isUnwritten) {
    // Written once, here, so that a look-up can compare its bytes.
    ruledEnd = writeRuledUrl(ruledText);
    ruledStart = ruledText;
    isUnwritten = false;
  }
  return takeNextAlias();
}

/** Takes the alias of the URL `[ruledStart, ruledEnd)`, which is then the ruled URL; false if it is not an alias. */
function takeNextAlias(): bool {
  readRuledUrl(ruledStart, ruledEnd);
  if (!takeAlias()) return false;
  if (ruledStart !== ruledText) return true;
  // What the alias makes is written to ruledText.
  ruledEnd = writeBytes(ruledText, ruledEnd, normalStart);
  ruledStart = normalStart;
  readRuledUrl(ruledStart, ruledEnd);
  return takeAlias();
}

/** Goes on from an alias that was taken, as long as the result is an alias. Returns whether that reaches a fixpoint. */
function followAliases(longest: usize): bool {
  // The first look-up has been made.
  for (let pass = 1; pass < PASSES; pass++) {
    note(BY_PAGE_ALIASES);
    if (ruledLength() > longest) return false;
    const stop = writeRuledUrl(ruledText);
    if (isAtRest(stop)) {
      ruledStart = ruledAgain;
      ruledEnd = writeBytes(ruledText, stop, ruledAgain);
    } else if (!readAgain(stop, longest)) {
      return false;
    }
    if (settleRules(ruledStart, ruledEnd, longest) === RESTLESS) return false;
    if (!takeFirstAlias()) return true;
  }
  return false;
}

/** Returns whether reading and options leave the URL `[ruledText, end)` as it is; false also if in doubt. */
function isAtRest(end: usize): bool {
  const noted = reasons;
  const isLeft = isLeftAlone(ruledText, end);
  resetReasons(noted);
  return isLeft;
}

/** Reads the URL `[ruledText, end)` and applies the options. Returns false if that fails, or is too long. */
function readAgain(end: usize, longest: usize): bool {
  // Rules, reading and options ran by turns, and it is not noted which of them changed what.
  note(UNTOLD);
  ruledStart = againStart();
  ruledEnd = writeAgain(ruledText, end);
  return ruledEnd !== 0 && ruledEnd - ruledStart <= longest;
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
