import { createNormalizer, type NormalizerOptions } from "urlmill";
import {
  countSite,
  HERITRIX_SESSION_RULES,
  type Learned,
  type LearnRecord,
  mineSite,
  NUTCH_SESSION_RULES,
  RULES_HEADER,
  type Rule,
  SiteCollector,
  selectSites,
  writeAliases,
  writeRules,
} from "urlmill/learn";
import type { LabelledUrl } from "./labelled-site.ts";
import { learnNow } from "./learn-now.ts";

/** Describes a way to make keys: what it learns from known URLs, as options of a normalizer. */
export interface Method {
  readonly name: string;
  readonly learn: (known: readonly LabelledUrl[]) => {
    options: NormalizerOptions;
    rules: readonly Rule[];
  };
}

/** Returns the method of urlmill under a budget of pages: its rules, and its aliases for their ranges of numbers. */
export function learned(maxPageLoss: number): Method {
  return {
    name: `urlmill learn, budget ${Number((100 * maxPageLoss).toFixed(4))} %`,
    learn: (known) => withFiles(learnNow(known.map(toRecord), { maxPageLoss })),
  };
}

/** Returns the method of urlmill with what pages declare of themselves, aliases too. */
export function learnedFromPages(maxPageLoss: number): Method {
  return {
    name: `the same, what pages declare, ${Number((100 * maxPageLoss).toFixed(4))} %`,
    learn: (known) => {
      const records = known.map((url) => ({ ...toRecord(url), ...url.said }));
      return withFiles(learnNow(records, { maxPageLoss }));
    },
  };
}

/** Returns the methods to compare with: what others do, and less of what urlmill does. */
export function methods(maxPageLoss: number): Method[] {
  return [
    {
      name: "parameters only",
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
      name: "DustBuster, URLs only",
      learn: (known) =>
        withRules(
          learnNow(
            known.map(({ url }) => ({ url })),
            { maxPageLoss },
          ).rules,
          "pattern",
        ),
    },
    {
      name: "DustBuster, sizes",
      learn: (known) => withRules(learnNow(known.map(withSize), { maxPageLoss }).rules, "size"),
    },
    { name: "canonical only", learn: canonicalOnly },
    { name: "Nutch session rules", learn: () => withRules(NUTCH_SESSION_RULES) },
    { name: "Heritrix session rules", learn: () => withRules(HERITRIX_SESSION_RULES) },
    { name: "sort", learn: () => ({ options: { preset: "safe", sortQuery: "name" }, rules: [] }) },
    {
      name: "drop the query",
      learn: () => ({
        options: { preset: "safe", rules: `${RULES_HEADER}\n*\t*\tkeep\n` },
        rules: [],
      }),
    },
    { name: "safe only", learn: () => ({ options: { preset: "safe" }, rules: [] }) },
  ];
}

/** Takes the canonical URLs of known pages as their keys, where a page of the same host declares one. */
function canonicalOnly(known: readonly LabelledUrl[]): ReturnType<Method["learn"]> {
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
  return {
    options: { preset: "safe", ...(aliases.length > 0 && { pageAliases: writeAliases(aliases) }) },
    rules: [],
  };
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
  return { options: { preset: "safe", rules: writeRules(rules), accept } as const, rules };
}

function withFiles({ rules, aliases }: Pick<Learned, "rules" | "aliases">) {
  const learned = withRules(rules);
  return { ...learned, options: { ...learned.options, pageAliases: writeAliases(aliases) } };
}

function toRecord({ url, page }: LabelledUrl): LearnRecord {
  return { url, fp: `cls:${page}` };
}

function withSize({ url, size }: LabelledUrl): LearnRecord {
  return size === undefined ? { url } : { url, size };
}
