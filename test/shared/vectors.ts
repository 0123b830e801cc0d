import {
  type Data,
  Dictionary,
  Int16,
  Int32,
  LargeUtf8,
  makeData,
  Uint8,
  Utf8,
  Utf8View,
  Vector,
  vectorFromArray,
} from "apache-arrow";
import type { TextType } from "../../src/arrow/vector-types.ts";
import type { Normalizer, StatusCode, TryResult } from "../../src/index.ts";
import { Status } from "../../src/index.ts";

export type UrlVector = Vector<TextType | Dictionary<TextType>>;
export type Row = string | null;

/** Makes a vector of rows, by the name of its type. */
export const VECTORS: Readonly<Record<string, (rows: readonly Row[]) => UrlVector>> = {
  Utf8: (rows) => vectorFromArray(rows, new Utf8()),
  LargeUtf8: (rows) => vectorFromArray(rows, new LargeUtf8()),
  Utf8View: (rows) => vectorFromArray(rows, new Utf8View()),
  "Dictionary of Utf8": (rows) => vectorFromArray(rows, new Dictionary(new Utf8(), new Int32())),
  "Dictionary of LargeUtf8": (rows) =>
    vectorFromArray(rows, new Dictionary(new LargeUtf8(), new Int16())),
  "Dictionary of Utf8, unsigned": (rows) =>
    vectorFromArray(rows.slice(0, 200), new Dictionary(new Utf8(), new Uint8())),
};

/** A chunk of text whose buffers may be anything. */
export function chunkOf(
  type: TextType,
  length: number,
  valueOffsets: unknown,
  values: unknown,
  nullBitmap: Uint8Array = new Uint8Array(0),
): Data<TextType> {
  const DataClass = makeData({ type: new Utf8() }).constructor as new (
    ...parts: unknown[]
  ) => Data<TextType>;
  const nulls = nullBitmap.length > 0 ? -1 : 0;
  return new DataClass(type, 0, length, nulls, [valueOffsets, values, nullBitmap]);
}

/** The vector of one chunk. */
export function vectorOf(...chunks: Data<TextType | Dictionary<TextType>>[]): UrlVector {
  return new Vector(chunks);
}

/** What each row gives alone. */
export function oneByOne(
  normalizer: Normalizer,
  rows: readonly Row[],
  base?: string,
): { urls: Row[]; status: StatusCode[] } {
  const results = rows.map(
    (row): Pick<TryResult, "url" | "status"> =>
      row === null
        ? { url: null, status: Status.NOT_A_STRING }
        : normalizer.tryNormalize(row, base),
  );
  return { urls: results.map(({ url }) => url), status: results.map(({ status }) => status) };
}
