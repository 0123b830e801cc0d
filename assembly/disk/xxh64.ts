/*
 * XXH64 (xxHash, revision 0.1.1) with seed 0, of bytes whose number is a multiple of 8.
 */

const PRIME1: u64 = 0x9e3779b185ebca87;
const PRIME2: u64 = 0xc2b2ae3d27d4eb4f;
const PRIME3: u64 = 0x165667b19e3779f9;
const PRIME4: u64 = 0x85ebca77c2b2ae63;
const PRIME5: u64 = 0x27d4eb2f165667c5;
const STRIPE: usize = 32;

/** Returns the hash of the bytes in [at, end). */
export function xxh64(at: usize, end: usize): u64 {
  const length = <u64>(end - at);
  let hash: u64 = PRIME5;
  if (length >= STRIPE) {
    let one: u64 = PRIME1 + PRIME2;
    let two: u64 = PRIME2;
    let three: u64 = 0;
    let four: u64 = 0 - PRIME1;
    for (; at + STRIPE <= end; at += STRIPE) {
      one = round(one, load<u64>(at));
      two = round(two, load<u64>(at, 8));
      three = round(three, load<u64>(at, 16));
      four = round(four, load<u64>(at, 24));
    }
    hash = rotl<u64>(one, 1) + rotl<u64>(two, 7) + rotl<u64>(three, 12) + rotl<u64>(four, 18);
    hash = merge(merge(merge(merge(hash, one), two), three), four);
  }
  hash += length;
  for (; at < end; at += 8) hash = rotl<u64>(hash ^ round(0, load<u64>(at)), 27) * PRIME1 + PRIME4;
  hash = (hash ^ (hash >> 33)) * PRIME2;
  hash = (hash ^ (hash >> 29)) * PRIME3;
  return hash ^ (hash >> 32);
}

function round(lane: u64, word: u64): u64 {
  return rotl<u64>(lane + word * PRIME2, 31) * PRIME1;
}

function merge(hash: u64, lane: u64): u64 {
  return (hash ^ round(0, lane)) * PRIME1 + PRIME4;
}
