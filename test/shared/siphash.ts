const MASK = (1n << 64n) - 1n;

/** SipHash-c-d with 128 bits of output by the letter of its paper, on big integers. */
export function sipHash128(key: Uint8Array, input: Uint8Array, c: number, d: number): Uint8Array {
  const words = new BigUint64Array(key.slice().buffer);
  const [k0, k1] = words as unknown as [bigint, bigint];
  const v: [bigint, bigint, bigint, bigint] = [
    k0 ^ 0x736f6d6570736575n,
    k1 ^ 0x646f72616e646f6dn ^ 0xeen,
    k0 ^ 0x6c7967656e657261n,
    k1 ^ 0x7465646279746573n,
  ];
  const rounds = (count: number) => {
    for (let i = 0; i < count; i++) {
      v[0] = (v[0] + v[1]) & MASK;
      v[1] = rotl(v[1], 13n) ^ v[0];
      v[0] = rotl(v[0], 32n);
      v[2] = (v[2] + v[3]) & MASK;
      v[3] = rotl(v[3], 16n) ^ v[2];
      v[0] = (v[0] + v[3]) & MASK;
      v[3] = rotl(v[3], 21n) ^ v[0];
      v[2] = (v[2] + v[1]) & MASK;
      v[1] = rotl(v[1], 17n) ^ v[2];
      v[2] = rotl(v[2], 32n);
    }
  };
  const padded = new Uint8Array((input.length & ~7) + 8);
  padded.set(input);
  padded[padded.length - 1] = input.length & 0xff;
  for (const word of new BigUint64Array(padded.buffer)) {
    v[3] ^= word;
    rounds(c);
    v[0] ^= word;
  }
  const all = () => v[0] ^ v[1] ^ v[2] ^ v[3];
  v[2] ^= 0xeen;
  rounds(d);
  const first = all();
  v[1] ^= 0xddn;
  rounds(d);
  return new Uint8Array(BigUint64Array.of(first, all()).buffer);
}

function rotl(value: bigint, bits: bigint): bigint {
  return ((value << bits) | (value >> (64n - bits))) & MASK;
}
