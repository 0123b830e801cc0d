import { decodeUtf8 } from "../bytes.ts";
import {
  COLON,
  DECODED,
  DOT,
  FORBIDDEN_HOST,
  hasClass,
  hexValue,
  LEFT_BRACKET,
  PERCENT,
  REG_NAME,
  RIGHT_BRACKET,
  SPACE,
  TRIPLETS,
  tripletValue,
} from "../chars.ts";
import { Failure } from "../failure.ts";
import { domainToAscii } from "../idna/domain-to-ascii.ts";
import { endsInNumber, normalizeIpv4 } from "./ipv4.ts";
import { normalizeIpv6 } from "./ipv6.ts";

const DELETE = 0x7f;
/** Matches a domain with nothing to decode or to refuse. */
const PLAIN_DOMAIN = /^[\w.-]*$/;

/** Writes a host of a special scheme (URL Standard, "host parser"). */
export function writeDomainHost(text: string, start: number, end: number): string | Failure {
  if (text.charCodeAt(start) === LEFT_BRACKET) return writeBracketed(text, start, end);
  const domain = writeDomain(text, start, end);
  return typeof domain === "string" ? writeNumbered(domain, start) : domain;
}

/** Writes a host of a special scheme that holds only letters, digits, `-`, `.` and `_`. */
export function writePlainHost(text: string, start: number, end: number): string | Failure {
  return writeNumbered(text.slice(start, end).toLowerCase(), start);
}

/** Writes a domain, or the IPv4 address that it denotes. */
function writeNumbered(domain: string, start: number): string | Failure {
  if (!endsInNumber(domain)) return domain;
  return normalizeIpv4(domain) ?? new Failure("BAD_IPV4", start);
}

/** Writes a host of any other scheme (RFC 3986 3.2.2): IP literal or registered name. */
export function writeOtherHost(text: string, start: number, end: number): string | Failure {
  if (start === end || text.charCodeAt(start) !== LEFT_BRACKET)
    return writeRegName(text, start, end);
  const isFuture = end - start > 1 && (text.charCodeAt(start + 1) | 0x20) === 0x76;
  return isFuture ? writeIpFuture(text, start, end) : writeBracketed(text, start, end);
}

function writeBracketed(text: string, start: number, end: number): string | Failure {
  if (text.charCodeAt(end - 1) !== RIGHT_BRACKET) return new Failure("BAD_IPV6", end);
  const address = normalizeIpv6(text.slice(start + 1, end - 1));
  return typeof address === "number"
    ? new Failure("BAD_IPV6", start + 1 + address)
    : `[${address}]`;
}

/**
 * Writes a domain (URL Standard, "domain to ASCII" after percent-decoding). For ASCII, `xn--` included, that
 * is lower-casing.
 */
function writeDomain(text: string, start: number, end: number): string | Failure {
  const written = text.slice(start, end);
  if (PLAIN_DOMAIN.test(written)) return written.toLowerCase();
  const hasTriplets = written.includes("%");
  let domain = hasTriplets ? "" : written;
  let international = -1;
  let forbidden = -1;
  for (let at = start; at < end; ) {
    const value = tripletValue(text, at, end);
    const byte = value < 0 ? text.charCodeAt(at) : value;
    if (byte >= 0x80) international = at;
    else if (forbidden < 0 && isForbiddenDomain(byte)) forbidden = at;
    if (hasTriplets) domain += String.fromCharCode(byte);
    at += value < 0 ? 1 : 3;
  }
  if (international >= 0) {
    const decoded = decodeUtf8(domain);
    if (decoded === null) return new Failure("BAD_HOST", international);
    const ascii = domainToAscii(decoded);
    if (ascii === null || ascii === "") return new Failure("BAD_IDN", start);
    return hasForbidden(ascii) ? new Failure("BAD_IDN", start) : ascii;
  }
  return forbidden < 0 ? domain.toLowerCase() : new Failure("BAD_HOST", forbidden);
}

/** Returns whether mapping wrote a character that a host must not hold: U+FF05 becomes `%`. */
function hasForbidden(ascii: string): boolean {
  for (let at = 0; at < ascii.length; at++)
    if (isForbiddenDomain(ascii.charCodeAt(at))) return true;
  return false;
}

/** Returns whether a byte is a forbidden domain code point (URL Standard). */
function isForbiddenDomain(byte: number): boolean {
  return byte < SPACE || byte === PERCENT || byte === DELETE || hasClass(byte, FORBIDDEN_HOST);
}

/**
 * Writes a registered name in lower case, with unreserved triplets decoded and other triplets in upper case.
 * Bytes that RFC 3986 does not allow become triplets, but those that the URL Standard forbids are errors.
 */
function writeRegName(text: string, start: number, end: number): string | Failure {
  if (decodeUtf8(text.slice(start, end)) === null) return new Failure("BAD_HOST", start);
  let name = "";
  for (let at = start; at < end; ) {
    const code = text.charCodeAt(at);
    if (hasClass(code, FORBIDDEN_HOST)) return new Failure("BAD_HOST", at);
    const value = tripletValue(text, at, end);
    if (value >= 0) {
      const decoded = DECODED[value] as string;
      name += decoded.length === 1 ? decoded.toLowerCase() : decoded;
      at += 3;
    } else {
      name += hasClass(code, REG_NAME) ? (text[at] as string).toLowerCase() : TRIPLETS[code];
      at++;
    }
  }
  return name;
}

/**
 * Writes an address `"[v" 1*HEXDIG "." 1*( unreserved / sub-delims / ":" ) "]"` in lower case (RFC 3986
 * 3.2.2).
 */
function writeIpFuture(text: string, start: number, end: number): string | Failure {
  const close = end - 1;
  if (text.charCodeAt(close) !== RIGHT_BRACKET) return new Failure("BAD_IPV6", end);
  let at = start + 2;
  while (at < close && hexValue(text.charCodeAt(at)) >= 0) at++;
  if (at === start + 2 || at === close || text.charCodeAt(at) !== DOT) {
    return new Failure("BAD_IPV6", at);
  }
  const address = ++at;
  while (at < close && (hasClass(text.charCodeAt(at), REG_NAME) || text.charCodeAt(at) === COLON))
    at++;
  if (at === address || at < close) return new Failure("BAD_IPV6", at);
  return text.slice(start, end).toLowerCase();
}
