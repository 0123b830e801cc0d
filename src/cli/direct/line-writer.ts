import { writeSync } from "node:fs";
import { writeError } from "../../io/output.ts";
import { LF } from "../../url/chars.ts";
import type { Ledger } from "./ledger.ts";

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

/** Writes to a file, where this thread is the one that may. */
export class LineWriter {
  readonly #output: DirectOutput;
  readonly #ledger: Ledger;
  readonly #total: "bytesOut" | "errorBytes";
  #endsLine = true;

  /** `total`: where the ledger counts the bytes. */
  constructor(output: DirectOutput, ledger: Ledger, total: "bytesOut" | "errorBytes") {
    this.#output = output;
    this.#ledger = ledger;
    this.#total = total;
  }

  /** Writes bytes after what all threads have written. Throws an IoError. */
  write(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    const { fd, name, skip } = this.#output;
    const there = skip === 0 ? 0 : Math.max(0, skip - this.#ledger.totals[this.#total]);
    try {
      for (let at = Math.min(bytes.length, there); at < bytes.length; ) {
        at += writeSync(fd, bytes, at, bytes.length - at, null);
      }
    } catch (error) {
      throw writeError(name, error);
    }
    this.#ledger.count({ [this.#total]: bytes.length });
    this.#endsLine = bytes.at(-1) === LF;
  }

  /** Ends a line of which only a part was written, and notes that it is cut. */
  endCut(): void {
    if (this.#endsLine) return;
    this.#ledger.cut();
    this.write(NEWLINE);
  }
}
