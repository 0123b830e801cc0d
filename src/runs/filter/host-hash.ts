// The hash of an ending of a host, by which lists are looked up. The twin is assembly/lists/host-hash.ts.

/** Bytes of a word of 64 bits, and of its halves. */
const WORD = 8;
const HALF = 4;
/** The halves of the factor of 64 bits. */
const FACTOR_LOW = 0x7f4a7c15;
const FACTOR_HIGH = 0x9e3779b9;

// The halves of the hash so far: numbers of 64 bits would be objects.
let low = 0;
let high = 0;

/** Returns the hash of `text[start .. end)`, a byte string of at least one byte: an odd number of 32 bits. */
export function hashHost(text: string, start: number, end: number): number {
  low = end - start;
  high = 0;
  for (let at = end; at > start || at > end - 2 * WORD; at -= WORD) mix(text, start, at);
  multiply();
  return (high | 1) >>> 0;
}

/** Adds the word that ends at `end`. Its bytes before `start` do not count. */
function mix(text: string, start: number, end: number): void {
  const from = Math.max(start, end - WORD);
  low ^= numberOf(text, from, Math.min(from + HALF, end));
  high ^= numberOf(text, from + HALF, end);
  multiply();
  low ^= high;
}

function numberOf(text: string, start: number, end: number): number {
  let number = 0;
  for (let at = end - 1; at >= start; at--) number = (number << 8) | text.charCodeAt(at);
  return number;
}

/** Multiplies the hash by the factor, modulo 2^64. */
function multiply(): void {
  const a = low & 0xffff;
  const b = low >>> 16;
  const c = FACTOR_LOW & 0xffff;
  const d = FACTOR_LOW >>> 16;
  const lowest = a * c;
  const middle = a * d + b * c + (lowest >>> 16);
  const carried = b * d + Math.floor(middle / 0x10000);
  high = (carried + Math.imul(low, FACTOR_HIGH) + Math.imul(high, FACTOR_LOW)) | 0;
  low = (middle << 16) | (lowest & 0xffff);
}
