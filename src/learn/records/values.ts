import { excerpt } from "../../formats/excerpt.ts";
import { Malformed } from "../../formats/row.ts";
import { ZERO } from "../../url/chars.ts";

/** So many digits are always a safe integer. */
const MAX_DIGITS = 15;

/** Returns the number that 1 to 15 digits write, or -1 for any other text. */
export function wholeNumber(text: string): number {
  if (text === "" || text.length > MAX_DIGITS) return -1;
  let value = 0;
  for (let at = 0; at < text.length; at++) {
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

/** Returns whether a response with this status has the page's payload: neither 304 nor a part of it, 206. */
export function hasPayload(status: number | undefined): boolean {
  return status !== 304 && status !== 206;
}

/** Says what is wrong with a number. `what` names the field, and `text` is its content. */
export function notNumber(what: string, text: string): Malformed {
  return new Malformed(`${what} is ${excerpt(text)}, not a whole number`);
}

/** Returns whether an answer with this status is the page of its URL: 200 to 299, or not known. */
export function isPage(status: number | undefined): boolean {
  return status === undefined || (status >= 200 && status < 300);
}

export function notStatus(text: string): Malformed {
  return new Malformed(`status is ${excerpt(text)}, not an HTTP status`);
}

/**
 * Returns an equal text with memory of its own. Readers cut records from texts of 256 KiB, and a slice keeps all of the
 * text that it was cut from.
 */
export function ownText(text: string): string {
  return ` ${text}`.slice(1);
}
