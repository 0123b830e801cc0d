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
