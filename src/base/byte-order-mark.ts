/** The byte order mark of UTF-8, which belongs to a file and not to its first line. */
const MARK = Uint8Array.of(0xef, 0xbb, 0xbf);

export const MARK_BYTES = String.fromCharCode(...MARK);

export const MARK_LENGTH = MARK.length;

/** Returns whether bytes begin with a byte order mark, or are the beginning of one. */
export function mayBeginWithMark(bytes: Uint8Array): boolean {
  const length = Math.min(bytes.length, MARK.length);
  for (let at = 0; at < length; at++) if (bytes[at] !== MARK[at]) return false;
  return true;
}

/** Returns a text without a byte order mark at its beginning. */
export function withoutMark(text: string): string {
  return text.startsWith("\uFEFF") ? text.slice(1) : text;
}
