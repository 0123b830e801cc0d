import { aliasOf, circleOf, type HostRules, moveHost } from "../engine/js/options/host.ts";
import type { CompiledOptions, Profile, Site } from "../options/compiled-options.ts";
import { badOption } from "../options/options.ts";
import { decodePlan } from "../plan/decode/decode.ts";
import { encodePlan } from "../plan/encode/encode.ts";
import { writeSiteRules } from "../plan/encode/encode-rules.ts";
import { normalizeAliases } from "./normalize-aliases.ts";

/**
 * Throws `BAD_OPTION` for aliases and `www` options under which a host would move forever, such as an alias
 * and its inverse. Throws it also for options of sites that no host stays at. Every cycle passes a host that
 * an alias or a pattern names, with or without `www.`, so it tries only these.
 */
export function checkHostOptions(rules: CompiledOptions): void {
  const ofHosts = { ...rules, siteRules: new Map(), pageAliases: new Map() };
  checkLabels(rules);
  const plan = decodePlan(encodePlan(ofHosts, () => ({ writeSiteRules, normalizeAliases })));
  const named = [
    ...rules.hostAliases.flatMap(({ host, isLabel, target }) => (isLabel ? [] : [host, target])),
    ...rules.sites.map(({ host }) => host),
  ];
  const hosts = new Set(
    named.flatMap((host) => [host, `www.${host}`, host.replace(/^www\d{0,3}\./, "")]),
  );
  hosts.delete("");
  const circle = circleOf(hosts, plan);
  if (circle !== null) {
    const path = circle.join(" > ");
    throw badOption("hostAliases", path, "aliases, www and sites that move no host in a circle");
  }
  const restingHosts = new Set([...hosts].map((host) => lastHost(host, plan)));
  for (const site of rules.sites) {
    if (site.subdomains) checkDomain(site, restingHosts, plan);
    else checkHost(site, rules.profile, plan);
  }
}

/** Throws if hosts gain the first label that goes from all of them. */
function checkLabels({ hostAliases, profile, sites }: CompiledOptions): void {
  const isLabel = hostAliases.some((alias) => alias.isLabel && alias.host === "www");
  if (!isLabel || ![profile, ...sites.map((site) => site.profile)].some(({ www }) => www === "add"))
    return;
  throw badOption(
    "hostAliases",
    "www.*",
    'another label where the option www is "add": hosts would gain it and lose it',
  );
}

/** The options by which a site can move its own host. */
const HOST_OPTIONS: readonly (keyof Profile)[] = ["trailingDot", "www", "wwwDigits"];

/**
 * Throws if options of a single host can never work. They work if the host stays. If it moves by its own
 * options, only these work. If it moves by an alias, or as all hosts do, none of them works.
 */
function checkHost({ host, profile }: Site, all: Profile, plan: HostRules): void {
  const rest = lastHost(host, plan);
  if (rest === host) return;
  const differing = (Object.keys(profile) as (keyof Profile)[]).filter((name) =>
    isDifferent(profile[name], all[name]),
  );
  const isMovedBySite =
    aliasOf(host, plan) === null && differing.some((name) => HOST_OPTIONS.includes(name));
  if (!isMovedBySite) throw badOption("sites", host, neverMatches(rest, "the pattern"));
  const idle = differing.find((name) => !HOST_OPTIONS.includes(name));
  if (idle === undefined) return;
  throw badOption(`sites["${host}"].${idle}`, profile[idle], neverMatches(rest, "this option"));
}

/**
 * Throws if the options of a domain and its subdomains can never work, because an alias moves all these hosts
 * elsewhere.
 */
function checkDomain({ host }: Site, restingHosts: ReadonlySet<string>, plan: HostRules): void {
  const target = aliasOf(`*.${host}`, plan);
  if (target === null) return;
  const isOfDomain = (name: string) => name === host || name.endsWith(`.${host}`);
  if ([...restingHosts].some(isOfDomain)) return;
  throw badOption("sites", `*.${host}`, neverMatches(lastHost(target, plan), "the pattern"));
}

function neverMatches(rest: string, what: string): string {
  return `a host that keeps its name: it becomes ${rest}, so ${what} can never match`;
}

/**
 * Returns whether two values differ. Lists with equal items are equal, because two patterns may have separate
 * lists.
 */
function isDifferent(value: unknown, other: unknown): boolean {
  return JSON.stringify(value) !== JSON.stringify(other);
}

function lastHost(start: string, plan: HostRules): string {
  let host = start;
  for (let next = moveHost(host, plan); next !== null; next = moveHost(host, plan)) host = next;
  return host;
}
