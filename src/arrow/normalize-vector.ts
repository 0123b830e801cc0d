import type { Data, DataType, Dictionary, Vector } from "apache-arrow";
import { UrlmillError } from "../base/errors.ts";
import { Status } from "../base/status.ts";
import { ByteBuilder } from "../engine/byte-builder.ts";
import type { NormalizedColumn } from "../engine/engine.ts";
import { createNormalizer } from "../index.ts";
import type { BatchOptions } from "../normalizer/calls.ts";
import { checkCallOptions } from "../normalizer/check-calls.ts";
import { Normalizer } from "../normalizer/normalizer.ts";
import { DictionaryKeys } from "./dictionary-keys.ts";
import { type IsNull, nullsOf, withoutNullBytes } from "./nulls.ts";
import { columnsOf, type TextRows, textChunk } from "./text-chunk.ts";
import { badColumn, isText, makeVector, type TextType, TYPE_ID } from "./vector-types.ts";

/** Holds a vector of normalized URLs with the status of each row. */
export interface NormalizedVector<T extends DataType> {
  /** Holds the normalized URLs; a row that was null, or whose status is an error, is null. */
  readonly vector: Vector<T>;
  /** Holds one status byte per row (`Status`); a row that was null is `NOT_A_STRING`. */
  readonly status: Uint8Array;
}

/**
 * Normalizes a vector of the package `apache-arrow` that holds text (Utf8, LargeUtf8, Utf8View) or a dictionary of
 * text. Returns a vector of the same type, with the same chunks, made by the caller's copy of that package. A row
 * that is null stays null, and a row with an error becomes null. Bytes go through `normalizeColumn`: no string is
 * made for a row.
 *
 * Each value of a dictionary is normalized once, even if no row has it. Values that become equal are one
 * value in the new dictionary, so that rows with equal URLs have equal indices.
 *
 * Throws `BAD_COLUMN` for another type, for null, which `getChild` returns for a missing column, and for
 * offsets or indices that do not fit the data. Also throws what `normalizeColumn` throws.
 *
 * @example
 * import { vectorFromArray, Utf8 } from "apache-arrow";
 * import { normalizeVector } from "urlmill/arrow";
 * const urls = vectorFromArray(["HTTP://A", null, "x"], new Utf8());
 * const { vector, status } = normalizeVector(urls, createNormalizer({ preset: "crawl" }));
 * vector.toJSON(); // ["http://a/", null, null]
 * status; // Uint8Array.of(1, 14, 3)
 */
export function normalizeVector<T extends DataType>(
  vector: Vector<T> | null,
  normalizer: Normalizer = createNormalizer(),
  options: BatchOptions = {},
): NormalizedVector<T> {
  checkVector(vector);
  checkNormalizer(normalizer);
  checkCallOptions(options);
  const { base } = options;
  const normalize = (data: Data<TextType>): TextRows => normalizeText(data, normalizer, { base });
  const keys =
    vector.type.typeId === TYPE_ID.DICTIONARY
      ? new DictionaryKeys(vector.type as unknown as Dictionary<TextType>, normalize)
      : null;
  const status = new Uint8Array(vector.length);
  let first = 0;
  const chunks = (vector.data as readonly Data[]).map((data) => {
    const rows = status.subarray(first, first + data.length);
    first += data.length;
    if (keys !== null) return keys.chunk(data as Data<Dictionary<TextType>>, rows);
    if (!isText(data)) throw badColumn(`a vector of ${data.type} is not text: cast it to Utf8`);
    const normalized = normalize(data);
    rows.set(normalized.status);
    return textChunk(data, normalized);
  });
  return { vector: makeVector(vector, chunks) as Vector<T>, status };
}

/** Normalizes the rows of a chunk. */
function normalizeText(
  data: Data<TextType>,
  normalizer: Normalizer,
  options: BatchOptions,
): TextRows {
  const isNull = nullsOf(data);
  const pieces: NormalizedColumn<ArrayBufferLike>[] = [];
  let first = 0;
  for (const column of columnsOf(data)) {
    const normalized = normalizer.normalizeColumn(column, options);
    const before = first;
    first += normalized.status.length;
    pieces.push(
      isNull === null ? normalized : withNulls(normalized, (row) => isNull(before + row)),
    );
  }
  return joined(pieces);
}

/**
 * Returns the rows of a chunk with nulls. The bytes of a null may be anything, and must not reach the result.
 */
function withNulls(
  normalized: NormalizedColumn,
  isNull: IsNull,
): NormalizedColumn<ArrayBufferLike> {
  const { status } = normalized;
  for (let row = 0; row < status.length; row++) {
    if (isNull(row)) status[row] = Status.NOT_A_STRING;
  }
  return { ...withoutNullBytes(normalized, isNull), status };
}

function joined(pieces: readonly NormalizedColumn<ArrayBufferLike>[]): TextRows {
  const [only] = pieces;
  if (only !== undefined && pieces.length === 1) {
    return { bytes: only.data, offsets: only.offsets, status: only.status };
  }
  const bytes = ByteBuilder.withRoom(pieces.reduce((sum, { data }) => sum + data.length, 0));
  const status = ByteBuilder.withRoom(pieces.reduce((sum, piece) => sum + piece.status.length, 0));
  const offsets = [0];
  for (const piece of pieces) {
    const start = bytes.length;
    for (let row = 1; row < piece.offsets.length; row++) {
      offsets.push(start + (piece.offsets[row] as number));
    }
    bytes.append(piece.data);
    status.append(piece.status);
  }
  return { bytes: bytes.bytes(), offsets, status: status.bytes() };
}

function checkVector(vector: Vector | null): asserts vector is Vector {
  const { type, data } = (vector ?? {}) as { type?: { typeId?: unknown }; data?: unknown };
  if (Array.isArray(data) && typeof type?.typeId === "number") return;
  throw badColumn(
    "it must be a vector of apache-arrow: getChild gives null for a column that a table does not have",
  );
}

function checkNormalizer(normalizer: unknown): void {
  if (normalizer instanceof Normalizer) return;
  throw new UrlmillError("BAD_OPTION", "normalizer must be what createNormalizer returns");
}
