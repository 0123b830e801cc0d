/*
 * Memory: reads a query in normal form and the plan region, writes at `out`. `pieces` holds the start and end
 * of each parameter that stays (param-slices.ts), `merged` a query in lower case.
 */

import {
  BY_DEFAULT_PARAMS,
  BY_DROP_PARAMS,
  BY_EMPTY_PARAMS,
  BY_EMPTY_QUERY,
  BY_EMPTY_VALUES,
  BY_KEEP_PARAMS,
  BY_REPEATED_PARAMS,
  BY_SESSION_IDS,
  BY_SORT_QUERY,
  BY_TRACKING_PARAMS,
  BY_VALUELESS_PARAMS,
  CASE_CHOICE,
  choiceOf,
  EMPTY_PARAMS_CHOICE,
  EMPTY_QUERY_CHOICE,
  EMPTY_VALUES_CHOICE,
  LISTED,
  PARAM_CASE_CHOICE,
  REPEATED_PARAMS_CHOICE,
  SESSION_IDS_CHOICE,
  SORT_QUERY_CHOICE,
  VALUELESS_PARAMS_CHOICE,
} from "../catalog.generated";
import { mergedStart } from "../memory";
import {
  defaultsTable,
  KEEP_EQUAL,
  KEEP_LAST,
  keepTable,
  LOWER_QUERY,
  SORT_BY_VALUE,
} from "../plan";
import { asksReasons, beginReasons, note, reasons, resetReasons, UNTOLD } from "../reasons";
import { findName, targetOf, textEnd, textStart } from "../tables";
import { AMPERSAND, EQUALS, QUESTION, SEMICOLON } from "../url/chars";
import { find, findEither, lowerInPlace, writeBytes, writeShort } from "../url/component";
import { droppedTextEnd, isDropped, isListed, listedAs } from "./listed-names";
import { nextParam } from "./next-param";
import { addPiece, beginPieces, isSorted, pieceCount, pieceEnd, pieceStart } from "./param-slices";
import { dropRepeated } from "./repeated";
import { valueEndWithoutSession } from "./session";
import { sortPieces } from "./sort-pieces";

/** Whether a query with a `;` is read: what follows a parameter that is dropped may be one. */
let hasSemicolon: bool = false;
/** Whether CFID and CFTOKEN are dropped, as the query has both. */
let isPaired: bool = false;

/** Writes `?` and what the options of a profile leave of the query `[p, end)`, or nothing. */
export function writeQuery(p: usize, end: usize, out: usize, profile: usize): usize {
  if (p === end) {
    if (choiceOf(profile, EMPTY_QUERY_CHOICE) === 0) store<u8>(out++, QUESTION);
    else note(BY_EMPTY_QUERY);
    return out;
  }
  const sort = choiceOf(profile, SORT_QUERY_CHOICE);
  const before = reasons;
  beginReasons();
  if (choiceOf(profile, CASE_CHOICE) === LOWER_QUERY) {
    end = writeBytes(p, end, mergedStart);
    p = mergedStart;
    // Session ids go before letters change, so the upper-case letters may all have been theirs.
    if (lowerInPlace(p, end)) note(UNTOLD);
  }
  gatherPieces(p, end, profile);
  if (sort !== 0) {
    if (asksReasons && !isSorted()) note(BY_SORT_QUERY);
    sortPieces();
  }
  const stop = writePieces(out, choiceOf(profile, VALUELESS_PARAMS_CHOICE) !== 0);
  if (stop === out) noteNothingLeft(p, end);
  resetReasons(reasons | before);
  return stop;
}

/** Gathers the parameters that the profile leaves of the query `[p, end)`. */
function gatherPieces(p: usize, end: usize, profile: usize): void {
  hasSemicolon = find(p, end, SEMICOLON) < end;
  const pair = gatherOnce(p, end, profile);
  if (choiceOf(profile, SESSION_IDS_CHOICE) === 0) return;
  if (pair !== BOTH && (!hasSemicolon || pairOfPieces() !== BOTH)) return;
  notePair();
  isPaired = true;
  gatherOnce(p, end, profile);
  isPaired = false;
}

/**
 * Does the same once, and leaves CFID and CFTOKEN unless isPaired. Returns what pairBit returned for the names in the query.
 */
function gatherOnce(p: usize, end: usize, profile: usize): i32 {
  const addEquals = choiceOf(profile, VALUELESS_PARAMS_CHOICE) !== 0;
  beginPieces(choiceOf(profile, SORT_QUERY_CHOICE) === SORT_BY_VALUE, addEquals);
  const pair = readPieces(p, end, profile);
  const repeated = choiceOf(profile, REPEATED_PARAMS_CHOICE);
  if (repeated === 0) return pair;
  const ignoresCase = choiceOf(profile, PARAM_CASE_CHOICE) !== 0;
  if (dropRepeated(repeated === KEEP_LAST, ignoresCase, repeated === KEEP_EQUAL))
    note(BY_REPEATED_PARAMS);
  return pair;
}

/** Gathers what is left of each piece between `&`. Returns what pairBit returned for their names. */
function readPieces(p: usize, end: usize, profile: usize): i32 {
  const keep = keepTable(profile);
  const defaults = defaultsTable(profile);
  const keepsEmpty = choiceOf(profile, EMPTY_PARAMS_CHOICE) === 0;
  const addEquals = choiceOf(profile, VALUELESS_PARAMS_CHOICE) !== 0;
  const cutsValues = choiceOf(profile, SESSION_IDS_CHOICE) !== 0 && hasSemicolon;
  const dropsEmptyValues = choiceOf(profile, EMPTY_VALUES_CHOICE) !== 0;
  let pair = 0;
  while (true) {
    const name = findEither(p, end, EQUALS, AMPERSAND);
    const isNamed = name < end && load<u8>(name) === EQUALS;
    const next = isNamed ? find(name, end, AMPERSAND) : name;
    const stop = isNamed && cutsValues ? valueEndWithoutSession(name + 1, next) : next;
    const bit = pairBit(p, name);
    pair |= bit;
    if (stop < next) note(BY_SESSION_IDS);
    if (hasSemicolon && find(p, stop, SEMICOLON) < stop) addParted(p, name, stop, profile);
    else {
      let stays = (p < stop || keepsEmpty) && !isListed(profile, p, name);
      if (stays && isPaired) stays = bit === 0;
      if (stays && keep !== 0) stays = findName(keep, p, name) !== 0;
      if (stays && defaults !== 0) stays = !isDefault(defaults, p, name, stop, addEquals);
      if (stays && dropsEmptyValues) stays = p === stop || !isEmptyValue(name, stop, addEquals);
      if (stays) addPiece(p, name, stop);
      else if (asksReasons) noteDrop(p, name, stop, profile);
    }
    if (next === end) return pair;
    p = next + 1;
  }
}

/**
 * Adds what is left of the piece `[p, end)`, which has a `;`: from the first parameter on that stays. If repeated
 * parameters go, it adds each parameter at which the piece may begin then (repeated.ts).
 */
function addParted(p: usize, name: usize, end: usize, profile: usize): void {
  const repeated = choiceOf(profile, REPEATED_PARAMS_CHOICE);
  // Values are compared to the end of the piece, so an equal one goes whole.
  const repeats = repeated !== 0 && repeated !== KEEP_EQUAL;
  let isFirst = true;
  while (true) {
    const step = stepThatDrops(p, name, end, profile);
    if (step === STAYS) {
      addPiece(p, name, end);
      if (!repeats) return;
    } else if (isFirst) note(step);
    const next = nextAfter(p, name, end, step, profile);
    if (next === 0) return;
    if (step === STAYS) isFirst = false;
    // Steps before this one may have dropped what follows.
    else if (isFirst) note(UNTOLD);
    p = next;
    name = find(p, end, EQUALS);
  }
}

/** Returns the parameter in the piece `[p, end)` that follows the one which a step drops, or 0. */
function nextAfter(p: usize, name: usize, end: usize, step: u64, profile: usize): usize {
  if (step === BY_DEFAULT_PARAMS || step === BY_EMPTY_PARAMS || step === BY_EMPTY_VALUES) return 0;
  if (step === BY_DROP_PARAMS) return nextParam(droppedTextEnd(profile, p, name), end);
  return nextParam(step === STAYS ? name : p, end);
}

/** Returns the bits that pairBit returns for the names of the pieces. */
function pairOfPieces(): i32 {
  let pair = 0;
  for (let i = 0; i < pieceCount; i++) {
    const start = pieceStart(i);
    pair |= pairBit(start, find(start, pieceEnd(i), EQUALS));
  }
  return pair;
}

/** Rules that drop whole parameters before emptyParams does. */
const DROPPING: u64 =
  ((<u64>1) << BY_DROP_PARAMS) | ((<u64>1) << BY_TRACKING_PARAMS) | ((<u64>1) << BY_DEFAULT_PARAMS);

/**
 * Corrects the reasons of the query `[p, end)` if nothing is left of it. Rules after the one that removed the
 * last parameter have not run. If one step removed all parameters but one empty piece, emptyParams is not a
 * reason.
 */
export function noteNothingLeft(p: usize, end: usize): void {
  if (popcnt<u64>(reasons) < 2) return;
  const others = reasons & ~((<u64>1) << BY_EMPTY_PARAMS);
  if (popcnt<u64>(others) > 1 || (others & ~DROPPING) !== 0) note(UNTOLD);
  else if (hasOneEmptyPiece(p, end)) resetReasons(others);
}

function hasOneEmptyPiece(p: usize, end: usize): bool {
  let count = 0;
  while (true) {
    const stop = find(p, end, AMPERSAND);
    if (stop === p) count++;
    if (stop === end) return count === 1;
    p = stop + 1;
  }
}

/** Notes that a pair of names is a session. The pair goes before other steps drop one of the two. */
export function notePair(): void {
  note(reasons === 0 ? BY_SESSION_IDS : UNTOLD);
}

/** Notes the first step that drops the parameter `[p, end)`, whose name ends at `name`. */
export function noteDrop(p: usize, name: usize, end: usize, profile: usize): void {
  note(stepThatDrops(p, name, end, profile));
}

/** Says that no step drops a parameter. */
const STAYS: u64 = u64.MAX_VALUE;

/** Returns the bit of the first step that drops the parameter `[p, end)`, whose name ends at `name`, or STAYS. */
function stepThatDrops(p: usize, name: usize, end: usize, profile: usize): u64 {
  const keep = keepTable(profile);
  const defaults = defaultsTable(profile);
  const addEquals = choiceOf(profile, VALUELESS_PARAMS_CHOICE) !== 0;
  const listed = listedAs(profile, p, name);
  if (listed === LISTED.SESSION || (isPaired && pairBit(p, name) !== 0)) return BY_SESSION_IDS;
  if (keep !== 0 && findName(keep, p, name) === 0) return BY_KEEP_PARAMS;
  if (isDropped(profile, p, name)) return BY_DROP_PARAMS;
  if (listed !== 0) return BY_TRACKING_PARAMS;
  if (defaults !== 0 && isDefault(defaults, p, name, end, addEquals)) return BY_DEFAULT_PARAMS;
  if (p === end) return choiceOf(profile, EMPTY_PARAMS_CHOICE) === 0 ? STAYS : BY_EMPTY_PARAMS;
  const dropsEmptyValues = choiceOf(profile, EMPTY_VALUES_CHOICE) !== 0;
  return dropsEmptyValues && isEmptyValue(name, end, addEquals) ? BY_EMPTY_VALUES : STAYS;
}

/**
 * Returns whether a parameter has an empty value: `=` alone follows the name, or nothing if `=` would be
 * added.
 */
function isEmptyValue(name: usize, end: usize, addEquals: bool): bool {
  return name === end ? addEquals : name + 1 === end;
}

/** The result of pairBit for both names together. */
export const BOTH: i32 = 3;

/** Returns 1 for CFID and 2 for CFTOKEN, in any case, else 0. Both in one query are a session. */
export function pairBit(p: usize, end: usize): i32 {
  const length = end - p;
  if ((load<u8>(p) | 0x20) !== 0x63 || (length !== 4 && length !== 7)) return 0;
  if (length === 4) return (load<u32>(p) | 0x20202020) === 0x64696663 ? 1 : 0;
  const head = (load<u32>(p) | 0x20202020) === 0x6f746663;
  return head && (load<u32>(p, 3) | 0x20202020) === 0x6e656b6f ? 2 : 0;
}

export function isOfPair(start: usize, end: usize): bool {
  return pairBit(start, find(start, end, EQUALS)) !== 0;
}

/**
 * Returns whether a parameter has its default value. Without `=` its value is "" if an `=` would be added.
 */
function isDefault(table: usize, p: usize, name: usize, end: usize, addEquals: bool): bool {
  const entry = findName(table, p, name);
  if (entry === 0 || (name === end && !addEquals)) return false;
  const value = name === end ? end : name + 1;
  const text = targetOf(entry);
  const length = textEnd(text) - textStart(text);
  return end - value === length && memory.compare(value, textStart(text), length) === 0;
}

/** Writes `?` and the pieces; writes nothing if all of them are empty. */
export function writePieces(out: usize, addEquals: bool): usize {
  const start = out;
  for (let i = 0; i < pieceCount; i++) {
    const from = pieceStart(i);
    const to = pieceEnd(i);
    store<u8>(out++, i === 0 ? QUESTION : AMPERSAND);
    out = writeShort(from, to, out);
    if (addEquals && from < to && find(from, to, EQUALS) === to) {
      note(BY_VALUELESS_PARAMS);
      store<u8>(out++, EQUALS);
    }
  }
  return out - start === 1 ? start : out;
}
