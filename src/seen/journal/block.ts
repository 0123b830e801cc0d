import { builtin } from "../../base/peer.ts";

/*
 * A block of fingerprints in a journal. Numbers are little-endian, 32 bits but for `synced`.
 *
 *   0   MAGIC
 *   4   journal    which journal it belongs to: blocks of others do not pass
 *   8   number     of the block in its journal, from 0 on
 *   12  bytes      of fingerprints after the header
 *   16  checksum   CRC-32 of these
 *   20  synced     bytes of the file that were on disk for certain when the block was written (64 bits)
 *   28  checksum   CRC-32 of the header before it
 *   32  fingerprints
 */

/** Holds `UBLK`. */
const MAGIC = Uint8Array.of(0x55, 0x42, 0x4c, 0x4b);
/** Counts the bytes of a block before its fingerprints. */
export const HEADER = 32;
/** Limits the bytes of fingerprints in a block. */
export const LARGEST = 1 << 20;

export interface BlockPlace {
  readonly journal: number;
  readonly number: number;
}

/** The fields of a whole header. */
interface Header extends BlockPlace {
  readonly bytes: number;
  readonly checksum: number;
  readonly synced: number;
}

/** Holds a whole block. `fingerprints` is a view of the bytes that the block was read from. */
export interface Block {
  readonly fingerprints: Uint8Array;
  /** Bytes of the file that were on disk for certain when the block was written. */
  readonly synced: number;
}

/** Returns the CRC-32 of bytes, or of a text as UTF-8. */
export const crcOf = (data: Uint8Array | string): number => builtin("node:zlib").crc32(data);

/** Returns the header of a block that holds `fingerprints`. */
export function blockHeader(
  { journal, number }: BlockPlace,
  fingerprints: Uint8Array,
  synced: number,
): Uint8Array {
  const header = new DataView(new ArrayBuffer(HEADER));
  const bytes = new Uint8Array(header.buffer);
  bytes.set(MAGIC);
  header.setUint32(4, journal, true);
  header.setUint32(8, number, true);
  header.setUint32(12, fingerprints.length, true);
  header.setUint32(16, crcOf(fingerprints), true);
  header.setBigUint64(20, BigInt(synced), true);
  header.setUint32(28, crcOf(bytes.subarray(0, 28)), true);
  return bytes;
}

/** Reads the block at the start of `bytes`; returns null if no whole block of this place is there. */
export function readBlock(bytes: Uint8Array, { journal, number }: BlockPlace): Block | null {
  const header = readHeader(bytes);
  if (header === null || header.journal !== journal || header.number !== number) return null;
  const fingerprints = bytes.subarray(HEADER, HEADER + header.bytes);
  const isWhole = fingerprints.length === header.bytes && crcOf(fingerprints) === header.checksum;
  return isWhole ? { fingerprints, synced: header.synced } : null;
}

/** Returns the largest `synced` of the journal's headers anywhere in `bytes`; 0 if there are none. */
export function largestSynced(bytes: Buffer, journal: number): number {
  let largest = 0;
  for (let at = bytes.indexOf(MAGIC); at >= 0; at = bytes.indexOf(MAGIC, at + 1)) {
    const header = readHeader(bytes.subarray(at));
    if (header?.journal === journal) largest = Math.max(largest, header.synced);
  }
  return largest;
}

function readHeader(bytes: Uint8Array): Header | null {
  if (bytes.length < HEADER || MAGIC.some((byte, at) => bytes[at] !== byte)) return null;
  const header = new DataView(bytes.buffer, bytes.byteOffset, HEADER);
  if (header.getUint32(28, true) !== crcOf(bytes.subarray(0, 28))) return null;
  const length = header.getUint32(12, true);
  if (length > LARGEST) return null;
  return {
    journal: header.getUint32(4, true),
    number: header.getUint32(8, true),
    bytes: length,
    checksum: header.getUint32(16, true),
    synced: Number(header.getBigUint64(20, true)),
  };
}
