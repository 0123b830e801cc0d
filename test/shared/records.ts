import { decodeIdentity, encodeIdentity } from "../../src/seen/contract/identity.ts";
import { blockHeader, crcOf, HEADER, LARGEST } from "../../src/seen/journal/block.ts";

/** The number in the blocks of a manifest of a set on disk. */
export const MANIFEST_NUMBER = 0x6d616e69;

/** Returns the bytes of a file of blocks, whose checksums are right. */
export function blocksOf(number: number, contents: readonly Uint8Array[]): Buffer {
  let synced = 0;
  const blocks = contents.map((content, at) => {
    const place = { journal: number, number: at };
    const block = Buffer.concat([blockHeader(place, content, synced), content]);
    synced += block.length;
    return block;
  });
  return Buffer.concat(blocks);
}

/** Returns what the blocks of a file hold. */
export function contentsOf(file: Buffer): Buffer[] {
  const contents: Buffer[] = [];
  for (let at = 0; at + HEADER <= file.length; ) {
    const length = Math.min(file.readUInt32LE(at + 12), LARGEST);
    contents.push(file.subarray(at + HEADER, at + HEADER + length));
    at += HEADER + length;
  }
  return contents;
}

/** Returns the text of the head of a journal, with the checksum that it must have. */
export function journalHead(content: Record<string, unknown>): string {
  const { identity, journal, durableBytes } = content;
  const text = encodeIdentity(decodeIdentity(JSON.stringify(identity), ""));
  const checksum = crcOf(JSON.stringify([text, journal, durableBytes]));
  return JSON.stringify({ ...content, checksum });
}
