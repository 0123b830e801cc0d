import type { LoadedPlan, LoadedProfile } from "../../plan/decode.ts";
import { LEFT_BRACKET } from "./chars.ts";
import { endsInNumber } from "./ipv4.ts";

export type HostRules = Pick<
  LoadedPlan,
  "aliases" | "profile" | "exactSites" | "domainSites" | "longestDomain"
>;

/** The profile of a host in normal form: its own, its closest domain's, or that of all hosts. */
export function profileOf(host: string, plan: HostRules): LoadedProfile {
  const { exactSites, domainSites, longestDomain, profile } = plan;
  const exact = exactSites.get(host);
  if (exact !== undefined) return exact;
  if (domainSites.size === 0) return profile;
  for (let dot = Math.max(-1, host.length - longestDomain - 2); ; ) {
    if (dot < 0 || host[dot] === ".") {
      const found = domainSites.get(host.slice(dot + 1));
      if (found !== undefined) return found;
    }
    dot = host.indexOf(".", dot + 1);
    if (dot < 0) return profile;
  }
}

/**
 * Where one rule moves a host: an alias, else a final dot that goes, else `www.`; null where it stays.
 * The plan has been checked: no host moves forever.
 */
export function moveHost(host: string, plan: HostRules): string | null {
  const alias = plan.aliases.get(host);
  if (alias !== undefined) return alias;
  const { trailingDot, www } = profileOf(host, plan);
  if (trailingDot === "remove") {
    const moved = withoutFinalDots(host);
    if (moved !== host) return moved;
  }
  if (www === "remove" && canLoseWww(host)) return host.slice(4);
  return www === "add" && canGainWww(host) ? `www.${host}` : null;
}

/** Not where it would leave nothing, or make an IPv4 address of a name. */
function withoutFinalDots(host: string): string {
  let end = host.length;
  while (end > 1 && host[end - 1] === ".") end--;
  const moved = host.slice(0, end);
  return endsInNumber(moved) ? host : moved;
}

/** `www.` goes only where at least two labels remain. */
function canLoseWww(host: string): boolean {
  return host.startsWith("www.") && hasTwoLabels(host, 4);
}

function canGainWww(host: string): boolean {
  if (host.startsWith("www.") || host.charCodeAt(0) === LEFT_BRACKET) return false;
  return hasTwoLabels(host, 0) && !endsInNumber(host);
}

/** Whether two labels that are not empty stand at `start`. */
function hasTwoLabels(host: string, start: number): boolean {
  const dot = host.indexOf(".", start);
  return dot > start && dot + 1 < host.length && host[dot + 1] !== ".";
}
