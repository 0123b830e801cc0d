// Pattern tree: Lei, Cai, Yang, Ke, Fan and Zhang, "A pattern tree-based approach to learning URL normalization rules", WWW 2010.
import {
  type Components,
  componentReader,
  keysOf,
  urlsByKeys,
  writeComponents,
} from "./components.ts";
import {
  addMember,
  byText,
  clustersOf,
  judge,
  type Labelled,
  type PaperRule,
  pagesOf,
  type Rewriter,
  rewriterOf,
  sample,
} from "./labelled.ts";

/** A node of fewer URLs is not divided. */
const MIN_NODE = 5;
/** The URLs of a cluster that pairs are made of. */
const MEMBERS = 50;
/** The share of pairs that must agree on where a value comes from. */
const AGREED = 0.9;
/** The least number of right merges, and the greatest share of wrong ones. */
const MIN_SUPPORT = 5;
const WRONG = 0.05;

/** Describes the URLs of a leaf: for each key a value, or null for any. */
type Pattern = ReadonlyMap<string, string | null>;

interface Leaf {
  readonly pattern: Pattern;
  readonly urls: readonly string[];
}

/** Stands for a key that a URL does not have. */
const ABSENT = "\0";

/**
 * Learns one rule for each leaf of a tree: what makes its URLs those of another leaf, or of itself, that has the same pages. The tree
 * divides URLs by one key after the other, the one of the least entropy first, and gives each frequent value a branch.
 */
export function patternTree(known: readonly Labelled[]): Rewriter {
  const read = componentReader();
  const pageOf = pagesOf(known);
  const leaves: Leaf[] = [];
  grow([...pageOf.keys()], new Map(), read, leaves);
  const leafOf = new Map(leaves.flatMap((leaf) => leaf.urls.map((url) => [url, leaf] as const)));
  const rules = new Map<string, (PaperRule & { leaf: Leaf })[]>();
  for (const { from, to, pairs } of targets(known, leafOf)) {
    const mapping = mappingOf(from, to, pairs, read);
    if (mapping === null) continue;
    const apply = applied(from.pattern, mapping, read);
    const { right, wrong } = judge(from.urls, pageOf, apply);
    if (right < MIN_SUPPORT || wrong > WRONG * (right + wrong)) continue;
    const keys = keyNames(from.pattern);
    const own = rules.get(keys) ?? [];
    rules.set(keys, own);
    own.push({ apply, support: right, leaf: from });
  }
  for (const own of rules.values()) own.sort((a, b) => b.support - a.support);
  return rewriterOf([...rules.values()].flat(), (url) => rules.get(keysOf(read(url))) ?? []);
}

/** Divides the URLs of a node, and adds its leaves. */
function grow(
  urls: readonly string[],
  pattern: Pattern,
  read: (url: string) => Components,
  leaves: Leaf[],
): void {
  const left = new Set(
    urls.flatMap((url) => [...read(url).keys()]).filter((key) => !pattern.has(key)),
  );
  const values = [...left].map((key) => {
    const counts = new Map<string, number>();
    for (const url of urls) {
      const value = read(url).get(key) ?? ABSENT;
      counts.set(value, (counts.get(value) ?? 0) + 1);
    }
    return { key, counts, entropy: entropyOf(counts) };
  });
  values.sort((a, b) => a.entropy - b.entropy || (a.key < b.key ? -1 : 1));
  const [first] = values;
  if (first === undefined || urls.length < MIN_NODE) {
    // Where nothing is left to divide by, a URL of other keys has a leaf of its own.
    for (const own of urlsByKeys(urls, read).values()) {
      const parts = read(own[0] as string);
      const full = new Map([...parts.keys()].map((key) => [key, pattern.get(key) ?? null]));
      leaves.push({ pattern: full, urls: own });
    }
    return;
  }
  const salient = salientOf(first.counts);
  const branches = new Map<string | null, string[]>();
  for (const url of urls) {
    const value = read(url).get(first.key) ?? ABSENT;
    const branch = salient.has(value) ? value : null;
    addMember(branches, branch, url);
  }
  for (const [value, own] of branches)
    grow(own, new Map([...pattern, [first.key, value]]), read, leaves);
}

function entropyOf(counts: ReadonlyMap<string, number>): number {
  const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
  return [...counts.values()].reduce(
    (sum, count) => sum - (count / all) * Math.log(count / all),
    0,
  );
}

/** Returns the values before the largest fall of the logarithm of their frequency, and a key that is absent. */
function salientOf(counts: ReadonlyMap<string, number>): Set<string> {
  const sorted = [...counts].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1));
  let [end, fall] = [0, 0];
  for (const [at, [, count]] of sorted.entries()) {
    const next = sorted[at + 1]?.[1] ?? 1;
    const own = Math.log(count / next);
    if (own > fall) [end, fall] = [at + 1, own];
  }
  const salient = new Set(sorted.slice(0, end).map(([value]) => value));
  return counts.has(ABSENT) ? salient.add(ABSENT) : salient;
}

interface Target {
  readonly from: Leaf;
  readonly to: Leaf;
  readonly pairs: readonly (readonly [string, string])[];
}

/** Returns, for each leaf, the leaf that most of its URLs have duplicates in, of those whose URLs come first. */
function targets(known: readonly Labelled[], leafOf: ReadonlyMap<string, Leaf>): Target[] {
  const byLeaf = new Map<Leaf, Map<Leaf, [string, string][]>>();
  for (const cluster of clustersOf(known)) {
    const [first, ...others] = sample(cluster, MEMBERS) as [string, ...string[]];
    const to = leafOf.get(first) as Leaf;
    for (const url of others) {
      const from = leafOf.get(url) as Leaf;
      const own = byLeaf.get(from) ?? new Map<Leaf, [string, string][]>();
      byLeaf.set(from, own);
      addMember(own, to, [url, first]);
    }
  }
  return [...byLeaf].flatMap(([from, own]) => {
    const [best] = [...own].sort(([, a], [, b]) => b.length - a.length);
    const [to, pairs] = best as [Leaf, [string, string][]];
    const isDown = from === to || byText(to.urls[0] as string, from.urls[0] as string) < 0;
    return isDown && pairs.length >= MIN_SUPPORT ? [{ from, to, pairs }] : [];
  });
}

type Mapping = readonly (readonly [
  key: string,
  value: { readonly copy: string } | { readonly text: string },
])[];

/** Says where the values of the target come from; null if one comes from nowhere. */
function mappingOf(
  { pattern }: Leaf,
  to: Leaf,
  pairs: Target["pairs"],
  read: (url: string) => Components,
): Mapping | null {
  const mapping: Mapping[number][] = [];
  for (const [key, value] of to.pattern) {
    const source = [key, ...pattern.keys()].find((from) => {
      const agreed = pairs.filter(([url, other]) => read(url).get(from) === read(other).get(key));
      return pattern.has(from) && agreed.length >= AGREED * pairs.length;
    });
    const fixed = value ?? (pattern === to.pattern ? mostOf(to.urls, key, read) : null);
    if (source !== undefined) mapping.push([key, { copy: source }]);
    else if (fixed !== null) mapping.push([key, { text: fixed }]);
    else return null;
  }
  return mapping;
}

/** Returns the value that most URLs have, which stands for all where it means nothing. */
function mostOf(urls: readonly string[], key: string, read: (url: string) => Components): string {
  const counts = new Map<string, number>();
  for (const url of urls) {
    const value = read(url).get(key) as string;
    counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  const [[value]] = [...counts].sort(([a, n], [b, m]) => m - n || byText(a, b)) as [
    [string, number],
  ];
  return value;
}

function keyNames(pattern: Pattern): string {
  return [...pattern.keys()].join(" ");
}

function applied(
  pattern: Pattern,
  mapping: Mapping,
  read: (url: string) => Components,
): PaperRule["apply"] {
  return (url) => {
    const parts = read(url);
    if (keysOf(parts) !== keyNames(pattern)) return null;
    for (const [key, value] of pattern) if (value !== null && parts.get(key) !== value) return null;
    return writeComponents(
      new Map(
        mapping.map(([key, from]) => [
          key,
          "copy" in from ? (parts.get(from.copy) as string) : from.text,
        ]),
      ),
    );
  };
}
