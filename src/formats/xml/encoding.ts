import { UrlmillError } from "../../base/errors.ts";
import { fromByteString, utf8ByteString } from "../../url/bytes.ts";
import { excerpt } from "../excerpt.ts";
import { attributesOf, fromWindows1252 } from "./xml-text.ts";

/** Matches a declaration of XML at the beginning of a text. */
const DECLARATION = /^<\?xml[ \t\r\n].*?\?>/s;
/** Matches labels of ASCII, which is read as UTF-8. The Encoding Standard takes them for windows-1252. */
const ASCII = /^(?:us-)?ascii$/i;
const NOT_ASCII = /[^\0-\x7f]/;

/** Returns whether a text of markup is a declaration of XML. */
export function isDeclaration(text: string): boolean {
  return DECLARATION.test(text);
}

/**
 * Returns the name of the encoding (Encoding Standard) that a declaration at the beginning of a text names. Returns null
 * for UTF-8, ASCII and UTF-16. Throws `BAD_OPTION` if the encoding is not read.
 */
export function encodingOf(text: string): string | null {
  const [declaration = ""] = DECLARATION.exec(text) ?? [];
  const found = [...attributesOf(declaration)].find(({ name }) => name === "encoding");
  if (found === undefined) return null;
  const label = declaration.slice(found.from, found.to);
  if (ASCII.test(label)) return null;
  const name = nameOf(label);
  // In ISO-2022-JP, bytes of markup may be parts of other characters.
  if (name === null || name === "iso-2022-jp") {
    throw new UrlmillError(
      "BAD_OPTION",
      `its encoding ${excerpt(label)} is not read; write it in UTF-8, and change encoding="…" in its first line to UTF-8`,
    );
  }
  // Text in UTF-16 is decoded before it is read as XML.
  return name === "utf-8" || name.startsWith("utf-16") ? null : name;
}

/** Returns the name of an encoding, or null if the platform does not know its label. */
function nameOf(label: string): string | null {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return null;
  }
}

/**
 * Returns a byte string as one in UTF-8. Returns null if it is not in the encoding. `encoding`: a name that `encodingOf`
 * returned; null leaves the bytes as they are.
 */
export function inUtf8(text: string, encoding: string | null): string | null {
  if (encoding === null || !NOT_ASCII.test(text)) return text;
  if (encoding === "windows-1252") return utf8ByteString(fromWindows1252(text));
  try {
    return utf8ByteString(new TextDecoder(encoding, { fatal: true }).decode(fromByteString(text)));
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}
