/*
 * Names that the options of a profile drop wherever they are in the query.
 * Memory: reads names between the pointers it is given and the plan region. MAY_BE_LISTED is static data: a
 * filter of the names that the default profile drops. It has a bit for a hash of the first four bytes of each
 * name. The hash takes five bits of each byte, so that it ignores case. Most names need no look-up.
 */
import { defaultProfile, dropTable, listedTable } from "../plan";
import {
  findName,
  hasSuffixes,
  isPrefix,
  isSuffix,
  nameLengthOf,
  nameOf,
  slotCount,
  slotEntry,
} from "../tables";
import { nameKey } from "./param-slices";

const MAY_BE_LISTED: usize = memory.data(1024, 64);
/** The filter is small so that it stays in the cache. The hash has three more bits than this number. */
const FILTER_BYTES: usize = 1024;
/** Bytes of a name that the filter looks at. */
const HEAD: usize = 4;
/** The bits of the first bytes that are the same in both cases of a letter. */
const FOLDED: u32 = 0x1f1f1f1f;
/** The head of an empty name. */
const NO_NAME: u32 = 0;
/** The heads of CFID and CFTOKEN, which are a session if both are in one query (query.ts). */
const CFID: u32 = 0x63666964;
const CFTO: u32 = 0x6366746f;
const MULTIPLIER: u32 = 0x9e3779b1;

/** Reads the lists of a new plan. */
export function prepareListed(): void {
  memory.fill(MAY_BE_LISTED, 0, FILTER_BYTES);
  addHead(NO_NAME);
  addHead(CFID);
  addHead(CFTO);
  addTable(dropTable(defaultProfile));
  addTable(listedTable(defaultProfile));
}

function addTable(table: usize): void {
  if (table === 0) return;
  if (hasSuffixes(table)) memory.fill(MAY_BE_LISTED, 0xff, FILTER_BYTES);
  for (let slot: u32 = 0; slot < slotCount(table); slot++) {
    const entry = slotEntry(table, slot);
    if (entry === 0) continue;
    const length = nameLengthOf(entry);
    const head = <u32>(nameKey(nameOf(entry), nameOf(entry) + length) >> 32);
    addHead(head);
    if (isPrefix(entry) && length < HEAD) addLonger(head, length);
  }
}

/** Adds every head that can begin with a prefix of fewer than HEAD bytes. */
function addLonger(head: u32, length: usize): void {
  for (let byte: u32 = 0; byte < 32; byte++) {
    const longer = head | (byte << (24 - ((<u32>length) << 3)));
    addHead(longer);
    if (length + 1 < HEAD) addLonger(longer, length + 1);
  }
}

/** Adds names that begin with these four bytes, big-endian, with zeros after a shorter name. */
function addHead(head: u32): void {
  const hash = hashOf(head);
  const at = MAY_BE_LISTED + <usize>(hash >> 3);
  store<u8>(at, load<u8>(at) | ((<u8>1) << (<u8>(hash & 7))));
}

function hashOf(head: u32): u32 {
  return ((head & FOLDED) * MULTIPLIER) >> 19;
}

/** Returns whether a profile drops the parameter with the name `[p, end)`. */
export function isListed(profile: usize, p: usize, end: usize): bool {
  if (profile === defaultProfile && !mayBeListed(nameKey(p, end))) return false;
  return isInTables(profile, p, end);
}

/**
 * Returns whether the default profile can drop a parameter with this nameKey. Few other names pass. An empty
 * name passes, and so do CFID and CFTOKEN.
 */
export function mayBeListed(key: u64): bool {
  const hash = hashOf(<u32>(key >> 32));
  return <bool>((<u32>load<u8>(MAY_BE_LISTED + <usize>(hash >> 3)) >> (hash & 7)) & 1);
}

/**
 * Returns what the parameter name `[p, end)` is listed as; 0 if it is neither a session nor a tracking name.
 */
export function listedAs(profile: usize, p: usize, end: usize): u32 {
  const listed = listedTable(profile);
  const entry: usize = listed === 0 ? 0 : findName(listed, p, end);
  return entry === 0 ? 0 : load<u32>(entry, 8);
}

/** Returns whether the option `dropParams` of a profile names `[p, end)`. */
export function isDropped(profile: usize, p: usize, end: usize): bool {
  const drop = dropTable(profile);
  return drop !== 0 && findName(drop, p, end) !== 0;
}

/**
 * Returns where the text of the entry of `dropParams` ends that names `[p, end)`: a whole name, or a prefix. For a suffix
 * it is `p`.
 */
export function droppedTextEnd(profile: usize, p: usize, end: usize): usize {
  const entry = findName(dropTable(profile), p, end);
  return isSuffix(entry) ? p : p + nameLengthOf(entry);
}

function isInTables(profile: usize, p: usize, end: usize): bool {
  return isDropped(profile, p, end) || listedAs(profile, p, end) !== 0;
}
