/*
 * Linear memory, low to high. All sizes in bytes, all starts 16-aligned.
 *
 *   0            static data: tables of bytes (chars.ts, sets.ts) and names (options/listed-names.ts), IPv6 pieces
 *                (ipv6.ts), Unicode (unicode.ts), one international domain (url/idna/domain-to-ascii.ts, nfc.ts,
 *                punycode.ts)
 *   __heap_base
 *   plan         the compiled options                              (plan.ts)
 *   base         the normalized base URL                           (base.ts)
 *   input        the window: lines, or column data                 + PAD
 *   inOffsets    Int32 x (rows + 1), row starts within the input
 *   status       Uint8 x rows                                      (status.ts)
 *   outOffsets   Int32 x (rows + 1), row starts within the output
 *   reasons      Uint64 x rows: the rules that changed each CHANGED row, when asked for  (reasons.ts)
 *   fingerprints 16 bytes x rows; before them, 16 bytes of key         (set/fingerprints.ts)
 *   marks        Uint8 x rows: answers for fingerprints, rows chosen (seen.ts, set/copy-rows.ts)
 *   stops        Uint32 x BLOCK_BYTES: addresses of a block's bytes to look at  + PAD  (scan/stops.ts)
 *   text         one row without TAB, LF, CR                       (row.ts)
 *   merged       one row in normal form, of which a key is made      (row.ts)
 *                or one path: with the base's, without session ids    (url/other-scheme.ts, session.ts);
 *                or one query in lower case                        (options/query.ts)
 *   normal       one row in normal form, before rules              (row.ts)
 *                and what rules of sites wrote, read again         (site-rules.ts)
 *   hostText     one host with its www.                            (options/host.ts)
 *                or one scheme and authority                       (set/surts.ts)
 *                or one host twice                                 (urlkey/host.ts)
 *   pieces       one query's parameters, 16 bytes each, in one of two layouts: by options (options/param-slices.ts)
 *                or, while rules of sites work on it, by them (site-rules/params.ts). Neither reads the other's
 *   targets      two of LONGEST_RULED: path and query by rules of sites, by turns  (ruled-url.ts)
 *                or one of them with a mark in place of its last number            (site-rules/aliases.ts)
 *   ruledText    one URL by rules of sites                         (ruled-url.ts)
 *   ruledAgain   the same, read again, by options                  (site-rules.ts)
 *   output       everything up to the table, or to the end of memory
 *   table        the set of fingerprints, 16 or 8 bytes each, after the first insert  (seen.ts)
 *
 * Addresses reach 2^32, so addresses and sizes are unsigned, and sums that could exceed 2^32 use 64 bits.
 * `reserve` lays out the regions and grows the memory. It voids the contents of every region but the table,
 * which it moves. The table grows by itself (seen.ts). Blocks of 16 bytes may read or overwrite PAD bytes
 * after the input and the output.
 */

/** Version of the interface in assembly/README.md. The host refuses a module of another version. */
export const ABI_VERSION: i32 = 13;

/** Bytes after a region that 16-byte loads and stores may touch. */
const PAD: usize = 64;

/** Bytes of input whose stops the fast path for lines finds at a time. */
export const BLOCK_BYTES: usize = 4096;

/** Code points that a domain may have, as in src/url/idna/domain-to-ascii.ts. */
export const LONGEST_DOMAIN: i32 = 2048;
/** Bytes a code point can take in ASCII: `xn--`, `-`, a dot, ten digits of a delta below 2^29. */
const LONGEST_CODE: i32 = 16;
/** Bytes an international domain can take in ASCII. */
const LONGEST_ASCII_DOMAIN: i32 = LONGEST_DOMAIN * LONGEST_CODE;

/**
 * Bytes that one row can gain besides tripling: a scheme, an IPv4 address in dotted form, slashes, a domain.
 */
const ROW_SLACK: usize = 64 + LONGEST_ASCII_DOMAIN;

/** Bytes of the largest output: offsets in it are Int32. */
const LONGEST_OUTPUT: usize = 0x7fff_ff00;

/** Bytes of the longest URL that rules of sites work on, or write. */
export const LONGEST_RULED: usize = 65536;

export let planStart: usize = 0;
/** Bytes of the plan, as the host said. */
export let planBytes: u32 = 0;
export let baseStart: usize = 0;
export let inputStart: usize = 0;
export let inOffsets: usize = 0;
export let statusStart: usize = 0;
export let outOffsets: usize = 0;
export let reasonsStart: usize = 0;
export let fingerprintKey: usize = 0;
export let fingerprints: usize = 0;
export let marks: usize = 0;
export let stopsStart: usize = 0;
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
/** Number of rows that the offset and status regions have room for. */
export let rowCapacity: i32 = 0;

const PAGE: usize = 65536;

function align(n: u64): u64 {
  return (n + 15) & ~(<u64>15);
}

/**
 * Returns an upper bound for a row of `length` bytes in normal form: every byte becomes a triplet, and the
 * base is added.
 */
function normalBound(length: u64, baseBytes: u64): u64 {
  return 3 * length + baseBytes + ROW_SLACK;
}

/** Returns the same bound after rules, which can write a longer host and one `=` for each parameter. */
export function rowBound(length: u64, baseBytes: u64, longestAlias: u64): u64 {
  return normalBound(length, baseBytes) + length + baseBytes + longestAlias;
}

/** The start of the next region, while `reserve` computes whether all regions fit. */
let nextStart: u64 = 0;

/**
 * Returns the start of the next region, which has `bytes` bytes. It is valid only if all regions fit in the
 * end.
 */
function place(bytes: u64): usize {
  const start = nextStart;
  nextStart = align(start + bytes);
  return <usize>start;
}

/**
 * Lays out all regions for a plan and a base of the given sizes and a window of `inputBytes` and `rows` rows.
 * Grows the memory if needed. All four arguments are unsigned. The output has room for at least one row that
 * fills the window. The regions for one row also have room for a row of LONGEST_RULED bytes. Returns 1, or 0
 * if the memory cannot grow that far; then nothing has changed.
 */
export function reserve(planLength: u32, baseBytes: u32, inputBytes: u32, rows: u32): i32 {
  const longest = max<u64>(inputBytes, LONGEST_RULED);
  const row = normalBound(longest, baseBytes);
  nextStart = align(__heap_base);
  const plan = place(<u64>planLength + PAD);
  const base = place(<u64>baseBytes + PAD);
  const input = place(<u64>inputBytes + PAD);
  const inOff = place((<u64>rows + 1) << 2);
  const status = place(rows);
  const outOff = place((<u64>rows + 1) << 2);
  const why = place((<u64>rows) << 3);
  const key = place(16 + ((<u64>rows) << 4));
  const fresh = place(rows);
  const stops = place((BLOCK_BYTES << 2) + PAD);
  const text = place(<u64>inputBytes + PAD);
  const merged = place(rowBound(longest, baseBytes, planLength) + PAD);
  const normal = place(row + PAD);
  const host = place(row + planLength + PAD);
  const pieces = place((longest + baseBytes + 64) << 4);
  const target = place(LONGEST_RULED + PAD);
  const otherTarget = place(LONGEST_RULED + PAD);
  const ruled = place(LONGEST_RULED + PAD);
  const again = place(rowBound(LONGEST_RULED, 0, planLength) + PAD);
  // As SURT, each byte of a host of the base or the plan may be a triplet.
  const triplets = ((<u64>baseBytes + planLength) << 1) + PAD;
  const outputBytes = align(
    rowBound(inputBytes, baseBytes, planLength) + 3 * LONGEST_RULED + triplets,
  );
  const output = place(outputBytes + PAD);

  if (outputBytes > LONGEST_OUTPUT || !growTo(nextStart + tableBytes)) return 0;
  const at = <usize>nextStart;
  if (tableBytes !== 0) {
    const end = tableStart + tableBytes;
    memory.copy(at, tableStart, tableBytes);
    tableStart = at;
    // The set needs zeros after its table.
    if (at + tableBytes < end) memory.fill(at + tableBytes, 0, end - at - tableBytes);
  }
  planStart = plan;
  planBytes = planLength;
  baseStart = base;
  inputStart = input;
  inOffsets = inOff;
  statusStart = status;
  outOffsets = outOff;
  reasonsStart = why;
  fingerprintKey = key;
  fingerprints = key + 16;
  marks = fresh;
  stopsStart = stops;
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
  const room = (tableBytes === 0 ? memoryEnd() : at) - PAD - output;
  outputEnd = output + min(room, LONGEST_OUTPUT);
  rowCapacity = <i32>rows;
  return 1;
}

/**
 * Lays out the two regions that a set alone needs, fingerprints and marks, for `rows` rows. With `output`, there is also
 * an output for as many fingerprints, and a module that divides them among sets needs no more. After this call, only the
 * functions of the set and splitByShard may be called. Returns 1, or 0 if the memory cannot grow that far; then nothing
 * has changed.
 */
export function reserveSet(rows: u32, output: bool): i32 {
  nextStart = align(__heap_base);
  const key = place(16 + ((<u64>rows) << 4));
  const fresh = place(rows);
  const out = place(output ? (<u64>rows) << 4 : 0);
  if (tableBytes !== 0 || !growTo(nextStart)) return 0;
  fingerprintKey = key;
  fingerprints = key + 16;
  marks = fresh;
  outputStart = out;
  rowCapacity = <i32>rows;
  return 1;
}

/**
 * Makes the table `bytes` long, after all regions. Returns false if the memory cannot grow that far. The
 * memory doubles: pages that are never written cost nothing, but the host pays for each call that grows it.
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
  // Leaves out the last page, so that no region ends at 2^32.
  if (end > 0xffff_0000) return false;
  const pages = <i32>((end + <u64>PAGE - 1) / <u64>PAGE) - memory.size();
  return pages <= 0 || memory.grow(pages) >= 0;
}
