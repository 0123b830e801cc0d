import { excerpt } from "../excerpt.ts";
import { type Encoding, type FieldName, Malformed, type Row, type Span } from "../row.ts";
import { parseObject } from "./json-object.ts";
import { findByPath, followPath, type PathValue } from "./json-path.ts";

/** Holds the members of a JSON object, and of the objects and arrays inside it, by their paths. */
export class JsonRow implements Row {
  readonly #fields: readonly FieldName[];
  readonly #paths: readonly (readonly string[])[];
  readonly #encoding: Encoding;
  #object: Record<string, unknown> = {};
  #line = "";
  #open = 0;

  constructor(fields: readonly FieldName[], encoding: Encoding) {
    this.#fields = fields;
    this.#paths = fields.map(({ name }) => name.split("."));
    this.#encoding = encoding;
  }

  /** Takes the object that begins at `open` and ends with the line. */
  take(line: string, open: number): this | Malformed {
    const text = this.#encoding.decode(line.slice(open));
    if (text === null) return new Malformed("not UTF-8");
    const object = parseObject(text);
    if (object === "not JSON") return new Malformed(`not JSON: ${excerpt(text)}`);
    if (object === "not an object") return new Malformed("JSON, but not an object");
    this.#object = object;
    this.#line = line;
    this.#open = open;
    return this;
  }

  text(field: number): string | Malformed | undefined {
    const { name, mayBeNumber, mayBeList } = this.#fields[field] as FieldName;
    const value = this.#find(field)?.value;
    if (value === undefined || value === null) return undefined;
    if (typeof value === "string") return value;
    if (mayBeNumber && Number.isSafeInteger(value)) return String(value);
    if (mayBeList && isTexts(value))
      return value.map((each) => each.replace(/ /g, "%20")).join(" ");
    if (mayBeList) return new Malformed(`the member "${name}" is not a list of texts`);
    const wanted = mayBeNumber ? "not text and not a whole number" : "not text";
    return new Malformed(`the member "${name}" is ${kindOfJson(value)}, ${wanted}`);
  }

  encoded(field: number): string | undefined {
    const text = this.text(field);
    if (typeof text === "string") return this.#encoding.encode(text);
    const isWanted = this.#fields[field]?.mayBeScalar === true && text instanceof Malformed;
    return isWanted && typeof this.#find(field)?.value !== "object"
      ? this.#written(field)
      : undefined;
  }

  /** Works for lines that are byte strings. */
  span(field: number): Span {
    const { steps } = this.#find(field) as PathValue;
    const { from, to } = findByPath(this.#line.slice(this.#open), steps);
    return { from: this.#open + from, to: this.#open + to };
  }

  #written(field: number): string {
    const { from, to } = this.span(field);
    return this.#line.slice(from, to);
  }

  #find(field: number): PathValue | undefined {
    return followPath(this.#object, this.#paths[field] as readonly string[]);
  }
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((each) => typeof each === "string");
}

function kindOfJson(value: unknown): string {
  if (Array.isArray(value)) return "an array";
  if (typeof value === "object") return "an object";
  return String(value);
}
