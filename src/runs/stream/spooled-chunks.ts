import type { ChunkPlace } from "../../formats/index.ts";
import type { Chunk } from "../../io/chunk-reader.ts";
import { megabytes, TemporaryFile } from "../../io/files/temporary-file.ts";
import { makeRoom, type Slots } from "../../threads/slots.ts";

/** Holds a chunk that was read, and its position in the input. */
export interface PlacedChunk {
  readonly chunk: Chunk;
  readonly place: ChunkPlace;
}

/** The bytes before a chunk: its length, its kind, the bytes of a line end, the number of its place. */
const HEAD = 16;
const RECORDS = 0;
const LONG = 1;

/** Keeps chunks in a temporary file, to give them once more in their order. */
export class SpooledChunks {
  readonly #file: TemporaryFile;
  /** The different places of chunks. Most chunks of an input have the same one. */
  readonly #places: ChunkPlace[] = [];

  /** Throws an IoError. Call `close` afterwards. */
  constructor(folder: string | undefined) {
    this.#file = new TemporaryFile(folder);
  }

  /** Adds a chunk. Throws an IoError. */
  add({ chunk, place }: PlacedChunk): void {
    const isLong = chunk.kind === "long";
    const bytes = isLong ? chunk.bytes : new Uint8Array(chunk.slot.input, 0, chunk.length);
    const end = isLong ? (chunk.end ?? new Uint8Array(0)) : new Uint8Array(0);
    const head = Int32Array.of(
      bytes.length,
      isLong ? LONG : RECORDS,
      end.length,
      this.#numberOf(place),
    );
    for (const part of [new Uint8Array(head.buffer), bytes, end]) {
      this.#file.append(part, this.#needed);
    }
  }

  #numberOf({ header, isStart }: ChunkPlace): number {
    const last = this.#places.at(-1);
    if (last?.header !== header || last.isStart !== isStart) this.#places.push({ header, isStart });
    return this.#places.length - 1;
  }

  readonly #needed = (): string =>
    `the rest of the input took ${megabytes(this.#file.size)} so far`;

  /** Yields the chunks. Throws an IoError. */
  *chunks(slots: Slots<ArrayBufferLike>): Generator<PlacedChunk, void, undefined> {
    const head = new Int32Array(HEAD / 4);
    for (let at = 0; at < this.#file.size; ) {
      this.#file.read(at, new Uint8Array(head.buffer));
      const [length = 0, kind, ends = 0, place = 0] = head;
      const from = at + HEAD;
      at = from + length + ends;
      yield {
        chunk: kind === LONG ? this.#longAt(from, length, ends) : this.#at(from, length, slots),
        place: this.#places[place] as ChunkPlace,
      };
    }
  }

  #at(from: number, length: number, slots: Slots<ArrayBufferLike>): Chunk {
    const slot = slots.take();
    makeRoom(slot, length);
    this.#file.read(from, new Uint8Array(slot.input, 0, length));
    return { kind: "records", slot, length };
  }

  #longAt(from: number, length: number, ends: number): Chunk {
    const all = new Uint8Array(length + ends);
    this.#file.read(from, all);
    const end = ends === 0 ? null : all.subarray(length);
    return { kind: "long", bytes: all.subarray(0, length), end };
  }

  /** The bytes that are in the file. */
  get bytesOnDisk(): number {
    return this.#file.size;
  }

  /** Removes the file. */
  close(): void {
    this.#file.close();
  }
}
