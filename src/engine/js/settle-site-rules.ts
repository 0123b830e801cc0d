import type { StepName } from "../../options/catalog.generated.ts";
import type { LoadedPlan } from "../../plan/decode/decode.ts";
import type { LoadedSiteRules } from "../../plan/decode/decode-rules.ts";
import type { PageAlias } from "../../site-rules/aliases/alias-file.ts";
import { applySiteRules } from "../../site-rules/apply/apply.ts";
import type { Rule } from "../../site-rules/rule.ts";
import { Failure } from "../../url/failure.ts";
import { joinParts, splitParts } from "../../url/parts.ts";
import { writeUrl } from "../../url/url.ts";

import { rewrite } from "./options/rewrite.ts";
import { rewritePlain } from "./options/rewrite-plain.ts";
import { isNormal } from "./scan.ts";

/** Limits the bytes of a URL that rules and aliases work on. */
export const LONGEST_RULED = 65_536;

/** How often rules, or aliases, work on one URL; reading and options run in between. */
export const PASSES = 8;

/**
 * Is called after each step that may have changed the URL: a rule, an alias, an option, or reading it (null).
 */
export type SettleTrace = (step: Rule | PageAlias | StepName | null, url: string) => void;

/** Returns the bytes of the longest URL that rules and aliases may make under a plan. */
export function longestRuled(plan: LoadedPlan): number {
  return Math.min(LONGEST_RULED, plan.maxLength);
}

/**
 * Applies the rules of its site to a URL that is the result of docs/spec.md 2 to 4. Returns a fixpoint of
 * reading, options and rules, or null if the URL reaches no fixpoint, or becomes longer than `longestRuled`
 * on the way.
 */
export function settleSiteRules(
  url: string,
  plan: LoadedPlan,
  rules: LoadedSiteRules,
  trace?: SettleTrace,
): string | null {
  const longest = longestRuled(plan);
  if (url.length > longest || !hasRules(url, rules)) return url;
  const rulesOf = (site: string) => rules.bySite.get(site) ?? rules.anySite;
  const read = (text: string) => normalizeAgain(text, plan, undefined);
  let current = url;
  for (let pass = 0; pass < PASSES; pass++) {
    const parts = splitParts(current);
    const note = trace && ((rule: Rule) => trace(rule, joinParts(parts)));
    if (!applySiteRules(parts, rulesOf, { trace: note, longest, read })) return null;
    const ruled = joinParts(parts);
    if (ruled === current) return current;
    const written = normalizeAgain(ruled, plan, trace);
    if (written === null || written.length > longest) return null;
    if (written === ruled) return ruled;
    current = written;
  }
  return null;
}

function hasRules(url: string, { bySite, anySite }: LoadedSiteRules): boolean {
  const start = url.startsWith("https://") ? 8 : url.startsWith("http://") ? 7 : 0;
  if (start === 0) return false;
  if (anySite.length > 0) return true;
  const authority = url.slice(start, url.indexOf("/", start));
  return bySite.has(authority.slice(authority.indexOf("@") + 1));
}

/**
 * Reads the text that rules or an alias wrote and applies the options. Returns null if it is not a URL or its
 * scheme does not pass.
 */
export function normalizeAgain(
  url: string,
  plan: LoadedPlan,
  trace: SettleTrace | undefined,
): string | null {
  const isRead = isNormal(url);
  if (isRead && rewritePlain(url, plan) === url) return url;
  const read = isRead ? url : writeUrl(url, null);
  if (read instanceof Failure) return null;
  trace?.(null, read);
  if (!plan.rewrites) return read;
  return rewrite(read, plan, trace && ((option, parts) => trace(option, joinParts(parts))));
}
