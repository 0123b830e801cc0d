/**
 * Holds the arguments of a script for a batch: each bucket once, and for each row the place of its bucket and
 * an integer.
 */
export interface RedisRows {
  /** Lists the numbers of the buckets. */
  readonly buckets: readonly number[];
  /** Lists for each row the place of its bucket, from 1 on, and the integer to look for in it. */
  readonly args: readonly (string | number)[];
}

/**
 * Splits fingerprints for sets of integers. The first 64 bits are the integer. The low bits of the last 32
 * bits pick one of `count` buckets.
 */
export function redisRows(fingerprints: Uint8Array, width: number, count: number): RedisRows {
  const halves = new BigInt64Array(new Uint8Array(fingerprints).buffer);
  const words = new Uint32Array(halves.buffer);
  const perRow = width / 8;
  const places = new Map<number, number>();
  const args: (string | number)[] = [];
  for (let at = 0; at < halves.length; at += perRow) {
    // A fingerprint of 64 bits has one half, which is used for both.
    const bucket = (words[2 * (at + perRow - 1)] as number) % count;
    const place = places.get(bucket) ?? places.size + 1;
    places.set(bucket, place);
    args.push(place, String(halves[at]));
  }
  return { buckets: [...places.keys()], args };
}
