import { counted } from "../../base/counted.ts";
import { LONGEST_RECORD, lineBoundary } from "../../formats/format.ts";
import { readChunks } from "../../io/chunk-reader.ts";
import { say } from "../../io/say.ts";
import type { Source } from "../../io/source.ts";
import { Slots } from "../../threads/slots.ts";
import { LF } from "../../url/chars.ts";
import type { LinePlace } from "./line-check.ts";
import type { LineInput } from "./line-input.ts";
import { type NewKeys, RekeyedLines } from "./rekeyed-lines.ts";

const CHUNK = 1 << 20;
/** So many lines without a new key are named. */
const NAMED = 10;

/** Gives lines of CDX or CDXJ new keys, made of their original URLs. A line that gets none is named and stays as it is. */
export class Rekeying {
  readonly #keys: NewKeys;
  /** The lines that keep their keys. */
  kept = 0;

  constructor(keys: NewKeys) {
    this.#keys = keys;
  }

  /** Returns an input of the same lines with new keys. */
  input({ shown, open }: LineInput): LineInput {
    return {
      shown,
      open: async () => {
        const source = await open();
        return new PieceSource(this.#pieces(source, shown), source);
      },
    };
  }

  /** Says how many lines without a new key were not named. */
  sayRest(): void {
    if (this.kept > NAMED) {
      say(`${counted(this.kept - NAMED, "more line keeps", "more lines keep")} the key`);
    }
  }

  async *#pieces(source: Source, shown: string): AsyncGenerator<Uint8Array, void, undefined> {
    const slots: Slots<ArrayBufferLike> = Slots.unshared(2, CHUNK);
    const reading = { boundary: lineBoundary, lastByte: LF, maxLine: LONGEST_RECORD, size: CHUNK };
    const lines = new RekeyedLines(this.#keys, shown);
    let number = 0;
    for await (const chunk of readChunks(source, shown, slots, reading)) {
      if (chunk.kind === "long") {
        yield chunk.bytes;
        if (chunk.end === null) continue;
        yield chunk.end;
        this.#keep({ shown, number: ++number }, "it is longer than 64 MiB");
        continue;
      }
      const before = number;
      yield lines.rekey(new Uint8Array(chunk.slot.input, 0, chunk.length), (row, reason) =>
        this.#keep({ shown, number: before + row + 1 }, reason),
      );
      number += lines.rows;
      slots.release(chunk.slot);
    }
  }

  #keep({ shown, number }: LinePlace, reason: string): void {
    this.kept++;
    if (this.kept <= NAMED) say(`${shown}, line ${number}: it keeps its key: ${reason}`);
  }
}

class PieceSource implements Source {
  readonly #pieces: AsyncIterator<Uint8Array>;
  readonly #source: Source;
  #rest: Uint8Array = new Uint8Array(0);

  constructor(pieces: AsyncIterator<Uint8Array>, source: Source) {
    this.#pieces = pieces;
    this.#source = source;
  }

  get taken(): number {
    return this.#source.taken;
  }

  async read(into: Uint8Array): Promise<number> {
    while (this.#rest.length === 0) {
      const next = await this.#pieces.next();
      if (next.done === true) return 0;
      this.#rest = next.value;
    }
    const taken = this.#rest.subarray(0, into.length);
    into.set(taken);
    this.#rest = this.#rest.subarray(taken.length);
    return taken.length;
  }

  async close(): Promise<void> {
    await this.#source.close();
  }
}
