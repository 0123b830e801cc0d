import { decodeUtf8, utf8ByteString } from "../url/bytes.ts";

/** Says where the value of a member of a JSON object, or an element of an array, stands. */
export interface Member {
  readonly from: number;
  readonly to: number;
}

const BRACKETS = /["{}[\]]/g;
const VALUE_END = /[,}\]]/g;

/**
 * Finds a top-level member of the JSON object that the byte string `text` is in UTF-8, which `JSON.parse`
 * has taken decoded. Names are compared decoded, `name` is a text. Returns the last member of that name,
 * as `JSON.parse` does. Nothing is parsed and written again, so every other byte stays as it was.
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
 * Finds an element of the JSON array that the byte string `text` is, counted from 0 on; null where the array has fewer.
 * `JSON.parse` has taken it.
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

/** The name that a JSON string with escapes stands for, in a byte string of UTF-8. */
function nameOf(written: string): unknown {
  return JSON.parse(decodeUtf8(written) as string);
}

/** After the string that begins at `at`. */
function stringEnd(text: string, at: number): number {
  for (let p = at + 1; ; p++) {
    const character = text[p];
    if (character === '"') return p + 1;
    if (character === "\\") p++;
  }
}

/** Where a value begins, after white space. */
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
