import { parseObject } from "../../formats/json-object.ts";
import { FP_NAMES, type FpSource, fingerprint, namedFingerprint } from "./fingerprint.ts";
import { type Draft, type LineReader, Malformed, type Reading } from "./record.ts";
import { excerpt, isAbsent, isHttpStatus, wholeNumber } from "./values.ts";

/**
 * Returns a reader for JSON objects, one a line, with the members of `LearnRecord`. A fingerprint
 * comes from the member that the option names, else from `fp`, else from the strongest of
 * `FP_NAMES`. `null`, "" and "-" are not values; numbers may be strings of digits, and fingerprints
 * and `ts` whole numbers. Other members are ignored.
 */
export function jsonlReader(source?: FpSource): LineReader {
  return (line) => {
    if (line.trim() === "") return null;
    const object = readJsonObject(line);
    return object instanceof Malformed ? object : readMembers(object, source);
  };
}

/** Returns the JSON object that a text is, or what is wrong with it. */
export function readJsonObject(text: string): Record<string, unknown> | Malformed {
  const object = parseObject(text);
  if (object === "no JSON") return new Malformed(`no JSON: ${excerpt(text)}`);
  return object === "no object" ? new Malformed("JSON, but no object") : object;
}

function readMembers(object: Record<string, unknown>, source: FpSource | undefined): Reading {
  const url = member(object, "url");
  if (typeof url !== "string" || url === "") {
    return new Malformed(url === undefined ? "no member url" : 'the member "url" is not a URL');
  }
  const record: Draft = { url };
  const fp = readFingerprint(object, source);
  if (fp instanceof Malformed) return fp;
  if (fp !== undefined) record.fp = fp;
  for (const name of ["size", "status", "n"] as const) {
    const value = numberMember(object, name);
    if (value instanceof Malformed) return value;
    if (value === undefined) continue;
    if (name === "n" ? value === 0 : name === "status" && !isHttpStatus(value)) {
      return new Malformed(`the member "${name}" is ${value}`);
    }
    record[name] = value;
  }
  for (const name of ["redirect", "canonical", "ts"] as const) {
    const value = textMember(object, name, name === "ts");
    if (value instanceof Malformed) return value;
    if (!isAbsent(value)) record[name] = value;
  }
  return record;
}

function readFingerprint(
  object: Record<string, unknown>,
  source: FpSource | undefined,
): string | Malformed | undefined {
  if (source === undefined) {
    const named = textMember(object, "fp", true);
    if (named instanceof Malformed) return named;
    const fp = named === undefined ? undefined : namedFingerprint(named);
    if (fp !== undefined) return fp;
  }
  for (const { name, kind } of source === undefined ? FP_NAMES : [source]) {
    const text = textMember(object, name, true);
    if (text instanceof Malformed) return text;
    const fp = text === undefined ? undefined : fingerprint(kind, text);
    if (fp !== undefined) return fp;
  }
  return undefined;
}

/**
 * Returns a member's text, or that of a whole number if `orNumber` is true; undefined if it has no
 * value.
 */
export function textMember(
  object: Record<string, unknown>,
  name: string,
  orNumber = false,
): string | Malformed | undefined {
  const value = member(object, name);
  if (value === undefined || typeof value === "string") return value;
  if (orNumber && Number.isSafeInteger(value)) return String(value);
  return new Malformed(`the member "${name}" is ${kindOfJson(value)}, not text`);
}

function numberMember(
  object: Record<string, unknown>,
  name: string,
): number | Malformed | undefined {
  const value = member(object, name);
  if (value === undefined || value === "" || value === "-") return undefined;
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0) return value;
  const read = typeof value === "string" ? wholeNumber(value) : -1;
  if (read >= 0) return read;
  const is = typeof value === "string" ? excerpt(value) : kindOfJson(value);
  return new Malformed(`the member "${name}" is ${is}, no whole number`);
}

function member(object: Record<string, unknown>, name: string): unknown {
  return Object.hasOwn(object, name) ? (object[name] ?? undefined) : undefined;
}

function kindOfJson(value: unknown): string {
  if (Array.isArray(value)) return "an array";
  if (typeof value === "object") return "an object";
  return String(value);
}
