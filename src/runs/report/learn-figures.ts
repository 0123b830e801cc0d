import type { PageAlias } from "../../site-rules/aliases/alias-file.ts";
import { baseOfAny } from "../../site-rules/aliases/any-params.ts";
import { rangeIn } from "../../site-rules/aliases/number-range.ts";
import { count } from "./parts.ts";

/** The smallest part of a page that is shown. Smaller parts are shown as less than this. */
const MIN_PAGES = 0.1;
const MIN_PERCENT = 0.001;

/** Returns a share with two significant digits, or "" if the whole is 0. Less than all is never shown as 100 %. */
export function percent(value: number, all: number): string {
  if (all === 0) return "";
  const percents = (100 * value) / all;
  if (percents > 0 && percents < MIN_PERCENT) return `< ${MIN_PERCENT} %`;
  if (percents > 99 && percents < 100) return `${Math.min(percents, 99.9).toFixed(1)} %`;
  return `${percents.toLocaleString("en", { maximumSignificantDigits: percents > 100 ? 21 : 2 })} %`;
}

/** Returns a lower bound as a share. It is rounded down, so that it stays a lower bound. */
export function bound(share: number): string {
  // A value of four digits may be slightly lower because of the error of a product.
  return `${(Math.floor(share * 1000 + 1e-6) / 10).toFixed(1)} %`;
}

/** Returns the number of lost pages. It is an average over the orders of URLs, so it may be a fraction. */
export function pagesLost(pages: number): string {
  if (pages > 0 && pages < MIN_PAGES) return `< ${MIN_PAGES}`;
  return count(Math.round(pages * 10) / 10);
}

/** Returns a number with its noun, such as "1 rule" or "2 rules". `names` is needed for a plural without an s. */
export function countOf(value: number, name: string, names = `${name}s`): string {
  return `${count(value)} ${value === 1 ? name : names}`;
}

/**
 * Counts, in parentheses after a blank, the aliases that stand for many URLs, and those of another name, such as two titles of a
 * wiki that show one text. Returns "" if no alias is such.
 */
export function kindsOfAliases(aliases: readonly PageAlias[], of: typeof countOf): string {
  const ranges = aliases.filter(({ from }) => rangeIn(from) !== null).length;
  const any = aliases.filter(({ from }) => baseOfAny(from) !== null).length;
  const named = aliases.filter(({ from, to }) => hasOtherName(from, to)).length;
  const kinds = [
    ...(ranges > 0 ? [`${of(ranges, "range")} of numbers`] : []),
    ...(any > 0 ? [`${any} for any other parameters`] : []),
    ...(named > 0 ? [`${named} to the page of another name`] : []),
  ];
  return kinds.length > 0 ? ` (${kinds.join(", ")})` : "";
}

/** Returns whether two targets differ in one word alone: a segment of the path, or a value. */
function hasOtherName(from: string, to: string): boolean {
  const [words, others] = [from, to].map((target) => target.split(/[/?&;=]/)) as [
    string[],
    string[],
  ];
  if (words.length !== others.length) return false;
  const differing = words.flatMap((word, at) =>
    word === others[at] ? [] : [word, others[at] as string],
  );
  return (
    differing.length === 2 &&
    differing.every((word) => /[A-Za-z]{2}/.test(word) && !word.includes("<"))
  );
}
