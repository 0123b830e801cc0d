import { writeSync } from "node:fs";
import { writeError } from "../../io/output.ts";
import { CR, LF } from "../../url/chars.ts";
import type { GridReader, LongLine } from "./grid-reader.ts";
import type { Ledger } from "./ledger.ts";

/** Bytes of a long line that are copied at a time. */
const PIECE = 1 << 18;
const NEWLINE = Uint8Array.of(LF);

/** Locates an output that threads write to in their turn. */
export interface DirectOutput {
  /** Gives the descriptor of a file, at the place where the next byte goes. */
  readonly fd: number;
  /** Names the output in messages. */
  readonly name: string;
  /** Counts the bytes that the file has already of what the run will write: they are not written again. */
  readonly skip: number;
}

/** Writes whole lines to a file, where this thread is the one that may. */
export class LineWriter {
  readonly #output: DirectOutput;
  readonly #ledger: Ledger;
  #isInLine = false;

  constructor(output: DirectOutput, ledger: Ledger) {
    this.#output = output;
    this.#ledger = ledger;
  }

  /** Writes bytes after what all threads have written. Throws an IoError. */
  write(bytes: Uint8Array): void {
    const { fd, name, skip } = this.#output;
    const there = skip === 0 ? 0 : Math.max(0, skip - this.#ledger.totals.bytesOut);
    try {
      for (let at = Math.min(bytes.length, there); at < bytes.length; ) {
        at += writeSync(fd, bytes, at, bytes.length - at, null);
      }
    } catch (error) {
      throw writeError(name, error);
    }
    this.#ledger.count({ bytesOut: bytes.length });
  }

  /**
   * Writes the next piece of a line that is longer than any URL, as it was, or without the CR of its end unless
   * `keepsCr`. Returns what is left of it, or null.
   */
  writeLong({ file, from, to }: LongLine, keepsCr: boolean, reader: GridReader): LongLine | null {
    const bytes = Buffer.alloc(Math.min(PIECE, to - from));
    reader.readAt(file, bytes, from);
    const at = from + bytes.length;
    this.#isInLine = true;
    const hasCr = at === to && bytes.at(-1) === CR;
    this.write(hasCr && !keepsCr ? bytes.subarray(0, -1) : bytes);
    if (at < to) return { file, from: at, to };
    this.#isInLine = false;
    this.write(NEWLINE);
    return null;
  }

  /** Ends a line of which only a part was written, and notes that it is cut. */
  endCut(): void {
    if (!this.#isInLine) return;
    this.#ledger.cut();
    this.write(NEWLINE);
  }

  /** Writes a line without text. */
  writeEmpty(): void {
    this.write(NEWLINE);
  }
}
