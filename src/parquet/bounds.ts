import type { SchemaElement, Statistics } from "hyparquet";
import { pageKernel } from "./memory/page-kernel.ts";
import type { PlainValues } from "./plain-values.ts";

/** Finds the least and the greatest of values, as their bytes are ordered. */
export interface Bounds {
  /** Takes some values into account. */
  take(values: PlainValues, numbers: Int32Array): void;
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
  #min = Number.POSITIVE_INFINITY;
  #max = Number.NEGATIVE_INFINITY;
  #isEmpty = true;

  constructor(read: (view: DataView, at: number) => number) {
    this.#read = read;
  }

  take(values: PlainValues, numbers: Int32Array): void {
    const view = viewOf(values);
    for (let at = 0; at < numbers.length; at++) {
      const value = this.#read(view, values.startOf(numbers[at] as number));
      if (Number.isNaN(value)) continue;
      this.#isEmpty = false;
      if (value < this.#min) this.#min = value;
      if (value > this.#max) this.#max = value;
    }
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

/** Finds bounds of 64-bit integers by WebAssembly, since a BigInt for each value is an object. */
class LongBounds implements Bounds {
  #min: bigint | null = null;
  #max: bigint | null = null;

  take({ bytes }: PlainValues, numbers: Int32Array): void {
    if (numbers.length === 0) return;
    const [least, greatest] = pageKernel().boundLongs(bytes, numbers);
    if (this.#min === null || least < this.#min) this.#min = least;
    if (this.#max === null || greatest > this.#max) this.#max = greatest;
  }

  result(): Pick<Statistics, "min_value" | "max_value"> {
    if (this.#min === null || this.#max === null) return {};
    return { min_value: this.#min, max_value: this.#max };
  }
}

class ByteBounds implements Bounds {
  #min: Uint8Array | null = null;
  #max: Uint8Array | null = null;

  take(values: PlainValues, numbers: Int32Array): void {
    for (let at = 0; at < numbers.length; at++) this.#take(values, numbers[at] as number);
  }

  #take(values: PlainValues, number: number): void {
    const from = values.startOf(number) + values.prefix;
    const to = values.endOf(number);
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

function viewOf({ bytes }: PlainValues): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
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
