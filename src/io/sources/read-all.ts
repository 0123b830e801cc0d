import { constants } from "node:buffer";
import { IoError, shownInput } from "../io-error.ts";
import { openSource } from "../open-source.ts";

/**
 * Reads all bytes of a file, decompressed, or of standard input for `-`. Throws an IoError if there are more than
 * `mostBytes`. The default is the limit of one string.
 */
export async function readAll(
  file: string,
  mostBytes: number = constants.MAX_STRING_LENGTH,
): Promise<Buffer> {
  const source = await openSource(file);
  const pieces: Buffer[] = [];
  let length = 0;
  try {
    for (;;) {
      const piece = Buffer.allocUnsafe(1 << 18);
      const bytesRead = await source.read(piece);
      if (bytesRead === 0) return Buffer.concat(pieces, length);
      pieces.push(piece.subarray(0, bytesRead));
      length += bytesRead;
      if (length > mostBytes) {
        throw new IoError(
          `cannot read ${shownInput(file)}: it has more than ${mostBytes} bytes, and is read as a whole; split it`,
        );
      }
    }
  } finally {
    await source.close();
  }
}
