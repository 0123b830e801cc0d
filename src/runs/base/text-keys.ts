/** The most bytes of a line over the limit of a URL that is read whole, to compare it. */
const HELD_BYTES = 1 << 22;

/**
 * Returns the most bytes that a text may have to get a key, without its line end. A longer text is not compared and
 * stays, and a longer line is written piece by piece. `maxLength`: the limit of a URL, in bytes.
 */
export function longestText(maxLength: number): number {
  // Engines read a line of one byte more than the limit themselves, because that byte may be the CR of its end.
  return Math.max(HELD_BYTES, maxLength + 1);
}

/** Returns whether lines that are not URLs are compared: only if they are kept. */
export function keysTexts({ onError }: { readonly onError: string }): boolean {
  return onError === "keep";
}
