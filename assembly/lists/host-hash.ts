/*
 * The hash of an ending of a host. Memory: reads up to 16 bytes before its end, also those before it.
 *
 * The twin is src/runs/filter/host-hash.ts.
 */

/** Bytes of a word. */
const WORD: usize = 8;
const FACTOR: u64 = 0x9e3779b97f4a7c15;

/** Returns the hash of the bytes [start, end), at least one: an odd number. The last two words take no branch. */
export function hashHost(start: usize, end: usize): u32 {
  const length = end - start;
  const last = lastBytes(end, min(length, WORD));
  const second = lastBytes(end - WORD, min(max(length, WORD) - WORD, WORD));
  let hash = mix(mix(<u64>length, last), second);
  for (let at = end - 2 * WORD; <isize>at > <isize>start; at -= WORD) {
    hash = mix(hash, lastBytes(at, min(at - start, WORD)));
  }
  return <u32>((hash * FACTOR) >> 32) | 1;
}

/** Returns the last bytes of a word as a number; 0 if `count` is 0. */
function lastBytes(end: usize, count: usize): u64 {
  // A shift by 64 would be one by 0.
  const half = (<u64>(WORD - count)) << 2;
  return (load<u64>(end - WORD) >> half) >> half;
}

function mix(hash: u64, word: u64): u64 {
  const mixed = (hash ^ word) * FACTOR;
  return mixed ^ (mixed >> 32);
}
