import { copyBytes, isShared } from "../base/copy-bytes.ts";
import { unfilled } from "../engine/byte-builder.ts";

/** The most bytes that are kept for the next batch; larger memory is released. */
const MAX_KEPT = 1 << 27;

/** Holds the shared memory of one batch: its input and its result. */
export interface BatchMemory {
  readonly input: SharedArrayBuffer;
  readonly output: SharedArrayBuffer;
  readonly status: SharedArrayBuffer;
  readonly places: SharedArrayBuffer;
}

/** Says how many bytes a batch needs in each part of its memory. */
export type BatchSizes = { readonly [Name in keyof BatchMemory]: number };

/** Keeps the memory of one batch to use again: new pages take as long as normalizing their contents. */
export class BatchMemories {
  #kept: BatchMemory | null = null;

  /**
   * Returns memory of at least these sizes, with any contents. Throws the platform's error if it has no more
   * memory.
   */
  take(sizes: BatchSizes): BatchMemory {
    const kept = this.#kept;
    this.#kept = null;
    const memory = (name: keyof BatchMemory): SharedArrayBuffer => {
      const old = kept?.[name];
      return old !== undefined && old.byteLength >= sizes[name]
        ? old
        : new SharedArrayBuffer(sizes[name]);
    };
    return {
      input: memory("input"),
      output: memory("output"),
      status: memory("status"),
      places: memory("places"),
    };
  }

  /** Takes back memory that no thread reads or writes any more. */
  release(memory: BatchMemory): void {
    const bytes = Object.values(memory).reduce((sum, { byteLength }) => sum + byteLength, 0);
    if (bytes <= MAX_KEPT) this.#kept = memory;
  }
}

/** Returns a copy in its own memory, which is not filled with zeros first. */
export function copied(view: Uint8Array): Uint8Array<ArrayBuffer> {
  const copy = new Uint8Array(unfilled(view.length));
  copy.set(view);
  return copy;
}

/** Returns the bytes at the beginning of `into`, if they fit, and else a copy in its own memory. */
export function copiedInto(view: Uint8Array, into: Uint8Array | undefined): Uint8Array {
  if (into === undefined || into.length < view.length) return copied(view);
  copyBytes(into, view, 0);
  return into.subarray(0, view.length);
}

/** Returns a result whose bytes are in shared memory if the input is, or in `into` as they are. */
export function inMemoryOf<R extends object>(
  input: Uint8Array,
  into: Uint8Array | undefined,
  result: R,
): R {
  if (!isShared(input)) return result;
  const parts = Object.entries(result).map(([name, part]) => {
    const stays = ArrayBuffer.isView(part) && part.buffer === into?.buffer;
    return [name, stays ? part : inSharedMemory(part)];
  });
  return Object.fromEntries(parts) as R;
}

function inSharedMemory(part: unknown): unknown {
  if (!(part instanceof Uint8Array || part instanceof Int32Array)) return part;
  if (isShared(part)) return part;
  const memory = new SharedArrayBuffer(part.byteLength);
  const copy = part instanceof Uint8Array ? new Uint8Array(memory) : new Int32Array(memory);
  copy.set(part);
  return copy;
}
