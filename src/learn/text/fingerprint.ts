import { checkText } from "../../base/errors.ts";
import { SipHash } from "../../base/siphash.ts";
import { utf8ByteString } from "../../url/bytes.ts";
import { HashIndex } from "../hashes/hash-index.ts";
import { visibleText } from "./visible-text.ts";

/**
 * Holds the key of both fingerprints: these 16 bytes of ASCII. It is public and never changes, so that fingerprints of
 * any machine and year compare. Who knows it can still not make two texts collide cheaply.
 */
export const TEXT_KEY = "urlmill text key";

const SHINGLE_WORDS = 3;
const BITS = 64;
const WORD = /[\p{L}\p{N}]+/gu;

const hash = new SipHash(new TextEncoder().encode(TEXT_KEY));
const hashed = new DataView(new ArrayBuffer(16));

/** Holds the two fingerprints of a page, as `fp` of a record takes them. */
export interface PageFingerprints {
  /** Holds `textFingerprint` of the visible text: equal for equal texts. */
  readonly text: string;
  /** Holds `simFingerprint` of the visible text: a few bits apart for near-duplicates. */
  readonly sim: string;
}

/**
 * Returns both fingerprints of what a reader sees of an HTML page (`visibleText`). Rejects with `PACKAGE_MISSING` if
 * `htmlparser2` is not installed.
 *
 * @example
 * (await pageFingerprints("<p>one two</p>")).text === textFingerprint("one two"); // true
 */
export async function pageFingerprints(html: string): Promise<PageFingerprints> {
  const text = await visibleText(html);
  return { text: textFingerprint(text), sim: simFingerprint(text) };
}

/**
 * Returns `text:` and 32 lower-case hexadecimal digits: the 16 bytes, in order, of SipHash-1-3-128 under `TEXT_KEY` of
 * the text as UTF-8. Lone surrogates are U+FFFD. The text is taken as it is, white space and all.
 *
 * @example
 * textFingerprint("one"); // "text:8beb16a31aab0d6f36dbd34e9a20a10e"
 */
export function textFingerprint(text: string): string {
  checkText(text, "text");
  hash.write(utf8ByteString(text), hashed, 0);
  return `text:${[0, 4, 8, 12].map((at) => hex(hashed.getUint32(at))).join("")}`;
}

/**
 * Returns `sim:` and 16 lower-case hexadecimal digits: the 64-bit simhash (Charikar, STOC 2002) of the set of all three
 * words in a row. A word is a run of Unicode letters and digits, lower-cased. Three of them, joined by one space, weigh
 * 1 however often they occur, and count as the first 8 bytes, big-endian, of their `textFingerprint`. A bit is set that
 * more than half of the set have set. If there are fewer than three words, each counts alone; without words the
 * fingerprint is 0.
 *
 * Heuristic: one word changed in a page of 300 moves about 3 bits, unrelated pages are about 32 apart. Texts of a few
 * words say little: a word is a third of them. Case is folded by `toLowerCase`; there is no Unicode normalization, and
 * scripts without spaces are one word from one mark to the next.
 *
 * @example
 * simDistance(simFingerprint("One two three!"), simFingerprint("one two three")); // 0
 */
export function simFingerprint(text: string): string {
  checkText(text, "text");
  const words = text.match(WORD) ?? [];
  for (const [at, word] of words.entries()) words[at] = utf8ByteString(word.toLowerCase());
  const perShingle = words.length < SHINGLE_WORDS ? 1 : SHINGLE_WORDS;
  const shingles = new HashIndex(words.length);
  for (let end = perShingle; end <= words.length; end++) {
    let shingle = words[end - perShingle] as string;
    for (let at = end - perShingle + 1; at < end; at++) shingle += ` ${words[at]}`;
    hash.write(shingle, hashed, 0);
    shingles.add({ high: hashed.getInt32(0), low: hashed.getInt32(4) });
  }
  const counts = new Int32Array(BITS);
  for (let at = 0; at < shingles.size; at++) {
    const high = shingles.high[at] as number;
    const low = shingles.low[at] as number;
    for (let bit = 0; bit < 32; bit++) {
      (counts[bit] as number) += (low >>> bit) & 1;
      (counts[bit + 32] as number) += (high >>> bit) & 1;
    }
  }
  return `sim:${hex(majority(counts, 32, shingles.size))}${hex(majority(counts, 0, shingles.size))}`;
}

/** Returns 32 bits; a bit is set if its count, from `first` on, is more than half of `total`. */
function majority(counts: Int32Array, first: number, total: number): number {
  let bits = 0;
  for (let bit = 0; bit < 32; bit++) {
    if ((counts[first + bit] as number) * 2 > total) bits |= 1 << bit;
  }
  return bits >>> 0;
}

function hex(word: number): string {
  return word.toString(16).padStart(8, "0");
}
