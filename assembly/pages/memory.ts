/*
 * Linear memory of the page kernel, low to high. It is a module of its own: only Parquet needs it.
 *
 *   0            static data
 *   __heap_base
 *   table        Uint16 x TABLE_SIZE, the places of a block by the hashes of their bytes  (compress.ts)
 *   buffer       the bytes to read                                                      + PAD
 *                the bytes to write                                                     + PAD
 *
 * The host divides the buffer.
 */

/** Version of the interface of this module. The host refuses a module of another version. */
export const PAGES_VERSION: i32 = 1;

/** Bits of a place in the table. */
export const TABLE_BITS: u32 = 14;
/** Bytes after a region that 16-byte loads and stores may touch. */
export const PAD: usize = 64;

const PAGE: usize = 65536;

export const table: usize = (__heap_base + 15) & ~(<usize>15);
export const bufferStart: usize = table + ((<usize>2) << TABLE_BITS);

/** Makes room for so many bytes of the buffer. Returns 1, or 0 if the memory cannot grow that far. */
export function reserve(bytes: usize): i32 {
  const wanted = bufferStart + bytes;
  const pages = <i32>((wanted + PAGE - 1) / PAGE) - memory.size();
  return pages <= 0 || memory.grow(pages) >= 0 ? 1 : 0;
}
