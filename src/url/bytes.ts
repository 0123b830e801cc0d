/**
 * Converts between bytes and byte strings, which have one character per byte. The engine reads and writes
 * byte strings, so that bytes that are not UTF-8 keep their value.
 */

import { isShared } from "../base/copy-bytes.ts";

const CHUNK = 8192;
/** Limits the characters of a text that is encoded in `scratch`. */
const SHORT = 4096;
let scratch: Buffer | null = null;
const encoder = new TextEncoder();
const lenientDecoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Returns bytes as a byte string. */
export function toByteString(bytes: Uint8Array): string {
  if (globalThis.Buffer !== undefined) {
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
  }
  // ASCII is the same in UTF-8, and platforms decode UTF-8 in a tenth of the time. Decoders refuse shared
  // memory.
  const decoded = lenientDecoder.decode(isShared(bytes) ? bytes.slice() : bytes);
  if (decoded.length === bytes.length && isAscii(decoded)) return decoded;
  let text = "";
  for (let at = 0; at < bytes.length; at += CHUNK) {
    text += String.fromCharCode.apply(null, bytes.subarray(at, at + CHUNK) as unknown as number[]);
  }
  return text;
}

/** Returns the bytes of a byte string. */
export function fromByteString(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at);
  return bytes;
}

/** Returns the UTF-8 bytes of any string as a byte string; lone surrogates become U+FFFD. */
export function utf8ByteString(text: string): string {
  if (isAscii(text)) return text;
  if (globalThis.Buffer === undefined || text.length > SHORT) {
    return toByteString(encoder.encode(text));
  }
  // Each text uses the same memory: to allocate bytes for each takes a third of the time.
  scratch ??= Buffer.allocUnsafeSlow(3 * SHORT);
  return scratch.toString("latin1", 0, scratch.write(text));
}

/**
 * Returns the UTF-8 bytes of a URL as a byte string. Cuts a URL that is longer than `maxLength` after the
 * first character that shows this: its bytes may be more than a string can hold.
 */
export function urlByteString(url: string, maxLength: number): string {
  return utf8ByteString(url.slice(0, maxLength + 1));
}

/** Returns the UTF-8 bytes of a string. This engine writes ASCII, whose bytes are its characters. */
export function encodeUtf8(text: string): Uint8Array {
  return encoder.encode(text);
}

const NOT_ASCII = /[^\0-\x7f]/;

function isAscii(text: string): boolean {
  return !NOT_ASCII.test(text);
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Returns the text of a byte string, or null if it is not UTF-8. */
export function decodeUtf8(bytes: string): string | null {
  return utf8Text(fromByteString(bytes), false);
}

/**
 * Returns the text of bytes, a byte order mark included, or null if they are not UTF-8. `mayBeShared`: false if they are not in
 * shared memory. To ask that of a few bytes makes V8 move them out of its heap.
 */
export function utf8Text(bytes: Uint8Array, mayBeShared = true): string | null {
  try {
    return decoder.decode(mayBeShared && isShared(bytes) ? bytes.slice() : bytes);
  } catch (error) {
    // "fatal" has no other way to say that bytes are not UTF-8; a text that is too long is another error.
    if (error instanceof TypeError) return null;
    throw error;
  }
}

/** Writes ASCII letters in lower case, but not the digits of triplets. */
export function lowerCase(text: string): string {
  const [first = "", ...others] = text.split("%");
  const kept = others.map((rest) => rest.slice(0, 2) + rest.slice(2).toLowerCase());
  return [first.toLowerCase(), ...kept].join("%");
}
