import { decodeUtf8, utf8ByteString } from "../../url/bytes.ts";

/** Holds the position of a value: a member of a JSON object, or an element of an array. */
export interface Member {
  readonly from: number;
  readonly to: number;
}

const BRACKETS = /["{}[\]]/g;
const VALUE_END = /[,}\]]/g;

/**
 * Finds a top-level member of a JSON object. `text` is a byte string of UTF-8, and `JSON.parse` must have accepted the
 * decoded text. `name` is a text; names are compared after decoding. Returns the last member of that name, as
 * `JSON.parse` does. The text is not written again, so all other bytes stay the same.
 */
export function findMember(text: string, name: string): Member | null {
  const plain = utf8ByteString(`"${name}"`);
  let found: Member | null = null;
  let at = text.indexOf("{") + 1;
  for (;;) {
    const key = text.indexOf('"', at);
    if (key < 0) return found;
    const keyEnd = stringEnd(text, key);
    const from = valueStart(text, text.indexOf(":", keyEnd) + 1);
    const to = valueEnd(text, from);
    const written = text.slice(key, keyEnd);
    const isFound = written.includes("\\") ? nameOf(written) === name : written === plain;
    if (isFound) found = { from, to };
    at = text.indexOf(",", to);
    if (at < 0) return found;
  }
}

/**
 * Finds an element of a JSON array by its number, from 0 on. `text` is a byte string that `JSON.parse` must have
 * accepted. Returns null if the array has fewer elements.
 */
export function findElement(text: string, index: number): Member | null {
  let from = valueStart(text, text.indexOf("[") + 1);
  if (text[from] === "]") return null;
  for (let count = 0; ; count++) {
    const to = valueEnd(text, from);
    if (count === index) return { from, to };
    const comma = text.indexOf(",", to);
    if (comma < 0) return null;
    from = valueStart(text, comma + 1);
  }
}

/** Decodes the name in a JSON string with escapes, given as a byte string of UTF-8. */
function nameOf(written: string): unknown {
  return JSON.parse(decodeUtf8(written) as string);
}

/** Returns the position after the string that begins at `at`. */
function stringEnd(text: string, at: number): number {
  for (let p = at + 1; ; p++) {
    const character = text[p];
    if (character === '"') return p + 1;
    if (character === "\\") p++;
  }
}

/** Returns where a value begins, after white space. */
function valueStart(text: string, at: number): number {
  let from = at;
  while (isSpace(text.charCodeAt(from))) from++;
  return from;
}

function valueEnd(text: string, from: number): number {
  const first = text[from];
  if (first === '"') return stringEnd(text, from);
  if (first !== "{" && first !== "[") {
    VALUE_END.lastIndex = from;
    let to = VALUE_END.exec(text)?.index ?? text.length;
    while (isSpace(text.charCodeAt(to - 1))) to--;
    return to;
  }
  let depth = 0;
  for (let p = from; ; ) {
    BRACKETS.lastIndex = p;
    const next = BRACKETS.exec(text);
    if (next === null) return text.length;
    if (next[0] === '"') {
      p = stringEnd(text, next.index);
      continue;
    }
    depth += next[0] === "{" || next[0] === "[" ? 1 : -1;
    p = next.index + 1;
    if (depth === 0) return p;
  }
}

function isSpace(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d);
}
