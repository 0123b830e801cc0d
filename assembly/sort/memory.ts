/*
 * Linear memory of the sort kernel, low to high. It is a module of its own: only `urlmill cdx` needs it.
 *
 *   0            static data
 *   memoryStart  what the host divides: one run of lines (run.ts), or the streams of a merge (merge.ts)
 *
 * Text is read in blocks of 16 bytes: each region of it has PAD bytes after it that may be read, and that of the output
 * has as many that may be written.
 */

/** Version of the interface of this module. The host refuses a module of another version. */
export const SORT_VERSION: i32 = 1;
export const PAD: i32 = 64;

/** Returns where the memory begins that the host divides. */
export function memoryStart(): usize {
  return (__heap_base + 15) & ~15;
}

/** Makes the memory reach to `end`. Returns whether the platform had room. */
export function reserve(end: usize): bool {
  const pages = <i32>((end + 0xffff) >> 16) - memory.size();
  return pages <= 0 || memory.grow(pages) >= 0;
}

/** Copies a part of a text. Touches at most 15 bytes after both places. */
export function copyText(to: usize, from: usize, length: usize): void {
  if (length > 1024) {
    memory.copy(to, from, length);
    return;
  }
  for (let at: usize = 0; at < length; at += 16) v128.store(to + at, v128.load(from + at));
}

/** Returns how many bytes at the beginning of two texts are the same, at most `most`. Reads at most 7 bytes more. */
export function commonLength(one: usize, other: usize, most: usize): usize {
  for (let at: usize = 0; at < most; at += 8) {
    const difference = load<u64>(one + at) ^ load<u64>(other + at);
    if (difference !== 0) return min(most, at + <usize>(ctz(difference) >> 3));
  }
  return most;
}
