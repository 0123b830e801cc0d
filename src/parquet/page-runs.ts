import type { DataPageHeader } from "hyparquet";
import type { DataPageHeaderV2 } from "hyparquet/src/types.js";
import type { Leaf } from "./leaf.ts";

/** Limits the values that the last run may hold beyond the end of the page, as padding. */
const MAX_PADDING = 512;
const LENGTH_BYTES = 4;

/**
 * Throws if the runs of a page hold more values than its header says. The content must be uncompressed, levels first.
 * The reader would write all these values, and a damaged length can reach two thousand million.
 */
export function checkRunsV1(page: Uint8Array, header: DataPageHeader, leaf: Leaf): void {
  const count = header.num_values;
  const view = new DataView(page.buffer, page.byteOffset, page.length);
  let at = 0;
  for (const most of [leaf.maxRepetitionLevel, leaf.maxDefinitionLevel]) {
    if (most === 0) continue;
    const start = at + LENGTH_BYTES;
    at = start + view.getUint32(at, true);
    checkRuns(page.subarray(start, at), levelWidth(most), count);
  }
  checkValueRuns(page.subarray(at), header.encoding, count);
}

/** Does the same for levels of a page of version 2, which are never compressed. */
export function checkLevelRunsV2(content: Uint8Array, header: DataPageHeaderV2, leaf: Leaf): void {
  const repetitions = header.repetition_levels_byte_length;
  const levels = repetitions + header.definition_levels_byte_length;
  if (repetitions < 0 || levels < repetitions || levels > content.length) {
    throw new Error("its levels are not within it");
  }
  const { maxRepetitionLevel, maxDefinitionLevel } = leaf;
  const { num_values } = header;
  checkRuns(content.subarray(0, repetitions), levelWidth(maxRepetitionLevel), num_values);
  checkRuns(content.subarray(repetitions, levels), levelWidth(maxDefinitionLevel), num_values);
}

/** Does the same for values: numbers in a dictionary, after their width, and runs of booleans, after their length. */
export function checkValueRuns(values: Uint8Array, encoding: string, count: number): void {
  if (encoding === "RLE") checkRuns(values.subarray(LENGTH_BYTES), 1, count);
  else if (encoding.endsWith("_DICTIONARY") && values.length > 0) {
    checkRuns(values.subarray(1), values[0] as number, count);
  }
}

/** Walks over runs of the hybrid of RLE and bit-packing: a length, then one value or groups of eight. */
function checkRuns(bytes: Uint8Array, width: number, count: number): void {
  let values = 0;
  for (let at = 0; at < bytes.length && values < count; ) {
    let header = 0;
    let byte = 0x80;
    for (let scale = 1; byte >= 0x80 && at < bytes.length; scale *= 128) {
      byte = bytes[at++] as number;
      header += (byte & 0x7f) * scale;
    }
    const length = Math.floor(header / 2);
    const isPacked = header % 2 === 1;
    values += isPacked ? 8 * length : length;
    at += isPacked ? width * length : (width + 7) >> 3;
    if (values > count + MAX_PADDING) throw new Error("a run has more values than it says");
  }
}

/** Counts the bits of a level. */
export function levelWidth(most: number): number {
  return 32 - Math.clz32(most);
}
