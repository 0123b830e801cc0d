import { SipHash } from "../../base/siphash.ts";
import { isError } from "../../base/status.ts";
import type { Normalizer } from "../../normalizer/normalizer.ts";
import type { TextColumn } from "../../parquet/text-reader.ts";
import type { KeyForm } from "../call/key-form.ts";
import type { UrlFilter } from "../filter/url-filter.ts";

/** The number of texts in a slice, as a power of two. Signals are handled between slices. */
const SLICE_BITS = 16;
const SLICE = 1 << SLICE_BITS;

/** Says which results of normalizing are needed. */
export interface TextWork {
  readonly normalizer: Normalizer;
  /** Marks URLs that lists leave out; null if there are no lists. */
  readonly filter: UrlFilter | null;
  readonly base: string | undefined;
  /** Holds the key of fingerprints; null if they are not needed. */
  readonly fingerprintKey: Uint8Array | null;
  /** Says how keys are written. It is null if they are normalized URLs. */
  readonly form: KeyForm | null;
  /** Says whether keys are written or listed. */
  readonly writesKeys: boolean;
}

/** Calls `take` with ranges of at most 65,536 of `count` items, and waits for `pause` after each. */
export async function inSlices(
  count: number,
  pause: () => Promise<void>,
  take: (from: number, to: number) => void | Promise<void>,
): Promise<void> {
  for (let from = 0; from < count; from += SLICE) {
    await take(from, Math.min(from + SLICE, count));
    await pause();
  }
}

/** Holds normalized texts with their statuses, fingerprints and reasons. */
export class NormalizedTexts {
  /** A fingerprint for each text, 16 bytes; empty if they are not needed. */
  readonly fingerprints: Uint8Array;
  readonly status: Uint8Array;
  /** The reasons of each text, a fixed number of words each; empty if they are not needed. */
  reasons = new Uint32Array(0);
  readonly #keys: { data: Buffer; offsets: Int32Array }[] = [];

  private constructor(count: number, { fingerprintKey }: TextWork) {
    this.fingerprints = new Uint8Array(fingerprintKey === null ? 0 : 16 * count);
    this.status = new Uint8Array(count);
  }

  /** Normalizes the texts of a column. `counts`: whether reasons are needed. */
  static async of(
    column: TextColumn,
    work: TextWork,
    counts: boolean,
    pause: () => Promise<void>,
  ): Promise<NormalizedTexts> {
    const texts = column.count;
    const made = new NormalizedTexts(texts, work);
    await inSlices(texts, pause, (from, to) => made.#take(column, work, counts, from, to));
    return made;
  }

  /** Returns the normalized form of a text that is a URL. */
  keyOf(text: number): Buffer {
    const slice = this.#keys[text >> SLICE_BITS] as { data: Buffer; offsets: Int32Array };
    const at = text & (SLICE - 1);
    return slice.data.subarray(slice.offsets[at], slice.offsets[at + 1]);
  }

  #take(
    column: TextColumn,
    { normalizer, filter, base, fingerprintKey, form, writesKeys }: TextWork,
    counts: boolean,
    from: number,
    to: number,
  ): void {
    const slice = column.slice(from, to);
    const options = base === undefined ? {} : { base };
    const counted = counts ? normalizer.columnResults(slice, { ...options, reasons: true }) : null;
    const hashesKeys = fingerprintKey !== null && form?.isKey === true;
    const needsKeys = writesKeys || fingerprintKey === null || hashesKeys || filter !== null;
    const keys = counted ?? (needsKeys ? normalizer.normalizeColumn(slice, options) : null);
    if (keys !== null) {
      const { buffer, byteOffset, length } = keys.data;
      this.#keys.push({ data: Buffer.from(buffer, byteOffset, length), offsets: keys.offsets });
      this.status.set(keys.status, from);
    }
    if (counted !== null) this.#addReasons(counted.reasons, from, to);
    if (hashesKeys) {
      this.#hashKeys(form, new SipHash(fingerprintKey), from, to);
    } else if (fingerprintKey !== null) {
      const keyed = normalizer.fingerprintBatch(slice, { ...options, key: fingerprintKey });
      this.fingerprints.set(keyed.fingerprints, 16 * from);
      this.status.set(keyed.status, from);
    }
    if (keys !== null) filter?.mark({ ...keys, terminator: 0 }, this.status.subarray(from, to));
  }

  #hashKeys(form: KeyForm, hash: SipHash, from: number, to: number): void {
    const view = new DataView(this.fingerprints.buffer);
    for (let text = from; text < to; text++) {
      if (isError(this.status[text] as number)) continue;
      hash.write(form.write(this.keyOf(text).toString("latin1")), view, 16 * text);
    }
  }

  #addReasons(reasons: Uint32Array, from: number, to: number): void {
    const words = reasons.length / (to - from);
    if (from === 0) this.reasons = new Uint32Array(words * this.status.length);
    this.reasons.set(reasons, words * from);
  }
}
