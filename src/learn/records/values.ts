import { ZERO } from "../../url/chars.ts";
import { Malformed } from "./record.ts";

/** So many digits are always a safe integer. */
const MAX_DIGITS = 15;
const EXCERPT_LENGTH = 40;
/** Names that a reason lists, and their length in characters. */
const LISTED_NAMES = 50;
const LISTED_LENGTH = 1000;

/** Returns the number that 1 to 15 digits of `text` write, or -1 for anything else. */
export function wholeNumber(text: string, from = 0, to = text.length): number {
  if (to <= from || to - from > MAX_DIGITS) return -1;
  let value = 0;
  for (let at = from; at < to; at++) {
    const digit = text.charCodeAt(at) - ZERO;
    if (digit < 0 || digit > 9) return -1;
    value = value * 10 + digit;
  }
  return value;
}

/** Returns whether a field says that it has no value: "" or "-". */
export function isAbsent(text: string | undefined): text is "" | "-" | undefined {
  return text === undefined || text === "" || text === "-";
}

/** Returns whether a number is an HTTP status: 100 to 999. */
export function isHttpStatus(status: number): boolean {
  return status >= 100 && status <= 999;
}

/**
 * Returns whether a response with this status has the page's payload: neither 304 nor a part of it,
 * 206.
 */
export function hasPayload(status: number | undefined): boolean {
  return status !== 304 && status !== 206;
}

/** Says what is wrong with a number: `what` names the field, `text` is what stands there. */
export function noNumber(what: string, text: string): Malformed {
  return new Malformed(`${what} is ${excerpt(text)}, no whole number`);
}

/** Says that `text` is not an HTTP status. */
export function noStatus(text: string): Malformed {
  return new Malformed(`status is ${excerpt(text)}, no HTTP status`);
}

/** Returns the beginning of a text, quoted, for a reason. */
export function excerpt(text: string): string {
  return JSON.stringify(
    text.length > EXCERPT_LENGTH ? `${text.slice(0, EXCERPT_LENGTH)}...` : text,
  );
}

/** Names for a reason, the first of many. */
export function listNames(names: readonly string[]): string {
  const list = names.slice(0, LISTED_NAMES).join(", ").slice(0, LISTED_LENGTH);
  const isWhole = names.length <= LISTED_NAMES && list.length < LISTED_LENGTH;
  return isWhole ? list : `${list}...`;
}

/**
 * Returns the fields of a line with `separator` between, or with runs of it between if `runs` is
 * true; at most `most`.
 */
export function splitFields(line: string, separator: string, runs: boolean, most = 64): string[] {
  const fields: string[] = [];
  for (let from = 0; from <= line.length && fields.length < most; ) {
    const next = line.indexOf(separator, from);
    const to = next < 0 ? line.length : next;
    if (to > from || !runs) fields.push(line.slice(from, to));
    from = to + 1;
  }
  return fields;
}
