/*
 * Applies the option `fragment`, and `trackingParams` to a fragment.
 * Memory: reads a fragment in normal form, with its `#`, and the plan region.
 */

import {
  BY_FRAGMENT,
  BY_TRACKING_PARAMS,
  choiceOf,
  FRAGMENT_CHOICE,
  TRACKING_PARAMS_CHOICE,
} from "../catalog.generated";
import { note } from "../reasons";
import { AMPERSAND, COLON, EQUALS, EXCLAMATION, SLASH } from "../url/chars";
import { find } from "../url/component";
import { nextParam } from "./next-param";

// The choices of `fragment` by their numbers; 0 is keep.
const REMOVE: u32 = 1;
const KEEP_ROUTE: u32 = 2;
const REMOVE_EMPTY: u32 = 3;
const REMOVE_TEXT: u32 = 4;

/** `utm_` and `xtor` with bit 5 of each byte set, which makes letters lower-case. */
const UTM: u32 = 0x7f6d7475;
const XTOR: u32 = 0x726f7478;

/**
 * Returns where the part of `[p, end)` to keep ends. That part is empty or begins with `#`. Returns `p` if
 * the whole fragment goes.
 */
export function keptFragmentEnd(p: usize, end: usize, profile: usize): usize {
  const choice = choiceOf(profile, FRAGMENT_CHOICE);
  if (p === end) return p;
  const stop = choice === REMOVE ? p : keptByChoice(p + 1, end, choice);
  if (stop !== end) note(BY_FRAGMENT);
  if (stop === p || choiceOf(profile, TRACKING_PARAMS_CHOICE) === 0) return stop;
  if (!isTracking(p + 1, stop)) return stop;
  note(BY_TRACKING_PARAMS);
  return p;
}

/**
 * Does the same for the text after the `#` and a choice other than remove. Returns `text - 1` if the `#`
 * goes.
 */
function keptByChoice(text: usize, end: usize, choice: u32): usize {
  if (choice === REMOVE_EMPTY) return text === end ? text - 1 : end;
  if (choice !== KEEP_ROUTE && choice !== REMOVE_TEXT) return end;
  if (choice === KEEP_ROUTE && !isRoute(text, end)) return text - 1;
  const stop = findDirective(text, end);
  return stop === text && stop < end ? text - 1 : stop;
}

/** Returns whether the text of a fragment is a route: it begins with `!` or `/`. */
export function isRoute(text: usize, end: usize): bool {
  return text < end && (load<u8>(text) === EXCLAMATION || load<u8>(text) === SLASH);
}

/** Returns the first `:~:`, which begins a text directive, or `end`. */
function findDirective(p: usize, end: usize): usize {
  for (let at = find(p, end, COLON); end - at > 2; at = find(at + 1, end, COLON)) {
    if (load<u8>(at, 1) === 0x7e && load<u8>(at, 2) === COLON) return at;
  }
  return end;
}

/** Returns whether each parameter, after `&` or `;`, is `utm_…=…` or `xtor=…`, in any case. */
function isTracking(p: usize, end: usize): bool {
  while (true) {
    const stop = find(p, end, AMPERSAND);
    for (; p !== 0; p = nextParam(p, stop)) if (!isTrackingPiece(p, stop)) return false;
    if (stop === end) return true;
    p = stop + 1;
  }
}

function isTrackingPiece(p: usize, end: usize): bool {
  if (end - p < 5) return false;
  const head = load<u32>(p) | 0x20202020;
  if (head === XTOR) return load<u8>(p, 4) === EQUALS;
  return head === UTM && find(p, end, EQUALS) < end;
}
