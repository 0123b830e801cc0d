/*
 * The first of two passes over rows. It finds the stops of a block: the bytes that the second pass,
 * clean.ts, must look at, such as the LF of lines. A row of a column has no byte that ends it. It stores
 * addresses without a branch for each byte. Only 64 bytes with more than STORED stops take a branch.
 *
 * Memory: reads 64 bytes at a time from the input, up to 63 after its end, and the byte before the block.
 * Writes `stops`, up to STORED words more than there are stops.
 *
 *   lanes     0   1   2   3   4   5   6   7   8   9   a   b   c   d   e   f
 *   block     m   /   a   /   .   .   /   %   7   e   ?   q   =   1  LF   h
 *   outside   .   .   .   .   .   .   .   X   .   .   .   .   .   .   X   .    not in the set (sets.ts)
 *   before    w   m   /   a   /   .   .   /   %   7   e   ?   q   =   1  LF    the block one byte back
 *   dots      .   .   .   .   X   .   .   .   .   .   .   .   .   .   .   .    a dot after a slash
 *   stops     .   .   .   .   X   .   .   X   .   .   .   .   .   .   X   .
 */
import { BLOCK_BYTES, stopsStart } from "../memory";
import { DOT, LF, SLASH } from "../url/chars";
import { highRow, outside, splat } from "../url/sets";

/** Stops that are stored at a time, even if there are fewer. */
const STORED: usize = 3;

/** A byte that does not end a line. Its address comes after the last stop of lines. */
const NO_STOP: usize = memory.data(16, 16);
/** What comes after the last stop of a column: an address after all rows. */
const AFTER_ROWS: u32 = 0xffffffff;

/** The start of the block whose stops are known; 0 before the first block. */
export let blockStart: usize = 0;
/** The end of that block; 0 before the first block. */
export let blockEnd: usize = 0;
/** The address of the word of `stops` that comes after the last one. */
export let stopsEnd: usize = 0;

/** The word that comes after the last stop. */
let lastWord: u32 = 0;

/** Forgets the stops of the block, before other rows of the kind `E` come. */
export function forgetStops<E>(): void {
  lastWord = endsByOffset<E>() ? AFTER_ROWS : <u32>NO_STOP;
  blockStart = 0;
  blockEnd = 0;
  endStops(stopsStart);
}

function endStops(at: usize): void {
  store<u32>(at, lastWord);
  stopsEnd = at;
}

/**
 * Returns whether rows end where offsets say, and not at an LF. `E` is then i32, the type of an offset, else
 * u8, the type of an LF. The compiler knows the answer, and leaves out what the other kind of rows needs.
 */
export function endsByOffset<E>(): bool {
  return sizeof<E>() === sizeof<i32>();
}

/** Returns the stop whose address is at `stopAt`; in a column, at most the `end` of the row. */
export function stopBefore<E>(stopAt: usize, end: usize): usize {
  const at: usize = load<u32>(stopAt);
  return endsByOffset<E>() ? min<usize>(at, end) : at;
}

/** Returns the byte at a stop. At the `end` of a row of a column it is LF, so that the row ends as a line does. */
export function byteBefore<E>(at: usize, end: usize): u8 {
  return endsByOffset<E>() && at === end ? <u8>LF : load<u8>(at);
}

/**
 * Finds the stops of the block at `p`: bytes outside the set, and dots after a slash. The block has
 * BLOCK_BYTES, or fewer if the input ends first.
 */
export function findStops(p: usize, end: usize, set: usize): void {
  const row = v128.load(set);
  const high = highRow();
  const nibble = splat(15);
  const dot = splat(DOT);
  const slash = splat(SLASH);
  const stop = p + min<usize>(end - p, BLOCK_BYTES);
  let at = stopsStart;
  blockStart = p;
  blockEnd = stop;
  for (; p < stop; p += 64) {
    let stops =
      stopsOf(p, row, high, nibble, dot, slash) |
      (stopsOf(p + 16, row, high, nibble, dot, slash) << 16) |
      (stopsOf(p + 32, row, high, nibble, dot, slash) << 32) |
      (stopsOf(p + 48, row, high, nibble, dot, slash) << 48);
    const next = at + ((<usize>popcnt(stops)) << 2);
    do {
      store<u32>(at, <u32>(p + <usize>ctz(stops)));
      stops &= stops - 1;
      store<u32>(at, <u32>(p + <usize>ctz(stops)), 4);
      stops &= stops - 1;
      store<u32>(at, <u32>(p + <usize>ctz(stops)), 8);
      stops &= stops - 1;
      at += STORED << 2;
    } while (at < next);
    at = next;
  }
  // The last 64 bytes can reach over the end.
  while (at > stopsStart && <usize>load<u32>(at - 4) >= stop) at -= 4;
  endStops(at);
}

/** Returns a bit for each of 16 bytes that is a stop. */
function stopsOf(p: usize, row: v128, high: v128, nibble: v128, dot: v128, slash: v128): u64 {
  const block = v128.load(p);
  const dots = v128.and(i8x16.eq(block, dot), i8x16.eq(v128.load(p - 1), slash));
  return <u64>(<u32>i8x16.bitmask(v128.or(outside(block, row, high, nibble), dots)));
}
