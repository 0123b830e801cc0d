import { HIDDEN } from "./visible.ts";

/**
 * Matches a backslash, a character of UTF-8 in a byte string, or a single byte that is not part of one and is
 * not printable ASCII or TAB.
 */
const PIECES =
  /[\xc2-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]{2}|\xed[\x80-\x9f][\x80-\xbf]|\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}|\xf4[\x80-\x8f][\x80-\xbf]{2}|[^\t\x20-\x5b\x5d-\x7e]/g;
/** Matches if `escapeLine` may have something to do. Most lines do not match. */
const MAY_NEED_ESCAPE = /[^\t\x20-\x5b\x5d-\x7e]/;
const NEEDS_ESCAPE = /[^\x20-\x5b\x5d-\x7e]/;
const ESCAPE = /\\(?:\\|x([0-9a-f]{2}))/g;
/** Bytes of the longest incomplete character. */
const LONGEST_BEGINNING = 3;

/**
 * Writes a byte string as one line of a list that both people and programs read. A backslash becomes two.
 * Each byte of a line end, of a hidden character (see `visible`), or of text that is not UTF-8 becomes
 * `\xhh`. TAB and all other characters stay. `unescapeLine` returns the same bytes.
 */
export function escapeLine(bytes: string): string {
  if (!MAY_NEED_ESCAPE.test(bytes)) return bytes;
  return bytes.replaceAll(PIECES, (piece) => {
    if (piece === "\\") return "\\\\";
    if (piece.length > 1 && !isHidden(piece)) return piece;
    return Array.from(piece, (byte) => `\\x${hex(byte)}`).join("");
  });
}

/** Returns the byte string that `escapeLine` escaped. */
export function unescapeLine(line: string): string {
  if (!line.includes("\\")) return line;
  return line.replaceAll(ESCAPE, (_, code?: string) =>
    code === undefined ? "\\" : String.fromCharCode(Number.parseInt(code, 16)),
  );
}

/** Writes a byte string as a column of such a list: as `escapeLine` does, but with TAB as `\x09`. */
export function escapeField(bytes: string): string {
  return escapeLine(bytes).replaceAll("\t", "\\x09");
}

/** Writes a text as `escapeField` writes its UTF-8. */
export function escapeColumn(text: string): string {
  if (!NEEDS_ESCAPE.test(text)) return text;
  return Buffer.from(escapeField(Buffer.from(text).toString("latin1")), "latin1").toString();
}

/** Returns the text that `escapeColumn` escaped. */
export function unescapeColumn(column: string): string {
  if (!column.includes("\\")) return column;
  const bytes = unescapeLine(Buffer.from(column).toString("latin1"));
  return Buffer.from(bytes, "latin1").toString();
}

/** Escapes a line that comes in pieces, as `escapeLine` does for a whole line. */
export class LineEscaper {
  /** The bytes of an incomplete character. */
  #begun = "";

  /** Takes the next bytes; `isEnd` says that they are the last. Returns them escaped. */
  take(bytes: Uint8Array, isEnd: boolean): Buffer {
    const text = this.#begun + Buffer.from(bytes).toString("latin1");
    const end = isEnd ? text.length : beginningAt(text);
    this.#begun = text.slice(end);
    return Buffer.from(escapeLine(text.slice(0, end)), "latin1");
  }
}

/** Returns where an incomplete character begins, or the length of the text if there is none. */
function beginningAt(text: string): number {
  for (let at = text.length - 1; at >= text.length - LONGEST_BEGINNING && at >= 0; at--) {
    const code = text.charCodeAt(at);
    if (code >= 0xc0) return at;
    if (code < 0x80) break;
  }
  return text.length;
}

function isHidden(piece: string): boolean {
  return Buffer.from(piece, "latin1").toString().search(HIDDEN) >= 0;
}

function hex(byte: string): string {
  return byte.charCodeAt(0).toString(16).padStart(2, "0");
}
