/** Changes with each change of the interface or of what is on disk. */
export const DISK_VERSION: i32 = 4;

/** Returns where the memory begins that the host divides. */
export function memoryStart(): usize {
  return (__heap_base + 15) & ~15;
}

/** Makes the memory reach to `end`. Returns whether the platform had room. */
export function reserve(end: usize): bool {
  const pages = <i32>((end + 0xffff) >> 16) - memory.size();
  return pages <= 0 || memory.grow(pages) >= 0;
}
