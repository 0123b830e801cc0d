import type { TakePartitions } from "./direct-chunk.ts";

/**
 * Adds the fingerprint of a chunk's first line to those of its other lines, which are divided into partitions. The first
 * line is first in its partition.
 */
export class LongLineKey {
  /** The number of all fingerprints up to the end of each partition. */
  readonly ends: Int32Array;
  readonly #fingerprint: Uint8Array;
  /** The number of fingerprints before it. */
  readonly #place: number;

  /**
   * `fingerprint`: 16 bytes. `ends`: the number of the other fingerprints up to the end of each partition, as
   * `Kernel.splitFingerprints` gives it.
   */
  constructor(fingerprint: Uint8Array, ends: Int32Array) {
    const word = new DataView(fingerprint.buffer, fingerprint.byteOffset).getUint32(0, true);
    const partition = partitionOf(word, ends.length);
    this.#fingerprint = fingerprint;
    this.#place = partition === 0 ? 0 : (ends[partition - 1] as number);
    this.ends = ends.map((end, at) => (at < partition ? end : end + 1));
  }

  /** Returns all fingerprints, given the others, of `bits` each. */
  addTo(fingerprints: Uint8Array, bits: number): Uint8Array {
    const width = bits >> 3;
    const at = this.#place * width;
    const all = new Uint8Array(fingerprints.length + width);
    all.set(fingerprints.subarray(0, at));
    all.set(this.#fingerprint.subarray(0, width), at);
    all.set(fingerprints.subarray(at), at + width);
    return all;
  }

  /** Returns its answer, among those for all fingerprints. */
  answerIn(answers: Uint8Array): number {
    return answers[this.#place] as number;
  }

  /** Returns the answers for the other lines. */
  othersIn(answers: Uint8Array): Uint8Array {
    return answers.filter((_, at) => at !== this.#place);
  }
}

/**
 * Gives `take` the fingerprints of a chunk, with that of its long line. Returns the key of that line, or null if `long` is
 * null.
 */
export function takeWithLong(
  long: Uint8Array | null,
  bits: number,
  [fingerprints, ends]: Parameters<TakePartitions>,
  take: TakePartitions,
): LongLineKey | null {
  if (long === null) {
    take(fingerprints, ends);
    return null;
  }
  const key = new LongLineKey(long, ends);
  take(key.addTo(fingerprints, bits), key.ends);
  return key;
}

/**
 * Returns the partition of a fingerprint, as `partitionOf` of the kernel does (assembly/set/partitions.ts). `word`: its
 * first four bytes, the first of them lowest.
 */
export function partitionOf(word: number, partitions: number): number {
  return ((word >>> 16) * partitions) >>> 16;
}
