import { UrlmillError } from "../../src/base/errors.ts";
import { createNormalizer } from "../../src/index.ts";
import { type PageAlias, parseAliases, writeAliases } from "../../src/site-rules/index.ts";
import type { Random } from "./random.ts";

const SPLIT = /^https?:\/\/(?:[^@/]*@)?([^/]*)(\/[^#]*)/;

/** Returns the site of a normalized http or https URL, and its path and query; null for any other URL. */
export function splitSite(url: string): { site: string; target: string } | null {
  const [, site, target] = SPLIT.exec(url) ?? [];
  return site === undefined || target === undefined ? null : { site, target };
}

/** Returns path and query with a range around their last number, if they have one that a range can have. */
function ranged(random: Random, target: string): string {
  const [, before, digits, after] = /^(.*\D)(0|[1-9]\d{0,5})(\D*)$/.exec(target) ?? [];
  if (before === undefined) return target;
  const first = Math.max(0, Number(digits) - random.below(5));
  return `${before}<${first}..${Number(digits) + 1 + random.below(20)}>${after}`;
}

/** Returns the path of a URL, or its path and one of its parameters, with any others. */
function withAnyOthers(random: Random, target: string): string {
  const [path = "", query] = target.split(/\?(.*)/);
  if (query === undefined || random.chance(2)) return `${path}?<*>`;
  return `${path}?${random.pick(query.split(/[&;]/))}&<*>`;
}

/** Returns whether aliases are a file that can be read. */
function isFile(aliases: readonly PageAlias[]): boolean {
  try {
    return parseAliases(writeAliases(aliases)).length > 0;
  } catch (error) {
    if (error instanceof UrlmillError) return false;
    throw error;
  }
}

/**
 * Makes a file of at most `count` aliases of URLs, each to another URL of its site or to a new one. Some have a range of
 * numbers, or stand for any other parameters.
 */
export function randomAliases(random: Random, urls: readonly string[], count: number): string {
  const { urls: normal } = createNormalizer({ engine: "wasm" }).normalizeBatch(urls);
  const bySite = new Map<string, string[]>();
  for (const url of normal) {
    const place = url === null ? null : splitSite(url);
    if (place === null) continue;
    bySite.set(place.site, [...(bySite.get(place.site) ?? []), place.target]);
  }
  const aliases: PageAlias[] = [];
  for (let left = count; left > 0; left--) {
    const [site, own] = random.pick([...bySite]);
    const [url, other] = [random.pick(own), random.pick(own)];
    const wide = random.pick([ranged, withAnyOthers]);
    const from = random.chance(3) ? wide(random, url) : url;
    const to = random.chance(4) ? `/new${other}${other.includes("?") ? "&" : "?"}sid=1` : other;
    const level = random.pick([null, "declared", "fingerprint"] as const);
    if (isFile([...aliases, { site, from, to, level }])) aliases.push({ site, from, to, level });
  }
  return writeAliases(aliases);
}
