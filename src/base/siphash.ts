/**
 * Computes SipHash-1-3 with 128 bits of output (Aumasson and Bernstein, 2012), as the kernel does. Each
 * 64-bit word is two halves.
 */
export class SipHash {
  readonly #key: Uint32Array;

  /** `key`: 16 bytes. */
  constructor(key: Uint8Array) {
    const view = new DataView(key.buffer, key.byteOffset, 16);
    this.#key = Uint32Array.from([0, 4, 8, 12], (at) => view.getUint32(at, true));
  }

  /** Writes the 16 bytes of the hash of a byte string at `at`. */
  write(text: string, into: DataView, at: number): void {
    const [k0, k1, k2, k3] = this.#key as unknown as [number, number, number, number];
    let v0 = k0 ^ 0x70736575;
    let v0High = k1 ^ 0x736f6d65;
    let v1 = k2 ^ 0x6e646f6d ^ 0xee;
    let v1High = k3 ^ 0x646f7261;
    let v2 = k0 ^ 0x6e657261;
    let v2High = k1 ^ 0x6c796765;
    let v3 = k2 ^ 0x79746573;
    let v3High = k3 ^ 0x74656462;
    // One round for each word, then three for each half of the output.
    const words = (text.length >> 3) + 1;
    for (let round = 0; round < words + 6; round++) {
      let low = 0;
      let high = 0;
      if (round < words) {
        low = wordAt(text, round * 8);
        high = wordAt(text, round * 8 + 4);
        if (round === words - 1) high |= text.length << 24;
        v3 ^= low;
        v3High ^= high;
      } else if (round === words) {
        v2 ^= 0xee;
      } else if (round === words + 3) {
        into.setInt32(at, v0 ^ v1 ^ v2 ^ v3, true);
        into.setInt32(at + 4, v0High ^ v1High ^ v2High ^ v3High, true);
        v1 ^= 0xdd;
      }
      let sum = (v0 >>> 0) + (v1 >>> 0);
      v0 = sum | 0;
      v0High = (v0High + v1High + carry(sum)) | 0;
      let rotated = (v1 << 13) | (v1High >>> 19);
      v1High = ((v1High << 13) | (v1 >>> 19)) ^ v0High;
      v1 = rotated ^ v0;
      rotated = v0;
      v0 = v0High;
      v0High = rotated;
      sum = (v2 >>> 0) + (v3 >>> 0);
      v2 = sum | 0;
      v2High = (v2High + v3High + carry(sum)) | 0;
      rotated = (v3 << 16) | (v3High >>> 16);
      v3High = ((v3High << 16) | (v3 >>> 16)) ^ v2High;
      v3 = rotated ^ v2;
      sum = (v0 >>> 0) + (v3 >>> 0);
      v0 = sum | 0;
      v0High = (v0High + v3High + carry(sum)) | 0;
      rotated = (v3 << 21) | (v3High >>> 11);
      v3High = ((v3High << 21) | (v3 >>> 11)) ^ v0High;
      v3 = rotated ^ v0;
      sum = (v2 >>> 0) + (v1 >>> 0);
      v2 = sum | 0;
      v2High = (v2High + v1High + carry(sum)) | 0;
      rotated = (v1 << 17) | (v1High >>> 15);
      v1High = ((v1High << 17) | (v1 >>> 15)) ^ v2High;
      v1 = rotated ^ v2;
      rotated = v2;
      v2 = v2High;
      v2High = rotated;
      v0 ^= low;
      v0High ^= high;
    }
    into.setInt32(at + 8, v0 ^ v1 ^ v2 ^ v3, true);
    into.setInt32(at + 12, v0High ^ v1High ^ v2High ^ v3High, true);
  }
}

/**
 * Returns the fingerprint of a text that is not a URL, given as a byte string: the hash of its bytes and of an LF after
 * them. No URL has an LF, so no URL has the same hashed bytes.
 */
export function textFingerprint(key: Uint8Array, text: string): Uint8Array<ArrayBuffer> {
  const into = new DataView(new ArrayBuffer(16));
  new SipHash(key).write(`${text}\n`, into, 0);
  return new Uint8Array(into.buffer);
}

function carry(sum: number): number {
  return sum > 0xffffffff ? 1 : 0;
}

/** Returns four bytes of a byte string, little-endian, with zeros after its end. */
function wordAt(text: string, at: number): number {
  if (at + 4 > text.length) return lastWord(text, at);
  return (
    text.charCodeAt(at) |
    (text.charCodeAt(at + 1) << 8) |
    (text.charCodeAt(at + 2) << 16) |
    (text.charCodeAt(at + 3) << 24)
  );
}

function lastWord(text: string, at: number): number {
  let word = 0;
  for (let end = text.length; end > at; ) word = (word << 8) | text.charCodeAt(--end);
  return word;
}
