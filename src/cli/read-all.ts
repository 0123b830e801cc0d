import { openSource } from "../io/source.ts";

/** All bytes of a file, decompressed, or of standard input for `-`. */
export async function readAll(file: string): Promise<Buffer> {
  const source = await openSource(file);
  const pieces: Buffer[] = [];
  try {
    for (;;) {
      const piece = Buffer.allocUnsafe(1 << 18);
      const length = await source.read(piece);
      if (length === 0) return Buffer.concat(pieces);
      pieces.push(piece.subarray(0, length));
    }
  } finally {
    await source.close();
  }
}
