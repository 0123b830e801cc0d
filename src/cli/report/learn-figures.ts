import { count } from "./parts.ts";

/** Less of a page is shown as less than this. */
const LEAST_PAGES = 0.1;
const LEAST_PERCENT = 0.001;

/** A share with two digits that count; "" of nothing. What is not all is never shown as 100 %. */
export function percent(value: number, all: number): string {
  if (all === 0) return "";
  const percents = (100 * value) / all;
  if (percents > 0 && percents < LEAST_PERCENT) return `< ${LEAST_PERCENT} %`;
  if (percents > 99 && percents < 100) return bound(value / all);
  return `${percents.toLocaleString("en", { maximumSignificantDigits: percents > 100 ? 21 : 2 })} %`;
}

/** A lower bound as a share, rounded down so that it stays one. */
export function bound(share: number): string {
  // What has four digits may lie below them by the error of a product.
  return `${(Math.floor(share * 1000 + 1e-6) / 10).toFixed(1)} %`;
}

/** Pages lost, on average over the orders that URLs come in, so perhaps a part of one. */
export function pagesLost(pages: number): string {
  if (pages > 0 && pages < LEAST_PAGES) return `< ${LEAST_PAGES}`;
  return count(Math.round(pages * 10) / 10);
}

/** "1 rule", "2 rules". */
export function countOf(value: number, name: string): string {
  return `${count(value)} ${name}${value === 1 ? "" : "s"}`;
}
