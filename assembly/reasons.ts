/*
 * The reasons of a row: a bit for each rule that changed it, by the names that `explain` lists.
 * src/engine/reasons.ts has the same table (test/kernel/reasons.test.ts compares them).
 * Memory: writes the reasons region, eight bytes a row, if the host asks for them.
 */
import { reasonsStart } from "./memory";

export const BY_SURROUNDING_SPACE: u64 = 0;
export const BY_TAB_AND_NEWLINE: u64 = 1;
export const BY_DEFAULT_SCHEME: u64 = 2;
export const BY_BASE: u64 = 3;
export const BY_SCHEME_CASE: u64 = 4;
export const BY_SLASHES: u64 = 5;
export const BY_USERINFO: u64 = 6;
export const BY_HOST_CASE: u64 = 7;
export const BY_HOST: u64 = 8;
export const BY_EMPTY_PORT: u64 = 9;
export const BY_PORT: u64 = 10;
export const BY_DEFAULT_PORT: u64 = 11;
export const BY_EMPTY_PATH: u64 = 12;
export const BY_TRIPLET_CASE: u64 = 13;
export const BY_UNRESERVED_TRIPLETS: u64 = 14;
export const BY_PERCENT_ENCODING: u64 = 15;
export const BY_DOT_SEGMENTS: u64 = 16;
export const BY_READING: u64 = 17;
export const BY_HOST_ALIASES: u64 = 18;
export const BY_TRAILING_DOT: u64 = 19;
export const BY_WWW: u64 = 20;
export const BY_SCHEME: u64 = 21;
export const BY_EXPLICIT_PORT: u64 = 22;
export const BY_SESSION_IDS: u64 = 23;
export const BY_CASE: u64 = 24;
export const BY_DUPLICATE_SLASHES: u64 = 25;
export const BY_DIRECTORY_INDEX: u64 = 26;
export const BY_TRAILING_SLASH: u64 = 27;
export const BY_KEEP_PARAMS: u64 = 28;
export const BY_DROP_PARAMS: u64 = 29;
export const BY_TRACKING_PARAMS: u64 = 30;
export const BY_DEFAULT_PARAMS: u64 = 31;
export const BY_EMPTY_PARAMS: u64 = 32;
export const BY_EMPTY_VALUES: u64 = 33;
export const BY_REPEATED_PARAMS: u64 = 34;
export const BY_VALUELESS_PARAMS: u64 = 35;
export const BY_SORT_QUERY: u64 = 36;
export const BY_EMPTY_QUERY: u64 = 37;
export const BY_FRAGMENT: u64 = 38;
export const BY_RULES: u64 = 39;
export const BY_ALIASES: u64 = 40;
/** Says that only `explain` knows the rules of this row; the other bits then mean nothing. */
export const UNTOLD: u64 = 63;

/** Whether the host asks for the reasons. */
export let asksReasons: bool = false;
/** The reasons of the current row, since the last beginReasons. */
export let reasons: u64 = 0;

/** Sets whether later calls write the reasons of each CHANGED row. */
export function setReasons(on: bool): void {
  asksReasons = on;
}

export function beginReasons(): void {
  reasons = 0;
}

/** Takes back the reasons that were noted since `reasons` had the value `before`. */
export function resetReasons(before: u64): void {
  reasons = before;
}

/** Notes the rule of a bit. */
export function note(bit: u64): void {
  reasons |= (<u64>1) << bit;
}

/** Stores the reasons of a row. */
export function storeReasons(row: i32): void {
  store<u64>(reasonsStart + ((<usize>row) << 3), reasons);
}
