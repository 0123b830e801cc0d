/*
 * Names that the options of a profile drop wherever they stand.
 * Memory: reads names between the pointers it is given and the plan region; MAY_BE_LISTED, static
 * data, has a bit for the first three bytes of each name that the default profile drops, five bits of
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

const MAY_BE_LISTED: usize = memory.data(4096, 16);

/** Reads the lists of a new plan. */
export function prepareListed(): void {
  memory.fill(MAY_BE_LISTED, 0, 4096);
  addTable(dropTable(defaultProfile));
  addTable(listedTable(defaultProfile));
}

function addTable(table: usize): void {
  if (table === 0) return;
  if (hasSuffixes(table)) memory.fill(MAY_BE_LISTED, 0xff, 4096);
  for (let slot: u32 = 0; slot < slotCount(table); slot++) {
    const entry = slotEntry(table, slot);
    if (entry === 0) continue;
    const length = nameLengthOf(entry);
    const first = bitOf(nameOf(entry), length);
    // A prefix of fewer than three bytes has a bit for all that can follow.
    const count: u32 = length < 3 && isPrefix(entry) ? 1 << (15 - 5 * <u32>length) : 1;
    for (let bit = first; bit < first + count; bit++) add(bit);
  }
}

function add(bit: u32): void {
  const at = MAY_BE_LISTED + <usize>(bit >> 3);
  store<u8>(at, load<u8>(at) | ((<u8>1) << (<u8>(bit & 7))));
}

function bitOf(name: usize, length: usize): u32 {
  const bytes = load<u32>(name) & 0x1f1f1f & ((1 << ((<u32>min<usize>(length, 3)) << 3)) - 1);
  return ((bytes & 31) << 10) | ((bytes >> 3) & 0x3e0) | (bytes >> 16);
}

/** Whether a profile drops the parameter of the name `[p, end)`. */
export function isListed(profile: usize, p: usize, end: usize): bool {
  if (profile === defaultProfile && !mayBeListed(p, end)) return false;
  return isInTables(profile, p, end);
}

function mayBeListed(p: usize, end: usize): bool {
  const bit = bitOf(p, end - p);
  return ((load<u8>(MAY_BE_LISTED + <usize>(bit >> 3)) >> <u8>(bit & 7)) & 1) !== 0;
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
