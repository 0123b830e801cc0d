/*
 * Memory: moves entries of run.ts, and reads their lines, at most 15 bytes after them.
 *
 * Multikey quicksort (Bentley and Sedgewick, 1997) on words of 8 bytes that entries have with them, as Rantala does: lines
 * are read again only where 8 bytes more must be compared, which for keys of one site is rarely.
 */
import { commonLength } from "./memory";

const ENTRY: usize = 16;
const WORD: usize = 8;
/** So few entries are sorted by insertion. */
const FEW: usize = 12 * ENTRY;

/** Returns the 8 bytes at a place as a number that compares as they do. After the end of the line they are 0. */
export function wordAt(at: usize, end: usize): u64 {
  const bytes = v128.load64_zero(at);
  const word = i64x2.extract_lane(
    i8x16.shuffle(bytes, bytes, 7, 6, 5, 4, 3, 2, 1, 0, 7, 6, 5, 4, 3, 2, 1, 0),
    0,
  );
  if (at + WORD <= end) return word;
  return at >= end ? 0 : word & ~(<u64>-1 >>> ((<u64>(end - at)) << 3));
}

function swap(one: usize, other: usize): void {
  const entry = v128.load(one);
  v128.store(one, v128.load(other));
  v128.store(other, entry);
}

/** Returns how many bytes a line has from `depth` on. */
function left(entry: usize, depth: usize): usize {
  return <usize>(load<u32>(entry, 12) - load<u32>(entry, 8)) - depth;
}

/** Sorts the entries [low, high), whose lines have the same first `depth` bytes. */
export function sortEntries(low: usize, high: usize, depth: usize): void {
  while (high - low > FEW) {
    const pivot = choosePivot(low, high);
    let less = low;
    let more = high;
    for (let at = low; at < more; ) {
      const word = load<u64>(at);
      if (word < pivot) {
        swap(less, at);
        less += ENTRY;
        at += ENTRY;
      } else if (word > pivot) {
        more -= ENTRY;
        swap(at, more);
      } else at += ENTRY;
    }
    const equal = deepen(less, more, depth);
    // The largest part is next. So calls are within each other at most as often as entries can be halved.
    const middle = more - equal;
    if (middle >= max(less - low, high - more)) {
      sortEntries(low, less, depth);
      sortEntries(more, high, depth);
      low = equal;
      high = more;
      depth += WORD;
    } else {
      sortEntries(equal, more, depth + WORD);
      if (less - low >= high - more) {
        sortEntries(more, high, depth);
        high = less;
      } else {
        sortEntries(low, less, depth);
        low = more;
      }
    }
  }
  insert(low, high, depth);
}

let seed: u32 = 1;

/** Returns the middle one of the words of three entries by chance: no order of lines is slow. */
function choosePivot(low: usize, high: usize): u64 {
  const count = <u32>((high - low) / ENTRY);
  const one = wordBy(low, count);
  const two = wordBy(low, count);
  const three = wordBy(low, count);
  return max(min(one, two), min(max(one, two), three));
}

function wordBy(low: usize, count: u32): u64 {
  seed ^= seed << 13;
  seed ^= seed >>> 17;
  seed ^= seed << 5;
  return load<u64>(low + <usize>((<u64>seed * <u64>count) >> 32) * ENTRY);
}

/**
 * Reads the next 8 bytes of the lines of entries whose words are the same. Puts those that end within the word first, the
 * shorter ones before the longer ones, which have bytes 0 there. Returns where the others begin.
 */
function deepen(low: usize, high: usize, depth: usize): usize {
  let others = low;
  for (let at = low; at < high; at += ENTRY) {
    if (left(at, depth) <= WORD) {
      swap(others, at);
      others += ENTRY;
      continue;
    }
    store<u64>(at, wordAt(<usize>load<u32>(at, 8) + depth + WORD, load<u32>(at, 12)));
  }
  if (others - low > ENTRY) sortEnded(low, others, depth);
  return others;
}

/** Sorts entries whose lines end within the same word. */
function sortEnded(low: usize, high: usize, depth: usize): void {
  for (let length: usize = 0; length < WORD; length++) {
    for (let at = low; at < high; at += ENTRY) {
      if (left(at, depth) !== length) continue;
      swap(low, at);
      low += ENTRY;
    }
  }
}

/** Sorts a few entries. */
function insert(low: usize, high: usize, depth: usize): void {
  for (let next = low + ENTRY; next < high; next += ENTRY) {
    const entry = v128.load(next);
    let at = next;
    for (; at > low && isLess(entry, at - ENTRY, depth); at -= ENTRY) {
      v128.store(at, v128.load(at - ENTRY));
    }
    v128.store(at, entry);
  }
}

/** Returns whether the line of an entry comes before that of another in memory. */
function isLess(entry: v128, other: usize, depth: usize): bool {
  const word = i64x2.extract_lane(entry, 0);
  const otherWord = load<i64>(other);
  if (word !== otherWord) return <u64>word < <u64>otherWord;
  const from = <usize>i32x4.extract_lane(entry, 2) + depth;
  const otherFrom = <usize>load<u32>(other, 8) + depth;
  const length = <usize>i32x4.extract_lane(entry, 3) - from;
  const otherLength = <usize>load<u32>(other, 12) - otherFrom;
  const most = min(length, otherLength);
  // One that ends within the same word is the beginning of the other.
  if (most <= WORD) return length < otherLength;
  const common = commonLength(from + WORD, otherFrom + WORD, most - WORD) + WORD;
  if (common === most) return length < otherLength;
  return load<u8>(from + common) < load<u8>(otherFrom + common);
}
