/*
 * Finds the hosts of normalized URLs in lists. Most hosts are not in a list. So the table has, for each entry, one for its last
 * two labels, too (the base). Only hosts whose base may be in the table are looked up. The bases of many hosts are hashed
 * before the filter is asked, so that the processor reads it ahead.
 * Memory: reads the rows, 16 bytes before them and 64 after
 * them, and their starts. Writes a byte for each row, and SCRATCH bytes that mean nothing to the caller.
 *
 * The twin is src/runs/filter/plain-finder.ts.
 *
 *   https://www.example.co.uk/a       the base: co.uk; then example.co.uk and www.example.co.uk
 *           ^start           ^end
 */

import { hashHost } from "./host-hash";
import { bitsOf, mayHave } from "./hosts";
import { FOR_ALL_BELOW, FOR_HOST, UNKNOWN } from "./marks";

/** The most bytes of a host that is looked for, less than two blocks of WIDE bytes. */
const LONGEST_HOST: usize = 63;
const WIDE: usize = 32;
const HTTP: u32 = 0x70747468;
const COLON_SLASHES: u32 = 0x2f2f3a;
/** `file://`, in seven of eight bytes. */
const FILE: u64 = 0x2f2f3a656c6966;

/** The rows that are looked up together. */
const TOGETHER: i32 = 512;
/** Bytes of a host in the scratch memory: its hash, address and end, the bits of its dots. */
const HOST: usize = 24;
const DOTS: usize = 16;
/** The bytes of scratch memory: for hosts, and for the numbers of those that may be listed. */
export const SCRATCH: usize = (24 + 4) * 512;

/** Where rows are: their data, their starts, the bytes after each, their marks. */
let data: usize = 0;
let starts: usize = 0;
let terminator: usize = 0;
let marks: usize = 0;

/** Says where rows are: row i is `data` + [starts[i], starts[i + 1]) without `terminator` bytes, its mark is `marks` + i. */
export function setRows(dataAt: usize, startsAt: usize, endBytes: usize, marksAt: usize): void {
  data = dataAt;
  starts = startsAt;
  terminator = endBytes;
  marks = marksAt;
}

/**
 * Adds to the mark of each of `rows` rows the bits of all entries for its host, if the table has an entry for its last
 * `labels` labels, or for the whole host if it has fewer. A row becomes UNKNOWN if it is not an http, https or file URL, or if
 * its host has userinfo, a port or a dot at its end, is longer than 63 bytes, or is not followed by a slash. The marks are 0 at
 * first.
 */
export function findHosts(rows: i32, labels: i32, scratch: usize): void {
  for (let first = 0; first < rows; first += TOGETHER) {
    const count = min(TOGETHER, rows - first);
    hashRows(first, count, labels, scratch);
    lookUp(keepListed(count, scratch), first, scratch);
  }
}

/** Writes the hosts of `count` rows. The hash is that of the base, or 0 if there is none. */
function hashRows(first: i32, count: i32, labels: i32, scratch: usize): void {
  const slash = i8x16.splat(0x2f);
  const dot = i8x16.splat(0x2e);
  const colon = i8x16.splat(0x3a);
  const toAt = i8x16.splat(0x40 - 0x3a);
  let at = starts + ((<usize>first) << 2);
  let next = data + <usize>load<i32>(at);
  for (let row = 0; row < count; row++, at += 4, scratch += HOST) {
    const start = hostStart(next);
    next = data + <usize>load<i32>(at, 4);
    let ends = <u64>endsIn(start, slash, colon, toAt);
    let dots = <u64>equalIn(start, dot);
    if (ends === 0) {
      ends = (<u64>endsIn(start + WIDE, slash, colon, toAt)) << 32;
      dots |= (<u64>equalIn(start + WIDE, dot)) << 32;
    }
    const end = start + <usize>ctz<u64>(ends);
    dots &= (ends - 1) & ~ends;
    let hash: u32 = 0;
    if (start === 0 || !isPlain(start, end, next - terminator)) {
      store<u8>(marks + <usize>(first + row), <u8>UNKNOWN);
    } else if (end !== start) {
      hash = hashHost(baseStart(start, dots, labels), end);
    }
    store<u32>(scratch, hash);
    store<u32>(scratch, <u32>start, 4);
    store<u32>(scratch, <u32>end, 8);
    store<u64>(scratch, dots, DOTS);
  }
}

/** Returns where the host of an http, https or file URL begins; 0 for another URL, in which also `#` may end a host. */
function hostStart(row: usize): usize {
  const colon = row + 4 + <usize>(load<u8>(row, 4) === 0x73);
  const isHttp = load<u32>(row) === HTTP && (load<u32>(colon) & 0xffffff) === COLON_SLASHES;
  if (isHttp) return colon + 3;
  return (load<u64>(row) & 0xffffffffffffff) === FILE ? row + 7 : 0;
}

/** Returns the bits of 32 bytes that are a slash or are from `:` to `@`. */
function endsIn(at: usize, slash: v128, colon: v128, toAt: v128): u32 {
  const first = endsInBlock(v128.load(at), slash, colon, toAt);
  return first | (endsInBlock(v128.load(at, 16), slash, colon, toAt) << 16);
}

function endsInBlock(bytes: v128, slash: v128, colon: v128, toAt: v128): u32 {
  const others = i8x16.le_u(i8x16.sub(bytes, colon), toAt);
  return <u32>i8x16.bitmask(v128.or(i8x16.eq(bytes, slash), others));
}

/** Returns the bits of 32 bytes that are `char`. */
function equalIn(at: usize, char: v128): u32 {
  const first = <u32>i8x16.bitmask(i8x16.eq(v128.load(at), char));
  return first | ((<u32>i8x16.bitmask(i8x16.eq(v128.load(at, 16), char))) << 16);
}

/** Returns whether a host is plain: a slash follows, within its row, and no dot is before that. */
function isPlain(start: usize, end: usize, rowEnd: usize): bool {
  const isShort = end - start <= LONGEST_HOST && end < rowEnd;
  return isShort && load<u8>(end) === 0x2f && load<u8>(end - 1) !== 0x2e;
}

/** Returns where the last `labels` labels of a host begin. */
function baseStart(start: usize, dots: u64, labels: i32): usize {
  for (let label = 1; label < labels; label++) dots = withoutLast(dots);
  return startAfter(start, dots);
}

/** Returns a number without its highest bit; 0 if it has none. */
function withoutLast(bits: u64): u64 {
  return bits & ((((<u64>1) << 63) >> clz<u64>(bits)) - 1);
}

/** Returns where the label after the last dot of a host begins; without dots, the host. */
function startAfter(start: usize, dots: u64): usize {
  return start + 64 - <usize>clz<u64>(dots);
}

/** Writes the numbers of rows that may be listed after the hosts, and returns how many. No branch depends on the filter. */
function keepListed(count: i32, scratch: usize): i32 {
  const begin = scratch + HOST * TOGETHER;
  let kept = begin;
  for (let row = 0; row < count; row++, scratch += HOST) {
    store<u32>(kept, row);
    kept += mayHave(load<u32>(scratch)) ? 4 : 0;
  }
  return <i32>((kept - begin) >> 2);
}

/** Looks up all endings of `count` hosts. */
function lookUp(count: i32, first: i32, scratch: usize): void {
  const rows = scratch + HOST * TOGETHER;
  for (let at = 0; at < count; at++) {
    const row = load<u32>(rows + ((<usize>at) << 2));
    const host = scratch + <usize>row * HOST;
    if (load<u32>(host) === 0) continue;
    const mark = marks + <usize>(first + row);
    const bits = hostBits(
      <usize>load<u32>(host, 4),
      <usize>load<u32>(host, 8),
      load<u64>(host, DOTS),
    );
    store<u8>(mark, <u8>(<u32>load<u8>(mark) | bits));
  }
}

/** Returns the bits of all entries for a host. */
function hostBits(start: usize, end: usize, dots: u64): u32 {
  let bits: u32 = 0;
  for (; dots !== 0; dots = withoutLast(dots)) bits |= endingBits(startAfter(start, dots), end);
  return (bits & FOR_ALL_BELOW) | (endingBits(start, end) & FOR_HOST);
}

function endingBits(start: usize, end: usize): u32 {
  const hash = hashHost(start, end);
  return mayHave(hash) ? bitsOf(hash, start, end) : 0;
}
