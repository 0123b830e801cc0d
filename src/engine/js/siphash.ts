/**
 * SipHash-1-3 with 128 bits of output (Aumasson and Bernstein, 2012), as the kernel computes it, with
 * each 64-bit word in two halves.
 */
export class SipHash {
  readonly #key: Uint32Array;
  /** v0 to v3, each its low and its high half. */
  readonly #v = new Uint32Array(8);

  /** `key`: 16 bytes. */
  constructor(key: Uint8Array) {
    const view = new DataView(key.buffer, key.byteOffset, 16);
    this.#key = Uint32Array.from([0, 4, 8, 12], (at) => view.getUint32(at, true));
  }

  /** Writes the 16 bytes of the hash of a byte string at `at`. */
  write(text: string, into: DataView, at: number): void {
    const v = this.#v;
    const [k0, k1, k2, k3] = this.#key as unknown as [number, number, number, number];
    v.set([k0 ^ 0x70736575, k1 ^ 0x736f6d65, k2 ^ 0x6e646f6d ^ 0xee, k3 ^ 0x646f7261]);
    v.set([k0 ^ 0x6e657261, k1 ^ 0x6c796765, k2 ^ 0x79746573, k3 ^ 0x74656462], 4);
    let p = 0;
    for (; p + 8 <= text.length; p += 8) this.#absorb(word(text, p), word(text, p + 4));
    this.#absorb(word(text, p), word(text, p + 4) | (text.length << 24));
    v[4] = (v[4] as number) ^ 0xee;
    this.#finish(into, at);
    v[2] = (v[2] as number) ^ 0xdd;
    this.#finish(into, at + 8);
  }

  #absorb(low: number, high: number): void {
    const v = this.#v;
    v[6] = (v[6] as number) ^ low;
    v[7] = (v[7] as number) ^ high;
    this.#round();
    v[0] = (v[0] as number) ^ low;
    v[1] = (v[1] as number) ^ high;
  }

  #finish(into: DataView, at: number): void {
    for (let round = 0; round < 3; round++) this.#round();
    const [a, b, c, d, e, f, g, h] = this.#v as unknown as number[] as Eight;
    into.setUint32(at, a ^ c ^ e ^ g, true);
    into.setUint32(at + 4, b ^ d ^ f ^ h, true);
  }

  #round(): void {
    const v = this.#v;
    add(v, 0, 2);
    rotate(v, 2, 13);
    xor(v, 2, 0);
    swap(v, 0);
    add(v, 4, 6);
    rotate(v, 6, 16);
    xor(v, 6, 4);
    add(v, 0, 6);
    rotate(v, 6, 21);
    xor(v, 6, 0);
    add(v, 4, 2);
    rotate(v, 2, 17);
    xor(v, 2, 4);
    swap(v, 4);
  }
}

type Eight = [number, number, number, number, number, number, number, number];

/** Four bytes of a byte string, little-endian, zeros behind its end. */
function word(text: string, at: number): number {
  let value = 0;
  for (let i = Math.min(3, text.length - at - 1); i >= 0; i--) {
    value = (value << 8) | text.charCodeAt(at + i);
  }
  return value;
}

// Operations on 64-bit words given by the index of their low half.

function add(v: Uint32Array, a: number, b: number): void {
  const low = (v[a] as number) + (v[b] as number);
  v[a] = low;
  v[a + 1] = (v[a + 1] as number) + (v[b + 1] as number) + (low > 0xffffffff ? 1 : 0);
}

function xor(v: Uint32Array, a: number, b: number): void {
  v[a] = (v[a] as number) ^ (v[b] as number);
  v[a + 1] = (v[a + 1] as number) ^ (v[b + 1] as number);
}

/** Left, by fewer than 32 bits. */
function rotate(v: Uint32Array, a: number, bits: number): void {
  const low = v[a] as number;
  const high = v[a + 1] as number;
  v[a] = (low << bits) | (high >>> (32 - bits));
  v[a + 1] = (high << bits) | (low >>> (32 - bits));
}

/** Left, by 32 bits. */
function swap(v: Uint32Array, a: number): void {
  const low = v[a] as number;
  v[a] = v[a + 1] as number;
  v[a + 1] = low;
}
