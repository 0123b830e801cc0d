import type { Leaf } from "./leaf.ts";
import type { RawChunkMeta } from "./raw-footer.ts";

/** Names a chunk in messages. Row groups are counted from 1. */
export function chunkName(leaf: Leaf, group: number): string {
  return `column ${leaf.name} of row group ${group + 1}`;
}

/**
 * Returns the offset at which a chunk begins. Some writers leave out the offset of its dictionary,
 * or write 0.
 */
export function chunkStart({ field_9: data, field_11: dictionary }: RawChunkMeta): number {
  return Number(
    dictionary !== undefined && dictionary > 0n && dictionary < data ? dictionary : data,
  );
}

/** Says why bytes cannot be read, without the words of JavaScript for a value that is missing or out of range. */
export function reasonOf(error: unknown): string {
  if (error instanceof TypeError || error instanceof RangeError) return "it cannot be decoded";
  return (error as Error).message;
}
