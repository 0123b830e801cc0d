import { isSharedMemory } from "../base/copy-bytes.ts";

/** Holds the memory for one chunk and then its result. It is shared if several threads work on the chunk. */
export interface Slot<Memory extends ArrayBufferLike = SharedArrayBuffer> {
  input: Memory;
  output: Memory;
}

/** Keeps slots of shared memory to use again: getting memory takes longer than filling it. */
export class Slots {
  readonly #free: Slot[] = [];
  readonly #kept: number;
  readonly #chunk: number;

  /** `kept`: how many free slots to keep; `chunk`: bytes of input that most chunks have. */
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

  /** Takes back a slot that no thread reads or writes any more. Drops one that has grown. */
  release(slot: Slot): void {
    const bytes = slot.input.byteLength + slot.output.byteLength;
    if (this.#free.length < this.#kept && bytes <= 8 * this.#chunk) this.#free.push(slot);
  }
}

/** Makes sure that a slot has room for `bytes` of input. If it must grow, its contents are lost. */
export function makeRoom(slot: Slot<ArrayBufferLike>, bytes: number): void {
  if (slot.input.byteLength >= bytes) return;
  slot.input = isSharedMemory(slot.input) ? new SharedArrayBuffer(bytes) : new ArrayBuffer(bytes);
}
