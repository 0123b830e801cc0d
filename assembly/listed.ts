/*
 * Names that the rules of a profile drop wherever they stand.
 * Memory: reads names between the pointers it is given and the plan region; MAY_BE_LISTED, static
 * data, has a bit for the first two bytes of each name that the default profile drops, five bits of
 * each, so in any case: most names need no look-up.
 */
import { defaultProfile, dropTable, listedTable } from "./plan";
import { findName, isPrefix, nameLengthOf, nameOf, slotCount, slotEntry } from "./tables";

const MAY_BE_LISTED: usize = memory.data(128, 16);

/** Reads the lists of a new plan. */
export function prepareListed(): void {
  memory.fill(MAY_BE_LISTED, 0, 128);
  addTable(dropTable(defaultProfile));
  addTable(listedTable(defaultProfile));
}

function addTable(table: usize): void {
  if (table === 0) return;
  for (let slot: u32 = 0; slot < slotCount(table); slot++) {
    const entry = slotEntry(table, slot);
    if (entry === 0) continue;
    const name = nameOf(entry);
    const length = nameLengthOf(entry);
    if (length < 2 && isPrefix(entry)) addPrefix(name, length);
    else add(bitOf(name, length));
  }
}

/** A prefix of fewer than two bytes has more bits than one. */
function addPrefix(name: usize, length: usize): void {
  for (let bit: u32 = 0; bit < 1024; bit++) {
    if (length === 0 || bit >> 5 === (<u32>load<u8>(name) & 31)) add(bit);
  }
}

function add(bit: u32): void {
  const at = MAY_BE_LISTED + <usize>(bit >> 3);
  store<u8>(at, load<u8>(at) | ((<u8>1) << (<u8>(bit & 7))));
}

function bitOf(name: usize, length: usize): u32 {
  if (length === 0) return 0;
  const first = (<u32>load<u8>(name) & 31) << 5;
  return length === 1 ? first : first | (<u32>load<u8>(name, 1) & 31);
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

function isInTables(profile: usize, p: usize, end: usize): bool {
  const drop = dropTable(profile);
  const listed = listedTable(profile);
  if (drop !== 0 && findName(drop, p, end) !== 0) return true;
  return listed !== 0 && findName(listed, p, end) !== 0;
}
