import type { ParquetType } from "hyparquet";
import { pageKernel } from "./memory/page-kernel.ts";
import type { ParquetPeers } from "./peers.ts";

type ByteWriter = InstanceType<ParquetPeers["ByteWriter"]>;

/** Counts the bytes of the length before each value of BYTE_ARRAY. */
const LENGTH_BYTES = 4;

/** Nobody who writes a file knows it, so nobody can choose values that all have one hash. */
const HASH_SEED = Math.floor(2 ** 32 * Math.random());
const HASH_PRIME = 0x9e3779b1;

const WIDTHS: Partial<Record<ParquetType, number>> = {
  INT32: 4,
  INT64: 8,
  INT96: 12,
  FLOAT: 4,
  DOUBLE: 8,
};

/** Holds values in the encoding PLAIN, and where each of them is. */
export class PlainValues {
  readonly bytes: Uint8Array;
  readonly count: number;
  /** Counts the bytes before the content of a value: those of its length, if it has one. */
  readonly prefix: number;
  /** Counts the bytes of each value; 0 if the widths differ. */
  readonly #width: number;
  /** Holds the offset of each value, and the end of the last. Empty if all values have one width. */
  readonly #starts: Int32Array;

  private constructor(bytes: Uint8Array, count: number, width: number, starts: Int32Array) {
    this.bytes = bytes;
    this.count = count;
    this.prefix = width === 0 ? LENGTH_BYTES : 0;
    this.#width = width;
    this.#starts = starts;
  }

  /**
   * Finds the values in bytes. Throws if there are fewer or more. Does not take BOOLEAN, whose values have no bytes of their
   * own.
   */
  static read(
    bytes: Uint8Array,
    count: number,
    type: ParquetType,
    typeLength: number | undefined,
  ): PlainValues {
    const width = type === "FIXED_LEN_BYTE_ARRAY" ? typeLength : WIDTHS[type];
    if (type === "BYTE_ARRAY") return new PlainValues(bytes, count, 0, findStarts(bytes, count));
    if (width === undefined || width <= 0) throw new Error(`values of ${type} have no width`);
    if (count < 0 || count * width > bytes.length) throw tooFew();
    if (count * width < bytes.length) throw tooMany();
    return new PlainValues(bytes, count, width, new Int32Array(0));
  }

  /** Encodes texts into an empty writer. `textOf` returns the text of a number below `count`. */
  static ofTexts(
    count: number,
    textOf: (at: number) => Uint8Array,
    writer: ByteWriter,
  ): PlainValues {
    const starts = new Int32Array(count + 1);
    for (let at = 0; at < count; at++) {
      const text = textOf(at);
      writer.appendUint32(text.length);
      writer.appendBytes(text);
      starts[at + 1] = writer.index;
    }
    return new PlainValues(writer.getBytes(), count, 0, starts);
  }

  /** Returns where a value begins, with its length if it has one. */
  startOf(at: number): number {
    return this.#width === 0 ? (this.#starts[at] as number) : at * this.#width;
  }

  endOf(at: number): number {
    return this.#width === 0 ? (this.#starts[at + 1] as number) : (at + 1) * this.#width;
  }

  /** Counts the bytes of all values without their lengths. */
  get contentBytes(): number {
    return this.count === 0 ? 0 : this.endOf(this.count - 1) - this.count * this.prefix;
  }

  bytesOf(numbers: Int32Array): number {
    if (this.#width > 0) return numbers.length * this.#width;
    let sum = 0;
    for (let at = 0; at < numbers.length; at++) {
      const number = numbers[at] as number;
      sum += this.endOf(number) - this.startOf(number);
    }
    return sum;
  }

  /** Returns a hash of the bytes of a value, another one in each process. */
  hashOf(at: number): number {
    const end = this.endOf(at);
    let hash = HASH_SEED;
    for (let byte = this.startOf(at); byte < end; byte++) {
      hash = Math.imul(hash ^ (this.bytes[byte] as number), HASH_PRIME);
      hash ^= hash >>> 15;
    }
    return hash;
  }

  /** Returns whether two values have the same bytes. */
  areEqual(at: number, other: number): boolean {
    const from = this.startOf(at);
    const length = this.endOf(at) - from;
    const start = this.startOf(other);
    if (this.endOf(other) - start !== length) return false;
    for (let byte = 0; byte < length; byte++) {
      if (this.bytes[from + byte] !== this.bytes[start + byte]) return false;
    }
    return true;
  }

  /**
   * Copies the contents of values, one after the other, after the offset that `offsets` begins with. Sets the offset
   * after each.
   */
  copyContents(from: number, to: number, target: Uint8Array, offsets: Int32Array): void {
    const start = offsets[0] as number;
    const bytes = this.bytes.subarray(this.startOf(from), this.endOf(to - 1));
    target.set(pageKernel().joinContents(bytes, start, offsets.subarray(1, to - from + 1)), start);
  }

  /** Appends some values to other bytes; neighbours are copied together. */
  appendTo(target: ByteWriter, numbers: Int32Array): void {
    if (isAscending(numbers)) this.#appendAscending(target, numbers);
    else this.#appendRuns(target, numbers);
  }

  #appendRuns(target: ByteWriter, numbers: Int32Array): void {
    for (let first = 0; first < numbers.length; ) {
      const from = numbers[first] as number;
      let length = 1;
      while (numbers[first + length] === from + length) length++;
      target.appendBytes(this.bytes.subarray(this.startOf(from), this.endOf(from + length - 1)));
      first += length;
    }
  }

  #appendAscending(target: ByteWriter, numbers: Int32Array): void {
    if (numbers.length === 0) return;
    const from = this.startOf(numbers[0] as number);
    const all = this.bytes.subarray(from, this.endOf(numbers.at(-1) as number));
    target.appendBytes(pageKernel().chooseValues(all, numbers, this.#width));
  }
}

function isAscending(numbers: Int32Array): boolean {
  for (let at = 1; at < numbers.length; at++) {
    if ((numbers[at] as number) <= (numbers[at - 1] as number)) return false;
  }
  return true;
}

function findStarts(bytes: Uint8Array, count: number): Int32Array {
  if (count < 0 || count * LENGTH_BYTES > bytes.length) throw tooFew();
  const starts = new Int32Array(count + 1);
  const result = pageKernel().findStarts(bytes, starts);
  if (result !== 0) throw result === 1 ? tooFew() : tooMany();
  return starts;
}

function tooFew(): Error {
  return new Error("it has fewer values than it says");
}

function tooMany(): Error {
  return new Error("it has more values than it says");
}
