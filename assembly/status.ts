// Memory: none. Two globals hold the outcome of the current row.

/**
 * The status of a row, one byte. 0 and 1 are results, the others are the errors of docs/spec.md 5 in its
 * order.
 */
export const UNCHANGED: i32 = 0;
export const CHANGED: i32 = 1;
export const EMPTY: i32 = 2;
export const NO_SCHEME: i32 = 3;
export const BAD_SCHEME: i32 = 4;
export const SCHEME_NOT_ALLOWED: i32 = 5;
export const BAD_HOST: i32 = 6;
export const BAD_IPV4: i32 = 7;
export const BAD_IPV6: i32 = 8;
export const BAD_IDN: i32 = 9;
export const BAD_PORT: i32 = 10;
export const BAD_USERINFO: i32 = 11;
export const TOO_LONG: i32 = 12;

/** The status that a host gives a row which it leaves out, whatever its text is. */
export const BLOCKED: i32 = 253;

// Set by the last call of `fail`.

/** Status of the row that failed. */
export let failure: i32 = 0;
/** The address of the byte at which the row failed. */
export let failedAt: usize = 0;

/** Notes why and where the row fails. Returns 0, which every writer returns in place of an output end. */
export function fail(code: i32, at: usize): usize {
  failure = code;
  failedAt = at;
  return 0;
}
