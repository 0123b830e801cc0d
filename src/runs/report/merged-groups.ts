import { unescapeLine } from "../../io/text/line-escape.ts";
import { LF, TAB } from "../../url/codes.ts";
import { splitParts } from "../../url/parts.ts";
import { EXAMPLES } from "../rows/step-counter.ts";

/** The number of groups to count. Beyond it, the rarest are forgotten, and counts may be too low. */
const KEPT_GROUPS = 1 << 16;
/** The number of hosts of forgotten groups to count. */
const KEPT_HOSTS = 100_000;
/** The slots of the table of groups: more than twice as many as there are groups. */
const SLOTS = 1 << 18;
/** The bytes of the first memory for texts. */
const FIRST_BYTES = 1 << 20;
/** The hash of a key is FNV-1a (draft-eastlake-fnv), 32 bits. */
const FNV_BASIS = 0x811c9dc5 | 0;
const FNV_PRIME = 0x01000193;

export interface Group {
  readonly key: string;
  /** The number of records merged with the first. */
  readonly merged: number;
  readonly examples: readonly string[];
}

/**
 * Counts merged records by their key, in typed arrays: a group is a number, and its texts are bytes. No string is made of a
 * record before the report shows it.
 */
export class MergedGroups {
  /** The number of each group, from 1 on, by the hash of its key; 0 in a free slot. */
  readonly #slots = new Int32Array(SLOTS);
  /** The keys and examples of all groups, as they are listed. */
  #texts = new Uint8Array(FIRST_BYTES);
  #textsEnd = 0;
  #count = 0;
  readonly #hashes = new Int32Array(KEPT_GROUPS);
  readonly #merged = new Int32Array(KEPT_GROUPS);
  /** Where the key and the examples of each group begin, and where each ends: pairs. An example that is missing has 0, 0. */
  readonly #places = new Float64Array(KEPT_GROUPS * 2 * (1 + EXAMPLES));
  /** The merged records of groups that were forgotten, by host. */
  readonly #forgottenHosts = new Map<string, number>();
  /** Says whether rare groups or hosts were forgotten. */
  isPartial = false;

  /** Adds merged records: `key<TAB>record<LF>` each, both as `escapeLine` writes them. */
  add(list: Uint8Array): void {
    for (let start = 0; start < list.length; ) {
      let hash = FNV_BASIS;
      let tab = start;
      for (let byte = list[tab] as number; byte !== TAB; byte = list[++tab] as number) {
        hash = Math.imul(hash ^ byte, FNV_PRIME);
      }
      const end = list.indexOf(LF, tab);
      this.#addTo(this.#groupOf(list, start, tab, hash), list, tab + 1, end);
      start = end + 1;
    }
  }

  /** Returns the groups with the most merged records. */
  largest(count: number): Group[] {
    return this.#sorted((a, b) => b - a)
      .slice(0, count)
      .map((group) => ({
        key: this.#text(group, 0),
        merged: this.#merged[group] as number,
        examples: Array.from({ length: this.#examplesOf(group) }, (_, example) =>
          this.#text(group, 1 + example),
        ),
      }));
  }

  /** Returns the hosts with the most merged records. */
  hosts(count: number): [string, number][] {
    const hosts = new Map(this.#forgottenHosts);
    for (let group = 0; group < this.#count; group++) this.#countHost(hosts, group);
    return [...hosts].toSorted(([, a], [, b]) => b - a).slice(0, count);
  }

  /** Returns the group of a key, the bytes of `from` from `start` to `end`. It may be new. */
  #groupOf(from: Uint8Array, start: number, end: number, hash: number): number {
    let slot = hash & (SLOTS - 1);
    for (
      let found = this.#slots[slot] as number;
      found !== 0;
      found = this.#slots[slot] as number
    ) {
      const group = found - 1;
      if (this.#hashes[group] === hash && this.#isText(group, 0, from, start, end)) return group;
      slot = (slot + 1) & (SLOTS - 1);
    }
    if (this.#count === KEPT_GROUPS) {
      this.#forget();
      return this.#groupOf(from, start, end, hash);
    }
    const group = this.#count++;
    this.#slots[slot] = group + 1;
    this.#hashes[group] = hash;
    this.#merged[group] = 0;
    this.#places.fill(0, this.#placeOf(group, 0), this.#placeOf(group + 1, 0));
    this.#put(group, 0, from.subarray(start, end));
    return group;
  }

  /** Adds a record, the bytes of `from` from `start` to `end`. */
  #addTo(group: number, from: Uint8Array, start: number, end: number): void {
    this.#merged[group] = (this.#merged[group] as number) + 1;
    const examples = this.#examplesOf(group);
    if (examples === EXAMPLES) return;
    for (let example = 1; example <= examples; example++) {
      if (this.#isText(group, example, from, start, end)) return;
    }
    this.#put(group, 1 + examples, from.subarray(start, end));
  }

  /** Returns the number of examples of a group. The place of a missing one is 0, 0. */
  #examplesOf(group: number): number {
    let examples = 0;
    while (examples < EXAMPLES && this.#places[this.#placeOf(group, 1 + examples) + 1] !== 0) {
      examples++;
    }
    return examples;
  }

  /** Returns where the place of a text is: of the key, number 0, or of an example, from 1 on. */
  #placeOf(group: number, text: number): number {
    return 2 * ((1 + EXAMPLES) * group + text);
  }

  /** Keeps a text. One byte before it makes its end more than 0, also if it is empty and the first. */
  #put(group: number, text: number, bytes: Uint8Array): void {
    const start = this.#textsEnd + 1;
    const end = start + bytes.length;
    if (end > this.#texts.length) {
      const larger = new Uint8Array(Math.max(end, 2 * this.#texts.length));
      larger.set(this.#texts.subarray(0, this.#textsEnd));
      this.#texts = larger;
    }
    this.#texts.set(bytes, start);
    this.#textsEnd = end;
    const place = this.#placeOf(group, text);
    this.#places[place] = start;
    this.#places[place + 1] = end;
  }

  #bytesOf(group: number, text: number): Uint8Array {
    const place = this.#placeOf(group, text);
    return this.#texts.subarray(this.#places[place], this.#places[place + 1]);
  }

  /** Returns whether a text is the bytes of `from` from `start` to `end`. */
  #isText(group: number, text: number, from: Uint8Array, start: number, end: number): boolean {
    const place = this.#placeOf(group, text);
    const texts = this.#texts;
    // URLs of one site begin alike: the last bytes tell them apart.
    let own = this.#places[place + 1] as number;
    if (own - (this.#places[place] as number) !== end - start) return false;
    for (let at = end - 1; at >= start; at--) if (texts[--own] !== from[at]) return false;
    return true;
  }

  #text(group: number, text: number): string {
    return unescapeLine(Buffer.from(this.#bytesOf(group, text)).toString("latin1"));
  }

  #countHost(hosts: Map<string, number>, group: number): void {
    const { host } = splitParts(this.#text(group, 0));
    hosts.set(host, (hosts.get(host) ?? 0) + (this.#merged[group] as number));
  }

  /** Returns all groups by their number of merged records. Of equal ones, the earlier comes first. */
  #sorted(compare: (a: number, b: number) => number): number[] {
    const merged = this.#merged;
    return Array.from({ length: this.#count }, (_, group) => group).sort((a, b) =>
      compare(merged[a] as number, merged[b] as number),
    );
  }

  /** Forgets the half of the groups that has the fewest merged records. */
  #forget(): void {
    this.isPartial = true;
    const byCount = this.#sorted((a, b) => a - b);
    const half = byCount.length >> 1;
    for (const group of byCount.slice(0, half)) this.#countHost(this.#forgottenHosts, group);
    forgetHosts(this.#forgottenHosts);
    const kept = byCount.slice(half).sort((a, b) => a - b);
    const texts = this.#texts;
    const places = this.#places.slice();
    const merged = this.#merged.slice();
    const hashes = this.#hashes.slice();
    this.#texts = new Uint8Array(Math.max(FIRST_BYTES, this.#textsEnd));
    this.#textsEnd = 0;
    this.#count = 0;
    this.#slots.fill(0);
    for (const old of kept) {
      const first = this.#placeOf(old, 0);
      const [start, end] = [places[first] as number, places[first + 1] as number];
      const group = this.#groupOf(texts, start, end, hashes[old] as number);
      this.#merged[group] = merged[old] as number;
      for (
        let example = 1;
        example <= EXAMPLES && places[first + 2 * example + 1] !== 0;
        example++
      ) {
        const place = first + 2 * example;
        this.#put(group, example, texts.subarray(places[place], places[place + 1]));
      }
    }
  }
}

/** Keeps the hosts with the most merged records, if there are too many. */
function forgetHosts(hosts: Map<string, number>): void {
  if (hosts.size <= KEPT_HOSTS) return;
  const byCount = [...hosts].toSorted(([, a], [, b]) => a - b);
  for (const [host] of byCount.slice(0, byCount.length >> 1)) hosts.delete(host);
}
