import type { FileHandle } from "node:fs/promises";
import { UrlmillError } from "../../base/errors.ts";
import { type Block, HEADER, LARGEST, largestSynced, readBlock } from "./block.ts";

/** Bytes read at a time: several of the largest blocks. */
export const READ = 1 << 23;

/**
 * The most bytes after the whole blocks that are searched for later ones. An unfinished write has at most those since the last
 * manifest, which is written every 64 MiB. A file from a stranger may say that it has any number, and take no place on the
 * disk.
 */
const MOST_UNFINISHED = 2 ** 30;

/** Says which journal a file is, and what is known of it. */
export interface JournalPlace {
  readonly name: string;
  readonly journal: number;
  /** Counts the bytes that are on disk for certain, by the manifest. */
  readonly durableBytes: number;
}

export interface Contents {
  /** Counts the bytes of the whole blocks. */
  readonly bytes: number;
  readonly blocks: number;
}

/** Reads the blocks of a file up to the first gap. The next step overwrites the memory that a block views. */
export async function* blocksOf(
  handle: FileHandle,
  journal: number,
): AsyncGenerator<Block, void, undefined> {
  // A small file takes a small buffer, with room for the step that finds its end.
  const room = Math.min(READ, (await handle.stat()).size + 1);
  const buffer = new Uint8Array(room);
  let filled = 0;
  let position = 0;
  let number = 0;
  for (;;) {
    const { bytesRead } = await handle.read(buffer, filled, room - filled, position);
    position += bytesRead;
    filled += bytesRead;
    let at = 0;
    for (;;) {
      const block = readBlock(buffer.subarray(at, filled), { journal, number });
      if (block === null) break;
      yield block;
      at += HEADER + block.fingerprints.length;
      number++;
    }
    // The rest is the beginning of a block, or a gap.
    if (bytesRead === 0 || filled - at >= HEADER + LARGEST) return;
    buffer.copyWithin(0, at, filled);
    filled -= at;
  }
}

/** Hands the fingerprints of each block to `take`, which must copy what it keeps. */
export async function readBlocks(
  handle: FileHandle,
  journal: number,
  take: (fingerprints: Uint8Array) => void,
): Promise<Contents> {
  let bytes = 0;
  let blocks = 0;
  for await (const { fingerprints } of blocksOf(handle, journal)) {
    take(fingerprints);
    bytes += HEADER + fingerprints.length;
    blocks++;
  }
  return { bytes, blocks };
}

/**
 * Returns the number of bytes after the whole blocks, `bytes` of them: an unfinished write. A power cut leaves a gap if
 * later pages were written before earlier ones. Throws `SEEN_CORRUPT` if the gap is in the part that was on disk for
 * certain, by the manifest or by a later block.
 */
export async function unfinishedBytes(
  handle: FileHandle,
  { name, journal, durableBytes }: JournalPlace,
  bytes: number,
): Promise<number> {
  const { size } = await handle.stat();
  if (size - bytes > MOST_UNFINISHED) throw damagedAt(name, bytes, size);
  const later = bytes < size ? await syncedAfter(handle, bytes, journal) : 0;
  if (bytes < Math.max(durableBytes, later)) {
    throw damagedAt(name, bytes, Math.max(durableBytes, size));
  }
  return size - bytes;
}

/** Throws `SEEN_CORRUPT` for a block that ends within a fingerprint. `bits`: size of a fingerprint. */
export function checkBlock(fingerprints: Uint8Array, name: string, bits: number): void {
  if (fingerprints.length % (bits / 8) === 0) return;
  const message = `${name} has a block of ${fingerprints.length} bytes, and its fingerprints have ${bits / 8}`;
  throw new UrlmillError("SEEN_CORRUPT", message);
}

/** Makes the error of a file whose blocks end before they should. */
export function damagedAt(name: string, byte: number, bytes: number): UrlmillError {
  return new UrlmillError("SEEN_CORRUPT", `${name} is damaged at byte ${byte} of ${bytes}`);
}

/** Returns how many bytes of the file were on disk for certain, by the headers from `position` on. */
async function syncedAfter(handle: FileHandle, position: number, journal: number): Promise<number> {
  const buffer = Buffer.allocUnsafeSlow(READ);
  let synced = 0;
  for (let at = position; ; at += READ - HEADER) {
    const { bytesRead } = await handle.read(buffer, 0, READ, at);
    synced = Math.max(synced, largestSynced(buffer.subarray(0, bytesRead), journal));
    if (bytesRead < READ) return synced;
  }
}
