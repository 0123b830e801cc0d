/*
 * A table of keys for each partition, in places of 9 bytes: low and high. A key is at its home, which is its 32 highest bits
 * scaled to the number of places, or at the next place that was empty; after the last comes the first. Keys are keyed hashes,
 * so nobody can choose URLs that make long runs.
 */
import { HIGH, KEY, NOBODY, NUMBER, PARTITION, PARTITIONS, prefixOf, ROW } from "./key";

export const PLACE: usize = 9;

let tables: usize = 0;
let places: usize = 0;
let counts: usize = 0;

/** Number of keys in all tables. */
export let keysInTables: i32 = 0;

/** Sets where the tables are, with `count` places in each, and where their numbers of keys are. Empties them. */
export function setTables(at: usize, count: i32, countsAt: usize): void {
  tables = at;
  places = <usize>count;
  counts = countsAt;
  keysInTables = 0;
  memory.fill(at, 0, <usize>PARTITIONS * places * PLACE);
  memory.fill(countsAt, 0, (<usize>PARTITIONS) << 2);
}

/** Returns the most keys that one table has. */
export function fullestTable(): i32 {
  let most: u32 = 0;
  for (let partition = 0; partition < PARTITIONS; partition++) {
    most = max(most, load<u32>(counts + ((<usize>partition) << 2)));
  }
  return <i32>most;
}

/** Gives each table `count` places, more than before. `scratch` has room for one table as it is. */
export function growTables(count: i32, scratch: usize): void {
  const before = places;
  places = <usize>count;
  // From the last table on, a table never grows over one that has not moved.
  for (let partition = PARTITIONS - 1; partition >= 0; partition--) {
    memory.copy(scratch, tables + <usize>partition * before * PLACE, before * PLACE);
    const table = tables + <usize>partition * places * PLACE;
    memory.fill(table, 0, places * PLACE);
    for (let at = scratch; at < scratch + before * PLACE; at += PLACE) {
      const low = load<u64>(at);
      if (low !== 0) put(low, load<u8>(at, HIGH), placeOf(low, load<u8>(at, HIGH), table));
    }
  }
}

/** Adds keys. Writes 1 to `answers` for each that was not there, else 0. */
export function addToTables(keys: usize, count: i32, answers: usize): void {
  for (let row = 0; row < count; row++, keys += KEY, answers++) {
    const partition = <usize>load<u8>(keys, PARTITION);
    const low = load<u64>(keys);
    const high = load<u8>(keys, HIGH);
    const place = placeOf(low, high, tables + partition * places * PLACE);
    const isNew = load<u64>(place) === 0;
    store<u8>(answers, <u8>isNew);
    if (!isNew) continue;
    put(low, high, place);
    const counter = counts + (partition << 2);
    const number = load<u32>(counter) + 1;
    store<u32>(counter, number);
    keysInTables++;
    if (<usize>number >= places) unreachable(); // the host grows or empties tables before
  }
}

/** Writes 1 to `answers` for each key that is not in the tables, else 0. */
export function missingInTables(keys: usize, count: i32, answers: usize): void {
  for (let row = 0; row < count; row++, keys += KEY, answers++) {
    const table = tables + <usize>load<u8>(keys, PARTITION) * places * PLACE;
    const place = placeOf(load<u64>(keys), load<u8>(keys, HIGH), table);
    store<u8>(answers, <u8>(load<u64>(place) === 0));
  }
}

/** Writes the keys of a table as rows for which nobody waits. Returns their end. */
export function takeTable(partition: i32, to: usize): usize {
  const table = tables + <usize>partition * places * PLACE;
  for (let at = table; at < table + places * PLACE; at += PLACE) {
    const low = load<u64>(at);
    if (low === 0) continue;
    store<u64>(to, low);
    store<u8>(to, load<u8>(at, HIGH), HIGH);
    store<u32>(to, NOBODY, NUMBER);
    to += ROW;
  }
  return to;
}

function put(low: u64, high: u8, place: usize): void {
  store<u64>(place, low);
  store<u8>(place, high, HIGH);
}

/** Returns the place of a key, or the empty one where it belongs. */
function placeOf(low: u64, high: u8, table: usize): usize {
  const home = ((prefixOf(low, high) >> 32) * <u64>places) >> 32;
  const end = table + places * PLACE;
  let place = table + <usize>home * PLACE;
  while (true) {
    const there = load<u64>(place);
    if (there === 0 || (there === low && load<u8>(place, HIGH) === high)) return place;
    place += PLACE;
    if (place === end) place = table;
  }
}
