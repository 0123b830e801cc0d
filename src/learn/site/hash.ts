/**
 * Holds two lanes of 32 bits of a polynomial in the bytes of a text, so that the hash of two texts
 * one after the other follows from theirs. Texts of 2048 bytes and more could be made to have equal
 * hashes.
 */
export interface Hash {
  low: number;
  high: number;
}

/** Holds a hash, and what those before it are multiplied by when this text is put after. */
export interface TextHash extends Readonly<Hash> {
  readonly lowPower: number;
  readonly highPower: number;
}

const LOW = 0x01000193;
const HIGH = 0x5bd1e995;

/** Returns the hash of a text that is a byte string. */
export function hashText(text: string): TextHash {
  const hash = { low: 0, high: 0 };
  let [lowPower, highPower] = [1, 1];
  for (let at = 0; at < text.length; at++) {
    addByte(hash, text.charCodeAt(at));
    lowPower = Math.imul(lowPower, LOW);
    highPower = Math.imul(highPower, HIGH);
  }
  return { ...hash, lowPower, highPower };
}

/** Puts the bytes of a text after a hash. */
export function addText(hash: Hash, text: string): void {
  let { low, high } = hash;
  for (let at = 0; at < text.length; at++) {
    const byte = text.charCodeAt(at);
    low = (Math.imul(low, LOW) + byte) | 0;
    high = (Math.imul(high, HIGH) + byte) | 0;
  }
  hash.low = low;
  hash.high = high;
}

/** Puts a byte after a hash. */
export function addByte(hash: Hash, byte: number): void {
  hash.low = (Math.imul(hash.low, LOW) + byte) | 0;
  hash.high = (Math.imul(hash.high, HIGH) + byte) | 0;
}

/** Puts a text after a hash. */
export function addHash(hash: Hash, { low, high, lowPower, highPower }: TextHash): void {
  hash.low = (Math.imul(hash.low, lowPower) + low) | 0;
  hash.high = (Math.imul(hash.high, highPower) + high) | 0;
}
