import {
  COLON,
  hasClass,
  isDigit,
  LEFT_BRACKET,
  PLAIN_DOMAIN,
  RIGHT_BRACKET,
  USERINFO,
} from "../chars.ts";
import { find, writeComponent } from "../component.ts";
import { Failure } from "../failure.ts";
import { defaultPort } from "../scheme.ts";
import { writeDomainHost, writeOtherHost, writePlainHost } from "./host.ts";

/**
 * Writes `[userinfo@]host[:port]` of a scheme other than `file`. The last `@` ends the userinfo, as in the
 * URL Standard. `plain`: the result of `findPlainEnd` for `start`, if it is known.
 */
export function writeAuthority(
  text: string,
  start: number,
  end: number,
  scheme: string,
  plain: number = findPlainEnd(text, start),
): string | Failure {
  const at = plain === end ? -1 : text.lastIndexOf("@", end - 1);
  const hostStart = at < plain ? start : at + 1;
  const userinfo = at < plain ? "" : writeUserinfo(text, start, at);
  const hostEnd = findPort(text, at < plain ? plain : hostStart, end);
  const implied = defaultPort(scheme);
  let host: string | Failure;
  if (implied === undefined) host = writeOtherHost(text, hostStart, hostEnd);
  else if (hostStart === hostEnd) return new Failure("BAD_HOST", hostStart);
  else if (hostEnd === plain) host = writePlainHost(text, hostStart, hostEnd);
  else host = writeDomainHost(text, hostStart, hostEnd);
  if (typeof host !== "string") return host;
  const port = writePort(text, hostEnd, end, implied);
  return typeof port === "string" ? userinfo + host + port : port;
}

/** Returns the end of the letters, digits, `-`, `.` and `_` from `start` on. */
export function findPlainEnd(text: string, start: number): number {
  let at = start;
  while (at < text.length && hasClass(text.charCodeAt(at), PLAIN_DOMAIN)) at++;
  return at;
}

/** Writes `user@`, `user:password@`, `:password@` or nothing; a second `:` is data. */
function writeUserinfo(text: string, start: number, end: number): string {
  const colon = find(text, start, end, COLON);
  const user = writeComponent(text, start, colon, USERINFO);
  if (colon + 1 >= end) return user === "" ? "" : `${user}@`;
  return `${user}:${writeComponent(text, colon + 1, end, USERINFO)}@`;
}

/** Returns the `:` before the port, which is the first outside brackets, or `end`. */
function findPort(text: string, start: number, end: number): number {
  let bracketed = false;
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code === COLON && !bracketed) return at;
    if (code === LEFT_BRACKET) bracketed = true;
    else if (code === RIGHT_BRACKET) bracketed = false;
  }
  return end;
}

/**
 * Writes a port; `[start, end)` is empty or a `:` and a port. For special schemes, it writes a number up to
 * 65535 without leading zeros, and nothing for the default port. For others, it writes any digits as they are
 * (RFC 3986 3.2.3).
 */
function writePort(
  text: string,
  start: number,
  end: number,
  implied: string | undefined,
): string | Failure {
  if (end - start < 2) return "";
  let value = 0;
  for (let at = start + 1; at < end; at++) {
    const code = text.charCodeAt(at);
    if (!isDigit(code)) return new Failure("BAD_PORT", at);
    value = value * 10 + code - 0x30;
    if (implied !== undefined && value > 65535) return new Failure("BAD_PORT", at);
  }
  if (implied === undefined) return text.slice(start, end);
  return String(value) === implied ? "" : `:${value}`;
}
