import { wordsOf } from "./table.ts";

/** The words of a fingerprint of 128 bits. */
const WORDS = 4;
/**
 * What is mixed into the words of a fingerprint for each place after the first: odd numbers, so that places differ. The first
 * word stays as it is, because it tells the partition.
 */
const MIXED = [0, 0x9e3779b1, 0x85ebca6b, 0xc2b2ae35] as const;

/**
 * Finds the place of each row among the rows of its key: 1 for the first one, and 0 for those after `most`. A row takes the
 * fingerprint of its key with its place mixed in (`atPlaces`), so a set of any kind knows how many rows of a key came before:
 * it has all places up to the last one that was taken. Yields fingerprints, and takes a byte for each: 1 if the set has it.
 * `known`: the places of each key that are known to be taken.
 */
export function* findPlaces(
  fingerprints: Uint8Array,
  most: number,
  known: 0 | 1 = 0,
): Generator<Uint8Array, Uint32Array, Uint8Array> {
  const words = wordsOf(fingerprints);
  const { keyOf, firstRows } = numberKeys(words);
  const taken = yield* takenPlaces(words, firstRows, most, known);
  // The number of a key gives way to the place of its row.
  return keyOf.map((key) => {
    const before = taken[key] as number;
    if (before === most) return 0;
    taken[key] = before + 1;
    return before + 1;
  });
}

/** Finds by bisection how many places of each key are taken. `rows`: one row of each key. */
function* takenPlaces(
  words: Uint32Array,
  rows: Uint32Array,
  most: number,
  known: 0 | 1,
): Generator<Uint8Array, Uint32Array, Uint8Array> {
  const least = new Uint32Array(rows.length).fill(known);
  const greatest = new Uint32Array(rows.length).fill(most);
  let open = numbers(rows.length);
  for (let round: number = known; open.length > 0; round++) {
    // Most keys are new or have all their places.
    const places = open.map((key) => {
      if (round < 2) return round === 0 ? 1 : most;
      return Math.ceil(((least[key] as number) + (greatest[key] as number)) / 2);
    });
    const isTaken = yield mixed(
      words,
      open.map((key) => rows[key] as number),
      places,
    );
    for (let at = 0; at < open.length; at++) {
      const [key, place] = [open[at] as number, places[at] as number];
      if (isTaken[at] === 1) least[key] = place;
      else greatest[key] = place - 1;
    }
    open = open.filter((key) => (least[key] as number) < (greatest[key] as number));
  }
  return least;
}

/**
 * Returns the fingerprints of the rows that have a place, with it mixed in. Place 1 leaves a fingerprint as it is: those of 64
 * bits have no other one.
 */
export function atPlaces(fingerprints: Uint8Array, places: Uint32Array): Uint8Array {
  const rows = numbers(places.length).filter((row) => places[row] !== 0);
  const words = wordsOf(fingerprints);
  const perRow = words.length / places.length;
  return mixed(
    words,
    rows,
    rows.map((row) => places[row] as number),
    perRow,
  );
}

function mixed(
  words: Uint32Array,
  rows: Uint32Array,
  places: Uint32Array,
  perRow = WORDS,
): Uint8Array {
  const result = new Uint32Array(perRow * rows.length);
  for (let at = 0; at < rows.length; at++) {
    const from = perRow * (rows[at] as number);
    const step = (places[at] as number) - 1;
    for (let word = 0; word < perRow; word++) {
      const mix = Math.imul(step, MIXED[word] as number);
      result[perRow * at + word] = (words[from + word] as number) ^ mix;
    }
  }
  return new Uint8Array(result.buffer);
}

/** Returns the numbers from 0 on. */
function numbers(count: number): Uint32Array<ArrayBuffer> {
  const all = new Uint32Array(count);
  for (let at = 0; at < count; at++) all[at] = at;
  return all;
}

/** Numbers the keys of rows in the order of their first rows. */
function numberKeys(words: Uint32Array): { keyOf: Uint32Array; firstRows: Uint32Array } {
  const rows = words.length / WORDS;
  // A power of two, and more than twice the rows: most homes are free. A home has the number of a key plus 1.
  const homes = new Uint32Array(2 ** Math.ceil(Math.log2(2 * rows + 1)));
  const keyOf = new Uint32Array(rows);
  const firstRows = new Uint32Array(rows);
  let keys = 0;
  for (let row = 0; row < rows; row++) {
    let home = (words[WORDS * row + 1] as number) & (homes.length - 1);
    let key = homes[home] as number;
    while (key !== 0 && !areEqual(words, firstRows[key - 1] as number, row)) {
      home = (home + 1) & (homes.length - 1);
      key = homes[home] as number;
    }
    if (key === 0) {
      firstRows[keys++] = row;
      homes[home] = keys;
      key = keys;
    }
    keyOf[row] = key - 1;
  }
  return { keyOf, firstRows: firstRows.subarray(0, keys) };
}

function areEqual(words: Uint32Array, a: number, b: number): boolean {
  for (let word = 0; word < WORDS; word++) {
    if (words[WORDS * a + word] !== words[WORDS * b + word]) return false;
  }
  return true;
}
