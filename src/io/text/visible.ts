/**
 * Matches characters that move a cursor, that nobody sees, or that turn the direction of writing:
 * controls (ESC, DEL, U+009B and others), format characters with the bidirectional controls,
 * separators of lines.
 */
export const HIDDEN = /[^\P{Cc}\t]|[\p{Cf}\p{Zl}\p{Zp}]/gu;

/**
 * Writes a text so that a terminal shows it but does not obey it: each hidden character but TAB becomes
 * `\u{1b}` or similar. Use it for everything that people read: URLs, rules and file names come from
 * strangers.
 */
export function visible(text: string): string {
  return text.replaceAll(HIDDEN, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}

/** Writes a value as JSON on one line, without hidden characters. Their escapes mean the same to a parser. */
export function visibleJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(HIDDEN, (character) =>
    Array.from(
      { length: character.length },
      (_, unit) => `\\u${character.charCodeAt(unit).toString(16).padStart(4, "0")}`,
    ).join(""),
  );
}
