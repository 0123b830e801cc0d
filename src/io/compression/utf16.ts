/** Names an order of the bytes of UTF-16, as `TextDecoder` does. */
export type Utf16 = "utf-16le" | "utf-16be";

/** Returns the order that a byte order mark tells, or null. The mark of UTF-32 begins with that of UTF-16. */
export function utf16Of(head: Uint8Array): Utf16 | null {
  const [first, second, third, fourth] = head;
  if (first === 0xfe && second === 0xff) return "utf-16be";
  return first === 0xff && second === 0xfe && (third !== 0 || fourth !== 0) ? "utf-16le" : null;
}

/** Yields a text in UTF-16 as UTF-8, without its byte order mark. Throws if it is not UTF-16. */
export async function* decodeUtf16(
  stream: AsyncIterable<Uint8Array>,
  order: Utf16,
): AsyncGenerator<Uint8Array, void, undefined> {
  const decoder = new TextDecoder(order, { fatal: true });
  try {
    for await (const bytes of stream) yield Buffer.from(decoder.decode(bytes, { stream: true }));
    yield Buffer.from(decoder.decode());
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new Error("it begins as text in UTF-16, and has half of a character", { cause: error });
  }
}
