// Memory: reads the row between the pointers it is given.
import { COLON, hasClass, isAlpha, SCHEME, toLower } from "./chars";

/** Numbers of schemes: the special schemes of the URL Standard, and OTHER for all that RFC 3986 reads. */
export const OTHER: i32 = 0;
export const HTTP: i32 = 1;
export const HTTPS: i32 = 2;
export const WS: i32 = 3;
export const WSS: i32 = 4;
export const FTP: i32 = 5;
export const FILE: i32 = 6;

/** Returns the address of the `:` that ends a scheme at `p` (RFC 3986 3.1), or 0 if there is none. */
export function schemeEnd(p: usize, end: usize): usize {
  if (p === end || !isAlpha(load<u8>(p))) return 0;
  while (p < end && hasClass(load<u8>(p), SCHEME)) p++;
  return p < end && load<u8>(p) === COLON ? p : 0;
}

// The special schemes' names, as little-endian words.
const HTTP_NAME: u64 = 0x70747468;
const HTTPS_NAME: u64 = 0x7370747468;
const WS_NAME: u64 = 0x7377;
const WSS_NAME: u64 = 0x737377;
const FTP_NAME: u64 = 0x707466;
const FILE_NAME: u64 = 0x656c6966;

/** Returns the number of the scheme `[p, end)`, in any case. */
export function schemeAt(p: usize, end: usize): i32 {
  const length = end - p;
  if (length < 2 || length > 5) return OTHER;
  let word: u64 = 0;
  for (let i = end; i > p; ) word = (word << 8) | <u64>toLower(load<u8>(--i));
  if (word === HTTP_NAME) return HTTP;
  if (word === HTTPS_NAME) return HTTPS;
  if (word === WS_NAME) return WS;
  if (word === WSS_NAME) return WSS;
  if (word === FTP_NAME) return FTP;
  return word === FILE_NAME ? FILE : OTHER;
}

/** Writes a special scheme and its `:`. */
export function writeScheme(scheme: i32, out: usize): usize {
  for (let name = schemeName(scheme); name !== 0; name >>= 8) store<u8>(out++, <u8>name);
  store<u8>(out, COLON);
  return out + 1;
}

export function schemeLength(scheme: i32): usize {
  return (71 - <usize>clz(schemeName(scheme))) >> 3;
}

function schemeName(scheme: i32): u64 {
  if (scheme === HTTP) return HTTP_NAME;
  if (scheme === HTTPS) return HTTPS_NAME;
  if (scheme === WS) return WS_NAME;
  if (scheme === WSS) return WSS_NAME;
  return scheme === FTP ? FTP_NAME : FILE_NAME;
}

/** Returns the port that a special scheme implies, or -1. */
export function defaultPort(scheme: i32): i32 {
  if (scheme === HTTP || scheme === WS) return 80;
  if (scheme === HTTPS || scheme === WSS) return 443;
  return scheme === FTP ? 21 : -1;
}
