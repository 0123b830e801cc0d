import { UrlmillError } from "../base/errors.ts";
import { optionSuggestion } from "../base/nearest.ts";
import type { Column } from "../engine/engine.ts";
import { badOption, checkOptionsObject } from "../options/options.ts";

/** The largest offset of a column, because offsets are Int32. */
const LONGEST_COLUMN = 2 ** 31 - 1;

/** Returns whether a value is a view of this type, of this realm or another. */
export function isView(
  value: unknown,
  type: "Uint8Array" | "Int32Array" | "BigInt64Array",
): boolean {
  return (
    ArrayBuffer.isView(value) &&
    (value as { [Symbol.toStringTag]?: string })[Symbol.toStringTag] === type
  );
}

/** Throws `BAD_INPUT` for anything but a `Uint8Array`, and for one whose memory is gone. */
export function checkBytes(bytes: unknown): void {
  if (!isView(bytes, "Uint8Array")) {
    throw new UrlmillError("BAD_INPUT", "lines must be a Uint8Array: encode text as UTF-8 first");
  }
  if ((bytes as Uint8Array).length > 0) return;
  try {
    // A view whose memory was transferred, or has become shorter, has no length and cannot be copied.
    new Uint8Array(bytes as Uint8Array);
  } catch {
    throw memoryGone();
  }
}

/** Makes the error for bytes whose memory was transferred, or has become shorter. */
export function memoryGone(): UrlmillError {
  return new UrlmillError("BAD_INPUT", "the memory of the batch is gone: transfer a copy instead");
}

/** Names the options of all calls. The type of a call says which of them it takes. */
const CALL_OPTIONS = ["base", "key", "bits", "hold", "signal", "onProgress", "into"];
const INTERNAL_OPTIONS = ["reasons", "texts"];

/**
 * Throws `BAD_OPTION` for options of a call that are not an object, also for an array, because a base alone
 * would be ignored. Throws it also for a name that no call takes.
 */
export function checkCallOptions(options: unknown): void {
  checkOptionsObject(options, "{ base }");
  for (const name of Object.keys(options as object)) {
    if (CALL_OPTIONS.includes(name) || INTERNAL_OPTIONS.includes(name)) continue;
    throw new UrlmillError(
      "BAD_OPTION",
      `option ${JSON.stringify(name)} is not known here: calls take ${CALL_OPTIONS.join(", ")}${optionSuggestion(name, CALL_OPTIONS)}`,
    );
  }
}

/** Throws `BAD_OPTION` for memory of a result that is not a `Uint8Array`, or overlaps the input. */
export function checkInto(into: unknown, input: Column | Uint8Array | readonly unknown[]): void {
  if (into === undefined) return;
  if (!isView(into, "Uint8Array")) throw badOption("into", into, "a Uint8Array");
  const views = ArrayBuffer.isView(input)
    ? [input]
    : "offsets" in input
      ? [input.data, input.offsets]
      : [];
  if (!views.some((view) => overlaps(view, into as Uint8Array))) return;
  throw new UrlmillError("BAD_OPTION", "into: must not overlap the input");
}

function overlaps(a: ArrayBufferView, b: ArrayBufferView): boolean {
  const first = Math.max(a.byteOffset, b.byteOffset);
  const end = Math.min(a.byteOffset + a.byteLength, b.byteOffset + b.byteLength);
  return a.buffer === b.buffer && first < end;
}

/** Returns a column. Throws `BAD_COLUMN` for anything but bytes with Int32 offsets that fit them. */
export function checkColumn(column: unknown): Column {
  if (typeof column !== "object" || column === null) {
    throw badColumn("it must be an object with data and offsets");
  }
  const { data, offsets } = column as Column;
  if (!isView(data, "Uint8Array")) throw badColumn("data must be a Uint8Array");
  if (!isView(offsets, "Int32Array")) throw badColumn("offsets must be an Int32Array");
  if (offsets.length === 0) throw badColumn("offsets is empty: it has one more entry than rows");
  let before = 0;
  for (let row = 0; row < offsets.length; row++) {
    const offset = offsets[row] as number;
    if (offset < before) throw badColumn(`offset ${row} is ${offset}, after ${before}`);
    before = offset;
  }
  if (before > data.length)
    throw badColumn(`the last offset is ${before}, data has ${data.length} bytes`);
  return column as Column;
}

function badColumn(what: string): UrlmillError {
  return new UrlmillError("BAD_COLUMN", what);
}

/** Throws `BATCH_TOO_LARGE` for normalized data that the offsets of a column cannot address. */
export function checkColumnSize(bytes: number): void {
  if (bytes > LONGEST_COLUMN)
    throw new UrlmillError("BATCH_TOO_LARGE", "the normalized column is longer than 2 GiB");
}

/**
 * Throws `BAD_OPTION` for a key that is not a `Uint8Array` of 16 bytes, and for bits other than 128 or 64.
 */
export function checkFingerprintOptions(key: unknown, bits: number): void {
  if (!isView(key, "Uint8Array") || (key as Uint8Array).length !== 16) {
    throw new UrlmillError("BAD_OPTION", "key: must be a Uint8Array of 16 bytes");
  }
  if (bits !== 128 && bits !== 64) throw new UrlmillError("BAD_OPTION", "bits: must be 128 or 64");
}

/** Throws `BAD_OPTION` for a number of threads that is not a whole number above 0. */
export function checkThreads(threads: number): void {
  if (!Number.isInteger(threads) || threads < 1) {
    throw badOption("threads", threads, "a whole number above 0");
  }
}
