import { crc32 } from "node:zlib";

/*
 * A block of fingerprints in a journal. Numbers are little-endian, 32 bits.
 *
 *   0   MAGIC
 *   4   journal    which journal it belongs to: blocks of others do not pass
 *   8   number     of the block in its journal, from 0 on
 *   12  bytes      of fingerprints behind the header
 *   16  checksum   CRC-32 of these
 *   20  checksum   CRC-32 of the header before it
 *   24  fingerprints
 */

const MAGIC = 0x4b4c4255;
export const HEADER = 24;
/** Bytes of fingerprints in a block at most. */
export const LARGEST = 1 << 20;

/** Says where in a journal a block stands. */
export interface BlockPlace {
  readonly journal: number;
  readonly number: number;
}

/** The header of a block that holds `fingerprints`. */
export function blockHeader({ journal, number }: BlockPlace, fingerprints: Uint8Array): Uint8Array {
  const header = new DataView(new ArrayBuffer(HEADER));
  header.setUint32(0, MAGIC, true);
  header.setUint32(4, journal, true);
  header.setUint32(8, number, true);
  header.setUint32(12, fingerprints.length, true);
  header.setUint32(16, crc32(fingerprints), true);
  const bytes = new Uint8Array(header.buffer);
  header.setUint32(20, crc32(bytes.subarray(0, 20)), true);
  return bytes;
}

/** The block at the start of `bytes`, or null where none of that place stands there, whole. */
export function readBlock(bytes: Uint8Array, place: BlockPlace): Uint8Array | null {
  const header = readHeader(bytes, place.journal);
  if (header === null || header.number !== place.number) return null;
  const fingerprints = bytes.subarray(HEADER, HEADER + header.bytes);
  const isWhole = fingerprints.length === header.bytes && crc32(fingerprints) === header.checksum;
  return isWhole ? fingerprints : null;
}

/** Whether a header of the journal begins anywhere in `bytes`. */
export function holdsHeader(bytes: Uint8Array, journal: number): boolean {
  const first = MAGIC & 0xff;
  for (let at = bytes.indexOf(first); at >= 0; at = bytes.indexOf(first, at + 1)) {
    if (readHeader(bytes.subarray(at), journal) !== null) return true;
  }
  return false;
}

function readHeader(
  bytes: Uint8Array,
  journal: number,
): { number: number; bytes: number; checksum: number } | null {
  if (bytes.length < HEADER) return null;
  const header = new DataView(bytes.buffer, bytes.byteOffset, HEADER);
  const [magic, owner, number, length, checksum, own] = [0, 4, 8, 12, 16, 20].map((at) =>
    header.getUint32(at, true),
  ) as [number, number, number, number, number, number];
  const isHeader = magic === MAGIC && owner === journal && length <= LARGEST;
  if (!isHeader || own !== crc32(bytes.subarray(0, 20))) return null;
  return { number, bytes: length, checksum };
}
