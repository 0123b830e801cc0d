import { ClosedPipe, Output } from "../output.ts";

/** Holds texts, or makes them while others are written: then each is long. */
export type Texts = Iterable<string> | AsyncIterable<string>;

/** Writes texts to a file or standard output, several at a time. */
export async function writeText(out: string, texts: Texts): Promise<void> {
  await writePieces(out, encoded(texts));
}

/** Writes bytes to a file or standard output. */
export async function writeBytes(out: string, bytes: Uint8Array): Promise<void> {
  await writePieces(out, [bytes]);
}

/** Writes pieces of bytes, one after the other, to a file or standard output. */
export async function writePieces(
  out: string,
  pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): Promise<void> {
  const output = await Output.toFile(out);
  try {
    try {
      for await (const piece of pieces) await output.write(piece);
    } finally {
      await output.finish();
    }
  } catch (error) {
    if (!(error instanceof ClosedPipe)) throw error;
  }
}

/** Yields texts in UTF-8, many short ones in one piece. */
export async function* encoded(texts: Texts): AsyncGenerator<Uint8Array> {
  for await (const text of Symbol.asyncIterator in texts ? texts : joined(texts)) {
    yield Buffer.from(text);
  }
}

/** Yields many short texts as one, which is long. */
export function* joined(texts: Iterable<string>): Generator<string> {
  let waiting = "";
  for (const text of texts) {
    waiting += text;
    if (waiting.length < 1 << 18) continue;
    yield waiting;
    waiting = "";
  }
  yield waiting;
}
