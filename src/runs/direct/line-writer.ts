import { writeSync } from "node:fs";
import { writeError } from "../../io/output.ts";
import { takeBack } from "../../io/text/torn-line.ts";
import { LF } from "../../url/chars.ts";
import type { SharedProgress } from "./shared-progress.ts";

/** Describes an output that threads write to in turn. */
export interface DirectOutput {
  /** The descriptor of a file, positioned where the next byte is written. */
  readonly fd: number;
  /** Names the output in messages. */
  readonly name: string;
  /** The number of bytes of the run's output that the file already has. They are not written again. */
  readonly skip: number;
  /** The byte that ends each line: LF unless given. */
  readonly lineEnd?: number;
}

/** Writes bytes to a file, after those that are written: all, or none if that throws an IoError. */
export function writeWhole(fd: number, bytes: Uint8Array, name: string): void {
  let at = 0;
  try {
    while (at < bytes.length) at += writeSync(fd, bytes, at, bytes.length - at, null);
  } catch (error) {
    takeBack(fd, at);
    throw writeError(name, error);
  }
}

/** Names the total that counts the bytes of an output. */
type OutputTotal = "bytesOut" | "errorBytes" | "mapBytes";

/** Writes to a file while this thread has its turn. */
export class LineWriter {
  readonly #output: DirectOutput;
  readonly #progress: SharedProgress;
  readonly #total: OutputTotal;
  readonly #lineEnd: number;
  #endsLine = true;

  /** `total`: the progress's total that counts the bytes. */
  constructor(output: DirectOutput, progress: SharedProgress, total: OutputTotal) {
    this.#output = output;
    this.#progress = progress;
    this.#total = total;
    this.#lineEnd = output.lineEnd ?? LF;
  }

  /** Appends bytes after the output of all threads. Throws an IoError. */
  write(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    const { fd, name, skip } = this.#output;
    const there = skip === 0 ? 0 : Math.max(0, skip - this.#progress.totals[this.#total]);
    writeWhole(fd, there === 0 ? bytes : bytes.subarray(there), name);
    this.#progress.count({ [this.#total]: bytes.length });
    this.#endsLine = bytes.at(-1) === this.#lineEnd;
  }

  /** Ends a line that was written only in part, and notes that it is cut. */
  endCut(): void {
    if (this.#endsLine) return;
    this.#progress.cut();
    this.write(Uint8Array.of(this.#lineEnd));
  }
}
