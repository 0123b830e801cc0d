import type { CompiledOptions, Profile } from "../options/compiled-options.ts";
import { badOption } from "../options/options.ts";
import { ANY_SITE, DOMAIN } from "../site-rules/rule.ts";

/**
 * Throws `BAD_OPTION` if a rule adds the slash that the option `trailingSlash` removes from URLs of its site: such URLs
 * would never reach a fixpoint.
 */
export function checkSlashRules(options: CompiledOptions): void {
  for (const [site, rules] of options.siteRules) {
    if (!rules.some(({ action }) => action.type === "slash")) continue;
    for (const { trailingSlash } of profilesOf(site, options)) {
      if (trailingSlash !== "remove") continue;
      throw badOption(
        "trailingSlash",
        trailingSlash,
        `"keep" or "add" for ${site === ANY_SITE ? "all sites" : site}, which has the rule "slash path"; or leave out the rule`,
      );
    }
  }
}

/** Returns the profiles that can apply to URLs of a site: the first pattern of its host or of a domain above it. */
function profilesOf(site: string, { profile, sites }: CompiledOptions): Profile[] {
  if (site === ANY_SITE) return [profile, ...sites.map((each) => each.profile)];
  const host = site.replace(/^\*\.|:\d+$/g, "");
  const exact = sites.find((each) => !each.subdomains && each.host === host);
  const domains = sites
    .filter((each) => each.subdomains && `.${host}`.endsWith(`.${each.host}`))
    .toSorted((a, b) => b.host.length - a.host.length);
  const closest = domains[0]?.profile ?? profile;
  if (!site.startsWith(DOMAIN)) return [exact?.profile ?? closest];
  const own = sites.filter((each) => `.${each.host}`.endsWith(`.${host}`));
  return [closest, ...own.map((each) => each.profile)];
}
