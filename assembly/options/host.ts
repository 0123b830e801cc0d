/*
 * Memory: reads a host in normal form and the plan region; writes `hostText` for a host that gets `www.`.
 */

import {
  BY_HOST_ALIASES,
  BY_TRAILING_DOT,
  BY_WWW,
  choiceOf,
  SECOND_LEVELS,
  SECOND_LEVELS_END,
  TRAILING_DOT_CHOICE,
  WWW_CHOICE,
  WWW_DIGITS_CHOICE,
} from "../catalog.generated";
import { hostText } from "../memory";
import { aliasTable, defaultProfile, hasLabels, siteTable } from "../plan";
import { note } from "../reasons";
import { findAlias, findSite, isLabel, targetOf, textEnd, textStart } from "../tables";
import { DOT, isDigit, LEFT_BRACKET, SPACE } from "../url/chars";
import { find, sameBytes, writeBytes } from "../url/component";
import { endsInNumber } from "../url/ipv4";

/** `www.` */
const WWW_DOT: u32 = 0x2e777777;
const REMOVE: u32 = 1;
const ADD: u32 = 2;

// Result of the last call that moved a host. The host is in the URL, in the plan or in `hostText`.

/** The start of the host. */
export let hostStart: usize = 0;
/** The end of the host. */
export let hostEnd: usize = 0;

/** Returns the profile of the host `[p, end)`: its own, that of its closest domain, or that of all hosts. */
export function profileOf(p: usize, end: usize): usize {
  if (siteTable === 0) return defaultProfile;
  const site = findSite(siteTable, p, end);
  return site === 0 ? defaultProfile : targetOf(site);
}

/**
 * Moves the host by the options until no option moves it: first by an alias, else by its final dots, else by
 * `www.`. Options under which a host would move forever are refused before. Only a web host (`isWeb`) moves.
 */
export function moveHost(p: usize, end: usize, isWeb: bool): void {
  setHost(p, end);
  if (isWeb) while (moveOnce() !== STAYS);
}

/** Sets the host that moveOnce moves. */
export function setHost(p: usize, end: usize): void {
  hostStart = p;
  hostEnd = end;
}

// What moveOnce returns: the host stays, is that of an alias now, has become shorter, or has become longer.
export const STAYS: i32 = 0;
export const ALIASED: i32 = 1;
const SHORTER: i32 = 2;
export const LONGER: i32 = 3;

export function moveOnce(): i32 {
  const alias: usize = aliasTable === 0 ? 0 : findAlias(aliasTable, hostStart, hostEnd);
  if (alias !== 0 && takeAlias(targetOf(alias))) return noted(BY_HOST_ALIASES, ALIASED);
  if (alias === 0 && hasLabels && dropLabel()) return noted(BY_HOST_ALIASES, SHORTER);
  const profile = profileOf(hostStart, hostEnd);
  if (choiceOf(profile, TRAILING_DOT_CHOICE) === REMOVE && dropFinalDots())
    return noted(BY_TRAILING_DOT, SHORTER);
  const www = choiceOf(profile, WWW_CHOICE);
  if (www === REMOVE) {
    return dropWww(choiceOf(profile, WWW_DIGITS_CHOICE) !== 0) ? noted(BY_WWW, SHORTER) : STAYS;
  }
  if (www !== ADD || startsWithWww() || load<u8>(hostStart) === LEFT_BRACKET) return STAYS;
  if (!hasTwoLabels(hostStart) || endsInNumber(hostStart, hostEnd)) return STAYS;
  store<u32>(hostText, WWW_DOT);
  hostEnd = writeBytes(hostStart, hostEnd, hostText + 4);
  hostStart = hostText;
  return noted(BY_WWW, LONGER);
}

/** Notes the step that moved the host; returns how. */
function noted(bit: u64, move: i32): i32 {
  note(bit);
  return move;
}

/** Takes the host of an alias; returns false if that is the current host. */
function takeAlias(text: usize): bool {
  const start = textStart(text);
  const end = textEnd(text);
  const length = end - start;
  if (length === hostEnd - hostStart && sameBytes(start, hostStart, length)) return false;
  hostStart = start;
  hostEnd = end;
  return true;
}

/**
 * Removes `www.`, or `www` with one to three digits if digits are taken too, provided that two labels remain. With digits,
 * these must be more than a public second level.
 */
export function dropWww(takesDigits: bool): bool {
  if (hostEnd - hostStart < 5 || (load<u32>(hostStart) & 0xffffff) !== (WWW_DOT & 0xffffff))
    return false;
  let dot = hostStart + 3;
  const last = min(hostStart + 6, hostEnd);
  while (takesDigits && dot < last && isDigit(load<u8>(dot))) dot++;
  if (dot === hostEnd || load<u8>(dot) !== DOT || !hasTwoLabels(dot + 1)) return false;
  if (dot > hostStart + 3 && isSecondLevel(dot + 1)) return false;
  hostStart = dot + 1;
  return true;
}

/** Removes a first label that goes, provided that two labels remain, which are more than a public second level. */
function dropLabel(): bool {
  const dot = find(hostStart, hostEnd, DOT);
  if (dot === hostEnd || !isLabel(aliasTable, hostStart, dot)) return false;
  if (!hasTwoLabels(dot + 1) || isSecondLevel(dot + 1)) return false;
  hostStart = dot + 1;
  return true;
}

/** Removes the final dots, unless that leaves nothing or turns a name into an IPv4 address. */
function dropFinalDots(): bool {
  let end = hostEnd;
  while (end > hostStart && load<u8>(end - 1) === DOT) end--;
  if (end === hostEnd || end === hostStart || endsInNumber(hostStart, end)) return false;
  hostEnd = end;
  return true;
}

/** Returns whether hosts that get `www.` would lose it again. */
export function addsWhatGoes(profile: usize): bool {
  if (!hasLabels || choiceOf(profile, WWW_CHOICE) !== ADD) return false;
  store<u32>(hostText, WWW_DOT);
  return isLabel(aliasTable, hostText, hostText + 3);
}

function startsWithWww(): bool {
  return hostEnd - hostStart > 4 && load<u32>(hostStart) === WWW_DOT;
}

/** Returns whether two labels that are not empty begin at `p`. */
function hasTwoLabels(p: usize): bool {
  const start = p;
  while (p < hostEnd && load<u8>(p) !== DOT) p++;
  return p > start && p + 1 < hostEnd && load<u8>(p + 1) !== DOT;
}

/** Returns whether the host from `p` on is a public second level, final dots aside. */
function isSecondLevel(p: usize): bool {
  let end = hostEnd;
  while (load<u8>(end - 1) === DOT) end--;
  const dot = find(p, end, DOT);
  let isBelow = false;
  for (let at = SECOND_LEVELS; at < SECOND_LEVELS_END; ) {
    const stop = find(at, SECOND_LEVELS_END, SPACE);
    // A top level has its dot.
    if (load<u8>(at) === DOT) isBelow = isText(at, stop, dot, end);
    else if (isBelow && isText(at, stop, p, dot)) return true;
    at = stop + 1;
  }
  return false;
}

function isText(text: usize, stop: usize, p: usize, end: usize): bool {
  return stop - text === end - p && sameBytes(text, p, end - p);
}
