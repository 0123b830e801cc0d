/**
 * Returns the partition of a fingerprint, as `partitionOf` of the kernel does (assembly/set/partitions.ts). `word`: its
 * first four bytes, the first of them lowest.
 */
export function partitionOf(word: number, partitions: number): number {
  return ((word >>> 16) * partitions) >>> 16;
}
