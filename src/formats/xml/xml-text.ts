const REFERENCE = /&(?:#x([0-9A-Fa-f]+)|#(\d+)|(amp|lt|gt|quot|apos));/g;
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
