import { writeRow } from "../engine/js/row.ts";
import { splitHead } from "../engine/js/settle-site.ts";
import { decodePlan, type LoadedPlan } from "../plan/decode/decode.ts";
import { byName } from "../plan/encode/plan-writer.ts";
import type { PageAlias } from "../site-rules/aliases/page-alias.ts";
import { bySite } from "../site-rules/by-site.ts";

/**
 * Returns aliases with their URLs as the options and rules of a plan write them: an alias is looked up in that form.
 * Leaves out those whose two URLs become one, or are of two sites then. Of several aliases of one URL, keeps the first
 * by the bytes of its site and URL.
 */
export function normalizeAliases(
  aliases: ReadonlyMap<string, readonly PageAlias[]>,
  plan: Uint8Array,
): Map<string, PageAlias[]> {
  const loaded = decodePlan(plan);
  const normalized = new Map<string, PageAlias>();
  for (const [site, own] of [...aliases].toSorted(byName)) {
    for (const alias of own.toSorted((a, b) => byName([a.from, a], [b.from, b]))) {
      const from = normalFormOf(site, alias.from, loaded);
      const to = normalFormOf(site, alias.to, loaded);
      if (from === null || to === null || from.site !== to.site) continue;
      const key = from.site + from.target;
      if (from.target === to.target || normalized.has(key)) continue;
      normalized.set(key, { ...alias, site: from.site, from: from.target, to: to.target });
    }
  }
  return bySite(normalized.values());
}

/** Returns what the plan makes of a URL; null if it is an error with http and with https. */
function normalFormOf(
  site: string,
  target: string,
  plan: LoadedPlan,
): { site: string; target: string } | null {
  for (const scheme of ["http", "https"]) {
    const url = writeRow(`${scheme}://${site}${target}`, null, plan);
    if (typeof url !== "string") continue;
    const head = splitHead(url);
    return { site: head.site, target: url.slice(head.start) };
  }
  return null;
}
