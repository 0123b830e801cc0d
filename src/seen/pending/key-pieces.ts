import type { FileHandle } from "node:fs/promises";

/** The most bytes of fingerprints that are read at a time. A fingerprint never lies in two pieces. */
const PIECE = 1 << 20;

/** Yields the first bytes of a file of keys, in pieces that are valid until the next one. */
export async function* piecesOf(file: FileHandle, bytes: number): AsyncGenerator<Uint8Array> {
  const piece = new Uint8Array(Math.min(PIECE, bytes));
  for (let at = 0; at < bytes; ) {
    const wanted = Math.min(piece.length, bytes - at);
    const length = await readAll(file, piece.subarray(0, wanted), at);
    if (length < wanted) return; // its reader compares the checksum
    yield piece.subarray(0, length);
    at += length;
  }
}

async function readAll(file: FileHandle, into: Uint8Array, from: number): Promise<number> {
  let length = 0;
  while (length < into.length) {
    const { bytesRead } = await file.read(into, length, into.length - length, from + length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return length;
}
