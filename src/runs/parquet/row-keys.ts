import type { DecodedArray } from "hyparquet";
import { SipHash, textFingerprint } from "../../base/siphash.ts";
import type { ParquetFile } from "../../parquet/input-file.ts";
import type { Leaf } from "../../parquet/leaf.ts";
import type { DecodedPage, Page } from "../../parquet/pages.ts";
import type { ParquetPeers } from "../../parquet/peers.ts";
import type { PlainValues } from "../../parquet/plain-values.ts";
import { decodedValues, plainValues, RowChoice, rowsOf } from "../../parquet/write/row-choice.ts";

/** Bytes of a fingerprint. */
const FINGERPRINT = 16;

/** Reads the pages of a column of a row group, and calls `take` with each. */
export type ReadPages = (leaf: Leaf, take: (page: Page | DecodedPage) => void) => Promise<void>;

/**
 * Returns fingerprints of whole rows, 16 bytes each: of those whose byte in `isChosen` is 1. Two rows have the same one
 * if they have the same values in all columns, nested ones too, in tables with the same columns.
 *
 * Columns are read one after the other, so a fingerprint is the hash of the one before and of the next column's values.
 */
export async function rowKeys(
  { leaves }: Pick<ParquetFile, "leaves">,
  isChosen: Uint8Array,
  key: Uint8Array,
  peers: ParquetPeers,
  readPages: ReadPages,
): Promise<Uint8Array> {
  const rows = rowsOf(isChosen);
  const fingerprints = Buffer.alloc(FINGERPRINT * rows.length);
  if (rows.length === 0) return fingerprints;
  const columns = leaves.map(({ name, element }) => `${name}\t${element.type}\n`);
  fingerprints.fill(textFingerprint(key, Buffer.from(columns.join("")).toString("latin1")));
  const chain = new HashChain(fingerprints, key);
  for (const leaf of leaves) {
    const choice = new RowChoice(leaf, isChosen, rows);
    const values = new RowValues(leaf, peers, chain);
    await readPages(leaf, (page) => values.take(page, choice));
    choice.end();
    values.end();
  }
  return fingerprints;
}

/** Replaces fingerprints of rows by hashes of them and of further values. */
class HashChain {
  readonly #hash: SipHash;
  readonly #fingerprints: Buffer;
  readonly #view: DataView;

  constructor(fingerprints: Buffer, key: Uint8Array) {
    this.#hash = new SipHash(key);
    this.#fingerprints = fingerprints;
    this.#view = new DataView(fingerprints.buffer, fingerprints.byteOffset, fingerprints.length);
  }

  /** Adds values, as a byte string, to a row. */
  add(row: number, values: string): void {
    const at = FINGERPRINT * row;
    const before = this.#fingerprints.toString("latin1", at, at + FINGERPRINT);
    // No URL has the LF (src/base/siphash.ts).
    this.#hash.write(`${before}${values}\n`, this.#view, at);
  }
}

/** Gathers the values of one column row by row. A row of a list can be in several pages. */
class RowValues {
  readonly #leaf: Leaf;
  readonly #peers: ParquetPeers;
  readonly #chain: HashChain;
  #row = -1;
  /** The levels and values of the row so far. */
  #values = "";

  constructor(leaf: Leaf, peers: ParquetPeers, chain: HashChain) {
    this.#leaf = leaf;
    this.#peers = peers;
    this.#chain = chain;
  }

  /** Takes the chosen rows of the next page. */
  take(page: Page | DecodedPage, choice: RowChoice): void {
    const { entries, definitionLevels, repetitionLevels, numbers } = choice.choose(page);
    if (entries === 0) return;
    const textOf = this.#textsOf(page);
    const { maxDefinitionLevel } = this.#leaf;
    let value = 0;
    for (let entry = 0; entry < entries; entry++) {
      const repetition = repetitionLevels[entry] ?? 0;
      const definition = definitionLevels[entry] ?? maxDefinitionLevel;
      if (repetition === 0) this.#next();
      this.#values += String.fromCharCode(repetition, definition);
      if (definition === maxDefinitionLevel) this.#values += textOf(numbers[value++] as number);
    }
  }

  end(): void {
    this.#next();
  }

  #next(): void {
    if (this.#row >= 0) this.#chain.add(this.#row, this.#values);
    this.#row++;
    this.#values = "";
  }

  /** Returns the function that gives the bytes of a value by its number, of any other value other bytes. */
  #textsOf(page: Page | DecodedPage): (number: number) => string {
    if (this.#leaf.element.type === "BOOLEAN") {
      const decoded: DecodedArray = decodedValues(page, this.#leaf, this.#peers);
      return (number) => (decoded[number] ? "\x01" : "\0");
    }
    const values: PlainValues = plainValues(page, this.#leaf, this.#peers);
    const { buffer, byteOffset, length } = values.bytes;
    const bytes = Buffer.from(buffer, byteOffset, length);
    return (number) => bytes.toString("latin1", values.startOf(number), values.endOf(number));
  }
}
