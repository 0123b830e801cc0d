import { unescapeLine } from "../../io/text/line-escape.ts";
import { splitParts } from "../../url/parts.ts";
import { type ChunkError, eachError } from "../chunked/error-list.ts";
import type { ChunkResult } from "../job.ts";

/** The number of groups and hosts to count. Beyond it, the rarest are forgotten, and counts may be too low. */
const KEPT_GROUPS = 200_000;
const KEPT_HOSTS = 100_000;
/** The number of examples to keep for each rule, group and kind of error. */
export const EXAMPLES = 5;

/** Holds a group of records that became one. */
export interface Group {
  readonly key: string;
  /** The number of records merged with the first. */
  merged: number;
  readonly examples: string[];
}

/** Holds an example of what a rule does. */
export interface Change {
  readonly before: string;
  readonly after: string;
}

/** Holds a record without a URL, and its number from 1 on. */
export interface ErrorLine {
  readonly line: number;
  readonly text: string;
}

/** Collects the contents of a report, in memory that does not grow with the input. Texts are byte strings. */
export class ReportCollector {
  readonly examplesByStep = new Map<string, Change[]>();
  readonly errorsByCode = new Map<string, ErrorLine[]>();
  /** The groups by their key. Most groups have one merged record; then the value is that record as listed. */
  readonly #groups = new Map<string, Group | string>();
  readonly #hosts = new Map<string, number>();
  /** The number of merged records that are not URLs. */
  mergedErrors = 0;
  /** Says whether rare groups or hosts were forgotten. */
  isPartial = false;

  /** Adds a chunk. `line` is the number of its first record. */
  addResult({ examples, errors }: Pick<ChunkResult, "examples" | "errors">, line: number): void {
    for (const [rule, changes] of Object.entries(examples)) {
      this.#addSome(this.examplesByStep, rule, changes);
    }
    eachError(errors, (row, text) => {
      const tab = text.indexOf("\t");
      const errorText = unescapeLine(text.slice(tab + 1, -1));
      this.addError({ code: text.slice(0, tab), text: errorText }, line + row);
    });
  }

  addError({ code, text }: Pick<ChunkError, "code" | "text">, line: number): void {
    this.#addSome(this.errorsByCode, code, [{ line, text }]);
  }

  /** Counts the errors among merged records. `isMerged` has a byte for each record: 1 if it was merged. */
  addMergedErrors(errors: Iterable<number>, isMerged: Uint8Array): void {
    for (const row of errors) this.mergedErrors += isMerged[row] as number;
  }

  /** Adds merged records: `key<TAB>record<LF>` each, both as `escapeLine` writes them. */
  addMerged(text: string): void {
    for (let start = 0; start < text.length; ) {
      const tab = text.indexOf("\t", start);
      const end = text.indexOf("\n", tab);
      this.#addGroup(unescapeLine(text.slice(start, tab)), text, tab + 1, end);
      start = end + 1;
    }
    if (this.#groups.size > KEPT_GROUPS) this.#forget(this.#groups, mergedOf);
    if (this.#hosts.size > KEPT_HOSTS) this.#forget(this.#hosts, (count) => count);
  }

  /** Returns the groups with the most merged records. */
  largestGroups(count: number): Group[] {
    const largest = [...this.#groups].toSorted(([, a], [, b]) => mergedOf(b) - mergedOf(a));
    return largest
      .slice(0, count)
      .map(([key, group]) => (typeof group === "string" ? groupOf(key, group) : group));
  }

  /** Returns the hosts with the most merged records. */
  hosts(count: number): [string, number][] {
    return [...this.#hosts].toSorted(([, a], [, b]) => b - a).slice(0, count);
  }

  #addGroup(key: string, text: string, from: number, to: number): void {
    const found = this.#groups.get(key);
    if (found === undefined) {
      this.#groups.set(key, text.slice(from, to));
    } else {
      const group = typeof found === "string" ? groupOf(key, found) : found;
      if (group !== found) this.#groups.set(key, group);
      group.merged++;
      if (group.examples.length < EXAMPLES) {
        const example = unescapeLine(text.slice(from, to));
        if (!group.examples.includes(example)) group.examples.push(example);
      }
    }
    const { host } = splitParts(key);
    this.#hosts.set(host, (this.#hosts.get(host) ?? 0) + 1);
  }

  #addSome<T>(lists: Map<string, T[]>, name: string, items: readonly T[]): void {
    const list = lists.get(name) ?? [];
    lists.set(name, list);
    list.push(...items.slice(0, EXAMPLES - list.length));
  }

  /** Halves a map by removing the entries with the lowest counts. */
  #forget<T>(map: Map<string, T>, countOf: (item: T) => number): void {
    this.isPartial = true;
    const byCount = [...map].toSorted(([, a], [, b]) => countOf(a) - countOf(b));
    for (const [name] of byCount.slice(0, byCount.length >> 1)) map.delete(name);
  }
}

/** Returns the records of a group that were merged with the first. */
function mergedOf(group: Group | string): number {
  return typeof group === "string" ? 1 : group.merged;
}

/** Returns a group with one merged record, given as listed. */
function groupOf(key: string, line: string): Group {
  return { key, merged: 1, examples: [unescapeLine(line)] };
}
