import { LF } from "../../url/chars.ts";
import { damaged } from "../io-error.ts";

/** Counts the bytes at the beginning of a file that tell its compression. */
export const MAGIC_LENGTH = 4;

/** Names a compression that can be read. */
export type Compression = "gzip" | "zstd";

/** The first bytes of each format (RFC 1952, RFC 8878), and the bits of them that count. */
const MAGICS = [
  { name: "gzip", bytes: [0x1f, 0x8b, 0x08], mask: [0xff, 0xff, 0xff] },
  { name: "zstd", bytes: [0x28, 0xb5, 0x2f, 0xfd], mask: [0xff, 0xff, 0xff, 0xff] },
  // A skippable frame may come first.
  { name: "zstd", bytes: [0x50, 0x2a, 0x4d, 0x18], mask: [0xf0, 0xff, 0xff, 0xff] },
] as const;

/**
 * Returns the compression of a file by its first bytes, or null if it is not compressed. `head` has
 * MAGIC_LENGTH bytes, or fewer if the file is shorter. Throws if exactly one byte is wrong: no list begins so,
 * and the rest would be garbage as lines.
 */
export function compressionOf(head: Uint8Array): Compression | null {
  if (head.every(isText)) return null;
  for (const { name, bytes, mask } of MAGICS) {
    const differences = bytes.map((byte, at) => ((head[at] ?? byte) ^ byte) & (mask[at] as number));
    const wrong = differences.filter((bits) => bits !== 0);
    if (wrong.length === 0) return name; // also for a file that ends within these bytes
    if (wrong.length > 1 || head.length < bytes.length) continue;
    // "P*M" and any character may begin a list, but not if it is one bit from a skippable frame.
    const isMarked = bytes.some((byte, at) => differences[at] === 0 && !isText(byte));
    if (isMarked || isPowerOfTwo(wrong[0] as number)) {
      throw damaged(`one of its first bytes differs from ${name}`);
    }
  }
  return null;
}

function isPowerOfTwo(bits: number): boolean {
  return (bits & (bits - 1)) === 0;
}

/** Says whether bytes are lines of ASCII text, the last with its end: no compressed file begins so. */
export function isWholeLines(head: Uint8Array): boolean {
  return head.at(-1) === LF && head.every(isText);
}

function isText(byte: number): boolean {
  return (byte >= 0x20 && byte < 0x7f) || (byte >= 0x09 && byte <= 0x0d);
}
