import { type HostRules, moveHost } from "../engine/js/host-rules.ts";
import { decodePlan } from "../plan/decode.ts";
import { encodePlan } from "../plan/encode.ts";
import type { Profile } from "../plan/profile.ts";
import type { Rules } from "../plan/rules.ts";
import { badOption } from "./options.ts";

/**
 * Refuses rules under which a host never comes to rest (an alias and its inverse, `www` added on one
 * site and removed on the other), and patterns of sites no host arrives at. Every cycle runs through a
 * host that some alias or pattern names, with or without its `www.`, so those are all there is to try.
 */
export function checkHosts(rules: Rules): void {
  const plan = decodePlan(encodePlan(rules));
  const named = [
    ...rules.hostAliases.keys(),
    ...rules.hostAliases.values(),
    ...rules.sites.map(({ host }) => host),
  ];
  const hosts = new Set(named.flatMap((host) => [host, `www.${host}`, host.replace(/^www\./, "")]));
  hosts.delete("");
  for (const host of hosts) checkRest(host, plan);
  for (const { host, subdomains, profile } of rules.sites) {
    if (subdomains || movesBySite(profile, rules.profile)) continue;
    const rest = lastHost(host, plan);
    if (rest !== host) {
      throw badOption(
        "sites",
        host,
        `a host that stays: it becomes ${rest}, so the pattern can never match`,
      );
    }
  }
}

/** Whether the site itself says that its host moves, which may be all it is there for. */
function movesBySite(site: Profile, all: Profile): boolean {
  return site.www !== all.www || site.trailingDot !== all.trailingDot;
}

function checkRest(start: string, plan: HostRules): void {
  const seen = new Set<string>();
  for (let host: string | null = start; host !== null; host = moveHost(host, plan)) {
    if (seen.has(host)) {
      const path = [...seen, host].join(" > ");
      throw badOption(
        "hostAliases",
        path,
        "aliases, www and sites under which a host comes to rest",
      );
    }
    seen.add(host);
  }
}

function lastHost(start: string, plan: HostRules): string {
  let host = start;
  for (let next = moveHost(host, plan); next !== null; next = moveHost(host, plan)) host = next;
  return host;
}
