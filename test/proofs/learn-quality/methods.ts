import { createNormalizer, type NormalizerOptions } from "urlmill";
import {
  countSite,
  HERITRIX_SESSION_RULES,
  type Learned,
  type LearnRecord,
  mineSite,
  NUTCH_SESSION_RULES,
  PageTrust,
  probe,
  RULES_HEADER,
  type Rule,
  SiteCollector,
  selectSites,
  writeAliases,
  writeRules,
} from "urlmill/learn";
import { type Changing, capturesOf } from "./captures.ts";
import { hashShare } from "./hold-out.ts";
import type { LabelledUrl } from "./labelled-site.ts";
import { learnNow } from "./learn-now.ts";
import { dustBuster } from "./papers/dustbuster.ts";
import { duster } from "./papers/duster.ts";
import type { Labelled, Rewriter } from "./papers/labelled.ts";
import { patternTree } from "./papers/pattern-tree.ts";
import { rewriteRules } from "./papers/rewrite-rules.ts";

/** Describes a way to make keys: what it learns from known URLs. */
export interface Method {
  readonly name: string;
  readonly learn: (known: readonly LabelledUrl[]) => Learnt;
}

/** Holds what a method learned. */
export interface Learnt {
  /** Returns the keys of URLs, or null for what is not a URL. */
  readonly keysOf: (urls: readonly string[]) => readonly (string | null)[];
  /** Counts the rules. */
  readonly rules: number;
  /** Returns other URLs of a page that was fetched, as far as what it says can be trusted. */
  readonly sameAs?: (url: LabelledUrl) => Promise<string[]>;
}

/** Returns the method of urlmill under a budget of pages: its rules, and its aliases for their ranges of numbers. */
export function learned(maxPageLoss: number): Method {
  return {
    name: `urlmill, lists only, budget ${percent(maxPageLoss)}`,
    learn: (known) => withFiles(learnNow(known.map(toRecord), { maxPageLoss })),
  };
}

/** Returns the method of urlmill with what pages declare of themselves, aliases too. */
export function learnedFromPages(maxPageLoss: number): Method {
  return {
    name: `with declarations, budget ${percent(maxPageLoss)}`,
    learn: (known) => {
      const records = known.map((url) => ({ ...toRecord(url), ...url.said }));
      const learned = learnNow(records, { maxPageLoss });
      const trust = new PageTrust(writeRules(learned.rules, "tsv", learned.trust));
      return { ...withFiles(learned), sameAs: ({ url, said = {} }) => trust.sameAs(url, said) };
    },
  };
}

/** Returns the method of urlmill where pages changed now and then before they were captured. */
export function learnedFromChanging(maxPageLoss: number, changing: Changing): Method {
  const { changed, twice } = changing;
  return {
    name: `lists only, ${percent(changed)} of captures changed, ${percent(twice)} of URLs captured twice`,
    learn: (known) => withFiles(learnNow(capturesOf(known, changing), { maxPageLoss })),
  };
}

/** Returns the method of urlmill that knows so many pages of the known half: those that `probe` asks for. */
export function learnedByProbe(maxPageLoss: number, fetches: number): Method {
  return {
    name: `${fetches} URLs fetched, by learn plan --probe`,
    learn: (known) => {
      const normalizer = createNormalizer({ preset: "safe" });
      const pages = new Map(known.map((url) => [normalizer.normalize(url.url), url]));
      const fetched: LearnRecord[] = [];
      for (;;) {
        const collector = new SiteCollector();
        collector.add(known.map(({ url }) => ({ url })));
        collector.add(fetched);
        const { urls } = probe(collector.sites(), { fetches });
        if (urls.length === 0) break;
        for (const url of urls) fetched.push(toRecord(pages.get(url) as LabelledUrl));
      }
      return withFiles(learnNow(fetched, { maxPageLoss }));
    },
  };
}

/** Returns the method of urlmill that knows so many pages of the known half, taken by chance. */
export function learnedByChance(maxPageLoss: number, fetches: number): Method {
  return {
    name: `${fetches} URLs fetched, by chance`,
    learn: (known) => {
      const some = known
        .toSorted((a, b) => hashShare(`fetched ${a.url}`) - hashShare(`fetched ${b.url}`))
        .slice(0, fetches);
      return withFiles(learnNow(some.map(toRecord), { maxPageLoss }));
    },
  };
}

function percent(share: number): string {
  return `${Number((100 * share).toFixed(4))} %`;
}

/** Returns all methods that are measured under a budget, that of urlmill first. */
export function methodsOf(maxPageLoss: number): Method[] {
  return [learned(maxPageLoss), learnedFromPages(maxPageLoss), ...methods(maxPageLoss)];
}

/** Returns the methods to compare with: what others do, and less of what urlmill does. */
export function methods(maxPageLoss: number): Method[] {
  const learnBy = (records: LearnRecord[], accept: "size" | "pattern") =>
    withRules(learnNow(records, { maxPageLoss }).rules, accept);
  return [
    byPaper("DustBuster (WWW 2007)", dustBuster),
    byPaper("rewrite rules (KDD 2008)", rewriteRules),
    byPaper("pattern tree (WWW 2010)", patternTree),
    byPaper("DUSTER (TKDE 2015)", duster),
    { name: "canonical only", learn: canonicalOnly },
    {
      name: "urlmill, parameters only",
      learn: (known) => {
        const collector = new SiteCollector();
        collector.add(known.map(toRecord));
        const evidence = [...collector.sites()].map((site) =>
          countSite(
            site,
            mineSite(site).filter(({ rule }) => isOfParams(rule)),
          ),
        );
        return withRules(selectSites(evidence, { maxPageLoss }, isOfParams).rules);
      },
    },
    {
      name: "urlmill, URLs only, --accept pattern",
      learn: (known) =>
        learnBy(
          known.map(({ url }) => ({ url })),
          "pattern",
        ),
    },
    {
      name: "urlmill, sizes, --accept size",
      learn: (known) => learnBy(known.map(withSize), "size"),
    },
    { name: "Nutch session rules", learn: () => withRules(NUTCH_SESSION_RULES) },
    { name: "Heritrix session rules", learn: () => withRules(HERITRIX_SESSION_RULES) },
    { name: "parameters sorted", learn: () => learntBy({ preset: "safe", sortQuery: "name" }) },
    {
      name: "the whole query dropped",
      learn: () => learntBy({ preset: "safe", rules: `${RULES_HEADER}\n*\t*\tkeep\n` }),
    },
    { name: "preset safe only", learn: () => learntBy({ preset: "safe" }) },
  ];
}

/** Returns the method of a paper, which learns from URLs in normal form and the classes of their pages. */
function byPaper(name: string, learn: (known: readonly Labelled[]) => Rewriter): Method {
  const normalizer = createNormalizer({ preset: "safe" });
  return {
    name,
    learn: (known) => {
      const pages = new Map<string, string>();
      for (const { url, page } of known) {
        const own = normalizer.tryNormalize(url).url;
        if (own !== null) pages.set(own, page);
      }
      const { rules, rewrite } = learn([...pages].map(([url, page]) => ({ url, page })));
      const keysOf = (urls: readonly string[]) =>
        normalizer.normalizeBatch(urls).urls.map((url) => (url === null ? null : rewrite(url)));
      return { rules, keysOf };
    },
  };
}

/** Takes the canonical URLs of known pages as their keys, where a page of the same host declares one. */
function canonicalOnly(known: readonly LabelledUrl[]): Learnt {
  const n = createNormalizer({ preset: "safe" });
  const pairs = new Map<string, string>();
  for (const { url, said } of known) {
    const from = n.tryNormalize(url).url;
    const to = said?.canonical === undefined ? null : n.tryNormalize(said.canonical, url).url;
    if (from === null || to === null || from === to || hostOf(from) !== hostOf(to)) continue;
    pairs.set(from, to);
  }
  const aliases = [...pairs]
    .filter(([, to]) => !pairs.has(to))
    .map(([from, to]) => ({
      site: hostOf(from),
      from: targetOf(from),
      to: targetOf(to),
      level: "declared" as const,
    }))
    .filter(({ from, to }) => from !== to);
  if (aliases.length === 0) return learntBy({ preset: "safe" });
  return learntBy({ preset: "safe", pageAliases: writeAliases(aliases) }, aliases.length);
}

function hostOf(url: string): string {
  return new URL(url).host;
}

function targetOf(url: string): string {
  return url.slice(new URL(url).origin.length).replace(/#.*/s, "");
}

function isOfParams({ action }: Rule): boolean {
  return ["drop", "dropif", "keep", "set", "sort"].includes(action.type);
}

function withRules(rules: readonly Rule[], accept: "fetched" | "size" | "pattern" = "fetched") {
  return learntBy({ preset: "safe", rules: writeRules(rules), accept }, rules.length);
}

/** Applies rules and aliases. */
export function withFiles({ rules, aliases }: Pick<Learned, "rules" | "aliases">): Learnt {
  const options = {
    preset: "safe",
    rules: writeRules(rules),
    pageAliases: writeAliases(aliases),
  } as const;
  return learntBy(options, rules.length);
}

function learntBy(options: NormalizerOptions, rules = 0): Learnt {
  const normalizer = createNormalizer(options);
  return { keysOf: (urls) => normalizer.normalizeBatch(urls).urls, rules };
}

/** Returns the record of a URL, with its page as the fingerprint. */
export function toRecord({ url, page }: LabelledUrl): LearnRecord {
  return { url, fp: `cls:${page}` };
}

function withSize({ url, size }: LabelledUrl): LearnRecord {
  return size === undefined ? { url } : { url, size };
}
