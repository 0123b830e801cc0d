import { memoryLike } from "../base/copy-bytes.ts";

/** Holds the memory for one chunk and then its result. It is shared if several threads work on the chunk. */
export interface Slot<Memory extends ArrayBufferLike = SharedArrayBuffer> {
  input: Memory;
  output: Memory;
}

/** Keeps slots to use again: getting memory takes longer than filling it. */
export class Slots<Memory extends ArrayBufferLike = SharedArrayBuffer> {
  readonly #free: Slot<Memory>[] = [];
  readonly #kept: number;
  readonly #chunk: number;
  readonly #allocate: (bytes: number) => Memory;

  private constructor(kept: number, chunk: number, allocate: (bytes: number) => Memory) {
    this.#kept = kept;
    this.#chunk = chunk;
    this.#allocate = allocate;
  }

  /** Makes slots for several threads. `kept`: how many free slots to keep; `chunk`: bytes of input that most chunks have. */
  static shared(kept: number, chunk: number): Slots {
    return new Slots(kept, chunk, (bytes) => new SharedArrayBuffer(bytes));
  }

  /** Makes slots for the calling thread, as `shared` does for several: V8 copies memory faster if it is not shared. */
  static unshared(kept: number, chunk: number): Slots<ArrayBuffer> {
    return new Slots(kept, chunk, (bytes) => new ArrayBuffer(bytes));
  }

  take(): Slot<Memory> {
    return (
      this.#free.pop() ?? {
        input: this.#allocate(this.#chunk + (this.#chunk >> 2)),
        output: this.#allocate(this.#chunk + (this.#chunk >> 1)),
      }
    );
  }

  /** Takes back a slot that no thread reads or writes any more. Drops one that has grown. */
  release(slot: Slot<Memory>): void {
    const bytes = slot.input.byteLength + slot.output.byteLength;
    if (this.#free.length < this.#kept && bytes <= 8 * this.#chunk) this.#free.push(slot);
  }
}

/** Makes sure that a slot has room for `bytes` of input. If it must grow, its contents are lost. */
export function makeRoom(slot: Slot<ArrayBufferLike>, bytes: number): void {
  if (slot.input.byteLength < bytes) slot.input = memoryLike(slot.input, bytes);
}
