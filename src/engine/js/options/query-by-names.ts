import { SESSION_PAIR } from "../../../base/lists/session-ids.ts";
import type { LoadedProfile } from "../../../plan/decode/decode.ts";
import { LISTED } from "../../../plan/layout.ts";
import { AMPERSAND, EQUALS } from "../../../url/chars.ts";

/** Limits the parameters of a query; the exact path reads one with more. */
const MOST = 64;
/** Characters of a name that make its key, 7 bits each. */
const KEYED = 4;

// The kept parameters of the query that is being read. All calls share them, because one query is read at a
// time.
const starts = new Int32Array(MOST);
const nameEnds = new Int32Array(MOST);
const ends = new Int32Array(MOST);
/** The first characters of each name as a number. It is enough to order most names. */
const keys = new Int32Array(MOST);
const order = new Uint8Array(MOST);

/** Says that `rewriteByNames` cannot tell the result, and a closer look must. */
export const IN_DOUBT = Symbol("in doubt");

/** Returns whether the options only look at single names, in a query without `;`. */
function readsNamesAlone(profile: LoadedProfile): boolean {
  return (
    profile.case !== "lower-path-query" &&
    profile.sortQuery !== "name-value" &&
    profile.emptyValues === "keep" &&
    profile.repeatedParams === "keep" &&
    profile.valuelessParams === "keep" &&
    profile.keepParams === null &&
    profile.defaultParams === null
  );
}

/**
 * Returns what the options leave of a query without `;`, which is `[start, end)` of a URL without its `?`.
 * The result is a text, null if the `?` goes too, `true` if the query stays as it is, or `IN_DOUBT`. It reads
 * each parameter once. The steps of query.ts give the same results (test/engine/query-by-names.test.ts).
 */
export function rewriteByNames(
  url: string,
  start: number,
  end: number,
  profile: LoadedProfile,
): string | null | true | typeof IN_DOUBT {
  if (start === end) return profile.emptyQuery === "remove" ? null : true;
  if (!readsNamesAlone(profile)) return IN_DOUBT;
  let count = 0;
  let dropped = false;
  let sorted = true;
  let next = start;
  do {
    const verdict = readParam(url, next, end, count, profile);
    if (verdict === DOUBTED) return IN_DOUBT;
    next = (ends[count] as number) + 1;
    if (verdict === DROPPED) {
      dropped = true;
      continue;
    }
    if (count > 0 && compare(url, count - 1, count) > 0) sorted = false;
    if (++count === MOST) return IN_DOUBT;
  } while (next <= end);
  sorted ||= profile.sortQuery === "keep";
  if (!dropped && sorted) return true;
  if (count === 0) return null;
  if (!sorted) sort(url, count);
  return joined(url, count, sorted);
}

const KEPT = 0;
const DROPPED = 1;
const DOUBTED = 2;

/** Reads the parameter at `start` as number `at`, and returns what to do with it. */
function readParam(
  url: string,
  start: number,
  end: number,
  at: number,
  profile: LoadedProfile,
): number {
  let nameEnd = start;
  let key = 0;
  let code = 0;
  for (; nameEnd < end; nameEnd++) {
    code = url.charCodeAt(nameEnd);
    if (code === EQUALS || code === AMPERSAND) break;
    if (nameEnd - start < KEYED) key = (key << 7) | code;
  }
  const length = nameEnd - start;
  const ampersand = code === EQUALS ? url.indexOf("&", nameEnd) : nameEnd;
  const stop = ampersand < 0 || ampersand > end ? end : ampersand;
  starts[at] = start;
  nameEnds[at] = nameEnd;
  ends[at] = stop;
  keys[at] = length < KEYED ? key << (7 * (KEYED - length)) : key;
  if (length > 0) return verdictOf(url, start, nameEnd, profile);
  if (start !== stop) return DOUBTED;
  return profile.emptyParams === "remove" ? DROPPED : DOUBTED;
}

/** Returns what to do with a parameter, by its name. */
function verdictOf(url: string, start: number, end: number, profile: LoadedProfile): number {
  const { listedParams, dropParams } = profile;
  const first = url.charCodeAt(start);
  const second = end - start > 1 ? url.charCodeAt(start + 1) : 0;
  if (dropParams?.mayHave(first, second) && dropParams.has(url.slice(start, end))) return DROPPED;
  if (listedParams === null) return KEPT;
  if (isPaired(url, start, end)) return profile.sessionIds === "keep" ? KEPT : DOUBTED;
  if (!listedParams.mayHave(first, second)) return KEPT;
  const listed = listedParams.valueOf(url.slice(start, end));
  const drops =
    listed === LISTED.TRACKING || (listed === LISTED.SESSION && profile.sessionIds !== "keep");
  return drops ? DROPPED : KEPT;
}

/** Returns whether a name is dropped if the other name of its pair is there too. */
function isPaired(url: string, start: number, end: number): boolean {
  if ((url.charCodeAt(start) | 0x20) !== 0x63) return false;
  if (!SESSION_PAIR.some(({ length }) => length === end - start)) return false;
  return SESSION_PAIR.includes(url.slice(start, end).toLowerCase());
}

/** Compares two parameters by the bytes of their names. */
function compare(url: string, a: number, b: number): number {
  const difference = (keys[a] as number) - (keys[b] as number);
  return difference === 0 ? compareOn(url, a, b) : difference;
}

/** Compares two parameters whose names have equal keys. */
function compareOn(url: string, a: number, b: number): number {
  const aStart = starts[a] as number;
  const bStart = starts[b] as number;
  const aLength = (nameEnds[a] as number) - aStart;
  const bLength = (nameEnds[b] as number) - bStart;
  const shorter = Math.min(aLength, bLength);
  for (let at = KEYED; at < shorter; at++) {
    const order = url.charCodeAt(aStart + at) - url.charCodeAt(bStart + at);
    if (order !== 0) return order;
  }
  return aLength - bLength;
}

/** Sorts the kept parameters by insertion, which is stable. */
function sort(url: string, count: number): void {
  for (let param = 0; param < count; param++) {
    const key = keys[param] as number;
    let at = param;
    for (; at > 0; at--) {
      const before = order[at - 1] as number;
      const difference = (keys[before] as number) - key;
      if (difference < 0 || (difference === 0 && compareOn(url, before, param) <= 0)) break;
      order[at] = before;
    }
    order[at] = param;
  }
}

/** Joins the kept parameters. Neighbours in the URL are taken in one piece. */
function joined(url: string, count: number, sorted: boolean): string {
  let query = "";
  for (let at = 0; at < count; ) {
    const first = sorted ? at : (order[at] as number);
    let last = first;
    at++;
    while (at < count && (sorted ? at : order[at]) === last + 1 && touches(last)) {
      last++;
      at++;
    }
    const piece = url.slice(starts[first], ends[last]);
    query = query === "" ? piece : `${query}&${piece}`;
  }
  return query;
}

/** Returns whether only a `&` is between a kept parameter and the next one that is kept. */
function touches(param: number): boolean {
  return (ends[param] as number) + 1 === starts[param + 1];
}
