import { entryOf } from "../../base/tallies.ts";
import type { Rule } from "../../site-rules/rule.ts";
import type { Counted } from "../count/counted.ts";
import { type Merges, mergesOf } from "../count/merges.ts";
import { mayChange, settled } from "../count/settled.ts";
import { doubled, type Hash } from "../hashes/hash.ts";
import { HashIndex } from "../hashes/hash-index.ts";
import type { Nodes } from "../site/nodes.ts";
import type { SiteUrl } from "../site/site.ts";

/** Holds the keys that a rule changes, and the key that each becomes. */
export interface Moves {
  readonly keys: readonly number[];
  readonly targets: Int32Array;
}

/** Describes a key that a URL has, with an original URL of it. */
export interface LiveKey extends SiteUrl {
  readonly url: number;
}

/** Holds a key that rules made, and the hash of what a rule makes of it. */
interface MadeChange {
  readonly key: number;
  readonly hash: Hash;
}

interface ChangesOfMade {
  readonly rules: readonly Rule[];
  /** Returns whether the rules may change such a path and query. */
  readonly may: (target: string) => boolean;
  /** Counts the made keys that were looked at. */
  seen: number;
  readonly changes: MadeChange[];
}

/** Steps after which a key moves in a circle. */
const MAX_STEPS = 32;

/**
 * Holds the keys that selected rules give the URLs of a stage. Keys are numbers: those of the stage's URLs, then those
 * that rules made. A key that a rule changed leads to the key that it became.
 */
export class Keys {
  readonly #nodes: Nodes;
  /** An original URL of each key. */
  readonly #urls: number[];
  readonly #next: number[];
  readonly #made: SiteUrl[] = [];
  /** Says which of these an accepted rule made. */
  readonly #isAccepted: boolean[] = [];
  readonly #madeIndex = new HashIndex();
  /** Keys that accepted rules made, in the order they were accepted. */
  readonly #accepted: number[] = [];
  readonly #madeChanges = new Map<Counted, ChangesOfMade>();
  /** Rules selected so far, in order. */
  readonly #rules: Rule[];
  readonly #isOriginal: boolean;
  #isFirst = true;
  /** The places of moved keys in lists of moves, and the numbers of groups by what keys move to. */
  readonly #places = new Places();
  readonly #groups = new Places();

  /** `urls`: an original URL for each URL of the stage; `rules`: those that made the stage. */
  constructor(nodes: Nodes, urls: Iterable<number>, rules: readonly Rule[]) {
    this.#nodes = nodes;
    this.#urls = [...urls];
    this.#next = Array.from({ length: nodes.count }, (_, key) => key);
    this.#rules = [...rules];
    this.#isOriginal = rules.length === 0;
  }

  /** Returns what a rule would merge if it were the first on this stage, as original URLs. */
  mergesAlone({ merges }: Counted): Merges {
    // The first stage is made of the original URLs.
    if (this.#isOriginal) return merges;
    const { groups, start, nodes } = merges;
    return { groups, start, nodes: nodes.map((node) => this.#urls[node] as number) };
  }

  /** Returns what a rule would merge now, as original URLs. It applies the rule once, so it is a guess. */
  merges(counted: Counted): Merges {
    return this.#isFirst ? this.mergesAlone(counted) : this.#mergesOf(this.#near(counted));
  }

  /** Returns what becomes of keys if a rule is applied after those selected, and what that merges. */
  tryRule(counted: Counted): { moves: Moves; merges: Merges } {
    // The selected rules leave a key as it is, so the first that changes it is the new one.
    const rules = [...counted.before, counted.rule, ...this.#rules];
    const { keys, targets: near } = this.#near(counted);
    for (const [at, key] of keys.entries()) this.#places.set(key, at);
    const targets = new Int32Array(keys.length);
    for (const [at, key] of keys.entries()) {
      const target = this.#end(key, near);
      targets[at] = target >= 0 ? target : this.#intern(settled(this.text(key), rules), key);
    }
    this.#places.forget(keys);
    const moves = { keys, targets };
    return { moves, merges: this.#mergesOf(moves) };
  }

  /**
   * Returns the key that a moved key becomes at last, or a negative number if no URL has that text. A key that moves in
   * a circle stays.
   */
  #end(key: number, near: Int32Array): number {
    let at = key;
    for (let step = 0; step < MAX_STEPS; step++) {
      const place = this.#places.of(at);
      if (place < 0) return at;
      at = near[place] as number;
      if (at < 0) return at;
    }
    return key;
  }

  /** Takes a rule into the order, after those selected, with what `tryRule` said. */
  accept({ before, rule }: Counted, { keys, targets }: Moves): void {
    this.#rules.push(...before, rule);
    this.#isFirst = false;
    for (const [at, key] of keys.entries()) {
      const target = targets[at] as number;
      this.#next[key] = target;
      const made = target - this.#nodes.count;
      if (made < 0 || this.#isAccepted[made]) continue;
      this.#isAccepted[made] = true;
      this.#accepted.push(target);
      this.#urls[target] = this.#urls[key] as number;
    }
  }

  /** Yields each key that a URL has now, with an original URL of it. */
  *live(): Generator<LiveKey> {
    for (const key of this.#next.keys()) {
      if (this.#isLive(key)) {
        yield { ...this.text(key), url: this.#urls[key] as number };
      }
    }
  }

  #isLive(key: number): boolean {
    const made = key - this.#nodes.count;
    return this.#next[key] === key && (made < 0 || this.#isAccepted[made] === true);
  }

  /** Returns an original URL of a key. */
  urlOf(key: number): number {
    return this.#urls[key] as number;
  }

  text(key: number): SiteUrl {
    const made = key - this.#nodes.count;
    if (made >= 0) return this.#made[made] as SiteUrl;
    return {
      target: this.#nodes.targets[key] as string,
      isHttps: this.#nodes.isHttps[key] as boolean,
    };
  }

  /**
   * Returns the keys that the rule changes, and the key that each becomes by one application: `-1 - n` for the nth text
   * that no key has.
   */
  #near(counted: Counted): Moves {
    const { nodes, low, high } = counted.changes;
    const keys: number[] = [];
    const targets: number[] = [];
    const unseen = new HashIndex();
    const add = (key: number, hash: Hash): void => {
      if (!this.#isLive(key)) return;
      keys.push(key);
      const known = this.#find(hash);
      targets.push(known >= 0 ? known : -1 - unseen.add(hash));
    };
    for (const [at, key] of nodes.entries()) {
      add(key, { low: low[at] as number, high: high[at] as number });
    }
    for (const { key, hash } of this.#changesOfMade(counted)) add(key, hash);
    return { keys, targets: Int32Array.from(targets) };
  }

  /** What one application of the rule makes of the keys that selected rules made; each is looked at once. */
  #changesOfMade(counted: Counted): readonly MadeChange[] {
    const known = entryOf(this.#madeChanges, counted, () => {
      const rules = [...counted.before, counted.rule];
      return { rules, may: mayChange(rules), seen: 0, changes: [] };
    });
    const { rules, may } = known;
    for (; known.seen < this.#accepted.length; known.seen++) {
      const key = this.#accepted[known.seen] as number;
      const text = this.text(key);
      if (!may(text.target)) continue;
      const applied = settled(text, rules);
      if (applied !== text) known.changes.push({ key, hash: this.#hash(applied) });
    }
    return known.changes;
  }

  #mergesOf({ keys, targets }: Moves): Merges {
    const groupOf = new Int32Array(keys.length);
    const own: number[] = [];
    const unseen = new Map<number, number>();
    for (const [at, key] of keys.entries()) this.#places.set(key, at);
    for (const [at, target] of targets.entries()) {
      let group = target >= 0 ? this.#groups.of(target) : (unseen.get(target) ?? -1);
      if (group < 0) {
        group = own.length;
        const isThere = target >= 0 && this.#isLive(target) && this.#places.of(target) < 0;
        own.push(isThere ? (this.#urls[target] as number) : -1);
        if (target >= 0) this.#groups.set(target, group);
        else unseen.set(target, group);
      }
      groupOf[at] = group;
    }
    this.#places.forget(keys);
    this.#groups.forget(targets);
    const urls = Int32Array.from(keys, (key) => this.#urls[key] as number);
    return mergesOf(urls, groupOf, Int32Array.from(own));
  }

  /** Returns the key that a text leads to, or -1 if no key ever had this text. */
  #find(hash: Hash): number {
    let key = this.#nodes.index.find(hash);
    if (key < 0) {
      const made = this.#madeIndex.find(hash);
      if (made < 0) return -1;
      key = this.#nodes.count + made;
    }
    while (this.#next[key] !== key) key = this.#next[key] as number;
    return key;
  }

  #intern(text: SiteUrl, from: number): number {
    const hash = this.#hash(text);
    const known = this.#find(hash);
    if (known >= 0) return known;
    const made = this.#madeIndex.add(hash);
    this.#made.push(text);
    this.#isAccepted.push(false);
    this.#urls.push(this.#urls[from] as number);
    return this.#next.push(this.#nodes.count + made) - 1;
  }

  #hash({ target, isHttps }: SiteUrl): Hash {
    const hash = { low: 0, high: 0 };
    this.#nodes.hashTarget(target, isHttps, hash);
    return hash;
  }
}

/** Remembers a place for some numbers from 0 on, in memory that is used again. */
class Places {
  #places = new Int32Array(1024).fill(-1);

  /** Returns the place of a number, or -1. */
  of(number: number): number {
    return this.#places[number] ?? -1;
  }

  set(number: number, place: number): void {
    while (number >= this.#places.length) {
      const { length } = this.#places;
      this.#places = doubled(this.#places).fill(-1, length);
    }
    this.#places[number] = place;
  }

  /** Forgets the places of these numbers; negative ones have none. */
  forget(numbers: Iterable<number>): void {
    for (const number of numbers) if (number >= 0) this.#places[number] = -1;
  }
}
