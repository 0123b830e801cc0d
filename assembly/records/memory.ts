/*
 * Linear memory of the scanner, low to high. It is a module of its own: browsers need no records.
 *
 *   0            static data
 *   __heap_base
 *   names        the steps of a path: for each, its length (Int32) and its bytes  (json.ts)
 *   starts       Int32 x (ROWS + 1), row starts within the input
 *   froms, tos   Int32 x ROWS each: the URL of a row, within the input
 *   kinds        Uint8 x ROWS                                                   (rows.ts)
 *   offsets      Int32 x (ROWS + 1), row starts within the column
 *   input        whole records                                                 + PAD
 *   column       the URLs of the rows, one after the other                      + PAD
 */

/** Version of the interface of this module. The host refuses a module of another version. */
export const SCANNER_VERSION: i32 = 1;

/** Limits the rows of one call. */
export const ROWS: i32 = 1 << 14;
/** Bytes after a region that 16-byte loads and stores may touch. */
const PAD: usize = 64;
/** Bytes of the names. */
export const NAMES: usize = 4096;

const PAGE: usize = 65536;
const LF: u8 = 10;

function align(n: usize): usize {
  return (n + 15) & ~(<usize>15);
}

export const namesStart: usize = align(__heap_base);
export const starts: usize = namesStart + NAMES;
export const froms: usize = align(starts + ((<usize>ROWS + 1) << 2));
export const tos: usize = froms + ((<usize>ROWS) << 2);
export const kinds: usize = tos + ((<usize>ROWS) << 2);
export const offsets: usize = kinds + <usize>ROWS;
export const inputStart: usize = align(offsets + ((<usize>ROWS + 1) << 2)) + 16;
export let columnStart: usize = 0;

/** Makes room for `bytes` of input. Returns 1, or 0 if the memory cannot grow that far; then nothing has changed. */
export function reserve(bytes: u32): i32 {
  const column = align(inputStart + <usize>bytes + PAD);
  const end = <u64>column + <u64>bytes + <u64>PAD;
  const has = (<u64>memory.size()) << 16;
  if (end > 0xffff_0000) return 0;
  if (end > has && memory.grow(<i32>((end - has + <u64>PAGE - 1) >> 16)) < 0) return 0;
  columnStart = column;
  return 1;
}

/** Ends the input by an LF that belongs to no row, so that scans stop there. */
export function endInput(end: usize): void {
  store<u8>(end, LF);
}
