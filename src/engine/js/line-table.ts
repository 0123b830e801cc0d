import { REASON_WORDS, type ReasonNotes } from "../reasons.ts";

/** Bytes of a line, as a guess for the number of lines. A table that is too small doubles. */
const LINE_BYTES = 48;

/**
 * Holds what is known of each line of a window: its start before and after normalizing, its status and its
 * reasons.
 */
export class LineTable {
  rows = 0;
  readonly asksReasons: boolean;
  #status: Uint8Array;
  #inputOffsets: Int32Array;
  #outputOffsets: Int32Array;
  #reasons: Uint32Array;

  /** Makes a table for the lines in `bytes` bytes. */
  constructor(bytes: number, asksReasons: boolean) {
    this.asksReasons = asksReasons;
    const room = 16 + Math.ceil(bytes / LINE_BYTES);
    this.#status = new Uint8Array(room);
    this.#inputOffsets = new Int32Array(room + 1);
    this.#outputOffsets = new Int32Array(room + 1);
    this.#reasons = new Uint32Array(asksReasons ? REASON_WORDS * room : 0);
  }

  clear(): void {
    this.rows = 0;
  }

  /** Adds a line. Its reasons are those of `notes`, if reasons were asked for. */
  add(inputStart: number, outputStart: number, status: number, notes: ReasonNotes | null): void {
    if (this.rows === this.#status.length) this.#grow();
    this.#inputOffsets[this.rows] = inputStart;
    this.#outputOffsets[this.rows] = outputStart;
    this.#status[this.rows] = status;
    if (notes !== null) {
      this.#reasons[REASON_WORDS * this.rows] = notes.low;
      this.#reasons[REASON_WORDS * this.rows + 1] = notes.high;
    }
    this.rows++;
  }

  /** Sets the ends of the last line. */
  end(inputEnd: number, outputEnd: number): void {
    this.#inputOffsets[this.rows] = inputEnd;
    this.#outputOffsets[this.rows] = outputEnd;
  }

  get status(): Uint8Array {
    return this.#status.subarray(0, this.rows);
  }

  get inputOffsets(): Int32Array {
    return this.#inputOffsets.subarray(0, this.rows + 1);
  }

  get outputOffsets(): Int32Array {
    return this.#outputOffsets.subarray(0, this.rows + 1);
  }

  get reasons(): Uint32Array {
    return this.#reasons.subarray(0, REASON_WORDS * this.rows);
  }

  #grow(): void {
    const room = 2 * this.rows;
    this.#status = copied(this.#status, new Uint8Array(room));
    this.#inputOffsets = copied(this.#inputOffsets, new Int32Array(room + 1));
    this.#outputOffsets = copied(this.#outputOffsets, new Int32Array(room + 1));
    const words = this.#reasons.length === 0 ? 0 : REASON_WORDS * room;
    this.#reasons = copied(this.#reasons, new Uint32Array(words));
  }
}

function copied<A extends Uint8Array | Int32Array | Uint32Array>(from: A, to: A): A {
  to.set(from);
  return to;
}
