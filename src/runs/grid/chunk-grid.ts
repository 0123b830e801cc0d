import type { PlainFile } from "../../io/files/plain-file.ts";

/** Holds the position of a chunk, which is a range of a file. It owns the lines that end in it. */
export interface ChunkRange {
  readonly file: PlainFile;
  readonly from: number;
  readonly to: number;
}

/**
 * Divides files into ranges of one size, numbered from 0 on. Each thread finds the lines of a range by itself,
 * because a line belongs to the range that it ends in.
 */
export class ChunkGrid {
  readonly #files: readonly PlainFile[];
  readonly #chunkBytes: number;
  /** The number of the first chunk of each file, followed by the number of all chunks. */
  readonly #first: number[] = [0];
  /** The file of the last requested chunk. */
  #at = 0;

  constructor(files: readonly PlainFile[], chunkBytes: number) {
    this.#files = files;
    this.#chunkBytes = chunkBytes;
    for (const { begin, end } of files) {
      this.#first.push(this.count + Math.ceil((end - begin) / chunkBytes));
    }
  }

  /** Returns the number of chunks in all files. */
  get count(): number {
    return this.#first.at(-1) as number;
  }

  /** Returns the position of a chunk. Request chunks in ascending order. */
  rangeOf(chunk: number): ChunkRange {
    while (chunk >= (this.#first[this.#at + 1] as number)) this.#at++;
    const file = this.#files[this.#at] as PlainFile;
    const from = file.begin + (chunk - (this.#first[this.#at] as number)) * this.#chunkBytes;
    return { file, from, to: Math.min(from + this.#chunkBytes, file.end) };
  }
}
