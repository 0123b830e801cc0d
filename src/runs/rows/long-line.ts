import { LineEscaper } from "../../io/text/line-escape.ts";
import { LF } from "../../url/chars.ts";
import type { Emit, OnError } from "../call/job.ts";
import { countBefore } from "./counted-records.ts";

const NEWLINE = Uint8Array.of(LF);
const TAB = Uint8Array.of(0x09);

/** Says how a run writes lines with an error. */
export interface LongLineWork {
  readonly onError: OnError;
  readonly emit: Emit;
  /** Says whether lines are merged. Otherwise they are only normalized. */
  readonly dedupes: boolean;
  /** Says whether lines are written with the number of lines of their key. */
  readonly hasCounts?: boolean;
}

/** Holds what a piece of a line adds to the outputs. */
export interface LongLinePiece {
  readonly output: Uint8Array;
  /** What it adds to the list of errors. */
  readonly errors: Uint8Array;
}

/** Writes a line that is too long to be read whole, piece by piece. It is an error, and is not compared. */
export class LongLine {
  readonly #work: LongLineWork;
  readonly #line: number;
  readonly #escaper = new LineEscaper();
  #isBegun = false;

  /** `line`: its number, from 1 on. */
  constructor(line: number, work: LongLineWork) {
    this.#line = line;
    this.#work = work;
  }

  /** Takes the next piece. `end`: the line end, LF or CR LF, after the last piece; null after the pieces before. */
  take(text: Uint8Array, end: Uint8Array | null): LongLinePiece {
    const errors = [this.#escaper.take(text, end !== null)];
    const output = this.#outputOf(text, end);
    if (!this.#isBegun) errors.unshift(Buffer.from(`${this.#line}\tTOO_LONG\t`));
    if (end !== null) errors.push(Buffer.from(NEWLINE));
    this.#isBegun = true;
    return { output: Buffer.concat(output), errors: Buffer.concat(errors) };
  }

  #outputOf(text: Uint8Array, end: Uint8Array | null): Uint8Array[] {
    const { onError, emit, dedupes, hasCounts } = this.#work;
    const isKept = onError === "keep" || (emit === "both" && !dedupes);
    if (!isKept) return end === null || dedupes ? [] : [NEWLINE];
    const output = [text];
    // The field of the key is empty.
    if (!this.#isBegun && emit === "both") output.unshift(TAB);
    if (!this.#isBegun && hasCounts === true) output.unshift(Buffer.from(countBefore(1)));
    if (end !== null) output.push(emit === "normalized" ? NEWLINE : end);
    return output;
  }
}
