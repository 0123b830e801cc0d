import { UrlmillError } from "../../base/errors.ts";
import { type Hash, readHash } from "../hashes/hash.ts";
import { HashIndex } from "../hashes/hash-index.ts";

const FURTHEST = 7;
const FORM = /^sim:[0-9a-f]{16}$/;
/** A bucket with more members is split once more, by blocks of its other bits. */
const LARGE = 128;

/**
 * Counts the bits, 0 to 64, in which two fingerprints of `simFingerprint` differ. Throws `BAD_OPTION` for any other
 * text.
 *
 * @example
 * simDistance("sim:0000000000000000", "sim:0000000000000003"); // 2
 */
export function simDistance(a: string, b: string): number {
  const [one, other] = [readFingerprint(a), readFingerprint(b)];
  return countBits(one.high ^ other.high) + countBits(one.low ^ other.low);
}

/**
 * Finds classes of near-duplicates: the transitive closure of all pairs of fingerprints at most `distance` bits apart,
 * 0 to 7. Returns for each fingerprint the index of the first one of its class. Throws `BAD_OPTION` for a malformed
 * fingerprint or distance.
 *
 * The result is exact: two fingerprints so near are equal in one of `distance` + 1 blocks of bits (Manku, Jain, Das
 * Sarma; WWW 2007), so only those within a bucket are compared. Equal fingerprints are one to begin with. With N
 * different ones time is O(N) for buckets of a few members, and at worst O(N^2), if all are nearly the same.
 *
 * @example
 * simClasses(["sim:0000000000000000", "sim:0000000000000007", "sim:00000000000000ff"]); // Int32Array.of(0, 0, 2)
 */
export function simClasses(fingerprints: readonly string[], distance = 3): Int32Array {
  if (!Number.isInteger(distance) || distance < 0 || distance > FURTHEST) {
    throw new UrlmillError(
      "BAD_OPTION",
      `a distance of ${distance}: expected 0 to ${FURTHEST} bits`,
    );
  }
  const distinct = new HashIndex();
  const firstOf: number[] = [];
  const classes = new Int32Array(fingerprints.length);
  for (let at = 0; at < fingerprints.length; at++) {
    const member = distinct.add(readFingerprint(fingerprints[at] as string));
    if (member === firstOf.length) firstOf.push(at);
    classes[at] = member;
  }
  const roots = distance === 0 ? null : new NearPairs(distinct, distance).join();
  return classes.map((member) => firstOf[roots?.rootOf(member) ?? member] as number);
}

/** Finds the pairs of different fingerprints that are near, and unites them. */
class NearPairs {
  readonly #high: Int32Array;
  readonly #low: Int32Array;
  readonly #size: number;
  readonly #distance: number;
  readonly #roots: Forest;

  constructor({ high, low, size }: HashIndex, distance: number) {
    this.#high = high;
    this.#low = low;
    this.#size = size;
    this.#distance = distance;
    this.#roots = new Forest(size);
  }

  join(): Forest {
    this.#split(
      Int32Array.from({ length: this.#size }, (_, at) => at),
      0,
      64,
      true,
    );
    return this.#roots;
  }

  /** Joins the members that are near and equal in one block of the `width` bits from `first` on, cyclically. */
  #split(members: Int32Array, first: number, width: number, again: boolean): void {
    const blocks = this.#distance + 1;
    for (let block = 0; block < blocks; block++) {
      const start = Math.floor((width * block) / blocks);
      const end = Math.floor((width * (block + 1)) / blocks);
      this.#bucket(members, (first + start) & 63, end - start, again);
    }
  }

  /**
   * Joins the members that are near and equal in `width` bits from `first` on. Keys of more values than there is use
   * for are hashed to fewer, which costs comparisons and loses no pair.
   */
  #bucket(members: Int32Array, first: number, width: number, again: boolean): void {
    const bits = Math.min(width, 32 - Math.clz32(members.length));
    const keys = new Uint32Array(members.length);
    const ends = new Int32Array((1 << bits) + 1);
    for (const [at, member] of members.entries()) {
      const block = this.#bitsOf(member, first, width);
      const key = bits < width ? Math.imul(block, 0x9e3779b1) >>> (32 - bits) : block;
      keys[at] = key;
      (ends[key + 1] as number)++;
    }
    for (let key = 0; key < 1 << bits; key++) (ends[key + 1] as number) += ends[key] as number;
    const sorted = new Int32Array(members.length);
    for (const [at, key] of keys.entries()) {
      sorted[(ends[key] as number)++] = members[at] as number;
    }
    for (let key = 0, start = 0; key < 1 << bits; key++) {
      const end = ends[key] as number;
      const isLarge = end - start > LARGE && again;
      if (isLarge) this.#split(sorted.subarray(start, end), first + width, 64 - width, false);
      else this.#compare(sorted, start, end);
      start = end;
    }
  }

  #compare(members: Int32Array, start: number, end: number): void {
    for (let at = start; at < end; at++) {
      const member = members[at] as number;
      const high = this.#high[member] as number;
      const low = this.#low[member] as number;
      for (let next = at + 1; next < end; next++) {
        const other = members[next] as number;
        const apart =
          countBits(high ^ (this.#high[other] as number)) +
          countBits(low ^ (this.#low[other] as number));
        if (apart <= this.#distance) this.#roots.unite(member, other);
      }
    }
  }

  /** Returns `width` bits, 1 to 32, from bit `first` on, 0 to 63. After the highest bit come the lowest. */
  #bitsOf(member: number, first: number, width: number): number {
    const high = this.#high[member] as number;
    const low = this.#low[member] as number;
    const shift = first & 31;
    const [near, far] = first < 32 ? [low, high] : [high, low];
    const bits = shift === 0 ? near : (near >>> shift) | (far << (32 - shift));
    return (width === 32 ? bits : bits & ((1 << width) - 1)) >>> 0;
  }
}

/** Holds disjoint sets, each named by its least member. */
class Forest {
  readonly #parents: Int32Array;

  constructor(size: number) {
    this.#parents = Int32Array.from({ length: size }, (_, at) => at);
  }

  rootOf(member: number): number {
    const parents = this.#parents;
    let at = member;
    while (parents[at] !== at) {
      parents[at] = parents[parents[at] as number] as number;
      at = parents[at] as number;
    }
    return at;
  }

  unite(a: number, b: number): void {
    const rootA = this.rootOf(a);
    const rootB = this.rootOf(b);
    this.#parents[Math.max(rootA, rootB)] = Math.min(rootA, rootB);
  }
}

/** Returns whether a text is `sim:` and 16 hexadecimal digits in lower case. */
export function isSimFingerprint(text: string): boolean {
  return FORM.test(text);
}

/** Returns the bits of a fingerprint. Throws `BAD_OPTION` for any other text. */
function readFingerprint(fingerprint: string): Hash {
  if (typeof fingerprint === "string" && isSimFingerprint(fingerprint))
    return readHash(fingerprint.slice(4));
  const shown = String(JSON.stringify(fingerprint)).slice(0, 80);
  throw new UrlmillError("BAD_OPTION", `${shown}: expected sim: and 16 hexadecimal digits`);
}

/** Counts the bits that are set in a word of 32. */
function countBits(word: number): number {
  let bits = word - ((word >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
