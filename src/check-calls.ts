import type { Column } from "./engine/engine.ts";
import { UrlmillError } from "./errors.ts";
import { badOption } from "./options/options.ts";

/** Offsets of a column are Int32. */
const LONGEST_COLUMN = 2 ** 31 - 1;

/** Throws `BAD_COLUMN` where the offsets are none of the data. */
export function checkColumn({ data, offsets }: Column): void {
  if (offsets.length === 0) throw badColumn("offsets is empty: it has one more entry than rows");
  let before = 0;
  for (const [row, offset] of offsets.entries()) {
    if (offset < before) throw badColumn(`offset ${row} is ${offset}, after ${before}`);
    before = offset;
  }
  if (before > data.length)
    throw badColumn(`the last offset is ${before}, data has ${data.length} bytes`);
}

function badColumn(what: string): UrlmillError {
  return new UrlmillError("BAD_COLUMN", what);
}

/** Throws `BATCH_TOO_LARGE` for normalized data that the offsets of a column cannot address. */
export function checkColumnSize(bytes: number): void {
  if (bytes > LONGEST_COLUMN)
    throw new UrlmillError("BATCH_TOO_LARGE", "the normalized column is longer than 2 GiB");
}

/** Throws `BAD_OPTION` for a key that is not 16 bytes, and other bits than 128 or 64. */
export function checkFingerprintOptions(key: Uint8Array, bits: number): void {
  if (key.length !== 16) throw new UrlmillError("BAD_OPTION", "key: must have 16 bytes");
  if (bits !== 128 && bits !== 64) throw new UrlmillError("BAD_OPTION", "bits: must be 128 or 64");
}

/** Throws `BAD_OPTION` for a number of threads that is none. */
export function checkThreads(threads: number): void {
  if (!Number.isInteger(threads) || threads < 1) {
    throw badOption("threads", threads, "a whole number above 0");
  }
}
