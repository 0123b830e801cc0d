import { toByteString } from "../../url/bytes.ts";
import { UNKNOWN } from "./host-bits.ts";
import type { HostFinder, UrlRows } from "./host-finder.ts";
import { HostTable, type HostTableMemory } from "./host-table.ts";

/** Matches the host of a URL that the kernel knows, too (assembly/lists/find-hosts.ts). */
const PLAIN = /^(?:https?|file):\/\/([^/:-@]{0,63})\//;

/** Finds hosts in JavaScript. */
export class PlainFinder implements HostFinder {
  readonly #table: HostTable;

  constructor(table: HostTableMemory) {
    this.#table = new HostTable(table);
  }

  find({ data, offsets, terminator }: UrlRows): Uint8Array {
    const rows = offsets.length - 1;
    const begin = offsets[0] as number;
    const text = toByteString(data.subarray(begin, offsets[rows]));
    const marks = new Uint8Array(rows);
    for (let row = 0; row < rows; row++) {
      const start = (offsets[row] as number) - begin;
      const end = (offsets[row + 1] as number) - begin - terminator;
      marks[row] = this.#markOf(text.slice(start, end));
    }
    return marks;
  }

  #markOf(url: string): number {
    const host = PLAIN.exec(url)?.[1];
    if (host === undefined || host.endsWith(".")) return UNKNOWN;
    return this.#table.bitsOf(host);
  }
}
