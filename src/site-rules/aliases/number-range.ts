import { isDigit } from "../../url/chars.ts";

/** Holds URLs of a site that are equal but for their last number, as path and query. */
export interface NumberRange {
  /** Holds the URL with `<` in place of its last number: no normalized URL has that byte. */
  readonly shape: string;
  readonly first: number;
  readonly last: number;
}

/** Matches a URL with a range, such as `<12..34>`, in place of its last number. */
export const RANGE = /^([^<]*[^\d<])<(0|[1-9]\d{0,8})\.\.([1-9]\d{0,8})>([^\d<]*)$/;

/** Limits the digits of a number, so that a word of the plan holds it. */
const MOST_DIGITS = 9;

/** Returns the range that the URL of an alias has; null if it has none. */
export function rangeIn(from: string): NumberRange | null {
  const [, before, first, last, after] = from.includes("<") ? (RANGE.exec(from) ?? []) : [];
  if (before === undefined) return null;
  return { shape: `${before}<${after}`, first: Number(first), last: Number(last) };
}

/** Writes a range as the URL of an alias. */
export function writeRange({ shape, first, last }: NumberRange): string {
  return shape.replace("<", `<${first}..${last}>`);
}

/** Returns the URL of a shape with a number. */
export function withNumber(shape: string, number: number): string {
  return shape.replace("<", String(number));
}

/** Splits a URL at its last number. Returns null if it has none, or one that no range can have. */
export function splitNumber(target: string): { shape: string; number: number } | null {
  let end = target.length;
  while (end > 0 && !isDigit(target.charCodeAt(end - 1))) end--;
  let start = end;
  while (start > 0 && isDigit(target.charCodeAt(start - 1))) start--;
  const digits = target.slice(start, end);
  const number = Number(digits);
  // A number of a range is written without zeros before it.
  if (digits.length > MOST_DIGITS || String(number) !== digits) return null;
  return { shape: `${target.slice(0, start)}<${target.slice(end)}`, number };
}

/** Returns the range that has a URL, of those of each shape, which are sorted and have no number in common. */
export function findRange<T extends Pick<NumberRange, "first" | "last">>(
  ranges: ReadonlyMap<string, readonly T[]>,
  target: string,
): T | undefined {
  const found = ranges.size === 0 ? null : splitNumber(target);
  const own = found === null ? undefined : ranges.get(found.shape);
  if (found === null || own === undefined) return undefined;
  let [low, high] = [0, own.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((own[middle] as T).first <= found.number) low = middle + 1;
    else high = middle;
  }
  const range = own[low - 1];
  return range !== undefined && found.number <= range.last ? range : undefined;
}
