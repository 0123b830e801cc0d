/**
 * Holds what a script gets of a batch: each bucket once, and for each row its bucket's place and an
 * integer.
 */
export interface RedisRows {
  /** Numbers of buckets. */
  readonly buckets: readonly number[];
  /** For each row the place of its bucket, from 1 on, and the integer that may be in it. */
  readonly args: readonly (string | number)[];
}

/**
 * Splits fingerprints for sets of integers: the first 64 bits are the integer, and the low bits of the
 * last 32 pick one of `count` buckets.
 */
export function redisRows(fingerprints: Uint8Array, width: number, count: number): RedisRows {
  const halves = new BigInt64Array(new Uint8Array(fingerprints).buffer);
  const words = new Uint32Array(halves.buffer);
  const perRow = width / 8;
  const places = new Map<number, number>();
  const args: (string | number)[] = [];
  for (let at = 0; at < halves.length; at += perRow) {
    // A fingerprint of 64 bits has one half, which stands for both.
    const bucket = (words[2 * (at + perRow - 1)] as number) % count;
    const place = places.get(bucket) ?? places.size + 1;
    places.set(bucket, place);
    args.push(place, String(halves[at]));
  }
  return { buckets: [...places.keys()], args };
}
