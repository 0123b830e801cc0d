/** Bytes of a word, the unit in which V8 copies shared memory. */
const WORD = 8;
/** Bytes that are copied at a time through private memory: few enough to stay in the cache. */
const PIECE = 1 << 16;

/** Private memory, aligned to a word, with room for a piece at any offset within a word. */
let between: Uint8Array | null = null;

/**
 * Copies bytes as `target.set(source, at)` does. If one of the two is shared memory, V8 copies whole words
 * only if both begin at the same offset within a word. Otherwise it copies single bytes, which takes seven
 * times as long. Such bytes are copied through private memory, which is fast.
 */
export function copyBytes(target: Uint8Array, source: Uint8Array, at: number): void {
  const to = target.byteOffset + at;
  const isAligned = ((source.byteOffset - to) & (WORD - 1)) === 0;
  if (isAligned || source.length < WORD || !(isShared(source) || isShared(target))) {
    target.set(source, at);
    return;
  }
  between ??= new Uint8Array(PIECE + 2 * WORD);
  for (let done = 0; done < source.length; done += PIECE) {
    const piece = source.subarray(done, done + PIECE);
    const from = piece.byteOffset & (WORD - 1);
    between.set(piece, from);
    const begin = isShared(target) ? (to + done) & (WORD - 1) : from;
    if (begin !== from) between.copyWithin(begin, from, from + piece.length);
    target.set(between.subarray(begin, begin + piece.length), at + done);
  }
}

export function isShared({ buffer }: ArrayBufferView): boolean {
  return isSharedMemory(buffer);
}

function isSharedMemory(memory: ArrayBufferLike): memory is SharedArrayBuffer {
  return globalThis.SharedArrayBuffer !== undefined && memory instanceof SharedArrayBuffer;
}

/** Returns other memory, which is shared if `memory` is. */
export function memoryLike<M extends ArrayBufferLike>(memory: M, bytes: number): M {
  return (isSharedMemory(memory) ? new SharedArrayBuffer(bytes) : new ArrayBuffer(bytes)) as M;
}
