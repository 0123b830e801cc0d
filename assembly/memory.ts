/*
 * Linear memory, low to high. All sizes in bytes, all starts 16-aligned.
 *
 *   0            static data: tables of bytes (chars.ts, sets.ts) and names (listed.ts), IPv6 pieces
 *                (ipv6.ts), Unicode (unicode.ts), one international domain (idna.ts, nfc.ts,
 *                punycode.ts)
 *   __heap_base
 *   plan         the compiled options                              (plan.ts)
 *   base         the normalized base URL                           (base.ts)
 *   input        the window: lines, or column data                 + PAD
 *   inOffsets    Int32 x (rows + 1), row starts within the input
 *   status       Uint8 x rows                                      (status.ts)
 *   outOffsets   Int32 x (rows + 1), row starts within the output
 *   fingerprints 16 bytes x rows; before them, 16 bytes of key         (fingerprint.ts)
 *   sameLength   Int32 x rows: the next row of as many words         (fingerprint.ts)
 *   marks        Uint8 x rows: answers for fingerprints, rows chosen (seen.ts, choose.ts)
 *   text         one row without TAB, LF, CR                       (row.ts)
 *   merged       one path: with the base's, without session ids    (other.ts, path-rules.ts)
 *   normal       one row in normal form, before rules              (row.ts)
 *                and what rules of sites wrote, read again         (site-rules.ts)
 *   hostText     one host with its www.                            (host-rules.ts)
 *   pieces       one query's parameters, 16 bytes each            (pieces.ts, rule-params.ts)
 *   targets      two of LONGEST_RULED: path and query by rules of sites, by turns  (ruled-url.ts)
 *   ruledText    one URL by rules of sites                         (ruled-url.ts)
 *   ruledAgain   the same, read again, by options                  (site-rules.ts)
 *   output       everything up to the table, or to the end of memory
 *   table        fingerprints seen, 16 or 8 bytes each, once there are any  (seen.ts)
 *
 * `reserve` lays out and grows; it voids the contents of every region but the table, which it moves.
 * The table grows by itself (seen.ts).
 * PAD bytes after the input and the output may be read or overwritten by 16-byte blocks.
 */

import { LONGEST_ASCII_DOMAIN } from "./idna";

/** Version of the interface in assembly/README.md; the host refuses a module with another. */
export const ABI_VERSION: i32 = 5;

/** Slack behind a region that 16-byte loads and stores may touch. */
const PAD: usize = 64;

/** What one row can add besides tripling: a scheme, an IPv4 address in dotted form, slashes, a domain. */
const ROW_SLACK: usize = 64 + LONGEST_ASCII_DOMAIN;

/** Bytes of the longest URL that rules of sites work on, or write. */
export const LONGEST_RULED: usize = 65536;

export let planStart: usize = 0;
export let baseStart: usize = 0;
export let inputStart: usize = 0;
export let inOffsets: usize = 0;
export let statusStart: usize = 0;
export let outOffsets: usize = 0;
export let fingerprintKey: usize = 0;
export let fingerprints: usize = 0;
export let sameLength: usize = 0;
export let marks: usize = 0;
export let textStart: usize = 0;
export let mergedStart: usize = 0;
export let normalStart: usize = 0;
export let hostText: usize = 0;
export let piecesStart: usize = 0;
export let firstTarget: usize = 0;
export let secondTarget: usize = 0;
export let ruledText: usize = 0;
export let ruledAgain: usize = 0;
export let outputStart: usize = 0;
export let outputEnd: usize = 0;
export let tableStart: usize = 0;
export let tableBytes: usize = 0;
/** Rows the offset and status regions have room for. */
export let rowCapacity: i32 = 0;

const PAGE: usize = 65536;

function align(n: usize): usize {
  return (n + 15) & ~(<usize>15);
}

/** Upper bound of a row of `length` bytes in normal form: every byte a triplet, plus a base. */
function normalBound(length: usize, baseBytes: usize): usize {
  return 3 * length + baseBytes + ROW_SLACK;
}

/** The same after rules, which can write a longer host and one `=` a parameter. */
export function rowBound(length: usize, baseBytes: usize, longestAlias: usize): usize {
  return normalBound(length, baseBytes) + length + baseBytes + longestAlias;
}

/**
 * Lays out all regions for a plan and a base of the given sizes, a window of `inputBytes` and `rows`
 * rows, growing memory when needed. The output has room for at least one row that fills the window; one
 * row's regions have room for one of LONGEST_RULED as well.
 * Returns 1, or 0 when the memory cannot grow that far; then nothing has changed.
 */
export function reserve(planBytes: i32, baseBytes: i32, inputBytes: i32, rows: i32): i32 {
  let at = align(__heap_base);
  const plan = at;
  at = align(at + <usize>planBytes + PAD);
  const base = at;
  at = align(at + <usize>baseBytes + PAD);
  const input = at;
  at = align(at + <usize>inputBytes + PAD);
  const inOff = at;
  at = align(at + ((<usize>rows + 1) << 2));
  const status = at;
  at = align(at + <usize>rows);
  const outOff = at;
  at = align(at + ((<usize>rows + 1) << 2));
  const key = at;
  at = align(at + 16 + ((<usize>rows) << 4));
  const chains = at;
  at = align(at + ((<usize>rows) << 2));
  const fresh = at;
  at = align(at + <usize>rows);
  const text = at;
  at = align(at + <usize>inputBytes + PAD);
  const merged = at;
  const longest = max(<usize>inputBytes, LONGEST_RULED);
  const row = normalBound(longest, <usize>baseBytes);
  at = align(at + row + PAD);
  const normal = at;
  at = align(at + row + PAD);
  const host = at;
  at = align(at + row + <usize>planBytes + PAD);
  const pieces = at;
  at = align(at + ((longest + <usize>baseBytes + 64) << 4));
  const target = at;
  at = align(at + LONGEST_RULED + PAD);
  const otherTarget = at;
  at = align(at + LONGEST_RULED + PAD);
  const ruled = at;
  at = align(at + LONGEST_RULED + PAD);
  const again = at;
  at = align(at + rowBound(LONGEST_RULED, 0, <usize>planBytes) + PAD);
  const output = at;
  at +=
    align(rowBound(<usize>inputBytes, <usize>baseBytes, <usize>planBytes) + LONGEST_RULED) + PAD;

  if (!growTo(<u64>at + <u64>tableBytes)) return 0;
  if (tableBytes !== 0) {
    memory.copy(at, tableStart, tableBytes);
    tableStart = at;
  }
  planStart = plan;
  baseStart = base;
  inputStart = input;
  inOffsets = inOff;
  statusStart = status;
  outOffsets = outOff;
  fingerprintKey = key;
  fingerprints = key + 16;
  sameLength = chains;
  marks = fresh;
  textStart = text;
  mergedStart = merged;
  normalStart = normal;
  hostText = host;
  piecesStart = pieces;
  firstTarget = target;
  secondTarget = otherTarget;
  ruledText = ruled;
  ruledAgain = again;
  outputStart = output;
  outputEnd = (tableBytes === 0 ? memoryEnd() : at) - PAD;
  rowCapacity = rows;
  return 1;
}

/**
 * Makes the table `bytes` long, behind all regions; false when the memory cannot grow so far. The memory
 * doubles: nothing is there that nobody has written to, while each time it grows the host counts it anew.
 */
export function reserveTable(bytes: u64): bool {
  if (tableBytes === 0) tableStart = memoryEnd();
  const end = <u64>tableStart + bytes;
  const twice = <u64>2 * <u64>memoryEnd();
  if (end > <u64>memoryEnd() && !growTo(max(end, twice)) && !growTo(end)) return false;
  tableBytes = <usize>bytes;
  return true;
}

function memoryEnd(): usize {
  return <usize>memory.size() * PAGE;
}

function growTo(end: u64): bool {
  // The last page is left out, so that no end is 2^32.
  if (end > 0xffff_0000) return false;
  const pages = <i32>((end + <u64>PAGE - 1) / <u64>PAGE) - memory.size();
  return pages <= 0 || memory.grow(pages) >= 0;
}
