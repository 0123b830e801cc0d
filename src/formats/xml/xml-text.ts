const REFERENCE = /&(?:#x([0-9A-Fa-f]+)|#(\d+)|(amp|lt|gt|quot|apos));/g;
/** Matches a reference in an attribute of HTML. Those without `;` before `=`, a letter or a digit are only text. */
const ATTRIBUTE_REFERENCE =
  /&(?:#[xX]([0-9A-Fa-f]+);?|#(\d+);?|(apos);|(amp|AMP|lt|LT|gt|GT|quot|QUOT)(?:;|(?![=0-9A-Za-z])))/g;
const CHARACTERS: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
};
const REFERENCES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};

/**
 * Returns a text of XML with its references replaced by their characters, which `encode` writes. A reference to an
 * invalid character, or to an entity of a DOCTYPE, stays as written.
 */
export function unescapeXml(text: string, encode: (character: string) => string): string {
  if (!text.includes("&")) return text;
  return text.replaceAll(REFERENCE, (written, hex, decimal, name) => {
    if (name !== undefined) return CHARACTERS[name] as string;
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    const isScalar = code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
    return isScalar ? encode(String.fromCodePoint(code)) : written;
  });
}

/**
 * Returns the value of an HTML attribute with its character references decoded (HTML 13.2.5.73): numbers, and the names
 * `amp`, `lt`, `gt`, `quot` and `apos`. References by other names stay as written.
 */
export function unescapeAttribute(text: string): string {
  if (!text.includes("&")) return text;
  return text.replaceAll(ATTRIBUTE_REFERENCE, (_, hex, decimal, apos, name) => {
    const named: string | undefined = apos ?? name;
    if (named !== undefined) return CHARACTERS[named.toLowerCase()] as string;
    return referenced(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16));
  });
}

/** Holds what numbers from 0x80 to 0x9F mean: the characters of windows-1252. */
const WINDOWS_1252 =
  "\u20ac\x81\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\x8d\u017d\x8f" +
  "\x90\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\x9d\u017e\u0178";

/** Returns the character that HTML takes for a number (13.2.5.80). */
function referenced(code: number): string {
  const isScalar = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
  if (!isScalar) return "\ufffd";
  return windows1252(code);
}

/** Returns the character that a byte stands for in windows-1252. A greater number stands for the character with that code. */
function windows1252(code: number): string {
  return WINDOWS_1252[code - 0x80] ?? String.fromCodePoint(code);
}

/** Returns the text of a byte string in windows-1252. The decoder of Node 20 takes 0x80 to 0x9F for control characters. */
export function fromWindows1252(text: string): string {
  return text.replaceAll(/[\x80-\x9f]/g, (byte) => windows1252(byte.charCodeAt(0)));
}

/** Writes a text as XML, for an element or an attribute. */
export function xmlEscape(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => REFERENCES[character] as string);
}

/** Matches an attribute after the white space that must precede it, so that matching is linear. */
const ATTRIBUTE = /(?<=[ \t\r\n])([^ \t\r\n=/"'<>]+)[ \t\r\n]*=[ \t\r\n]*(?:"([^"]*)"|'([^']*)')/g;

/** Holds the name of an attribute and the position of its value in the tag. */
export interface Attribute {
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

export function* attributesOf(tag: string): Generator<Attribute> {
  for (const { 0: written, 1: name = "", 2: quoted, 3: other = "", index } of tag.matchAll(
    ATTRIBUTE,
  )) {
    const to = index + written.length - 1;
    yield { name, from: to - (quoted ?? other).length, to };
  }
}

/** Removes XML white space around a text. `trim` would also remove bytes of UTF-8. */
export function trimSpace(text: string): string {
  let from = 0;
  let to = text.length;
  while (from < to && isSpace(text.charCodeAt(from))) from++;
  while (to > from && isSpace(text.charCodeAt(to - 1))) to--;
  return text.slice(from, to);
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x09 || code === 0x0a || code === 0x0d;
}
