import type { SchemaElement, Statistics } from "hyparquet";
import type { PlainValues } from "./plain-values.ts";

/** Finds the least and the greatest of values, as their bytes are ordered. */
export interface Bounds {
  /** Takes a value into account. */
  take(values: PlainValues, at: number): void;
  /** Returns both bounds. Returns an empty object if no value had an order. */
  result(): Pick<Statistics, "min_value" | "max_value">;
}

/**
 * Returns an object that finds the bounds of a column, or null if its values are not ordered as
 * they are stored.
 */
export function boundsOf(element: SchemaElement): Bounds | null {
  if (!isPlainlyOrdered(element)) return null;
  switch (element.type) {
    case "INT32":
      return new NumberBounds((view, at) => view.getInt32(at, true));
    case "FLOAT":
      return new NumberBounds((view, at) => view.getFloat32(at, true));
    case "DOUBLE":
      return new NumberBounds((view, at) => view.getFloat64(at, true));
    case "INT64":
      return new LongBounds();
    default:
      return new ByteBounds();
  }
}

class NumberBounds implements Bounds {
  readonly #read: (view: DataView, at: number) => number;
  readonly #views = new Views();
  #min = Number.POSITIVE_INFINITY;
  #max = Number.NEGATIVE_INFINITY;
  #isEmpty = true;

  constructor(read: (view: DataView, at: number) => number) {
    this.#read = read;
  }

  take(values: PlainValues, at: number): void {
    const value = this.#read(this.#views.of(values.bytes), values.startOf(at));
    if (Number.isNaN(value)) return;
    this.#isEmpty = false;
    if (value < this.#min) this.#min = value;
    if (value > this.#max) this.#max = value;
  }

  result(): Pick<Statistics, "min_value" | "max_value"> {
    if (this.#isEmpty) return {};
    // The format wants a least zero as -0 and a greatest zero as +0.
    return {
      min_value: this.#min === 0 ? -0 : this.#min,
      max_value: this.#max === 0 ? 0 : this.#max,
    };
  }
}

/** Compares halves of 64-bit integers, since a BigInt for each value is an object. */
class LongBounds implements Bounds {
  readonly #views = new Views();
  #min: readonly [high: number, low: number] | null = null;
  #max: readonly [high: number, low: number] | null = null;

  take(values: PlainValues, at: number): void {
    const view = this.#views.of(values.bytes);
    const start = values.startOf(at);
    const low = view.getUint32(start, true);
    const high = view.getInt32(start + 4, true);
    const min = this.#min;
    const max = this.#max;
    if (min === null || high < min[0] || (high === min[0] && low < min[1])) this.#min = [high, low];
    if (max === null || high > max[0] || (high === max[0] && low > max[1])) this.#max = [high, low];
  }

  result(): Pick<Statistics, "min_value" | "max_value"> {
    if (this.#min === null || this.#max === null) return {};
    return { min_value: joined(this.#min), max_value: joined(this.#max) };
  }
}

function joined([high, low]: readonly [high: number, low: number]): bigint {
  return (BigInt(high) << 32n) | BigInt(low);
}

class ByteBounds implements Bounds {
  #min: Uint8Array | null = null;
  #max: Uint8Array | null = null;

  take(values: PlainValues, at: number): void {
    const from = values.startOf(at) + values.prefix;
    const to = values.endOf(at);
    // The bytes are copied: their page is not held in memory.
    if (this.#min === null || compareAt(values.bytes, from, to, this.#min) < 0) {
      this.#min = values.bytes.slice(from, to);
    }
    if (this.#max === null || compareAt(values.bytes, from, to, this.#max) > 0) {
      this.#max = values.bytes.slice(from, to);
    }
  }

  result(): Pick<Statistics, "min_value" | "max_value"> {
    if (this.#min === null || this.#max === null) return {};
    return { min_value: this.#min, max_value: this.#max };
  }
}

/** Compares bytes `from` to `to` with others, unsigned. */
function compareAt(bytes: Uint8Array, from: number, to: number, other: Uint8Array): number {
  const length = Math.min(to - from, other.length);
  for (let at = 0; at < length; at++) {
    const difference = (bytes[from + at] as number) - (other[at] as number);
    if (difference !== 0) return difference;
  }
  return to - from - other.length;
}

/** Keeps the view of bytes that were read last. */
class Views {
  #bytes: Uint8Array = new Uint8Array(0);
  #view: DataView = new DataView(new ArrayBuffer(0));

  of(bytes: Uint8Array): DataView {
    if (bytes !== this.#bytes) {
      this.#bytes = bytes;
      this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    }
    return this.#view;
  }
}

/**
 * Returns whether values are ordered as they are stored. Unsigned, decimal and half-precision
 * numbers are not.
 */
function isPlainlyOrdered({ type, converted_type, logical_type }: SchemaElement): boolean {
  if (type === "INT96" || type === "BOOLEAN") return false;
  if (type === "FLOAT" || type === "DOUBLE") return true;
  const isUnsigned =
    converted_type?.startsWith("UINT_") === true ||
    (logical_type?.type === "INTEGER" && !logical_type.isSigned);
  if (type === "INT32" || type === "INT64") return !isUnsigned;
  const isText =
    converted_type === undefined || ["UTF8", "ENUM", "JSON", "BSON"].includes(converted_type);
  const kind = logical_type?.type ?? "STRING";
  return isText && ["STRING", "ENUM", "JSON", "BSON", "UUID"].includes(kind);
}
