import { createNormalizer } from "../../src/index.ts";
import { type PageAlias, writeAliases } from "../../src/site-rules/index.ts";
import type { Random } from "./random.ts";

const SPLIT = /^https?:\/\/(?:[^@/]*@)?([^/]*)(\/[^#]*)/;

/** Returns the site of a normalized http or https URL, and its path and query; null for any other URL. */
export function splitSite(url: string): { site: string; target: string } | null {
  const [, site, target] = SPLIT.exec(url) ?? [];
  return site === undefined || target === undefined ? null : { site, target };
}

/** Makes a file of at most `count` aliases of URLs, each to another URL of its site or to a new one. */
export function randomAliases(random: Random, urls: readonly string[], count: number): string {
  const { urls: normal } = createNormalizer({ engine: "wasm" }).normalizeBatch(urls);
  const bySite = new Map<string, string[]>();
  for (const url of normal) {
    const place = url === null ? null : splitSite(url);
    if (place === null) continue;
    bySite.set(place.site, [...(bySite.get(place.site) ?? []), place.target]);
  }
  const aliases = new Map<string, PageAlias>();
  const targets = new Set<string>();
  for (let left = count; left > 0; left--) {
    const [site, own] = random.pick([...bySite]);
    const [from, other] = [random.pick(own), random.pick(own)];
    const to = random.chance(4) ? `/new${other}${other.includes("?") ? "&" : "?"}sid=1` : other;
    const isFree = from !== to && !aliases.has(`${site}${from}`) && !targets.has(`${site}${from}`);
    if (!isFree || aliases.has(`${site}${to}`)) continue;
    aliases.set(`${site}${from}`, {
      site,
      from,
      to,
      level: random.pick([null, "declared", "fingerprint"]),
    });
    targets.add(`${site}${to}`);
  }
  return writeAliases([...aliases.values()]);
}
