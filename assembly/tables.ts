/*
 * Memory: reads tables in the plan region. A table: mask, 1 if case is ignored, lengths of its prefixes and
 * of its suffixes as bits, length of its longest name, then mask + 1 slots. A slot is an entry or 0, and
 * slots are probed linearly. An entry: hash, kind, value, length of the name, the name. The time of a look-up
 * does not depend on the number of names.
 */

import { ENTRY, KIND, TABLE, TEXT } from "./catalog.generated";
import { address } from "./plan";
import { DOT, toLower } from "./url/chars";
import { sameBytes } from "./url/component";

const HASH_START: u32 = 0x811c9dc5;

/** Returns the hash after one more byte (FNV-1a). */
function hashByte(hash: u32, byte: u8): u32 {
  return (hash ^ <u32>byte) * 0x01000193;
}

/** Returns the hash of the name `[p, end)`, from its first byte on. */
export function hashName(p: usize, end: usize): u32 {
  let hash = HASH_START;
  for (; p < end; p++) hash = hashByte(hash, load<u8>(p));
  return hash;
}

/** Returns the hash of the host `[p, end)`, from its last byte on. */
export function hashHost(p: usize, end: usize): u32 {
  let hash = HASH_START;
  for (let at = end; at > p; ) hash = hashByte(hash, load<u8>(--at));
  return hash;
}

/**
 * Returns the entry for the name `[p, end)`: its own, or a prefix or suffix of it. Returns 0 if the table has
 * no such entry.
 */
export function findName(table: usize, p: usize, end: usize): usize {
  const entry = findFromStart(table, p, end);
  return entry !== 0 || !hasSuffixes(table) ? entry : findFromEnd(table, p, end);
}

function findFromStart(table: usize, p: usize, end: usize): usize {
  const ignoreCase = load<u32>(table, TABLE.IGNORE_CASE) !== 0;
  const prefixes = load<u32>(table, TABLE.PREFIX_LENGTHS);
  const longest = longestOf(table);
  const hasPrefixes = prefixes !== 0;
  if (end - p > longest && !hasPrefixes) return 0;
  let hash = HASH_START;
  let length: usize = 0;
  for (let at = p; at < end; at++) {
    if (length === longest) return 0;
    const byte = load<u8>(at);
    hash = hashByte(hash, ignoreCase ? toLower(byte) : byte);
    length++;
    if (hasPrefixes && (prefixes & lengthBit(length)) !== 0) {
      const entry = probe(table, hash, KIND.PREFIX, p, length, ignoreCase);
      if (entry !== 0) return entry;
    }
  }
  return probe(table, hash, KIND.EXACT, p, length, ignoreCase);
}

function findFromEnd(table: usize, p: usize, end: usize): usize {
  const ignoreCase = load<u32>(table, TABLE.IGNORE_CASE) !== 0;
  const suffixes = load<u32>(table, TABLE.SUFFIX_LENGTHS);
  const longest = longestOf(table);
  let hash = HASH_START;
  for (let at = end; at > p && end - at < longest; ) {
    const byte = load<u8>(--at);
    hash = hashByte(hash, ignoreCase ? toLower(byte) : byte);
    if ((suffixes & lengthBit(end - at)) === 0) continue;
    const entry = probe(table, hash, KIND.SUFFIX, at, end - at, ignoreCase);
    if (entry !== 0) return entry;
  }
  return 0;
}

/** Returns the bit for a length above 0 among those of prefixes or suffixes. */
function lengthBit(length: usize): u32 {
  return 1 << (<u32>min<usize>(length, 32) - 1);
}

/** Returns the entry of exactly the host `[p, end)`, or 0. */
export function findHost(table: usize, p: usize, end: usize): usize {
  if (end - p > longestOf(table)) return 0;
  return probe(table, hashHost(p, end), KIND.EXACT, p, end - p, false);
}

/** Returns whether the text `[p, end)` is a first label that goes from hosts. */
export function isLabel(table: usize, p: usize, end: usize): bool {
  if (end - p > longestOf(table)) return false;
  return probe(table, hashHost(p, end), KIND.PREFIX, p, end - p, false) !== 0;
}

/**
 * Returns the entry of the host `[p, end)`, else the subdomains entry of the host or of its closest domain,
 * or 0.
 */
export function findSite(table: usize, p: usize, end: usize): usize {
  return findDomain(table, p, end, true);
}

/** Does the same for aliases. An alias of the hosts below a domain is not an alias of the domain itself. */
export function findAlias(table: usize, p: usize, end: usize): usize {
  return findDomain(table, p, end, false);
}

/**
 * Writes the addresses that the entries of the domains of a host point to, as words before `out`: the closest domain
 * comes first, and of more than `most` those with the longest names are left out. Returns where the first one is.
 */
export function writeDomains(table: usize, p: usize, end: usize, most: usize, out: usize): usize {
  const longest = longestOf(table);
  const last = out - (most << 2);
  let hash = HASH_START;
  for (let at = end; at > p && end - at < longest && out > last; ) {
    hash = hashByte(hash, load<u8>(--at));
    if (at > p && load<u8>(at - 1) !== DOT) continue;
    const entry = probe(table, hash, KIND.SUBDOMAINS, at, end - at, false);
    if (entry === 0) continue;
    out -= 4;
    store<u32>(out, <u32>targetOf(entry));
  }
  return out;
}

function findDomain(table: usize, p: usize, end: usize, ofItself: bool): usize {
  const longest = longestOf(table);
  let found: usize = 0;
  let hash = HASH_START;
  let at = end;
  while (at > p && end - at < longest) {
    hash = hashByte(hash, load<u8>(--at));
    if (at > p ? load<u8>(at - 1) !== DOT : !ofItself) continue;
    const entry = probe(table, hash, KIND.SUBDOMAINS, at, end - at, false);
    if (entry !== 0) found = entry;
  }
  if (at > p) return found;
  const exact = probe(table, hash, KIND.EXACT, p, end - p, false);
  return exact === 0 ? found : exact;
}

/** Returns whether `[p, end)` is the name of an entry. */
export function isNameOf(entry: usize, p: usize, end: usize): bool {
  return nameLengthOf(entry) === end - p && sameBytes(nameOf(entry), p, end - p);
}

function longestOf(table: usize): usize {
  return <usize>load<u32>(table, TABLE.LONGEST);
}

/** Returns whether a table has suffixes. */
export function hasSuffixes(table: usize): bool {
  return load<u32>(table, TABLE.SUFFIX_LENGTHS) !== 0;
}

export function slotCount(table: usize): u32 {
  return load<u32>(table, TABLE.MASK) + 1;
}

/** Returns the entry in a slot, or 0. */
export function slotEntry(table: usize, slot: u32): usize {
  return address(table + TABLE.BYTES + ((<usize>slot) << 2));
}

export function isPrefix(entry: usize): bool {
  return load<u32>(entry, ENTRY.KIND) === KIND.PREFIX;
}

export function isSuffix(entry: usize): bool {
  return load<u32>(entry, ENTRY.KIND) === KIND.SUFFIX;
}

export function nameOf(entry: usize): usize {
  return entry + ENTRY.BYTES;
}

export function nameLengthOf(entry: usize): usize {
  return <usize>load<u32>(entry, ENTRY.LENGTH);
}

/** Returns the address that the value of an entry points to. */
export function targetOf(entry: usize): usize {
  return address(entry + ENTRY.VALUE);
}

export function textStart(text: usize): usize {
  return text + TEXT.BYTES;
}

export function textEnd(text: usize): usize {
  return text + TEXT.BYTES + <usize>load<u32>(text, TEXT.LENGTH);
}

function probe(
  table: usize,
  hash: u32,
  kind: u32,
  name: usize,
  length: usize,
  ignoreCase: bool,
): usize {
  const mask = load<u32>(table, TABLE.MASK);
  let slot = hash & mask;
  while (true) {
    const entry = slotEntry(table, slot);
    if (entry === 0) return 0;
    const fits =
      load<u32>(entry, ENTRY.HASH) === hash &&
      load<u32>(entry, ENTRY.KIND) === kind &&
      nameLengthOf(entry) === length;
    if (fits && sameName(nameOf(entry), name, length, ignoreCase)) return entry;
    slot = (slot + 1) & mask;
  }
}

function sameName(stored: usize, name: usize, length: usize, ignoreCase: bool): bool {
  if (!ignoreCase) return memory.compare(stored, name, length) === 0;
  for (let i: usize = 0; i < length; i++) {
    if (load<u8>(stored + i) !== toLower(load<u8>(name + i))) return false;
  }
  return true;
}
