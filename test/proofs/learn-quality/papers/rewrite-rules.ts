// Rewrite rules: Dasgupta, Kumar and Sasturkar, "De-duping URLs via rewrite rules", KDD 2008.
import {
  type Components,
  componentReader,
  keysOf,
  urlsByKeys,
  writeComponents,
} from "./components.ts";
import {
  clustersOf,
  judge,
  type Labelled,
  type PaperRule,
  pagesOf,
  type Rewriter,
  rewriterOf,
  sample,
} from "./labelled.ts";

/** The URLs of a cluster that pairs are made of. */
const MEMBERS = 50;
/** A key with more values in the pairs of one transformation may have any value. */
const FANOUT = 10;
/** The least number of right merges, and the greatest share of wrong ones. */
const MIN_SUPPORT = 10;
const WRONG = 0.05;

/** Says what becomes of a URL: for each key of the target a value, or the key of the source that it copies. */
type Transformation = readonly (readonly [
  key: string,
  value: { readonly copy: string } | { readonly text: string },
])[];

interface Group {
  readonly transformation: Transformation;
  readonly sources: Components[];
}

/** Says which URLs a rule is for: those of these keys, with these values. */
type Context = ReadonlyMap<string, string>;

/**
 * Learns rules of a context and a transformation. Pairs are each URL of a cluster and its shortest one. Pairs of one
 * transformation make a rule; a key of which they have many values is not asked for.
 */
export function rewriteRules(known: readonly Labelled[]): Rewriter {
  const read = componentReader();
  const pageOf = pagesOf(known);
  const byKeys = urlsByKeys(pageOf.keys(), read);
  const groups = new Map<string, Group>();
  for (const cluster of clustersOf(known)) {
    const [target, ...others] = sample(cluster, MEMBERS).map(read) as [Components, ...Components[]];
    for (const source of others) {
      const transformation = transformationOf(source, target);
      const id = `${keysOf(source)} ${JSON.stringify(transformation)}`;
      const group = groups.get(id) ?? { transformation, sources: [] };
      groups.set(id, group);
      group.sources.push(source);
    }
  }
  const rules = new Map<string, PaperRule[]>();
  for (const { transformation, sources } of groups.values()) {
    if (sources.length < MIN_SUPPORT) continue;
    const keys = keysOf(sources[0] as Components);
    for (const context of contextsOf(sources)) {
      const apply = applied(read, keys, context, transformation);
      const { right, wrong } = judge(byKeys.get(keys) as string[], pageOf, apply);
      if (right < MIN_SUPPORT || wrong > WRONG * (right + wrong)) continue;
      const own = rules.get(keys) ?? [];
      rules.set(keys, own);
      own.push({ apply, support: right });
    }
  }
  for (const own of rules.values()) own.sort((a, b) => b.support - a.support);
  const all = [...rules.values()].flat();
  return rewriterOf(all, (url) => rules.get(keysOf(read(url))) ?? []);
}

/** Returns what makes one URL the other: a value is copied where the source has it, best under the same key. */
function transformationOf(source: Components, target: Components): Transformation {
  return [...target].map(([key, value]) => {
    if (source.get(key) === value) return [key, { copy: key }];
    const copy = [...source].find(([, own]) => own === value)?.[0];
    return [key, copy === undefined ? { text: value } : { copy }];
  });
}

/** Divides the sources of one transformation by the values of the keys that have few. */
function contextsOf(sources: readonly Components[]): Context[] {
  const values = new Map<string, Set<string>>();
  for (const source of sources) {
    for (const [key, value] of source) values.set(key, (values.get(key) ?? new Set()).add(value));
  }
  const asked = [...values].filter(([, own]) => own.size <= FANOUT).map(([key]) => key);
  const contexts = new Map<string, { context: Context; count: number }>();
  for (const source of sources) {
    const context = new Map(asked.map((key) => [key, source.get(key) as string]));
    const id = JSON.stringify([...context]);
    const count = (contexts.get(id)?.count ?? 0) + 1;
    contexts.set(id, { context, count });
  }
  return [...contexts.values()]
    .filter(({ count }) => count >= MIN_SUPPORT)
    .map(({ context }) => context);
}

function applied(
  read: (url: string) => Components,
  keys: string,
  context: Context,
  transformation: Transformation,
): PaperRule["apply"] {
  return (url) => {
    const parts = read(url);
    if (keysOf(parts) !== keys) return null;
    for (const [key, value] of context) if (parts.get(key) !== value) return null;
    return writeComponents(
      new Map(
        transformation.map(([key, from]) => [
          key,
          "copy" in from ? (parts.get(from.copy) as string) : from.text,
        ]),
      ),
    );
  };
}
