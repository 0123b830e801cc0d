import { ClosedPipe, Output } from "../output.ts";

/** Writes texts to a file or standard output, several at a time. */
export async function writeText(out: string, texts: Iterable<string>): Promise<void> {
  await writePieces(out, encoded(texts));
}

/** Writes bytes to a file or standard output. */
export async function writeBytes(out: string, bytes: Uint8Array): Promise<void> {
  await writePieces(out, [bytes]);
}

async function writePieces(out: string, pieces: Iterable<Uint8Array>): Promise<void> {
  const output = await Output.toFile(out);
  try {
    try {
      for (const piece of pieces) await output.write(piece);
    } finally {
      await output.finish();
    }
  } catch (error) {
    if (!(error instanceof ClosedPipe)) throw error;
  }
}

/** Yields texts in UTF-8, many in one piece. */
export function* encoded(texts: Iterable<string>): Generator<Uint8Array> {
  let waiting = "";
  for (const text of texts) {
    waiting += text;
    if (waiting.length < 1 << 18) continue;
    yield Buffer.from(waiting);
    waiting = "";
  }
  yield Buffer.from(waiting);
}
