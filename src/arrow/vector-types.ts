import type { Data, Dictionary, LargeUtf8, Utf8, Utf8View, Vector } from "apache-arrow";
import { UrlmillError } from "../base/errors.ts";

/** Names the types of text that a vector of URLs may have. */
export type TextType = Utf8 | LargeUtf8 | Utf8View;

/** Gives the numbers of types in the Arrow format. The number of a dictionary is the library's own. */
export const TYPE_ID = { DICTIONARY: -1, UTF8: 5, LARGE_UTF8: 20, UTF8_VIEW: 24 } as const;

/** Returns an error that says why a vector cannot be read. */
export function badColumn(what: string): UrlmillError {
  return new UrlmillError("BAD_COLUMN", what);
}

/** Returns whether a chunk holds text, not a dictionary of it. */
export function isText(data: Data): data is Data<TextType> {
  const { UTF8, LARGE_UTF8, UTF8_VIEW } = TYPE_ID;
  return data.typeId === UTF8 || data.typeId === LARGE_UTF8 || data.typeId === UTF8_VIEW;
}

/** Holds the buffers of a new chunk, as the constructors of the library take them. */
export interface ChunkBuffers {
  readonly length: number;
  readonly nullCount: number;
  readonly nullBitmap: Uint8Array;
  readonly valueOffsets?: Int32Array | BigInt64Array;
  readonly values: ArrayBufferView;
  readonly variadicBuffers?: readonly Uint8Array[];
  readonly dictionary?: Vector;
}

type DataClass = new (
  type: unknown,
  offset: number,
  length: number,
  nullCount: number,
  buffers: readonly (ArrayBufferView | undefined)[],
  children: readonly never[],
  dictionary: Vector | undefined,
  variadicBuffers: readonly Uint8Array[] | undefined,
) => Data;
type VectorClass = new (data: readonly Data[]) => Vector;
type DictionaryClass = new (dictionary: unknown, indices: unknown) => Dictionary<TextType>;

/** Makes a chunk by the library that made `like`. */
export function makeChunk(like: Data, type: unknown, chunk: ChunkBuffers): Data {
  const { length, nullCount, nullBitmap, valueOffsets, values } = chunk;
  const buffers = [valueOffsets, values, nullBitmap];
  const { dictionary, variadicBuffers } = chunk;
  const DataOf = like.constructor as DataClass;
  return new DataOf(type, 0, length, nullCount, buffers, [], dictionary, variadicBuffers);
}

/** Makes a vector by the library that made `like`. */
export function makeVector(like: Vector, chunks: readonly Data[]): Vector {
  // A memoized vector has a class whose constructor takes a vector.
  const VectorOf = like.unmemoize().constructor as VectorClass;
  return new VectorOf(chunks);
}

/**
 * Makes the same type of dictionary with a number of its own. With one number for both, a file that holds two
 * vectors would give one the values of the other.
 */
export function newDictionaryType(type: Dictionary<TextType>): Dictionary<TextType> {
  const TypeOf = type.constructor as DictionaryClass;
  return new TypeOf(type.dictionary, type.indices);
}
