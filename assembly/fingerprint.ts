/*
 * Memory: reads the output of the last call and the 16 bytes of key at fingerprintKey; writes 16 bytes
 * a row at fingerprints.
 */
import { fingerprintKey, fingerprints, outOffsets, outputStart } from "./memory";

/**
 * Fingerprints the first `rows` rows of the last call: SipHash-1-3 with 128 bits of output, under the
 * key at fingerprintKey, of a row without the `terminator` bytes that end it (1 for lines). A failed
 * row, which is empty, gets one too.
 */
export function fingerprintRows(rows: i32, terminator: i32): void {
  for (let row = 0; row < rows; row++) {
    const offset = outOffsets + ((<usize>row) << 2);
    const start = outputStart + <usize>load<i32>(offset);
    const end = outputStart + <usize>load<i32>(offset, 4) - <usize>terminator;
    hash(start, end);
    const at = fingerprints + ((<usize>row) << 4);
    store<u64>(at, first);
    store<u64>(at, second, 8);
  }
}

let first: u64 = 0;
let second: u64 = 0;

/**
 * SipHash (Aumasson and Bernstein, 2012) with c = 1 and d = 3; sets `first` and `second`. One loop for
 * all rounds, so that the state stays in registers: first the words, the last with the length in it,
 * then three rounds for each half of the output.
 */
function hash(p: usize, end: usize): void {
  const k0 = load<u64>(fingerprintKey);
  const k1 = load<u64>(fingerprintKey, 8);
  let v0 = k0 ^ 0x736f6d6570736575;
  let v1 = k1 ^ 0x646f72616e646f6d ^ 0xee;
  let v2 = k0 ^ 0x6c7967656e657261;
  let v3 = k1 ^ 0x7465646279746573;
  const rest = (end - p) & 7;
  const tail = rest === 0 ? 0 : load<u64>(end - rest) & (u64.MAX_VALUE >> (64 - (rest << 3)));
  const lastWord = tail | ((<u64>(end - p)) << 56);
  let rounds = <i32>((end - p) >> 3) + 1;
  let half = 0;
  for (;;) {
    let word: u64 = 0;
    if (half === 0) {
      word = rounds > 1 ? load<u64>(p) : lastWord;
      p += 8;
    }
    v3 ^= word;
    v0 += v1;
    v1 = rotl<u64>(v1, 13) ^ v0;
    v0 = rotl<u64>(v0, 32);
    v2 += v3;
    v3 = rotl<u64>(v3, 16) ^ v2;
    v0 += v3;
    v3 = rotl<u64>(v3, 21) ^ v0;
    v2 += v1;
    v1 = rotl<u64>(v1, 17) ^ v2;
    v2 = rotl<u64>(v2, 32);
    v0 ^= word;
    if (--rounds > 0) continue;
    if (half === 2) break;
    rounds = 3;
    if (half++ === 0) {
      v2 ^= 0xee;
    } else {
      first = v0 ^ v1 ^ v2 ^ v3;
      v1 ^= 0xdd;
    }
  }
  second = v0 ^ v1 ^ v2 ^ v3;
}
