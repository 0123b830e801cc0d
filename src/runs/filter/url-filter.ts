import { isError } from "../../base/status.ts";
import { type Skips, whySkipped } from "../../site-rules/skip-filter.ts";
import { toByteString } from "../../url/bytes.ts";
import { BLOCKED } from "../base/marks.ts";
import { type Ending, Endings } from "./endings.ts";
import { ALLOW, ALONE, BELOW, MARKS, PREFIXES, UNKNOWN } from "./host-bits.ts";
import type { HostFinder, UrlRows } from "./host-finder.ts";
import { HostTable, type HostTableMemory } from "./host-table.ts";
import { kernelFinder } from "./kernel-finder.ts";
import { PlainFinder } from "./plain-finder.ts";
import { type PlainUrl, plainUrl } from "./plain-url.ts";
import { Prefixes, type PrefixMemory } from "./prefixes.ts";

/** Holds the lists of `--block` and `--allow` in memory that threads share. */
export interface FilterMemory {
  /** The hosts of both lists. */
  readonly hosts: HostTableMemory;
  /** The prefixes of `--block`. */
  readonly blocked: PrefixMemory;
  /** The prefixes of `--allow`; null if there is no such list, so that all URLs are allowed. */
  readonly allowed: PrefixMemory | null;
  /** The endings of paths of both lists. */
  readonly endings: readonly Ending[];
  /** The URLs that `--skip-noindex` and `--skip-exhausted` leave out. Their hosts are in `hosts`. */
  readonly skips: Skips;
}

/** Says what became of the rows that a filter has marked. */
export interface Marked {
  readonly blocked: number;
  /** Counts those of them that were CHANGED. */
  readonly changed: number;
}

/** What a mark means for a row: it stays, it is blocked, or the URL decides. */
const STAYS = 0;
const IS_BLOCKED = 1;
const ASKS_URL = 2;

/** Finds the URLs that `--block` lists, and those that `--allow` does not. One thread uses it. */
export class UrlFilter {
  readonly #finder: HostFinder;
  readonly #hosts: HostTable;
  readonly #blocked: Prefixes;
  readonly #allowed: Prefixes | null;
  readonly #endings: Endings | null;
  readonly #skips: Skips;
  /** What each mark means. */
  readonly #verdicts: Uint8Array;

  constructor({ hosts, blocked, allowed, endings, skips }: FilterMemory) {
    this.#finder = kernelFinder(hosts) ?? new PlainFinder(hosts);
    this.#hosts = new HostTable(hosts);
    this.#blocked = new Prefixes(blocked);
    this.#allowed = allowed && new Prefixes(allowed);
    this.#endings = endings.length > 0 ? new Endings(endings) : null;
    this.#skips = skips;
    this.#verdicts = Uint8Array.from({ length: MARKS }, (_, mark) => this.#verdictOf(mark));
  }

  /** Returns the filter of a run, or null if it has no lists. */
  static of(memory: FilterMemory | null): UrlFilter | null {
    return memory && new UrlFilter(memory);
  }

  /** Gives the status BLOCKED to each URL that is blocked. Leaves rows with another error as they are. */
  mark(rows: UrlRows, status: Uint8Array): Marked {
    const marks = this.#finder.find(rows);
    const verdicts = this.#verdicts;
    let blocked = 0;
    let changed = 0;
    for (let row = 0; row < status.length; row++) {
      const ends = this.#endings === null ? 0 : this.#endings.bitsOf(rows, row);
      const verdict = verdicts[(marks[row] as number) | ends];
      if (verdict === STAYS) continue;
      const before = status[row] as number;
      if (isError(before)) continue;
      if (verdict === ASKS_URL && !this.#isBlocked(urlOf(rows, row), ends)) continue;
      status[row] = BLOCKED;
      blocked++;
      changed += before;
    }
    return { blocked, changed };
  }

  #verdictOf(mark: number): number {
    if (mark >= UNKNOWN) return ASKS_URL;
    if (isListed(mark)) return IS_BLOCKED;
    if ((mark & PREFIXES) !== 0) return ASKS_URL;
    if (this.#allowed === null || isListed(mark / ALLOW)) return STAYS;
    return (mark & (ALLOW * PREFIXES)) === 0 ? IS_BLOCKED : ASKS_URL;
  }

  /** Returns whether a URL is blocked, a byte string in normal form. `ends`: the bits of its path's endings. */
  #isBlocked(text: string, ends: number): boolean {
    const plain = plainUrl(text);
    const bits = ends | (plain === null ? 0 : this.#hosts.bitsOf(plain.host));
    if (isListed(bits) || covers(bits, this.#blocked, plain)) return true;
    if (this.#skips.size > 0 && whySkipped(text, this.#skips) !== null) return true;
    if (this.#allowed === null) return false;
    const allowed = bits / ALLOW;
    return !isListed(allowed) && !covers(allowed, this.#allowed, plain);
  }
}

/** Returns whether an entry of a list is of a URL with these bits. */
function isListed(bits: number): boolean {
  return (bits & (BELOW | ALONE)) !== 0;
}

/** Returns whether one of the prefixes is of a URL, whose host has these bits. */
function covers(bits: number, prefixes: Prefixes, plain: PlainUrl | null): boolean {
  return (bits & PREFIXES) !== 0 && plain !== null && prefixes.covers(plain.url);
}

function urlOf({ data, offsets, terminator }: UrlRows, row: number): string {
  const end = (offsets[row + 1] as number) - terminator;
  return toByteString(data.subarray(offsets[row], end));
}
