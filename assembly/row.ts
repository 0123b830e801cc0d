/*
 * Memory: reads a row of the input and writes at `out`. Copies the row to `text` if bytes must be removed, or
 * put before it.
 */

import {
  BY_BASE,
  BY_DEFAULT_SCHEME,
  BY_SURROUNDING_SPACE,
  BY_TAB_AND_NEWLINE,
  FORM,
} from "./catalog.generated";
import { mergedStart, normalStart, textStart } from "./memory";
import { rewriteUrl } from "./options/rewrite";
import {
  defaultScheme,
  hasOptions,
  maxLength,
  readsAsGiven,
  rowForm,
  ruleFilter,
  writesKeys,
} from "./plan";
import { asksReasons, beginReasons, note, reasons, resetReasons, UNTOLD } from "./reasons";
import { isKnown, isSettled, mayBeRuled, normalEnd, writePatched } from "./scan/scan";
import { settleSiteRules, writeSettled, writeSettledOver } from "./site-rules/settle";
import {
  BAD_HOST,
  CHANGED,
  EMPTY,
  fail,
  failedAt,
  failure,
  SCHEME_NOT_ALLOWED,
  TOO_LONG,
  UNCHANGED,
} from "./status";
import { writeHostAlone, writeTemplate } from "./template";
import { hasBase } from "./url/base";
import { DOT, HASH, isDigit, QUESTION, SLASH, SPACE } from "./url/chars";
import { find, sameBytes, writeBytes } from "./url/component";
import { isLocalhost } from "./url/host";
import { isSlash } from "./url/path";
import { copyWithoutRemoved, hasRemoved, isRemoved } from "./url/removed";
import { FILE, schemeEnd, schemeLength, writeScheme } from "./url/scheme";
import { notesParts, writeUrl } from "./url/url";
import { writeUrlkey } from "./urlkey/urlkey";

/** Status of the last row (status.ts). */
export let rowStatus: i32 = 0;

/** The text that the last row was read from: the row without surrounding space, or its copy in `text`. */
let rowStart: usize = 0;
let trimmedStart: usize = 0;
let trimmedEnd: usize = 0;
let copied: bool = false;
let prefixLength: usize = 0;
/** Whether TAB, LF or CR were removed from the row. */
let lacksRemoved: bool = false;
/** The text that was read as a URL. */
let readStart: usize = 0;
let readEnd: usize = 0;

/**
 * Normalizes the row `[p, end)` to `out` and sets `rowStatus`. Returns the end of the output, which is `out`
 * if the row failed.
 */
export function writeRow(p: usize, end: usize, out: usize): usize {
  return writesKeys ? writeKeyRow(p, end, out) : writeNormalized(p, end, out);
}

/** Writes what a row becomes that is not a URL. Base, options and rules, if there are any, come first. */
function writeKeyRow(p: usize, end: usize, out: usize): usize {
  let from = p;
  let stop = end;
  if (hasBase || !readsAsGiven) {
    stop = normalEnd(p, end) === end && end - p < maxLength ? knownEnd(p, end) : 0;
    if (stop === 0) {
      stop = writeNormalized(p, end, out);
      if (rowStatus > CHANGED) return out;
      stop = writeBytes(out, stop, mergedStart);
    }
    from = mergedStart;
  } else {
    rowStart = p;
    copied = false;
    if (end - p > maxLength) {
      rowStatus = TOO_LONG;
      fail(TOO_LONG, p + maxLength);
      return out;
    }
  }
  beginReasons();
  if (rowForm === FORM.TEMPLATE) stop = writeTemplate(from, stop, out);
  else if (rowForm === FORM.HOST) {
    stop = writeHostAlone(from, stop, out);
    if (stop === 0) failAtStart(BAD_HOST, p);
  } else stop = writeUrlkey(from, stop, out);
  if (stop !== 0 && stop - out > maxLength) stop = failAtStart(TOO_LONG, p);
  if (stop === 0) {
    rowStatus = failure;
    return out;
  }
  rowStatus = isSame(p, end, out, stop) ? UNCHANGED : CHANGED;
  return stop;
}

/** Fails at the start of the row `p`, which is what it becomes that is wrong. */
function failAtStart(code: i32, p: usize): usize {
  rowStart = p;
  copied = false;
  return fail(code, p);
}

/** Writes to `merged` what the options make of a row that normalEnd has read whole. Returns 0 if the scan does not know it. */
function knownEnd(p: usize, end: usize): usize {
  if (!isSettled || mayBeRuled) return 0;
  rowStart = p;
  copied = false;
  return writePatched(p, end, mergedStart);
}

function writeNormalized(p: usize, end: usize, out: usize): usize {
  beginReasons();
  let stop = writeTrimmed(p, end, hasOptions ? normalStart : out);
  if (asksReasons && stop !== 0) noteRow(p, end, hasOptions ? normalStart : out, stop);
  if (stop !== 0 && hasOptions) {
    // For most URLs, the fast path knows all that the options do.
    const before = reasons;
    beginReasons();
    const knows = isKnown(normalStart, stop);
    resetReasons(knows ? reasons | before : before);
    stop = knows ? writePatched(normalStart, stop, out) : applyOptions(normalStart, stop, out);
  }
  return finishRow(p, end, out, stop);
}

/** Notes the reasons of the row read last, whose normal form is `[written, stop)`. */
function noteRow(p: usize, end: usize, written: usize, stop: usize): void {
  if (!notesParts) noteReading(readStart, readEnd, written, stop);
  if (trimmedStart !== p || trimmedEnd !== end) note(BY_SURROUNDING_SPACE);
  if (lacksRemoved) note(BY_TAB_AND_NEWLINE);
  if (prefixLength !== 0) note(BY_DEFAULT_SCHEME);
}

/** Notes why a URL or reference became `[written, stop)`, if no part of it was noted while it was written. */
function noteReading(p: usize, end: usize, written: usize, stop: usize): void {
  beginReasons();
  if (end - p === stop - written && sameBytes(p, written, end - p)) return;
  note(schemeEnd(p, end) === 0 ? BY_BASE : UNTOLD);
}

/** Refuses a row in normal form whose scheme does not pass. */
export function refuseRow(p: usize, out: usize): usize {
  rowStart = p;
  trimmedStart = p;
  copied = false;
  fail(SCHEME_NOT_ALLOWED, p);
  rowStatus = SCHEME_NOT_ALLOWED;
  return out;
}

/** Writes a row in normal form, which only options and rules can change. */
export function writeNormalRow(p: usize, end: usize, out: usize): usize {
  rowStart = p;
  trimmedStart = p;
  copied = false;
  beginReasons();
  return finishRow(p, end, out, applyOptions(p, end, out));
}

/**
 * Writes a row that the fast path found to be normal but for what it can patch, and whose site may have rules.
 */
export function writePatchedRow(p: usize, end: usize, out: usize): usize {
  rowStatus = CHANGED;
  return writeRuled(out, writePatched(p, end, out));
}

/** Writes a row in normal form that the rules of its site have just changed (site-rules/settle.ts). */
export function writeRuledRow(out: usize): usize {
  rowStatus = CHANGED;
  return writeSettled(out);
}

/** Applies the rules of its site to the URL `[out, stop)`, in place. */
function writeRuled(out: usize, stop: usize): usize {
  return ruleFilter === 0 || !settleSiteRules(out, stop) ? stop : writeSettledOver(out);
}

/** Applies the options. A scheme that does not pass is an error at the start of the row. */
function applyOptions(p: usize, end: usize, out: usize): usize {
  const stop = rewriteUrl(p, end, out);
  if (stop !== 0) return stop;
  fail(SCHEME_NOT_ALLOWED, trimmedStart);
  copied = false;
  return 0;
}

function finishRow(p: usize, end: usize, out: usize, stop: usize): usize {
  if (stop === 0) {
    rowStatus = failure;
    return out;
  }
  if (stop - out > maxLength) {
    rowStatus = TOO_LONG;
    fail(TOO_LONG, p);
    return out;
  }
  stop = writeRuled(out, stop);
  rowStatus = isSame(p, end, out, stop) ? UNCHANGED : CHANGED;
  return stop;
}

/** Returns whether the output `[out, stop)` is the row `[p, end)`. */
function isSame(p: usize, end: usize, out: usize, stop: usize): bool {
  return stop - out === end - p && sameBytes(out, p, end - p);
}

/** Returns where the last row failed, in bytes of the row as it was given. */
export function errorOffset(): i32 {
  if (!copied || failedAt < textStart) return <i32>(failedAt - rowStart);
  if (failedAt - textStart < prefixLength) return <i32>(trimmedStart - rowStart);
  let kept = failedAt - textStart - prefixLength;
  let p = trimmedStart;
  while (p < trimmedEnd && (kept > 0 || isRemoved(load<u8>(p))))
    if (!isRemoved(load<u8>(p++))) kept--;
  return <i32>(p - rowStart);
}

function writeTrimmed(p: usize, end: usize, out: usize): usize {
  rowStart = p;
  copied = false;
  prefixLength = 0;
  if (end - p > maxLength) return fail(TOO_LONG, p + maxLength);
  while (p < end && load<u8>(p) <= SPACE) p++;
  while (end > p && load<u8>(end - 1) <= SPACE) end--;
  trimmedStart = p;
  trimmedEnd = end;
  lacksRemoved = hasRemoved(p, end);
  if (lacksRemoved) {
    end = copyWithoutRemoved(p, end, textStart);
    p = textStart;
    copied = true;
  }
  readStart = p;
  readEnd = end;
  if (hasBase) return writeUrl(p, end, out);
  if (p === end) return fail(EMPTY, p);
  const slashes = defaultScheme === 0 ? -1 : missingSlashes(p, end);
  if (slashes >= 0) {
    prefixLength = schemeLength(defaultScheme) + 1 + <usize>slashes;
    memory.copy(textStart + prefixLength, p, end - p);
    writeScheme(defaultScheme, textStart);
    memory.fill(textStart + prefixLength - <usize>slashes, SLASH, <usize>slashes);
    end = textStart + prefixLength + (end - p);
    p = textStart;
    copied = true;
    readStart = p;
    readEnd = end;
  }
  return writeUrl(p, end, out);
}

/**
 * Returns how many slashes to write between the default scheme and this row: 0 for `//host`, 2 for `host`.
 * Returns -1 if the row has a scheme or names no host.
 */
function missingSlashes(p: usize, end: usize): i32 {
  const first = load<u8>(p);
  if (isSlash(first, FILE)) return end - p > 1 && isSlash(load<u8>(p, 1), FILE) ? 0 : -1;
  if (first === QUESTION || first === HASH) return -1;
  const colon = schemeEnd(p, end);
  return colon === 0 || isHostAndPort(p, colon, end) ? 2 : -1;
}

/**
 * Returns whether the text is like `example.com:8080/` or `localhost:8080`, which would read as a scheme: one
 * to five digits follow the colon.
 */
function isHostAndPort(p: usize, colon: usize, end: usize): bool {
  if (find(p, colon, DOT) === colon && !isLocalhost(p, colon)) return false;
  let at = colon + 1;
  while (at < end && isDigit(load<u8>(at))) at++;
  const digits = at - colon - 1;
  if (digits === 0 || digits > 5) return false;
  return (
    at === end || isSlash(load<u8>(at), FILE) || load<u8>(at) === QUESTION || load<u8>(at) === HASH
  );
}
