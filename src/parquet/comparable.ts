import type { SchemaElement } from "hyparquet";
import { UrlmillError } from "../base/errors.ts";
import { findLeaf, type Leaf } from "./leaf.ts";

const NANOS_PER_DAY = 86_400_000_000_000n;
const NOTHING = Buffer.alloc(0);

/** Returns a value as a text that compares as the value does: a decimal number, or its bytes. It is empty for no value. */
export type ComparableText = (value: Buffer) => Buffer;

/**
 * Returns the column by whose values rows are chosen, which must not be in a list. Throws `BAD_OPTION` if there is none, or if
 * its type has no order here. `file` is the name that the message gives.
 */
export function findValueLeaf(leaves: readonly Leaf[], name: string, file: string): Leaf {
  const leaf = findLeaf(leaves, name, file, "--keep", isCompared);
  if (leaf.maxRepetitionLevel > 0) {
    throw badColumn(`column "${name}" of ${file} is in a list, and a row has one value to compare`);
  }
  if (!isCompared(leaf)) {
    throw badColumn(`column "${name}" of ${file} holds FLOAT16, which is not compared`);
  }
  return leaf;
}

function isCompared({ element }: Leaf): boolean {
  return element.logical_type?.type !== "FLOAT16";
}

/** Returns the text of values of a column as they are stored, except those of BOOLEAN. */
export function comparableText({ element }: Leaf): ComparableText {
  switch (element.type) {
    case "INT32":
      return isUnsigned(element)
        ? (value) => text(value.readUInt32LE())
        : (value) => text(value.readInt32LE());
    case "INT64":
      return isUnsigned(element)
        ? (value) => text(value.readBigUInt64LE())
        : (value) => text(value.readBigInt64LE());
    case "INT96": // nanoseconds, and the day
      return (value) => text(BigInt(value.readInt32LE(8)) * NANOS_PER_DAY + value.readBigInt64LE());
    case "FLOAT":
      return (value) => textOfFloat(value.readFloatLE());
    case "DOUBLE":
      return (value) => textOfFloat(value.readDoubleLE());
    default:
      return isDecimal(element) ? (value) => text(bigEndian(value)) : (value) => value;
  }
}

function text(number: number | bigint): Buffer {
  return Buffer.from(String(number));
}

/** Writes infinite numbers as decimal ones that are as large. NaN is no value. */
function textOfFloat(number: number): Buffer {
  if (Number.isNaN(number)) return NOTHING;
  if (Number.isFinite(number)) return text(number);
  return Buffer.from(number > 0 ? "1e999" : "-1e999");
}

function isUnsigned({ converted_type, logical_type }: SchemaElement): boolean {
  if (converted_type?.startsWith("UINT_") === true) return true;
  return logical_type?.type === "INTEGER" && !logical_type.isSigned;
}

function isDecimal({ converted_type, logical_type }: SchemaElement): boolean {
  return converted_type === "DECIMAL" || logical_type?.type === "DECIMAL";
}

/** Reads the number in two's complement that bytes are. All numbers of a column have one scale. */
function bigEndian(value: Buffer): bigint {
  if (value.length === 0) return 0n;
  return BigInt.asIntN(8 * value.length, BigInt(`0x${value.toString("hex")}`));
}

function badColumn(message: string): UrlmillError {
  return new UrlmillError("BAD_OPTION", message);
}
