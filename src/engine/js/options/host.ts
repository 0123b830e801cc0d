import { SECOND_LEVEL_DOMAINS } from "../../../base/lists/second-levels.ts";
import type { DomainLengths, LoadedPlan, LoadedProfile } from "../../../plan/decode/decode.ts";
import { isDigit, LEFT_BRACKET } from "../../../url/chars.ts";
import { endsInNumber } from "../../../url/host/ipv4.ts";

/** Holds the parts of a plan that move hosts. */
export type HostRules = Pick<
  LoadedPlan,
  | "aliases"
  | "domainAliases"
  | "aliasDomainLengths"
  | "labels"
  | "profile"
  | "exactSites"
  | "domainSites"
  | "domainLengths"
>;

/**
 * Returns the profile of a host in normal form: its own, that of its closest domain, or that of all hosts.
 */
export function profileOf(host: string, plan: HostRules): LoadedProfile {
  const { exactSites, domainSites, domainLengths, profile } = plan;
  const exact = exactSites.get(host);
  if (exact !== undefined) return exact;
  if (domainSites.size === 0) return profile;
  for (let dot = Math.max(-1, host.length - domainLengths.longest - 2); ; ) {
    if ((dot < 0 || host[dot] === ".") && domainLengths.all.has(host.length - dot - 1)) {
      const found = domainSites.get(host.slice(dot + 1));
      if (found !== undefined) return found;
    }
    dot = host.indexOf(".", dot + 1);
    if (dot < 0) return profile;
  }
}

/** Returns the host that the most specific alias writes; null if no alias fits or the alias is that host. */
export function aliasOf(host: string, plan: HostRules): string | null {
  const target = targetOf(host, plan);
  return target === undefined || target === host ? null : target;
}

/** Returns the host that the most specific alias writes, which may be the same. */
function targetOf(
  host: string,
  { aliases, domainAliases, aliasDomainLengths }: HostRules,
): string | undefined {
  return aliases.get(host) ?? aliasAbove(host, domainAliases, aliasDomainLengths);
}

/** Returns the alias for hosts below the closest domain that has one. */
function aliasAbove(
  host: string,
  aliases: ReadonlyMap<string, string>,
  { all, longest }: DomainLengths,
): string | undefined {
  if (aliases.size === 0) return undefined;
  const first = Math.max(0, host.length - longest - 1);
  for (let dot = host.indexOf(".", first); dot >= 0; dot = host.indexOf(".", dot + 1)) {
    if (!all.has(host.length - dot - 1)) continue;
    const found = aliases.get(host.slice(dot + 1));
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * Returns a host without its first label, if that is one of those that go and the host has no alias. Returns null unless two
 * labels remain, which are more than a public second level.
 */
export function withoutLabel(host: string, plan: HostRules): string | null {
  const { labels } = plan;
  if (labels.size === 0 || targetOf(host, plan) !== undefined) return null;
  const dot = host.indexOf(".");
  if (dot < 0 || !labels.has(host.slice(0, dot)) || !hasTwoLabels(host, dot + 1)) return null;
  return withoutSecondLevel(host.slice(dot + 1));
}

/** Returns a host, or null if it is a public second level. */
function withoutSecondLevel(host: string): string | null {
  return SECOND_LEVEL_DOMAINS.has(withoutFinalDots(host)) ? null : host;
}

/**
 * Returns where one step moves a host: an alias, else without its first label, else without a final dot, else `www.` added or
 * removed.
 * Returns null if it stays. Options under which a host would move forever are refused before.
 */
export function moveHost(host: string, plan: HostRules): string | null {
  const alias = aliasOf(host, plan);
  if (alias !== null) return alias;
  const shorter = withoutLabel(host, plan);
  if (shorter !== null) return shorter;
  const { trailingDot, www, wwwDigits } = profileOf(host, plan);
  if (trailingDot === "remove") {
    const moved = withoutFinalDots(host);
    if (moved !== host) return moved;
  }
  if (www === "remove") return withoutWww(host, wwwDigits);
  return www === "add" && canGainWww(host) ? `www.${host}` : null;
}

/**
 * Returns a circle in which one of these hosts moves, from host to host; null if all reach a fixpoint. It also returns what
 * it has if that takes more than `most` bytes of hosts.
 */
export function circleOf(
  hosts: Iterable<string>,
  plan: HostRules,
  most = Number.POSITIVE_INFINITY,
): string[] | null {
  const resting = new Set<string>();
  let left = most;
  for (const start of hosts) {
    if (resting.has(start)) continue;
    resting.add(start);
    let host = moveHost(start, plan);
    if (host === null) continue;
    const path = new Set([start]);
    for (; host !== null && !resting.has(host); host = moveHost(host, plan)) {
      left -= host.length;
      if (path.has(host) || left < 0) return [...path, host];
      path.add(host);
    }
    if (host !== null && path.has(host)) return [...path, host];
    for (const known of path) resting.add(known);
  }
  return null;
}

/** Removes the final dots of a host, unless that leaves nothing or turns a name into an IPv4 address. */
export function withoutFinalDots(host: string): string {
  let end = host.length;
  while (end > 0 && host[end - 1] === ".") end--;
  const moved = host.slice(0, end);
  return end === 0 || endsInNumber(moved) ? host : moved;
}

/**
 * Returns a host without `www.`, or `www` with one to three digits if digits are taken too. Returns null unless two
 * labels remain; with digits, unless these are more than a public second level.
 */
function withoutWww(host: string, takesDigits: boolean): string | null {
  if (!host.startsWith("www")) return null;
  let dot = 3;
  while (takesDigits && dot < 6 && isDigit(host.charCodeAt(dot))) dot++;
  if (host[dot] !== "." || !hasTwoLabels(host, dot + 1)) return null;
  const rest = host.slice(dot + 1);
  return dot > 3 ? withoutSecondLevel(rest) : rest;
}

function canGainWww(host: string): boolean {
  if (host.startsWith("www.") || host.charCodeAt(0) === LEFT_BRACKET) return false;
  return hasTwoLabels(host, 0) && !endsInNumber(host);
}

/** Returns whether two labels that are not empty begin at `start`. */
function hasTwoLabels(host: string, start: number): boolean {
  const dot = host.indexOf(".", start);
  return dot > start && dot + 1 < host.length && host[dot + 1] !== ".";
}
