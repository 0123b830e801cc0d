/**
 * Finds the first `;`, from `from` on, that a name and `=` follow. Returns what follows it, or null if there is no such `;`.
 * `piece` is a text between `&`.
 */
export function nextParam(piece: string, from: number): string | null {
  let equals = -1;
  for (let at = piece.indexOf(";", from); at >= 0; ) {
    const start = at + 1;
    if (equals < start) equals = piece.indexOf("=", start);
    if (equals < 0) return null;
    at = piece.indexOf(";", start);
    if (equals > start && (at < 0 || equals < at)) return piece.slice(start);
  }
  return null;
}
