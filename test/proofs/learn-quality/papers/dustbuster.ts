// DustBuster: Schonfeld, Bar-Yossef and Keidar, "Do not crawl in the DUST", WWW 2007 and ACM TWEB 3 (1), 2009.
import { type Labelled, type Rewriter, sample } from "./labelled.ts";

/** The longest text that a rule replaces, in tokens, and the most members of a bucket. */
const LONGEST = 35;
const OVERFLOW = 11;
const MIN_SUPPORT = 3;
/** A rule and one that it refines are one rule if their supports differ by less. */
const DEFICIENCY = 0.05;
/** How many rules are tried, and how far a rule is compared with those after it. */
const WINDOW = 1100;
/** How many pairs of URLs validate a rule, and the share of them that may refute it. */
const SAMPLES = 100;
const REFUTED = 0.05;
/** How often all rules are applied to one URL. */
const PASSES = 10;

interface Substitution {
  readonly from: string;
  readonly to: string;
  support: number;
}

/** Stand for the beginning and the end of a URL. They are tokens. */
const START = "^";
const END = "$";

/**
 * Learns rules that replace one text by another. Two URLs that are equal but for one text of up to 35 tokens support the
 * rule that replaces the greater text by the smaller one, if their pages are equal.
 */
export function dustBuster(known: readonly Labelled[]): Rewriter {
  const pageOf = new Map(known.map(({ url, page }) => [START + url + END, page]));
  const urls = [...pageOf.keys()];
  const likely = withoutRefined(likelyRules(urls, pageOf));
  const rules = likely.filter((rule) => isValid(rule, urls, pageOf));
  return { rules: rules.length, rewrite: (url) => canonical(url, rules) };
}

function tokensOf(text: string): string[] {
  return text.match(/[0-9A-Za-z]+|[^0-9A-Za-z]/g) ?? [];
}

/** Marks a place in a URL: the text between two tokens. */
interface Place {
  readonly url: number;
  readonly from: number;
  readonly to: number;
}

function likelyRules(urls: readonly string[], pageOf: ReadonlyMap<string, string>): Substitution[] {
  const tokens = urls.map(tokensOf);
  // Of most envelopes there is one, so a table of counts spares the map.
  const counts = new Uint8Array(1 << 24);
  for (const own of tokens) {
    eachEnvelope(own, (low) => {
      const slot = low & (counts.length - 1);
      if ((counts[slot] as number) < 2) counts[slot] = (counts[slot] as number) + 1;
    });
  }
  const buckets = new Map<number, Place[]>();
  for (const [url, own] of tokens.entries()) {
    eachEnvelope(own, (low, high, from, to) => {
      if (counts[low & (counts.length - 1)] === 1) return;
      const envelope = (low >>> 0) * 2 ** 21 + (high >>> 11);
      const bucket = buckets.get(envelope);
      if (bucket === undefined) buckets.set(envelope, [{ url, from, to }]);
      else if (bucket.length <= OVERFLOW) bucket.push({ url, from, to });
    });
  }
  const rules = new Map<string, Substitution>();
  for (const bucket of buckets.values()) {
    if (bucket.length < 2 || bucket.length > OVERFLOW) continue;
    for (const a of bucket) {
      for (const b of bucket) {
        if (pageOf.get(urls[a.url] as string) !== pageOf.get(urls[b.url] as string)) continue;
        const [from, to] = [a, b].map((at) =>
          (tokens[at.url] as string[]).slice(at.from, at.to).join(""),
        ) as [string, string];
        if (!isGreater(from, to)) continue;
        const rule = rules.get(`${from} ${to}`) ?? { from, to, support: 0 };
        rule.support++;
        rules.set(`${from} ${to}`, rule);
      }
    }
  }
  return [...rules.values()]
    .filter(({ support }) => support >= MIN_SUPPORT)
    .sort(
      (a, b) =>
        b.support - a.support || b.from.length - a.from.length || (a.from < b.from ? -1 : 1),
    );
}

/** Tells `take` the two hashes of what is before and after each text of a URL, and where the text is. */
function eachEnvelope(
  tokens: readonly string[],
  take: (low: number, high: number, from: number, to: number) => void,
): void {
  const after: [number, number][] = [[7, 11]];
  for (const token of tokens.toReversed())
    after.push(mixed(after.at(-1) as [number, number], token));
  after.reverse();
  let before: [number, number] = [3, 5];
  for (let from = 0; from <= tokens.length; from++) {
    const last = Math.min(tokens.length, from + LONGEST);
    for (let to = from; to <= last; to++) {
      if (from === 0 && to === tokens.length) continue;
      const [low, high] = after[to] as [number, number];
      const first = Math.imul(before[0] ^ Math.imul(low, 0x9e3779b1), 0x85ebca6b);
      take(
        first ^ (first >>> 15),
        Math.imul(before[1] ^ Math.imul(high, 0xc2b2ae35), 0x27d4eb2f),
        from,
        to,
      );
    }
    if (from < tokens.length) before = mixed(before, tokens[from] as string);
  }
}

function mixed([low, high]: [number, number], token: string): [number, number] {
  let [a, b] = [low ^ token.length, high + token.length];
  for (let at = 0; at < token.length; at++) {
    const code = token.charCodeAt(at);
    a = Math.imul(a ^ code, 0x01000193);
    b = Math.imul(b + code, 0x5bd1e995) ^ (b >>> 13);
  }
  return [Math.imul(a, 0x85ebca6b), Math.imul(b, 0xc2b2ae35)];
}

/** Returns whether a rule makes URLs shorter, or smaller by their bytes. */
function isGreater(from: string, to: string): boolean {
  return from.length > to.length || (from.length === to.length && from > to);
}

/** Leaves out, of a rule and one that refines it by a longer context, the one that says less. */
function withoutRefined(rules: readonly Substitution[]): Substitution[] {
  const tried = rules.slice(0, WINDOW);
  const gone = new Set<Substitution>();
  for (const [at, rule] of tried.entries()) {
    if (gone.has(rule)) continue;
    for (const other of tried.slice(at + 1)) {
      if (gone.has(other)) continue;
      const isNear = rule.support - other.support <= DEFICIENCY * rule.support;
      if (refines(rule, other)) gone.add(other);
      else if (refines(other, rule)) {
        gone.add(isNear ? rule : other);
        if (isNear) break;
      }
    }
  }
  return tried.filter((rule) => !gone.has(rule));
}

/** Returns whether a rule is another with more context, the same on both sides. */
function refines(narrow: Substitution, wide: Substitution): boolean {
  for (
    let at = narrow.from.indexOf(wide.from);
    at >= 0;
    at = narrow.from.indexOf(wide.from, at + 1)
  ) {
    const after = narrow.from.slice(at + wide.from.length);
    if (narrow.from.slice(0, at) + wide.to + after === narrow.to) return true;
    if (wide.from === "") break;
  }
  return false;
}

/** Returns whether pages of known URLs confirm a rule: a sample of those that it makes another known URL of. */
function isValid(
  { from, to }: Substitution,
  urls: readonly string[],
  pageOf: ReadonlyMap<string, string>,
): boolean {
  const pairs = urls.flatMap((url): [string, string][] => {
    const at = placeOf(url, from);
    if (at < 0) return [];
    const made = url.slice(0, at) + to + url.slice(at + from.length);
    return pageOf.has(made) ? [[url, made]] : [];
  });
  const tried = sample(pairs, SAMPLES);
  const refuted = tried.filter(([url, made]) => pageOf.get(url) !== pageOf.get(made)).length;
  return tried.length > 0 && refuted <= REFUTED * tried.length;
}

/** Returns where whole tokens of a URL are this text, or -1. */
function placeOf(url: string, text: string, start = 0): number {
  for (let at = url.indexOf(text, start); at >= 0; at = url.indexOf(text, at + 1)) {
    if (!cutsToken(url, at) && !cutsToken(url, at + text.length)) return at;
  }
  return -1;
}

const isOfToken = (text: string | undefined) => text !== undefined && /[0-9A-Za-z]/.test(text);

function cutsToken(url: string, at: number): boolean {
  return isOfToken(url[at - 1]) && isOfToken(url[at]);
}

function canonical(url: string, rules: readonly Substitution[]): string {
  let own = START + url + END;
  for (let pass = 0; pass < PASSES; pass++) {
    const before = own;
    for (const { from, to } of rules) {
      for (let at = placeOf(own, from); at >= 0; at = placeOf(own, from, at + to.length)) {
        own = own.slice(0, at) + to + own.slice(at + from.length);
      }
    }
    if (own === before) break;
  }
  return own.slice(START.length, -END.length);
}
