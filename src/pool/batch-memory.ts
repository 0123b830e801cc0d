import { isShared } from "../base/copy-bytes.ts";

/** The most bytes that are kept for the next part; larger memory is released. */
const MAX_KEPT = 1 << 27;

/** Holds the shared memory of one part of a batch: its input and its result. `BatchTask` says what is in it. */
export interface BatchMemory {
  readonly input: Uint8Array<SharedArrayBuffer>;
  readonly offsets: Int32Array<SharedArrayBuffer>;
  readonly output: Uint8Array<SharedArrayBuffer>;
  readonly status: Uint8Array<SharedArrayBuffer>;
  readonly places: Int32Array<SharedArrayBuffer>;
}

/** Says how many bytes or words a part needs of each memory. */
export type BatchCounts = { readonly [Name in keyof BatchMemory]: number };

/** Keeps the memory of one part to use again: new pages take as long as normalizing their contents. */
export class BatchMemories {
  #kept: BatchMemory | null = null;

  /**
   * Returns memory of these sizes, with any contents. Throws the platform's error if it has no more
   * memory.
   */
  take(counts: BatchCounts): BatchMemory {
    const kept = this.#kept;
    this.#kept = null;
    const memory = (name: keyof BatchMemory, bytes: number): SharedArrayBuffer => {
      const old = kept?.[name].buffer;
      return old !== undefined && old.byteLength >= bytes ? old : new SharedArrayBuffer(bytes);
    };
    const bytes = (name: keyof BatchMemory): Uint8Array<SharedArrayBuffer> =>
      new Uint8Array(memory(name, counts[name]), 0, counts[name]);
    const words = (name: keyof BatchMemory): Int32Array<SharedArrayBuffer> =>
      new Int32Array(memory(name, 4 * counts[name]), 0, counts[name]);
    return {
      input: bytes("input"),
      offsets: words("offsets"),
      output: bytes("output"),
      status: bytes("status"),
      places: words("places"),
    };
  }

  /** Takes back memory that no thread reads or writes any more. */
  release(memory: BatchMemory): void {
    const bytes = Object.values(memory).reduce((sum, { buffer }) => sum + buffer.byteLength, 0);
    if (bytes <= MAX_KEPT) this.#kept = memory;
  }
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
