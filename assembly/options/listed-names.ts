/*
 * Names that the options of a profile drop wherever they stand.
 * Memory: reads names between the pointers it is given and the plan region; MAY_BE_LISTED, static
 * data, has a bit for a hash of the first four bytes of each name that the default profile drops, five bits of
 * each, so in any case: most names need no look-up.
 */
import { defaultProfile, dropTable, listedTable } from "../plan";
import {
  findName,
  hasSuffixes,
  isPrefix,
  nameLengthOf,
  nameOf,
  slotCount,
  slotEntry,
} from "../tables";
import { nameKey } from "./param-slices";

const MAY_BE_LISTED: usize = memory.data(1024, 64);
/** Few, so that the filter stays in the cache; the hash has three bits more. */
const FILTER_BYTES: usize = 1024;
/** Bytes of a name that the filter looks at. */
const HEAD: usize = 4;
/** The bits of such bytes that are the same in both cases of a letter. */
const FOLDED: u32 = 0x1f1f1f1f;
/** The head of an empty name. */
const NO_NAME: u32 = 0;
/** The heads of CFID and CFTOKEN, a session where both stand in one query (query.ts). */
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

/** Adds what can follow a prefix of fewer than HEAD bytes. */
function addLonger(head: u32, length: usize): void {
  for (let byte: u32 = 0; byte < 32; byte++) {
    const longer = head | (byte << (24 - ((<u32>length) << 3)));
    addHead(longer);
    if (length + 1 < HEAD) addLonger(longer, length + 1);
  }
}

/** Adds names that begin with four bytes, big-endian, zeros after a shorter one. */
function addHead(head: u32): void {
  const hash = hashOf(head);
  const at = MAY_BE_LISTED + <usize>(hash >> 3);
  store<u8>(at, load<u8>(at) | ((<u8>1) << (<u8>(hash & 7))));
}

function hashOf(head: u32): u32 {
  return ((head & FOLDED) * MULTIPLIER) >> 19;
}

/** Whether a profile drops the parameter of the name `[p, end)`. */
export function isListed(profile: usize, p: usize, end: usize): bool {
  if (profile === defaultProfile && !mayBeListed(nameKey(p, end))) return false;
  return isInTables(profile, p, end);
}

/**
 * Whether the default profile can drop a parameter, by nameKey of its name; of others few pass. True also of an empty
 * name, and of those that make a session by two.
 */
export function mayBeListed(key: u64): bool {
  const hash = hashOf(<u32>(key >> 32));
  return <bool>((<u32>load<u8>(MAY_BE_LISTED + <usize>(hash >> 3)) >> (hash & 7)) & 1);
}

/** The value of a session parameter in the list of sessions and tracking, as plan/layout.ts has it. */
export const SESSION: u32 = 1;

/** What a parameter of the name `[p, end)` is listed as; 0 where it is neither session nor tracking. */
export function listedAs(profile: usize, p: usize, end: usize): u32 {
  const listed = listedTable(profile);
  const entry: usize = listed === 0 ? 0 : findName(listed, p, end);
  return entry === 0 ? 0 : load<u32>(entry, 8);
}

/** Whether the option `dropParams` of a profile names `[p, end)`. */
export function isDropped(profile: usize, p: usize, end: usize): bool {
  const drop = dropTable(profile);
  return drop !== 0 && findName(drop, p, end) !== 0;
}

function isInTables(profile: usize, p: usize, end: usize): bool {
  return isDropped(profile, p, end) || listedAs(profile, p, end) !== 0;
}
