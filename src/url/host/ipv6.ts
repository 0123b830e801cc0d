import { hexValue } from "../chars.ts";

/**
 * Writes an IPv6 address without brackets, compressed and in lower case (URL Standard, "IPv6 parser" and
 * "IPv6 serializer"). For a text that is not an address, returns the offset of the error.
 */
export function normalizeIpv6(address: string): string | number {
  const pieces = readPieces(address);
  return typeof pieces === "number" ? pieces : writePieces(pieces);
}

function readPieces(text: string): number[] | number {
  const pieces: number[] = [];
  let compress = -1;
  let at = 0;
  if (text === "") return 0;
  if (text.startsWith(":")) {
    if (!text.startsWith("::")) return 0;
    at = 2;
    pieces.push(0);
    compress = 1;
  }
  while (at < text.length) {
    if (pieces.length === 8) return at;
    if (text[at] === ":") {
      if (compress >= 0) return at;
      at++;
      pieces.push(0);
      compress = pieces.length;
      continue;
    }
    const start = at;
    let value = 0;
    while (at < text.length && at - start < 4) {
      const digit = hexValue(text.charCodeAt(at));
      if (digit < 0) break;
      value = value * 16 + digit;
      at++;
    }
    if (text[at] === ".") {
      if (at === start || pieces.length > 6) return at;
      const embedded = readEmbeddedIpv4(text, start);
      if (typeof embedded === "number") return embedded;
      pieces.push(...embedded);
      break;
    }
    if (at < text.length) {
      if (text[at] !== ":") return at;
      at++;
      if (at === text.length) return at;
    }
    pieces.push(value);
  }
  if (compress < 0) return pieces.length === 8 ? pieces : text.length;
  const missing = new Array<number>(8 - pieces.length).fill(0);
  return [...pieces.slice(0, compress), ...missing, ...pieces.slice(compress)];
}

/** Reads four decimal numbers without leading zeros, up to the end, as two pieces. */
function readEmbeddedIpv4(text: string, start: number): [number, number] | number {
  const parts = text.slice(start).split(".");
  const values: number[] = [];
  let at = start;
  for (const [index, part] of parts.entries()) {
    if (index > 3) return at - 1;
    const bad = badDecimalByte(part);
    if (bad >= 0) return at + bad;
    values.push(Number(part));
    at += part.length + 1;
  }
  if (values.length < 4) return text.length;
  const [a, b, c, d] = values as [number, number, number, number];
  return [a * 256 + b, c * 256 + d];
}

/** Returns the offset of the first character that keeps `part` from being a number up to 255, or -1. */
function badDecimalByte(part: string): number {
  let value = 0;
  for (let at = 0; at < part.length; at++) {
    const digit = part.charCodeAt(at) - 0x30;
    if (digit < 0 || digit > 9 || (at > 0 && value === 0)) return at;
    value = value * 10 + digit;
    if (value > 255) return at;
  }
  return part === "" ? 0 : -1;
}

function writePieces(pieces: readonly number[]): string {
  const hex = pieces.map((piece) => piece.toString(16));
  const run = longestZeroRun(pieces);
  if (run.length < 2) return hex.join(":");
  return `${hex.slice(0, run.start).join(":")}::${hex.slice(run.start + run.length).join(":")}`;
}

/** Returns the first longest run of zero pieces. */
function longestZeroRun(pieces: readonly number[]): { start: number; length: number } {
  let best = { start: 0, length: 0 };
  let length = 0;
  for (const [index, piece] of pieces.entries()) {
    length = piece === 0 ? length + 1 : 0;
    if (length > best.length) best = { start: index + 1 - length, length };
  }
  return best;
}
