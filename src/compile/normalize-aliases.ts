import { writeRow } from "../engine/js/row.ts";
import { splitHead } from "../engine/js/settle-site.ts";
import { decodePlan, type LoadedPlan } from "../plan/decode/decode.ts";
import { byName } from "../plan/encode/plan-writer.ts";
import type { PageAlias } from "../site-rules/aliases/alias-file.ts";
import { baseOfAny, withAny } from "../site-rules/aliases/any-params.ts";
import {
  rangeIn,
  splitNumber,
  withNumber,
  writeRange,
} from "../site-rules/aliases/number-range.ts";
import { bySite } from "../site-rules/by-site.ts";

/**
 * Returns aliases with their URLs as the options and rules of a plan write them: an alias is looked up in that form.
 * Leaves out those whose two URLs become one, or are of two sites then. Of several aliases of one URL, keeps the first
 * by the bytes of its site and URL. Leaves out ranges whose ends are no longer two URLs of one shape with these numbers, and
 * those for any other parameters if no path, or no path and one parameter, stays.
 */
export function normalizeAliases(
  aliases: ReadonlyMap<string, readonly PageAlias[]>,
  plan: Uint8Array,
): Map<string, PageAlias[]> {
  const loaded = decodePlan(plan);
  const normalized = new Map<string, PageAlias>();
  for (const [site, own] of [...aliases].toSorted(byName)) {
    for (const alias of own.toSorted((a, b) => byName([a.from, a], [b.from, b]))) {
      const from = normalFrom(site, alias.from, loaded);
      const to = normalFormOf(site, alias.to, loaded);
      if (from === null || to === null || from.site !== to.site) continue;
      const key = from.site + from.target;
      if (hasUrl(from.target, to.target) || normalized.has(key)) continue;
      normalized.set(key, { ...alias, site: from.site, from: from.target, to: to.target });
    }
  }
  return bySite(normalized.values());
}

/** Returns whether the URL of an alias, or its range, has another URL. */
function hasUrl(from: string, url: string): boolean {
  const [range, other] = [rangeIn(from), splitNumber(url)];
  if (range === null || range.shape !== other?.shape) return from === url;
  return range.first <= other.number && other.number <= range.last;
}

/** Returns what the plan makes of the URL of an alias, of its range, or of what its `<*>` follows. */
function normalFrom(site: string, from: string, plan: LoadedPlan): Place | null {
  const base = baseOfAny(from);
  if (base !== null) return normalAny(site, base, plan);
  const range = rangeIn(from);
  if (range === null) return normalFormOf(site, from, plan);
  const [start, end] = [range.first, range.last].map((number) => {
    const place = normalFormOf(site, withNumber(range.shape, number), plan);
    const split = place === null ? null : splitNumber(place.target);
    return split?.number === number ? { site: place?.site as string, shape: split.shape } : null;
  });
  if (!start || start.site !== end?.site || start.shape !== end.shape) return null;
  return { site: start.site, target: writeRange({ ...range, shape: start.shape }) };
}

/** Returns what the plan makes of the URL before `?<*>` or `&<*>`, with it again. */
function normalAny(site: string, base: string, plan: LoadedPlan): Place | null {
  const place = normalFormOf(site, base, plan);
  if (place === null || place.target.includes("?") !== base.includes("?")) return null;
  const target = withAny(place.target);
  return baseOfAny(target) === null ? null : { site: place.site, target };
}

/** Holds path and query of a URL, and its site. */
interface Place {
  readonly site: string;
  readonly target: string;
}

/** Returns what the plan makes of a URL; null if it is an error with http and with https. */
function normalFormOf(site: string, target: string, plan: LoadedPlan): Place | null {
  for (const scheme of ["http", "https"]) {
    const url = writeRow(`${scheme}://${site}${target}`, null, plan);
    if (typeof url !== "string") continue;
    const head = splitHead(url);
    return { site: head.site, target: url.slice(head.start) };
  }
  return null;
}
