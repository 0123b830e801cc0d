import type { LoadedPlan } from "../../plan/decode/decode.ts";
import type { LoadedAlias, LoadedAliases, SiteAliases } from "../../plan/decode/decode-aliases.ts";
import { findAny } from "../../site-rules/aliases/any-params.ts";
import { findRange, writeRange } from "../../site-rules/aliases/number-range.ts";
import {
  longestRuled,
  normalizeAgain,
  PASSES,
  type SettleTrace,
  settleSiteRules,
} from "./settle-site-rules.ts";

/**
 * Applies the rules of its site to a URL that is the result of docs/spec.md 2 to 4, then the aliases. Returns a
 * fixpoint of reading, options, rules and aliases. Rules or aliases that reach no fixpoint, or make the URL longer
 * than `longestRuled`, have changed nothing. `trace` is called for the steps that lead to the result.
 */
export function settleSite(url: string, plan: LoadedPlan, trace?: SettleTrace): string {
  const { siteRules, pageAliases } = plan;
  if (url.length > longestRuled(plan)) return url;
  let settled = url;
  if (siteRules !== null) {
    settled = traced(trace, (note) => settleSiteRules(url, plan, siteRules, note)) ?? url;
  }
  if (pageAliases === null) return settled;
  return traced(trace, (note) => followAliases(settled, plan, pageAliases, note)) ?? settled;
}

/**
 * Replaces a URL by what its alias names, and applies reading, options and rules to that, as long as the result is an
 * alias. Returns null if that reaches no fixpoint.
 */
function followAliases(
  url: string,
  plan: LoadedPlan,
  aliases: LoadedAliases,
  trace: SettleTrace | undefined,
): string | null {
  const longest = longestRuled(plan);
  let current = url;
  for (let pass = 0; pass < PASSES; pass++) {
    const { site, start } = splitHead(current);
    const own = aliases.get(site);
    if (own === undefined) return current;
    const hash = current.indexOf("#", start);
    const end = hash < 0 ? current.length : hash;
    const alias = aliasOf(current.slice(start, end), own);
    if (alias === null) return current;
    const aliased = current.slice(0, start) + alias.to + current.slice(end);
    if (aliased.length > longest) return null;
    trace?.({ site, ...alias, level: null }, aliased);
    const written = normalizeAgain(aliased, plan, trace);
    if (written === null || written.length > longest) return null;
    const { siteRules } = plan;
    const settled: string | null =
      siteRules === null ? written : settleSiteRules(written, plan, siteRules, trace);
    if (settled === null) return null;
    current = settled;
  }
  return null;
}

/** Returns the alias of path and query: its own, that of a range, or one for any other parameters. */
function aliasOf(target: string, aliases: SiteAliases): LoadedAlias | null {
  const to = aliases.urls.get(target);
  if (to !== undefined) return { from: target, to };
  const range = findRange(aliases.ranges, target);
  if (range !== undefined) return { from: writeRange(range), to: range.to };
  const any = findAny(aliases.any, target, aliases.longestAny);
  return any === undefined || any.to === target ? null : any;
}

/** Returns the site of an http or https URL, and where its path begins. The site of any other URL is "". */
export function splitHead(url: string): { site: string; start: number } {
  const authority = url.startsWith("https://") ? 8 : url.startsWith("http://") ? 7 : 0;
  if (authority === 0) return { site: "", start: 0 };
  const start = url.indexOf("/", authority);
  const site = url.slice(authority, start);
  return { site: site.slice(site.indexOf("@") + 1), start };
}

/** Calls `settle` with a trace, and hands its steps on unless it returns null. */
function traced(
  trace: SettleTrace | undefined,
  settle: (trace: SettleTrace | undefined) => string | null,
): string | null {
  if (trace === undefined) return settle(undefined);
  const steps: Parameters<SettleTrace>[] = [];
  const settled = settle((...step) => steps.push(step));
  if (settled !== null) for (const step of steps) trace(...step);
  return settled;
}
