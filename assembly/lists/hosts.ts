/*
 * The hosts of lists, in memory that threads share: src/runs/filter/host-table.ts writes them and says how.
 * Memory: reads the filter, the slots, the entries.
 */

/** Bytes of a slot: the hash, and the place of the entry; 0 if the slot is empty. */
const SLOT: usize = 8;
/** Bytes before the text of an entry: its bits, and the length of the text. */
const HEAD: usize = 3;

let slots: usize = 0;
/** The last slot. Their number is a power of two. */
let lastSlot: u32 = 0;
/** By how much the hash of a slot is shifted for its place. */
let slotShift: u32 = 0;
let filter: usize = 0;
let filterShift: u32 = 0;
let texts: usize = 0;

/** Says where the hosts are. The numbers of slots and of words of the filter are powers of two, with these logarithms. */
export function setHosts(
  slotsAt: usize,
  slotBits: u32,
  filterAt: usize,
  wordBits: u32,
  textsAt: usize,
): void {
  slots = slotsAt;
  lastSlot = ((<u32>1) << slotBits) - 1;
  slotShift = 32 - slotBits;
  filter = filterAt;
  filterShift = 32 - wordBits;
  texts = textsAt;
}

/** Returns whether a hash may be of an entry. Wrong for few of a hundred hashes. */
export function mayHave(hash: u32): bool {
  const bits = ((<u32>1) << (hash >> 1)) | ((<u32>1) << (hash >> 6)) | ((<u32>1) << (hash >> 11));
  const word = load<u32>(filter + ((<usize>((hash * 0x9e3779b1) >> filterShift)) << 2));
  return (word & bits) === bits;
}

/** Returns the bits of the entry that has `hash` and the text [start, end); 0 if there is none. */
export function bitsOf(hash: u32, start: usize, end: usize): u32 {
  let slot = slotOf(hash);
  for (let entry = entryOf(slot); entry !== 0; entry = entryOf(slot)) {
    if (hashOf(slot) === hash && isText(entry, start, end)) return <u32>load<u8>(entry);
    slot = (slot + 1) & lastSlot;
  }
  return 0;
}

function slotOf(hash: u32): u32 {
  return (hash * 0x85ebca6b) >> slotShift;
}

function hashOf(slot: u32): u32 {
  return load<u32>(slots + <usize>slot * SLOT);
}

function entryOf(slot: u32): usize {
  const place = <usize>load<u32>(slots + <usize>slot * SLOT, 4);
  return select<usize>(0, texts + place, place === 0);
}

function isText(entry: usize, from: usize, end: usize): bool {
  if (<usize>load<u16>(entry, 1) !== end - from) return false;
  let text = entry + HEAD;
  for (let at = from; at < end; at++, text++) {
    if (load<u8>(at) !== load<u8>(text)) return false;
  }
  return true;
}
