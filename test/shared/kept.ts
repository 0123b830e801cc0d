import { Random } from "./random.ts";

/** A record to dedupe: its URL, the value by which it is chosen, and a number that tells it from others. */
export interface KeptRow {
  readonly url: string;
  /** The normalized URL, or null for a text that is not a URL. */
  readonly key: string | null;
  /** Null for a record without a value. */
  readonly value: string | null;
  readonly id: number;
}

/** Values to compare: numbers as numbers, else bytes. */
export const VALUES: readonly (string | null)[] = [
  ...[
    "9",
    "10",
    "1e3",
    "-5",
    "-50",
    "+7",
    "007",
    "7.0",
    "0",
    ".5",
    "1.50",
    "NaN",
    "Infinity",
    "x9",
  ],
  ...["2024-01-02", "2024-01-10", "2023-12-31", "20240102030405", "20240102030406"],
  // They are one number as doubles.
  ...["20240102030405123", "20240102030405124", "-20240102030405123", "-20240102030405124"],
  null,
  null,
];

const SPELLINGS = [
  (url: string) => url,
  (url: string) => url.toUpperCase(),
  (url: string) => `${url}#`,
]
  .slice(0, 2)
  .map((spell) => (name: string) => `${spell(`http://${name}`)}/`);

/** Makes rows of about `keys` different URLs, in several spellings, and of texts that are not URLs. */
export function someRows(seed: number, count: number, keys: number): KeptRow[] {
  const random = new Random(seed);
  return Array.from({ length: count }, () => {
    const number = random.below(keys);
    const value = random.pick(VALUES);
    // Few numbers, so that some records are equal as a whole.
    const id = random.below(3);
    if (random.chance(9)) return { url: `nothing ${number % 5}`, key: null, value, id };
    return { url: random.pick(SPELLINGS)(`h${number}`), key: `http://h${number}/`, value, id };
  });
}

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const WHOLE = /^[+-]?\d+$/;

/** Compares two values as docs/cli.md says. */
export function compareValues(one: string, two: string): number {
  if (NUMBER.test(one) && NUMBER.test(two)) {
    if (WHOLE.test(one) && WHOLE.test(two)) return Math.sign(Number(BigInt(one) - BigInt(two)));
    return Math.sign(Number(one) - Number(two));
  }
  return Buffer.compare(Buffer.from(one), Buffer.from(two));
}

/** A record in its written form. */
export interface WrittenRow extends KeptRow {
  readonly text: string;
}

/** What is kept of the records of a key. */
export interface KeptRecord {
  readonly row: WrittenRow;
  readonly count: number;
}

/** Chooses the records to write, in order, by a map. `isLeftOut`: whether the records of a key are left out. */
export function keptRecords(
  rows: readonly WrittenRow[],
  which: string,
  isLeftOut: (key: string) => boolean = () => false,
): KeptRecord[] {
  const best = new Map<string, { at: number; count: number }>();
  for (const [at, row] of rows.entries()) {
    const key = keyOf(row);
    if (isLeftOut(key)) continue;
    const before = best.get(key);
    const isKept = before === undefined || wins(which, row, rows[before.at] as WrittenRow);
    best.set(key, { at: isKept ? at : before.at, count: (before?.count ?? 0) + 1 });
  }
  return [...best.values()]
    .toSorted((one, two) => one.at - two.at)
    .map(({ at, count }) => ({ row: rows[at] as WrittenRow, count }));
}

/** The key of a record: of one without a URL, its whole text. */
export function keyOf({ key, text }: WrittenRow): string {
  return key ?? text;
}

function wins(which: string, { value }: KeptRow, best: KeptRow): boolean {
  if (which === "first" || which === "last") return which === "last";
  if (value === null) return false;
  if (best.value === null) return true;
  const order = compareValues(value, best.value);
  return which === "max" ? order > 0 : order < 0;
}
