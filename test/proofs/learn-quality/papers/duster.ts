// DUSTER: Rodrigues, Cristo, de Moura and da Silva, "Removing DUST using multiple alignment of sequences", IEEE TKDE 27 (8), 2015.
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

/** The URLs of a cluster that are aligned. */
const MEMBERS = 10;
/** Tokens that vary more are any number or word. */
const MOST_VARIANTS = 5;
/** In how many clusters a rule must be found, and how many of the most frequent are judged. */
const MIN_CLUSTERS = 3;
const MOST_RULES = 500;
/** The least number of right merges, and the greatest share of wrong ones. */
const MIN_SUPPORT = 10;
const WRONG = 0.05;

/** Holds the tokens that URLs have at one place; `hasGap`: some have none. */
interface Column {
  readonly tokens: ReadonlySet<string>;
  readonly hasGap: boolean;
}

type Alignment = readonly Column[];

/**
 * Learns rules from the alignments of clusters: what is equal in all URLs of a cluster is kept and may be any text of its type,
 * what varies becomes one of its tokens, and what some do not have goes.
 */
export function duster(known: readonly Labelled[]): Rewriter {
  const pageOf = pagesOf(known);
  const urls = [...pageOf.keys()];
  const found = new Map<string, { rule: Regex; clusters: number }>();
  for (const cluster of clustersOf(known)) {
    const rule = ruleOf(alignAll(sample(cluster, MEMBERS).map(tokensOf)));
    const id = `${rule.context} ${rule.written.join("\0")}`;
    const entry = found.get(id) ?? { rule, clusters: 0 };
    found.set(id, entry);
    entry.clusters++;
  }
  const frequent = [...found.values()]
    .filter(({ clusters }) => clusters >= MIN_CLUSTERS)
    .sort((a, b) => b.clusters - a.clusters)
    .slice(0, MOST_RULES);
  const rules = frequent.flatMap(({ rule }): PaperRule[] => {
    const apply = applied(rule);
    const { right, wrong } = judge(urls, pageOf, apply);
    const isValid = right >= MIN_SUPPORT && wrong <= WRONG * (right + wrong);
    return isValid ? [{ apply, support: right }] : [];
  });
  return rewriterOf(rules.sort((a, b) => b.support - a.support));
}

function tokensOf(url: string): Alignment {
  const tokens = url.match(/[0-9]+|[A-Za-z]+|[^0-9A-Za-z]/g) ?? [];
  return tokens.map((token) => ({ tokens: new Set([token]), hasGap: false }));
}

/** Aligns sequences progressively: the two that are most similar first. */
function alignAll(sequences: Alignment[]): Alignment {
  const left = new Set(sequences);
  let pairs = sequences.flatMap((a, at) => sequences.slice(at + 1).map((b) => align(a, b)));
  while (pairs.length > 0) {
    const { a, b, aligned } = pairs.reduce((best, pair) => (pair.score > best.score ? pair : best));
    left.delete(a);
    left.delete(b);
    pairs = pairs.filter((pair) => left.has(pair.a) && left.has(pair.b));
    for (const other of left) pairs.push(align(aligned, other));
    left.add(aligned);
  }
  return [...left][0] as Alignment;
}

/** Holds two sequences as one, and how similar they are. */
interface Pair {
  readonly a: Alignment;
  readonly b: Alignment;
  readonly score: number;
  readonly aligned: Alignment;
}

/** Aligns two sequences (Needleman and Wunsch 1970) by the Jaccard similarity of their columns. Gaps cost nothing. */
function align(a: Alignment, b: Alignment): Pair {
  const width = b.length + 1;
  const scores = new Float64Array((a.length + 1) * width);
  const at = (i: number, j: number) => scores[i * width + j] as number;
  const similar = (i: number, j: number) => jaccard(a[i - 1] as Column, b[j - 1] as Column);
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      const both = at(i - 1, j - 1) + similar(i, j);
      scores[i * width + j] = Math.max(both, at(i - 1, j), at(i, j - 1));
    }
  }
  const aligned: Column[] = [];
  let [i, j] = [a.length, b.length];
  while (i > 0 || j > 0) {
    const own = a[i - 1];
    const other = b[j - 1];
    if (
      own !== undefined &&
      other !== undefined &&
      isOneType(own, other) &&
      at(i, j) === at(i - 1, j - 1) + similar(i, j)
    ) {
      aligned.push({
        tokens: new Set([...own.tokens, ...other.tokens]),
        hasGap: own.hasGap || other.hasGap,
      });
      [i, j] = [i - 1, j - 1];
    } else if (own !== undefined && (j === 0 || at(i, j) === at(i - 1, j))) {
      aligned.push({ ...own, hasGap: true });
      i--;
    } else {
      aligned.push({ ...(other as Column), hasGap: true });
      j--;
    }
  }
  return { a, b, score: at(a.length, b.length), aligned: aligned.reverse() };
}

function jaccard(a: Column, b: Column): number {
  let both = 0;
  for (const token of a.tokens) if (b.tokens.has(token)) both++;
  return both / (a.tokens.size + b.tokens.size - both);
}

/** Returns whether columns hold tokens of one type: punctuation is never aligned with text. */
function isOneType(a: Column, b: Column): boolean {
  return typeOf(a) === typeOf(b) && (typeOf(a) !== "" || jaccard(a, b) > 0);
}

/** Returns the expression for the type of the tokens of a column, or "" for punctuation and columns of several types. */
function typeOf({ tokens }: Column): string {
  return (
    ["[0-9]+", "[A-Za-z]+"].find((type) =>
      [...tokens].every((token) => RegExp(`^${type}$`).test(token)),
    ) ?? ""
  );
}

interface Regex {
  readonly context: string;
  /** What is written: a text, or the number of what the context captured. */
  readonly written: readonly (string | number)[];
}

function ruleOf(alignment: Alignment): Regex {
  let context = "";
  const written: (string | number)[] = [];
  let captures = 0;
  for (const column of alignment) {
    const type = typeOf(column);
    const alternatives = [...column.tokens].sort().map(escaped).join("|");
    if (column.hasGap) context += `(?:${alternatives})?`;
    else if (column.tokens.size > 1) {
      context +=
        column.tokens.size > MOST_VARIANTS && type !== "" ? `(?:${type})` : `(?:${alternatives})`;
      written.push([...column.tokens].sort()[0] as string);
    } else if (type === "") {
      context += alternatives;
      written.push([...column.tokens][0] as string);
    } else {
      context += `(${type})`;
      written.push(++captures);
    }
  }
  return { context: `^${context}$`, written };
}

function escaped(text: string): string {
  return text.replace(/[^0-9A-Za-z]/g, "\\$&");
}

function applied({ context, written }: Regex): PaperRule["apply"] {
  const pattern = new RegExp(context);
  return (url) => {
    const match = pattern.exec(url);
    if (match === null) return null;
    return written.map((piece) => (typeof piece === "string" ? piece : match[piece])).join("");
  };
}
