import { UrlmillError } from "../../base/errors.ts";
import { entryOf } from "../../base/tallies.ts";
import { parseRule } from "../../site-rules/language/rule-line.ts";
import type { Rule } from "../../site-rules/rule.ts";
import { isVersionLike } from "../thresholds/version-like.ts";

/** A rule that takes versions for one cannot reach the bound it needs with fewer pages than these. */
const MIN_VERSIONS = 380;

/** Collects rules that some pages speak for, each with the number of different pages that do. */
export class Candidates {
  readonly #found = new Map<string, { pages: number; last: number }>();

  /**
   * Takes a rule, as condition and action with a TAB between, that URLs of `page` speak for; pages come one after the
   * other.
   */
  add(rule: string, page: number): void {
    const known = entryOf(this.#found, rule, () => ({ pages: 0, last: -1 }));
    if (known.last !== page) known.pages++;
    known.last = page;
  }

  /**
   * Returns at most `most` rules that at least `pages` pages speak for, the most supported first. After them come at
   * most `mostVersions` rules that could take versions for one and have too few pages.
   */
  list(site: string, pages: number, most: number, mostVersions = 0): Rule[] {
    const open: Rule[] = [];
    const versions: Rule[] = [];
    for (const [line, candidate] of this.#supported(pages)) {
      if (open.length === most) break;
      for (const rule of readBack(`${site}\t${line}`)) {
        const isOpen = candidate.pages >= MIN_VERSIONS || !isVersionLike(rule);
        if (isOpen) open.push(rule);
        else if (versions.length < mostVersions) versions.push(rule);
      }
    }
    return [...open, ...versions];
  }

  /** Returns the texts of the rules that at least `pages` pages speak for, the most supported first. */
  lines(pages: number): string[] {
    return this.#supported(pages).map(([line]) => line);
  }

  #supported(pages: number): [string, { readonly pages: number }][] {
    return [...this.#found]
      .filter(([, candidate]) => candidate.pages >= pages)
      .toSorted(([a, { pages: n }], [b, { pages: m }]) => m - n || (a < b ? -1 : 1));
  }
}

/** Reads a line as a rule. Returns an empty list if the language refuses the line. */
export function readBack(line: string): Rule[] {
  try {
    return [parseRule(line)];
  } catch (error) {
    if (error instanceof UrlmillError) return [];
    throw error;
  }
}
