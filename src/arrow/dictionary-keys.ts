import type { Data, Dictionary, Vector } from "apache-arrow";
import { isError, Status } from "../base/status.ts";
import { ByteBuilder } from "../engine/byte-builder.ts";
import { toByteString } from "../url/bytes.ts";
import { nullBitmapOf, nullsOf } from "./nulls.ts";
import { type TextRows, textChunk } from "./text-chunk.ts";
import {
  badColumn,
  isText,
  makeChunk,
  makeVector,
  newDictionaryType,
  type TextType,
} from "./vector-types.ts";

type Indices = { [row: number]: number | bigint; readonly length: number } & ArrayBufferView;

/**
 * Normalizes each value of a dictionary once, and keeps one of the values that become equal. The chunks of a
 * vector may have different dictionaries. A dictionary that only adds chunks to the one before continues it
 * and keeps its indices.
 */
export class DictionaryKeys {
  readonly #normalize: (values: Data<TextType>) => TextRows;
  readonly #type: Dictionary<TextType>;
  #dictionary: Vector | null = null;
  #sources: readonly Data[] = [];
  #chunks: Data[] = [];
  #keys = new Map<string, number>();
  /** The new index of each value, and its status. */
  #places: number[] = [];
  #status: number[] = [];
  /** Whether each value keeps its index. */
  #staysInPlace = true;

  /** `normalize`: normalizes the values of a chunk. */
  constructor(type: Dictionary<TextType>, normalize: (values: Data<TextType>) => TextRows) {
    this.#type = newDictionaryType(type);
    this.#normalize = normalize;
  }

  /**
   * Returns a chunk with the indices of normalized values, and writes the status of each row to `status`.
   * Throws `BAD_COLUMN` for an index that its dictionary does not have.
   */
  chunk(data: Data<Dictionary<TextType>>, status: Uint8Array): Data {
    const { length } = data;
    this.#read(data.dictionary);
    const indices = data.values as unknown as Indices | undefined;
    if ((indices?.length ?? 0) < length) {
      throw badColumn(`there are ${indices?.length} indices for ${length} rows`);
    }
    const values = this.#place(indices as Indices, nullsOf(data), status);
    const dictionary = this.#dictionary as Vector;
    return makeChunk(data, this.#type, { ...nullBitmapOf(status), length, values, dictionary });
  }

  /** Returns the new indices of rows. */
  #place(
    indices: Indices,
    isNull: ((row: number) => boolean) | null,
    status: Uint8Array,
  ): ArrayBufferView {
    const IndicesOf = indices.constructor as new (length: number) => Indices;
    const placed = new IndicesOf(status.length);
    const isBig = typeof placed[0] === "bigint";
    const { length } = this.#places;
    for (let row = 0; row < status.length; row++) {
      if (isNull?.(row)) {
        status[row] = Status.NOT_A_STRING;
        continue;
      }
      const index = Number(indices[row]);
      if (!(index >= 0 && index < length)) {
        throw badColumn(`index ${row} is ${index}, and the dictionary has ${length} values`);
      }
      status[row] = this.#status[index] as number;
      const place = this.#places[index] as number;
      if (place >= 0) placed[row] = isBig ? BigInt(place) : place;
    }
    return this.#staysInPlace ? indices : placed;
  }

  /** Normalizes the values of a dictionary that are not normalized yet. */
  #read(dictionary: Vector | undefined): void {
    if (dictionary === undefined) throw badColumn("the dictionary is missing");
    const isSame = (source: Data, at: number): boolean => source === dictionary.data[at];
    if (!this.#sources.every(isSame)) this.#begin();
    const from = this.#sources.length;
    if (this.#dictionary !== null && from === dictionary.data.length) return;
    for (const source of dictionary.data.slice(from)) {
      if (!isText(source)) throw badColumn(`the dictionary holds ${source.type}, not text`);
      this.#append(source);
    }
    this.#sources = dictionary.data;
    // The vector keeps the array that it gets, so it gets a copy.
    this.#dictionary = makeVector(dictionary, [...this.#chunks]);
  }

  #begin(): void {
    this.#sources = [];
    this.#dictionary = null;
    this.#chunks = [];
    this.#keys = new Map();
    this.#places = [];
    this.#status = [];
    this.#staysInPlace = true;
  }

  /** Appends the values of a chunk that the dictionary does not have yet. */
  #append(source: Data<TextType>): void {
    const { bytes, offsets, status } = this.#normalize(source);
    const kept = ByteBuilder.withRoom(bytes.length);
    const ends = [0];
    for (const [row, code] of status.entries()) {
      let place = -1;
      if (!isError(code)) {
        const value = bytes.subarray(offsets[row], offsets[row + 1]);
        const key = toByteString(value);
        place = this.#keys.get(key) ?? this.#keys.size;
        if (place === this.#keys.size) {
          this.#keys.set(key, place);
          kept.append(value);
          ends.push(kept.length);
        }
      }
      if (place !== this.#places.length) this.#staysInPlace = false;
      this.#places.push(place);
      this.#status.push(code);
    }
    if (ends.length === 1 && this.#chunks.length > 0) return;
    const rows = { bytes: kept.bytes(), offsets: ends, status: new Uint8Array(ends.length - 1) };
    this.#chunks.push(textChunk(source, rows));
  }
}
