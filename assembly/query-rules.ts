/*
 * Memory: reads a query in normal form and the plan region, writes at `out`; `pieces` holds the start
 * and the end of each parameter that stays (pieces.ts), `merged` a query in lower case.
 */

import { QUESTION, SEMICOLON } from "./chars";
import { find, findEither, lowerInPlace, writeBytes } from "./component";
import { isListed } from "./listed";
import { mergedStart } from "./memory";
import {
  AMPERSAND,
  addPiece,
  beginPieces,
  EQUALS,
  pieceCount,
  pieceEnd,
  pieceStart,
  removePieces,
  sortPieces,
} from "./pieces";
import {
  CASE_CHOICE,
  choiceOf,
  defaultsTable,
  EMPTY_PARAMS,
  EMPTY_QUERY,
  EMPTY_VALUES,
  KEEP_LAST,
  keepTable,
  LOWER_QUERY,
  PARAM_CASE,
  REPEATED_PARAMS,
  SESSION_IDS,
  SORT_BY_VALUE,
  SORT_QUERY,
  VALUELESS_PARAMS,
} from "./plan";
import { dropRepeated } from "./repeated";
import { valueEndWithoutSession } from "./session";
import { findName, targetOf, textEnd, textStart } from "./tables";

/** Writes `?` and the query `[p, end)` by the rules of a profile, or nothing. */
export function writeQuery(p: usize, end: usize, out: usize, profile: usize): usize {
  if (p === end) {
    if (choiceOf(profile, EMPTY_QUERY) === 0) store<u8>(out++, QUESTION);
    return out;
  }
  const addEquals = choiceOf(profile, VALUELESS_PARAMS) !== 0;
  const sort = choiceOf(profile, SORT_QUERY);
  const repeated = choiceOf(profile, REPEATED_PARAMS);
  beginPieces(sort === SORT_BY_VALUE, addEquals);
  if (choiceOf(profile, CASE_CHOICE) === LOWER_QUERY) {
    end = writeBytes(p, end, mergedStart);
    p = mergedStart;
    lowerInPlace(p, end);
  }
  readPieces(p, end, profile);
  if (repeated !== 0) dropRepeated(repeated === KEEP_LAST, choiceOf(profile, PARAM_CASE) !== 0);
  if (sort !== 0) sortPieces();
  return writePieces(out, addEquals);
}

/** Gathers the parameters that the profile's rules leave. */
function readPieces(p: usize, end: usize, profile: usize): void {
  const keep = keepTable(profile);
  const defaults = defaultsTable(profile);
  const keepsEmpty = choiceOf(profile, EMPTY_PARAMS) === 0;
  const addEquals = choiceOf(profile, VALUELESS_PARAMS) !== 0;
  const dropsSessions = choiceOf(profile, SESSION_IDS) !== 0;
  const cutsValues = dropsSessions && find(p, end, SEMICOLON) < end;
  const dropsEmptyValues = choiceOf(profile, EMPTY_VALUES) !== 0;
  let pair = 0;
  while (true) {
    const name = findEither(p, end, EQUALS, AMPERSAND);
    const isNamed = name < end && load<u8>(name) === EQUALS;
    const next = isNamed ? find(name, end, AMPERSAND) : name;
    const stop = isNamed && cutsValues ? valueEndWithoutSession(name + 1, next) : next;
    pair |= pairBit(p, name);
    let stays = (p < stop || keepsEmpty) && !isListed(profile, p, name);
    if (stays && keep !== 0) stays = findName(keep, p, name) !== 0;
    if (stays && defaults !== 0) stays = !isDefault(defaults, p, name, stop, addEquals);
    if (stays && dropsEmptyValues) stays = p === stop || !isEmptyValue(name, stop, addEquals);
    if (stays) addPiece(p, name, stop);
    if (next === end) break;
    p = next + 1;
  }
  if (pair === BOTH && dropsSessions) removePieces(isOfPair);
}

/** Whether what follows a name is `=` alone, or nothing where that would become `=`. */
function isEmptyValue(name: usize, end: usize, addEquals: bool): bool {
  return name === end ? addEquals : name + 1 === end;
}

/** What pairBit makes of both names. */
export const BOTH: i32 = 3;

/** 1 for CFID, 2 for CFTOKEN, in any case: a session where both stand in one query. */
export function pairBit(p: usize, end: usize): i32 {
  const length = end - p;
  if ((length !== 4 && length !== 7) || (load<u8>(p) | 0x20) !== 0x63) return 0;
  if (length === 4) return (load<u32>(p) | 0x20202020) === 0x64696663 ? 1 : 0;
  const head = (load<u32>(p) | 0x20202020) === 0x6f746663;
  return head && (load<u32>(p, 3) | 0x20202020) === 0x6e656b6f ? 2 : 0;
}

export function isOfPair(start: usize, end: usize): bool {
  return pairBit(start, find(start, end, EQUALS)) !== 0;
}

/** A parameter without `=` has the value "" where it would get one. */
function isDefault(table: usize, p: usize, name: usize, end: usize, addEquals: bool): bool {
  const entry = findName(table, p, name);
  if (entry === 0 || (name === end && !addEquals)) return false;
  const value = name === end ? end : name + 1;
  const text = targetOf(entry);
  const length = textEnd(text) - textStart(text);
  return end - value === length && memory.compare(value, textStart(text), length) === 0;
}

/** `?` and the pieces, or nothing where none holds a byte. */
export function writePieces(out: usize, addEquals: bool): usize {
  const start = out;
  for (let i = 0; i < pieceCount; i++) {
    const from = pieceStart(i);
    const to = pieceEnd(i);
    store<u8>(out++, i === 0 ? QUESTION : AMPERSAND);
    out = writeBytes(from, to, out);
    if (addEquals && from < to && find(from, to, EQUALS) === to) store<u8>(out++, EQUALS);
  }
  return out - start === 1 ? start : out;
}
