/** Returns the SHA-256 of bytes, or of a text as UTF-8. Node computes it natively. */
export function sha256(data: string | Uint8Array): Uint8Array {
  const crypto = globalThis.process?.getBuiltinModule?.("node:crypto");
  return crypto === undefined
    ? computeSha256(typeof data === "string" ? new TextEncoder().encode(data) : data)
    : crypto.createHash("sha256").update(data).digest();
}

const isPrime = (number: number, primes: readonly number[]): boolean =>
  primes.every((prime) => number % prime !== 0);

function firstPrimes(count: number): number[] {
  const primes: number[] = [];
  for (let number = 2; primes.length < count; number++) {
    if (isPrime(number, primes)) primes.push(number);
  }
  return primes;
}

/** Returns the first 32 bits of the fraction of a number. */
const fraction = (number: number): number => ((number % 1) * 2 ** 32) | 0;

const rotate = (word: number, bits: number): number => (word >>> bits) | (word << (32 - bits));

/** Computes a digest as FIPS 180-4 says, where the platform cannot answer at once. */
function computeSha256(bytes: Uint8Array): Uint8Array {
  const primes = firstPrimes(64);
  const constants = primes.map((prime) => fraction(Math.cbrt(prime)));
  const state = Int32Array.from(primes.slice(0, 8), (prime) => fraction(Math.sqrt(prime)));
  const input = padded(bytes);
  for (let at = 0; at < input.byteLength; at += 64) addBlock(state, constants, input, at);
  const digest = new DataView(new ArrayBuffer(32));
  state.forEach((word, index) => {
    digest.setInt32(4 * index, word);
  });
  return new Uint8Array(digest.buffer);
}

/** Returns the bytes with a 1 bit, zeros and their length in bits after them, in whole blocks. */
function padded(bytes: Uint8Array): DataView {
  const whole = new Uint8Array((((bytes.length + 8) >> 6) + 1) << 6);
  whole.set(bytes);
  whole[bytes.length] = 0x80;
  const view = new DataView(whole.buffer);
  view.setBigUint64(whole.length - 8, BigInt(bytes.length) * 8n);
  return view;
}

function addBlock(state: Int32Array, constants: readonly number[], input: DataView, at: number) {
  const words = scheduleOf(input, at);
  let [a, b, c, d, e, f, g, h] = state as unknown as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  for (let round = 0; round < 64; round++) {
    const choice = (e & f) ^ (~e & g);
    const big1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const first = h + big1 + choice + (constants[round] as number) + (words[round] as number);
    const big0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    const second = big0 + ((a & b) ^ (a & c) ^ (b & c));
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((word, index) => {
    state[index] = (state[index] as number) + word;
  });
}

/** Returns the message schedule of the block at `at`: its 16 words, and 48 that are mixed from them. */
function scheduleOf(input: DataView, at: number): Int32Array {
  const words = new Int32Array(64);
  for (let index = 0; index < 16; index++) words[index] = input.getInt32(at + 4 * index);
  for (let index = 16; index < 64; index++) {
    const [late, early] = [words[index - 2] as number, words[index - 15] as number];
    const mixed0 = rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3);
    const mixed1 = rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10);
    words[index] = (words[index - 16] as number) + mixed0 + (words[index - 7] as number) + mixed1;
  }
  return words;
}

/** Writes bytes in hexadecimal. */
export function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
