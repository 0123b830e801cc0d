import { createHash } from "node:crypto";
import type { LabelledSite, LabelledUrl } from "./labelled-site.ts";

/**
 * Names what is held out of mining: the fifth that numbers are set on, or the fifth that is
 * reported.
 */
export type Fold = "thresholds" | "report";

/**
 * Lists the URLs that rules are learned from, and those that they are measured on, in the order
 * they arrive.
 */
export interface HoldOut {
  readonly known: readonly LabelledUrl[];
  readonly arriving: readonly LabelledUrl[];
}

/**
 * Holds out by URL: half are known, as to a crawler in the middle of a site. Of the others a half
 * arrives in random order, one for each fold.
 */
export function holdOutUrls({ urls }: LabelledSite, seed: string, fold: Fold): HoldOut {
  const share = (url: LabelledUrl) => hashShare(`${seed} url ${url.url}`);
  const isHeld = (value: number) =>
    fold === "report" ? value >= 0.75 : value >= 0.5 && value < 0.75;
  return {
    known: urls.filter((url) => share(url) < 0.5),
    arriving: inRandomOrder(
      urls.filter((url) => isHeld(share(url))),
      seed,
    ),
  };
}

/** Holds out half of the URLs, all of which arrive. */
export function holdOutHalf({ urls }: LabelledSite, seed: string): HoldOut {
  const isKnown = ({ url }: LabelledUrl) => hashShare(`${seed} url ${url}`) < 0.5;
  return {
    known: urls.filter(isKnown),
    arriving: inRandomOrder(
      urls.filter((url) => !isKnown(url)),
      seed,
    ),
  };
}

/**
 * Holds out by class: rules of three fifths of the pages are measured on a fifth of which nothing
 * was seen.
 */
export function holdOutClasses({ urls }: LabelledSite, seed: string, fold: Fold): HoldOut {
  const share = (url: LabelledUrl) => hashShare(`${seed} class ${url.page}`);
  const isHeld = (value: number) =>
    fold === "report" ? value >= 0.8 : value >= 0.6 && value < 0.8;
  return {
    known: urls.filter((url) => share(url) < 0.6),
    arriving: inRandomOrder(
      urls.filter((url) => isHeld(share(url))),
      seed,
    ),
  };
}

function inRandomOrder(urls: readonly LabelledUrl[], seed: string): LabelledUrl[] {
  return urls
    .map((url) => [hashShare(`${seed} order ${url.url}`), url] as const)
    .toSorted(([a], [b]) => a - b)
    .map(([, url]) => url);
}

/** Returns a number from 0 to 1 that a text decides. */
export function hashShare(text: string): number {
  return createHash("sha256").update(text).digest().readUInt32LE() / 2 ** 32;
}
