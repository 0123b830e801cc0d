// Memory: reads the row between the pointers it is given, writes at `out`.

import { BY_DEFAULT_PORT, BY_EMPTY_PORT, BY_PORT, BY_USERINFO } from "../catalog.generated";
import { asksReasons, note } from "../reasons";
import { BAD_HOST, BAD_PORT, fail } from "../status";
import { AT, COLON, isDigit, LEFT_BRACKET, RIGHT_BRACKET, USERINFO, ZERO } from "./chars";
import { find, findEither, sameBytes, writeBytes, writeComponent } from "./component";
import { writeDomainHost, writeOtherHost } from "./host";
import { noteHost } from "./host-reasons";
import { writeDecimal } from "./ipv4";
import { defaultPort, OTHER } from "./scheme";

/**
 * Writes `[userinfo@]host[:port]` from the authority `[p, end)` of a scheme other than `file`. The last `@`
 * ends the userinfo, as in the URL Standard. Returns 0 on failure.
 */
export function writeAuthority(p: usize, end: usize, out: usize, scheme: i32): usize {
  const host = findLast(p, end, AT);
  if (host > p) {
    const start = out;
    out = writeUserinfo(p, host - 1, out);
    const length = out - start;
    if (length !== host - p || !sameBytes(p, start, length)) note(BY_USERINFO);
  }
  const hostEnd = findPort(host, end);
  if (scheme === OTHER) {
    out = writeOtherHost(host, hostEnd, out);
    return out === 0 ? 0 : writeOtherPort(hostEnd, end, out);
  }
  if (hostEnd === host) return fail(BAD_HOST, host);
  const stop = writeDomainHost(host, hostEnd, out);
  if (stop === 0) return 0;
  if (asksReasons) noteHost(host, hostEnd, out, stop);
  return writePort(hostEnd, end, stop, defaultPort(scheme));
}

/** Returns the address after the last `byte` between the pointers, or `p` if there is none. */
function findLast(p: usize, end: usize, byte: u8): usize {
  if (find(p, end, byte) === end) return p;
  while (load<u8>(end - 1) !== byte) end--;
  return end;
}

/** Writes `user@`, `user:password@`, `:password@` or nothing; a second `:` is data. */
function writeUserinfo(p: usize, end: usize, out: usize): usize {
  const start = out;
  const colon = find(p, end, COLON);
  out = writeComponent(p, colon, out, USERINFO);
  if (colon + 1 < end) {
    store<u8>(out++, COLON);
    out = writeComponent(colon + 1, end, out, USERINFO);
  }
  if (out > start) store<u8>(out++, AT);
  return out;
}

/** Returns the `:` before the port, which is the first outside brackets, or `end`. */
export function findPort(p: usize, end: usize): usize {
  if (findEither(p, end, COLON, LEFT_BRACKET) === end) return end;
  let bracketed = false;
  for (; p < end; p++) {
    const byte = load<u8>(p);
    if (byte === COLON && !bracketed) return p;
    if (byte === LEFT_BRACKET) bracketed = true;
    else if (byte === RIGHT_BRACKET) bracketed = false;
  }
  return end;
}

/**
 * Writes the port of a special scheme (URL Standard, "port state"). `[p, end)` is empty or a `:` and the
 * port.
 */
function writePort(p: usize, end: usize, out: usize, implied: i32): usize {
  if (end - p < 2) {
    if (p < end) note(BY_EMPTY_PORT);
    return out;
  }
  if (load<u8>(p, 1) === ZERO && end - p > 2) note(BY_PORT);
  let port = 0;
  for (p++; p < end; p++) {
    const byte = load<u8>(p);
    if (!isDigit(byte)) return fail(BAD_PORT, p);
    port = port * 10 + <i32>(byte - ZERO);
    if (port > 65535) return fail(BAD_PORT, p);
  }
  if (port === implied) {
    note(BY_DEFAULT_PORT);
    return out;
  }
  store<u8>(out++, COLON);
  return writeDecimal(port, out);
}

/** Writes a port of any digits, as they are (RFC 3986 3.2.3); an empty port goes (6.2.3). */
function writeOtherPort(p: usize, end: usize, out: usize): usize {
  if (end - p < 2) return out;
  for (let at = p + 1; at < end; at++) {
    if (!isDigit(load<u8>(at))) return fail(BAD_PORT, at);
  }
  return writeBytes(p, end, out);
}
