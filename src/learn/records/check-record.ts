import { UrlmillError } from "../../base/errors.ts";
import { excerpt } from "../../formats/excerpt.ts";
import { isSimFingerprint } from "../text/sim-classes.ts";
import { FP_KINDS, type LearnRecord, STATEMENTS } from "./record.ts";

/** Throws `BAD_INPUT` for what is neither a list nor an async iterable. */
export function checkRecordList(records: unknown): void {
  const methods = (records ?? {}) as {
    [Symbol.iterator]?: unknown;
    [Symbol.asyncIterator]?: unknown;
  };
  const isList = typeof records === "object" && typeof methods[Symbol.iterator] === "function";
  if (isList || typeof methods[Symbol.asyncIterator] === "function") return;
  throw new UrlmillError(
    "BAD_INPUT",
    `records are a list or an async iterable, not ${kindOf(records)}`,
  );
}

/** Throws `BAD_INPUT` for what is not an array. */
export function checkRecords(records: unknown): asserts records is readonly LearnRecord[] {
  if (Array.isArray(records)) return;
  const what = kindOf(records);
  throw new UrlmillError("BAD_INPUT", `records are an array, not ${what}; spread it into one`);
}

function kindOf(value: unknown): string {
  return value instanceof Object ? `a ${value.constructor?.name}` : String(value);
}

/**
 * Throws `BAD_INPUT`, which names the record by its place, for a member that cannot be what it should be. A `url` that
 * is not a URL is not looked at: such a record is skipped and counted.
 */
export function checkRecord(record: LearnRecord | null | undefined, at: number): void {
  if (typeof record !== "object" || record === null) {
    throw bad(at, `it is ${shown(record)}, not an object with a url`);
  }
  const { fp, self } = record;
  if (fp !== undefined && !isFingerprint(fp)) {
    throw bad(
      at,
      `fp is ${shown(fp)}, not a kind (${FP_KINDS.join(", ")}), a colon and a value, which is 16 hexadecimal digits after sim`,
    );
  }
  for (const name of ["size", "status"] as const) {
    const value = record[name];
    if (value === undefined || (Number.isFinite(value) && value >= 0)) continue;
    throw bad(at, `${name} is ${shown(value)}, not a number from 0 on`);
  }
  for (const name of ["redirect", "refresh", ...STATEMENTS, "noVarySearch", "robots"] as const) {
    const value: unknown = record[name];
    if (value !== undefined && typeof value !== "string") {
      throw bad(at, `${name} is ${shown(value)}, not a text`);
    }
  }
  if (self !== undefined && !isTexts(self)) {
    throw bad(at, `self is ${shown(self)}, not a list of texts`);
  }
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((each) => typeof each === "string");
}

function isFingerprint(fp: unknown): boolean {
  if (typeof fp !== "string") return false;
  if (fp.startsWith("sim:")) return isSimFingerprint(fp);
  return FP_KINDS.some((kind) => fp.startsWith(kind) && fp[kind.length] === ":");
}

function bad(at: number, reason: string): UrlmillError {
  return new UrlmillError(
    "BAD_INPUT",
    `record ${at} of the batch, from 0 on: ${reason}; leave out what is not known`,
  );
}

function shown(value: unknown): string {
  return typeof value === "string" ? excerpt(value) : String(value);
}
