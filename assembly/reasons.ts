/*
 * The reasons of a row: a bit for each step that changed it, as src/options/catalog.ts numbers them.
 * Memory: writes the reasons region, eight bytes a row, if the host asks for them.
 */
import { reasonsStart } from "./memory";

/** Says that only `explain` knows the steps of this row; the other bits then mean nothing. */
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

/** Notes the step of a bit. */
export function note(bit: u64): void {
  reasons |= (<u64>1) << bit;
}

/** Stores the reasons of a row. */
export function storeReasons(row: i32): void {
  store<u64>(reasonsStart + ((<usize>row) << 3), reasons);
}
