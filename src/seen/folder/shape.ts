import { UrlmillError } from "../../base/errors.ts";

/*
 * Schemas of what the files of a set say. Whoever wrote them, nothing reaches the rest of the code that has not the type and
 * the range which its interface names.
 */

/** Says where a value is not what it must be, as `.logs[0].rows` does; null if it is right everywhere. */
export type Shape = (value: unknown) => string | null;

const right = (isRight: boolean): string | null => (isRight ? null : "");

export function whole(least: number, most = Number.MAX_SAFE_INTEGER): Shape {
  return (value) =>
    right(typeof value === "number" && Number.isInteger(value) && value >= least && value <= most);
}

export function text(pattern: RegExp): Shape {
  return (value) => right(typeof value === "string" && pattern.test(value));
}

export function one(...values: readonly unknown[]): Shape {
  return (value) => right(values.includes(value));
}

export function orNull(shape: Shape): Shape {
  return (value) => (value === null ? null : shape(value));
}

/** A list of any length whose items are alike. */
export function list(item: Shape): Shape {
  return (value) => (Array.isArray(value) ? firstWrong(value, () => item) : "");
}

/** A list of as many items as there are shapes. */
export function tuple(...items: readonly Shape[]): Shape {
  return (value) =>
    Array.isArray(value) && value.length === items.length
      ? firstWrong(value, (at) => items[at] as Shape)
      : "";
}

/** An object that has some fields, and may have others. What it has besides does not count. */
export function fields(
  needed: Readonly<Record<string, Shape>>,
  others: Readonly<Record<string, Shape>> = {},
): Shape {
  return (value) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return "";
    const found = value as Readonly<Record<string, unknown>>;
    for (const [name, shape] of Object.entries({ ...needed, ...others })) {
      if (!Object.hasOwn(found, name) && !Object.hasOwn(needed, name)) continue;
      const where = shape(found[name]);
      if (where !== null) return `.${name}${where}`;
    }
    return null;
  };
}

function firstWrong(items: readonly unknown[], shapeOf: (at: number) => Shape): string | null {
  for (const [at, item] of items.entries()) {
    const where = shapeOf(at)(item);
    if (where !== null) return `[${at}]${where}`;
  }
  return null;
}

/** Reads JSON of a certain shape. Throws `SEEN_CORRUPT` for any other text; `name` is what has it, for the message. */
export function parseShape<T>(json: string, shape: Shape, name: string): T {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    throw new UrlmillError("SEEN_CORRUPT", `${name} is damaged: it is not JSON`);
  }
  const where = shape(value);
  if (where === null) return value as T;
  const what = where === "" ? "it holds something else" : `no set has this value of ${where}`;
  throw new UrlmillError("SEEN_CORRUPT", `${name} is damaged: ${what}`);
}
