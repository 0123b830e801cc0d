import { type FieldName, type Fields, Malformed } from "../../formats/row.ts";
import { FP_NAMES, type FpSource, fingerprint, namedFingerprint } from "./fingerprint.ts";
import { type Draft, type FpKind, type Reading, STATEMENTS } from "./record.ts";
import { isAbsent, isHttpStatus, notNumber, notStatus, wholeNumber } from "./values.ts";

const NUMBERS = ["size", "status"] as const;
const HEADER = "no-vary-search";
const SAID = [...STATEMENTS, "noVarySearch", HEADER, "robots", "self"] as const;
const TEXTS = ["redirect", "refresh", ...SAID, "ts"] as const;
/** Lists the fields that are read besides the URL and a fingerprint. */
export const OTHER_FIELDS: readonly string[] = [...NUMBERS, ...TEXTS];
const URL = 0;
const FP = 1;

/** Describes a field that holds a fingerprint of one kind. */
interface KindField {
  readonly kind: FpKind;
  readonly name: string;
  readonly field: number;
}

/**
 * Reads records whose fields have the names of `LearnRecord`: columns of TSV, members of JSON. A fingerprint comes from
 * the field that the option names, else from `fp`, else from the first of `FP_NAMES` that has a value. "" and "-" are
 * not values, nor is `null`.
 */
export class NamedRecords {
  /** The fields to ask a reader for. */
  readonly fields: readonly FieldName[];
  readonly #kinds: readonly KindField[];
  readonly #hasFp: boolean;
  readonly #numbers: readonly (readonly [(typeof NUMBERS)[number], number])[];
  readonly #texts: readonly (readonly [(typeof TEXTS)[number], number])[];
  readonly #fpNames: Set<string>;

  /** `fpNames` gets the name of each field that a fingerprint is taken from. */
  constructor(url: FieldName, source: FpSource | undefined, fpNames: Set<string>) {
    this.#fpNames = fpNames;
    const fields: FieldName[] = [url];
    const add = (name: string, isNeeded = false): number =>
      fields.push({
        name,
        isNeeded,
        mayBeNumber: !NEVER_NUMBERS.includes(name),
        mayBeList: name === "self",
      }) - 1;
    this.#hasFp = source === undefined;
    if (this.#hasFp) add("fp");
    this.#kinds = (source === undefined ? FP_NAMES : [source]).map(({ name, kind }) => ({
      kind,
      name,
      field: add(name, source !== undefined),
    }));
    // A field with a fingerprint is not read as something else.
    const isFree = (name: string): boolean => name !== source?.name;
    this.#numbers = NUMBERS.filter(isFree).map((name) => [name, add(name)]);
    this.#texts = TEXTS.filter(isFree).map((name) => [name, add(name)]);
    this.fields = fields;
  }

  read(row: Fields): Reading {
    const url = row.text(URL);
    if (url instanceof Malformed) return url;
    if (url === undefined)
      return new Malformed(`no member ${(this.fields[URL] as FieldName).name}`);
    if (url === "") return new Malformed("the url is empty");
    const record: Draft = { url };
    return (
      this.#readFingerprint(row, record) ??
      this.#readNumbers(row, record) ??
      this.#readTexts(row, record) ??
      record
    );
  }

  #readFingerprint(row: Fields, record: Draft): Malformed | undefined {
    const named = this.#hasFp ? row.text(FP) : undefined;
    if (named instanceof Malformed) return named;
    if (named !== undefined) {
      const fp = namedFingerprint(named);
      if (fp instanceof Malformed) return fp;
      if (fp !== undefined) this.#setFingerprint(record, fp, "fp");
      return undefined;
    }
    for (const { kind, name, field } of this.#kinds) {
      const text = row.text(field);
      if (text instanceof Malformed) return text;
      const fp = text === undefined ? undefined : fingerprint(kind, text);
      if (fp === undefined) continue;
      if (fp instanceof Malformed) return fp;
      this.#setFingerprint(record, fp, name);
      return undefined;
    }
    return undefined;
  }

  #setFingerprint(record: Draft, fp: string, name: string): void {
    record.fp = fp;
    this.#fpNames.add(name);
  }

  #readNumbers(row: Fields, record: Draft): Malformed | undefined {
    for (const [name, field] of this.#numbers) {
      const text = row.text(field);
      if (text instanceof Malformed) return text;
      if (isAbsent(text)) continue;
      const value = wholeNumber(text);
      if (name === "status" && !isHttpStatus(value)) return notStatus(text);
      if (value < 0) return notNumber(name, text);
      record[name] = value;
    }
    return undefined;
  }

  #readTexts(row: Fields, record: Draft): Malformed | undefined {
    for (const [name, field] of this.#texts) {
      const text = row.text(field);
      if (text instanceof Malformed) return text;
      if (isAbsent(text)) continue;
      if (name === "self") record.self = text.split(" ").filter((link) => link !== "");
      else record[name === HEADER ? "noVarySearch" : name] = text;
    }
    return undefined;
  }
}

/** Lists the members of JSON that cannot be numbers. */
const NEVER_NUMBERS: readonly string[] = TEXTS.filter((name) => name !== "ts");
