import { LF, TAB } from "../../url/chars.ts";

const SPACE = 0x20;

/** Counts the lines that have a tab between two bytes that are not white space. `text`: whole lines. */
export function countTabbed(text: Uint8Array): number {
  // A buffer searches for a byte far faster than an array.
  const bytes = Buffer.from(text.buffer, text.byteOffset, text.length);
  let count = 0;
  let at = bytes.indexOf(TAB);
  while (at >= 0) {
    const after = pastSpace(bytes, at, 1);
    const isInside = isText(bytes[after]) && isText(bytes[pastSpace(bytes, at, -1)]);
    if (isInside) count++;
    const next = isInside ? bytes.indexOf(LF, after) : after;
    at = next < 0 ? -1 : bytes.indexOf(TAB, next);
  }
  return count;
}

/** Returns the next place, in a direction, that has no white space of a line. */
function pastSpace(bytes: Uint8Array, from: number, step: 1 | -1): number {
  let at = from + step;
  while ((bytes[at] as number) <= SPACE && bytes[at] !== LF) at += step;
  return at;
}

function isText(byte: number | undefined): boolean {
  return byte !== undefined && byte > SPACE;
}
