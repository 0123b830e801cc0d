import { addCount, addMember } from "../../base/tallies.ts";
import { createNormalizer } from "../../index.ts";
import type { PageAlias } from "../../site-rules/aliases/alias-file.ts";
import { baseOfAny, withAny } from "../../site-rules/aliases/any-params.ts";
import {
  findRange,
  type NumberRange,
  rangeIn,
  withNumber,
} from "../../site-rules/aliases/number-range.ts";
import type { Rule } from "../../site-rules/rule.ts";
import type { SiteEvidence } from "../count/counted.ts";
import type { LearnedSite } from "../learned-site.ts";
import { believedDeclarations, declaredEnd, NOTHING } from "../site/known.ts";
import { shortestOf } from "../site/site.ts";
import { firstStage, type Stage } from "../site/stage.ts";
import type { Budget } from "../thresholds/budget.ts";
import { trustedClaims } from "./claims.ts";
import { KeyGroups } from "./key-groups.ts";
import { KeyReader, type KnownKeys, knownKeys, UNSURE } from "./keys.ts";
import { type PageVariants, trustedVariants } from "./page-variants.ts";
import { type NumberedRun, type RangeAlias, rangesOf, trustedRuns } from "./ranges.ts";
import { trustedTwins } from "./twins.ts";

/** A page of more keys is one that many URLs show, such as a login or an error: a sink. */
const MAX_KEYS = 20;

type Known = SiteEvidence["known"];

/**
 * Returns what pages say that can be trusted, and aliases for what the rules of a site leave apart: keys, which are
 * URLs after the rules, of one page. Takes only pairs with evidence of their own:
 *
 * - `declared`: the site declares the target, by a permanent redirect or rel=canonical, and fingerprints do not
 * contradict; or the page of one says that it is the other's, by statements of a shape that is trusted
 * (`trustedClaims`).
 * - `fingerprint`: all captures of both had one fingerprint.
 *
 * Keys that are equal but for a number, and between two known numbers of one page, are claimed for it where that is
 * right for known ones (`trustedRuns`): ranges of numbers. So are the other variants of a page whose known ones all have
 * one page (`trustedVariants`).
 *
 * The target is the key that the site declares, else the shortest one that was fetched.
 *
 * Leaves out URLs that failed or change, pages of many keys, targets of sinks, and keys that the site declares to be
 * different pages.
 */
export function aliasesOf(
  evidence: SiteEvidence,
  rules: readonly Rule[],
  budget: Budget,
): Pick<LearnedSite, "aliases" | "trust"> {
  const { site, known, nodes } = evidence;
  const { failed, statements } = known;
  if (failed === null) return { aliases: [], trust: [] };
  const stage = firstStage(site, nodes, known);
  const keys = new KeyReader(stage, rules);
  const declared = declaredTargets(stage, known, failed, keys);
  const paged = knownKeys(stage, failed, keys);
  const sinks = new Set(
    rules.flatMap(({ action }) => (action.type === "sink" ? action.target : [])),
  );

  const groups = new KeyGroups();
  for (const [from, to] of declared.targets) groups.join(from, to);
  const joined = joinPages(groups, paged, declared, sinks);

  const { claims, trust, disputed } = trustedClaims(stage, statements, keys, paged, budget);
  for (const { key, by } of claims) groups.join(key, by);

  const pages = new Map(paged.pageOf);
  for (const { key, by } of claims) pages.set(key, paged.pageOf.get(by) as number);
  for (const key of [...[...declared.targets].flat(), ...declared.ends, ...disputed]) {
    if (!pages.has(key)) pages.set(key, UNSURE);
  }
  const { equality } = stage.pages;
  const isJoined = ({ page }: { readonly page: number }) => joined.has(page);
  const runs = trustedRuns(pages, paged, equality, budget).filter(isJoined);
  const variants = trustedVariants(pages, paged, equality, budget).filter(isJoined);
  const join = (key: string, page: number): void => {
    if (!declared.targets.has(key)) groups.join(key, joined.get(page) as string);
  };
  for (const { page, keys: own } of runs) for (const { key } of own) join(key, page);
  for (const { page, keys: own } of variants) for (const key of own) join(key, page);
  for (const { key, by } of trustedTwins(pages, paged, equality, budget)) {
    if (!sinks.has(by) && !declared.targets.has(by)) groups.join(key, by);
  }

  const said = new Set(declared.targets.keys());
  for (const { key } of claims) if (!paged.pageOf.has(key)) said.add(key);
  const single = singleAliases(groups, paged, declared, (from, to) => {
    return { site, from, to, level: said.has(from) ? "declared" : "fingerprint" };
  });
  const aliases = inNormalForm(withWideOnes(site, single, runs, variants));
  return { aliases: aliases.toSorted((a, b) => (a.from < b.from ? -1 : 1)), trust };
}

/**
 * Joins the known keys of each page that can have aliases, if they are not too many. Returns the key of each such page that
 * others join.
 */
function joinPages(
  groups: KeyGroups,
  paged: KnownKeys,
  declared: Declared,
  sinks: ReadonlySet<string>,
): Map<number, string> {
  const joined = new Map<number, string>();
  for (const [page, group] of pageGroups(paged)) {
    const open = group.filter((key) => !declared.targets.has(key));
    const ends = open.filter((key) => declared.ends.has(key));
    if (open.length === 0 || ends.length > 1 || open.some((key) => sinks.has(key))) continue;
    const first = shortestOf(open);
    joined.set(page, first);
    if (group.length <= MAX_KEYS) for (const key of open) groups.join(key, first);
  }
  return joined;
}

/** Returns an alias for each key of a group but its target. Groups of keys with different pages have none. */
function singleAliases(
  groups: KeyGroups,
  { pageOf }: KnownKeys,
  declared: Declared,
  aliasOf: (from: string, to: string) => PageAlias,
): PageAlias[] {
  return groups.all().flatMap((group) => {
    // Statements that contradict each other by way of a third key.
    const pages = new Set(group.map((key) => pageOf.get(key) ?? UNSURE));
    pages.delete(UNSURE);
    if (pages.size > 1) return [];
    const ends = group.filter((key) => declared.ends.has(key) && !declared.targets.has(key));
    const fetched = group.filter((key) => pageOf.has(key));
    const to = shortestOf([ends, fetched].find(({ length }) => length > 0) ?? group);
    return group.flatMap((from) => (from === to ? [] : aliasOf(from, to)));
  });
}

/** Returns aliases of many keys each, for runs and variants, and those of single keys that they do not have. */
function withWideOnes(
  site: string,
  single: readonly PageAlias[],
  runs: readonly NumberedRun[],
  variants: readonly PageVariants[],
): PageAlias[] {
  const targets = new Map(single.map(({ from, to }) => [from, to]));
  const ranges = withTheirTargets(
    runs.flatMap((run) => rangesOf(run, (key) => targets.get(key) ?? key)),
    targets,
  );
  const wide = [...ranges, ...variants.flatMap((group) => anyOf(group, targets))];
  const covered = new Set(wide.flatMap((alias) => alias.known));
  const placed = byShape(ranges);
  return [
    ...single.filter(({ from }) => !covered.has(from) && findRange(placed, from) === undefined),
    ...wide.map(({ from, to }) => ({ site, from, to, level: "fingerprint" as const })),
  ];
}

/**
 * Leaves out ranges with a key that becomes another target, or is a target: a twin tells the page of a key between two known
 * ones, and it may be another page.
 */
function withTheirTargets(
  ranges: readonly RangeAlias[],
  targets: ReadonlyMap<string, string>,
): RangeAlias[] {
  const placed = byShape(ranges);
  const refused = new Set<RangeAlias>();
  for (const [from, to] of targets) {
    for (const key of [from, to]) {
      const range = findRange(placed, key)?.alias;
      if (range !== undefined && range.to !== (key === from ? to : null)) refused.add(range);
    }
  }
  return ranges.filter((range) => !refused.has(range));
}

/** Returns the ranges of each shape, in order. */
function byShape(
  ranges: readonly RangeAlias[],
): Map<string, (NumberRange & { readonly alias: RangeAlias })[]> {
  const shapes = new Map<string, (NumberRange & { readonly alias: RangeAlias })[]>();
  for (const alias of ranges) {
    const range = rangeIn(alias.from);
    if (range !== null) addMember(shapes, range.shape, { ...range, alias });
  }
  for (const placed of shapes.values()) placed.sort((a, b) => a.first - b.first);
  return shapes;
}

/** Returns the alias of page variants for any other parameters, if its known keys become one. */
function anyOf({ base, keys }: PageVariants, targets: ReadonlyMap<string, string>): RangeAlias[] {
  const [to, ...others] = new Set(keys.map((key) => targets.get(key) ?? key));
  if (to === undefined || others.length > 0) return [];
  return [{ from: withAny(base), to, known: keys.filter((key) => key !== to) }];
}

/** What a site declares: the key that each key becomes, and the keys that are declared to be pages. */
interface Declared {
  readonly targets: ReadonlyMap<string, string>;
  readonly ends: ReadonlySet<string>;
}

function declaredTargets(
  { pages }: Stage,
  { declared: given }: Known,
  failed: ReadonlySet<number>,
  keys: KeyReader,
): Declared {
  const counted = new Set<string>();
  // Each pair that the rules leave apart counts once, however many URLs the rules made of either.
  const declared = believedDeclarations(given, pages, (node, target) => {
    const [from, to] = [keys.of(node), keys.of(target)];
    const [pair, before] = [`${from} ${to}`, counted.size];
    return from !== to && counted.add(pair).size > before;
  });
  const targets = new Map<string, string>();
  const ends = new Set<string>();
  const refused = new Set<string>();
  for (const [node, next] of declared.entries()) {
    if (next === NOTHING) continue;
    const end = declaredEnd(node, declared);
    const from = keys.of(node);
    if (end < 0) {
      refused.add(from);
      continue;
    }
    const to = keys.of(end);
    ends.add(to);
    if (from === to) continue;
    const [own, other] = [pages.page[node] as number, pages.page[end] as number];
    const isDenied = own >= 0 && other >= 0 && own !== other;
    const hasTwo = (targets.get(from) ?? to) !== to;
    if (isDenied || hasTwo || failed.has(node) || failed.has(end)) refused.add(from);
    targets.set(from, to);
  }
  const keysOf = new Map<string, number>();
  for (const to of targets.values()) addCount(keysOf, to);
  const isMany = (to: string) => (keysOf.get(to) as number) >= MAX_KEYS;
  const kept = [...targets].filter(
    ([from, to]) => !refused.has(from) && !isMany(to) && !ends.has(from) && !targets.has(to),
  );
  return { targets: new Map(kept), ends };
}

/** Returns the known keys of each page that has two or more. */
function pageGroups({ pageOf, keysOf }: KnownKeys): Map<number, string[]> {
  const groups = new Map<number, string[]>();
  for (const [key, page] of pageOf) {
    if (page !== UNSURE && (keysOf.get(page) as number) > 1) addMember(groups, page, key);
  }
  return groups;
}

/** Leaves out aliases of a key that reading would change: rules can make such texts of paths. */
function inNormalForm(aliases: readonly PageAlias[]): PageAlias[] {
  const normalizer = createNormalizer({ preset: "safe" });
  const keysOf = ({ from, to }: PageAlias) => {
    const [range, base] = [rangeIn(from), baseOfAny(from)];
    if (range === null) return [base ?? from, base ?? from, to];
    return [withNumber(range.shape, range.first), withNumber(range.shape, range.last), to];
  };
  const urls = aliases.flatMap((alias) => keysOf(alias).map((key) => `http://${alias.site}${key}`));
  const written = normalizer.normalizeBatch(urls).urls;
  return aliases.filter((_, at) =>
    [3 * at, 3 * at + 1, 3 * at + 2].every((row) => written[row] === urls[row]),
  );
}
