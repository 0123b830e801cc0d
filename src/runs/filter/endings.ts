import { toByteString } from "../../url/bytes.ts";
import { COLON, HASH, QUESTION, SLASH } from "../../url/codes.ts";
import type { UrlRows } from "./host-finder.ts";

/** Holds an ending of paths, and its bits as if it were a host (host-bits.ts). */
export interface Ending {
  /** A byte string of at least one byte. */
  readonly text: string;
  readonly bits: number;
}

/** Finds endings of the paths of URLs. */
export class Endings {
  /** The bits of each ending. */
  readonly #bits = new Map<string, number>();
  /** The lengths of endings. */
  readonly #lengths: readonly number[];
  /** Has 1 for each byte that an ending ends with. */
  readonly #last = new Uint8Array(256);

  constructor(endings: readonly Ending[]) {
    for (const { text, bits } of endings) {
      this.#bits.set(text, (this.#bits.get(text) ?? 0) | bits);
      this.#last[text.charCodeAt(text.length - 1)] = 1;
    }
    this.#lengths = [...new Set(endings.map(({ text }) => text.length))];
  }

  /** Returns the bits of all endings of a row's path. A row whose scheme no `//` follows has none. */
  bitsOf({ data, offsets, terminator }: UrlRows, row: number): number {
    const end = (offsets[row + 1] as number) - terminator;
    const start = pathStart(data, offsets[row] as number, end);
    const pathEnd = endOfPath(data, start, end);
    if (pathEnd === start || this.#last[data[pathEnd - 1] as number] === 0) return 0;
    const path = toByteString(data.subarray(start, pathEnd));
    let bits = 0;
    for (const length of this.#lengths) {
      if (length <= path.length) bits |= this.#bits.get(path.slice(-length)) ?? 0;
    }
    return bits;
  }
}

/** Returns where the path of a URL begins; its end if it has no authority. */
function pathStart(data: Uint8Array, start: number, end: number): number {
  let at = start;
  while (at < end && data[at] !== COLON) at++;
  if (data[at + 1] !== SLASH || data[at + 2] !== SLASH) return end;
  for (at += 3; at < end; at++) {
    const code = data[at];
    if (code === SLASH || code === QUESTION || code === HASH) break;
  }
  return Math.min(at, end);
}

function endOfPath(data: Uint8Array, start: number, end: number): number {
  let at = start;
  while (at < end && data[at] !== QUESTION && data[at] !== HASH) at++;
  return at;
}
