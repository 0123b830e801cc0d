import { ByteBuilder } from "../../engine/byte-builder.ts";
import type { Column } from "../../engine/engine.ts";
import { comparableText } from "../../parquet/comparable.ts";
import type { Leaf } from "../../parquet/leaf.ts";
import type { DecodedPage, Page } from "../../parquet/pages.ts";
import type { ParquetPeers } from "../../parquet/peers.ts";
import { decodedValues, plainValues, RowChoice, rowsOf } from "../../parquet/write/row-choice.ts";

const TRUE = Buffer.from("true");
const FALSE = Buffer.from("false");
const NOTHING = Buffer.alloc(0);

/** Gathers the value of each row of a column, as a text by which rows are chosen. */
export class ValueColumn {
  readonly #leaf: Leaf;
  readonly #peers: ParquetPeers;
  readonly #choice: RowChoice;
  readonly #data = ByteBuilder.withRoom(0);
  readonly #offsets: Int32Array;
  #row = 0;

  constructor(leaf: Leaf, rows: number, peers: ParquetPeers) {
    const all = new Uint8Array(rows).fill(1);
    this.#leaf = leaf;
    this.#peers = peers;
    this.#choice = new RowChoice(leaf, all, rowsOf(all));
    this.#offsets = new Int32Array(rows + 1);
  }

  take(page: Page | DecodedPage): void {
    const { entries, definitionLevels, numbers } = this.#choice.choose(page);
    const { maxDefinitionLevel } = this.#leaf;
    const textOf = this.#textsOf(page);
    let value = 0;
    for (let entry = 0; entry < entries; entry++) {
      const isValue = (definitionLevels[entry] ?? maxDefinitionLevel) === maxDefinitionLevel;
      this.#data.append(isValue ? textOf(numbers[value++] as number) : NOTHING);
      this.#offsets[++this.#row] = this.#data.length;
    }
  }

  /** Returns the values. Throws if the pages did not have all rows. */
  end(): Column {
    this.#choice.end();
    return { data: this.#data.bytes(), offsets: this.#offsets };
  }

  /** Returns the function that gives the text of a value by its number. */
  #textsOf(page: Page | DecodedPage): (number: number) => Buffer {
    if (this.#leaf.element.type === "BOOLEAN") {
      const decoded = decodedValues(page, this.#leaf, this.#peers);
      return (number) => (decoded[number] ? TRUE : FALSE);
    }
    const values = plainValues(page, this.#leaf, this.#peers);
    const { buffer, byteOffset, length } = values.bytes;
    const bytes = Buffer.from(buffer, byteOffset, length);
    const textOf = comparableText(this.#leaf);
    return (number) =>
      textOf(bytes.subarray(values.startOf(number) + values.prefix, values.endOf(number)));
  }
}
