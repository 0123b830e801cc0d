/** Holds the shared memory that one chunk and then its outcome pass through. */
export interface Slot {
  input: SharedArrayBuffer;
  output: SharedArrayBuffer;
}

/** Keeps slots to use again: memory costs more to get than to fill. */
export class Slots {
  readonly #free: Slot[] = [];
  readonly #kept: number;
  readonly #chunk: number;

  /** `kept`: how many free slots to hold on to; `chunk`: bytes of input that most chunks have. */
  constructor(kept: number, chunk: number) {
    this.#kept = kept;
    this.#chunk = chunk;
  }

  take(): Slot {
    return (
      this.#free.pop() ?? {
        input: new SharedArrayBuffer(this.#chunk + (this.#chunk >> 2)),
        output: new SharedArrayBuffer(this.#chunk + (this.#chunk >> 1)),
      }
    );
  }

  /** Gives one back whose contents nobody reads or writes any more; one that has grown is let go. */
  release(slot: Slot): void {
    const bytes = slot.input.byteLength + slot.output.byteLength;
    if (this.#free.length < this.#kept && bytes <= 8 * this.#chunk) this.#free.push(slot);
  }
}

/** Makes sure that a slot has room for `bytes` of input; what it held is lost where it had not. */
export function makeRoom(slot: Slot, bytes: number): void {
  if (slot.input.byteLength < bytes) slot.input = new SharedArrayBuffer(bytes);
}
