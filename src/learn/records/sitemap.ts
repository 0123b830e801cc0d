import { Malformed } from "../../formats/row.ts";
import { sitemap } from "../../formats/sitemap.ts";
import { decodeUtf8 } from "../../url/bytes.ts";
import { LF } from "../../url/chars.ts";
import type { Reading, ReadingSink } from "./record.ts";

/** Bytes of the longest entry that is read. */
const LONGEST_ENTRY = 1 << 26;
const START = { header: null, isStart: true } as const;

/** Cuts the bytes of a sitemap into entries, and reads each as the URL that it has. A chunk may end anywhere. */
export class SitemapEntries {
  readonly #sink: ReadingSink;
  readonly #boundary = sitemap.boundary();
  #held = new Uint8Array(0);
  #length = 0;
  /** The number of the line that the held bytes begin on. */
  #line = 1;
  #isLost = false;
  #lineEnds = 0;
  #endsLine = true;

  constructor(sink: ReadingSink) {
    this.#sink = sink;
  }

  /** Counts the lines so far, the begun one too. */
  get lines(): number {
    return this.#lineEnds + (this.#endsLine ? 0 : 1);
  }

  /** Takes the next bytes, whose memory may be used again after the call. */
  push(chunk: Uint8Array, final: boolean): void {
    this.#lineEnds += lineEnds(chunk);
    if (chunk.length > 0) this.#endsLine = chunk.at(-1) === LF;
    if (this.#isLost) return;
    const from = this.#length;
    this.#hold(chunk);
    const held = this.#held.subarray(0, this.#length);
    const end = final ? held.length : this.#boundary(held, from);
    this.#read(held.subarray(0, end));
    this.#held.copyWithin(0, end, this.#length);
    this.#length -= end;
    if (this.#length <= LONGEST_ENTRY) return;
    this.#isLost = true;
    const limit = `an entry of more than ${LONGEST_ENTRY} bytes; the rest of the file is not read`;
    this.#sink(new Malformed(limit), this.#line);
  }

  #hold(chunk: Uint8Array): void {
    const length = this.#length + chunk.length;
    if (length > this.#held.length) {
      const held = new Uint8Array(Math.max(length, 2 * this.#held.length));
      held.set(this.#held.subarray(0, this.#length));
      this.#held = held;
    }
    this.#held.set(chunk, this.#length);
    this.#length = length;
  }

  #read(bytes: Uint8Array): void {
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1");
    for (const { kind, url, start, end } of sitemap.read(text, START)) {
      if (kind === "missing") this.#sink(new Malformed("an entry without loc"), this.#line);
      else if (kind === "url") this.#sink(recordOf(url), this.#line);
      this.#line += lineEnds(bytes.subarray(start, end));
    }
  }
}

function recordOf(bytes: string): Reading {
  const url = decodeUtf8(bytes);
  if (url === null) return new Malformed("not UTF-8");
  return url === "" ? new Malformed("the url is empty") : { url };
}

function lineEnds(bytes: Uint8Array): number {
  let count = 0;
  for (let at = bytes.indexOf(LF); at >= 0; at = bytes.indexOf(LF, at + 1)) count++;
  return count;
}
