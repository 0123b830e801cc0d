import { counted } from "../../base/counted.ts";
import { say } from "../../io/say.ts";
import type { LearnedSite } from "../../learn/learned-site.ts";
import { LISTED_KEYS, rulesBySite } from "../../learn/rule-change.ts";
import { CommandFailure } from "../../runs/base/failure.ts";
import { percent } from "../../runs/report/learn-figures.ts";
import { ANY_SITE, type Rule } from "../../site-rules/rule.ts";
import type { LearnArguments } from "./options.ts";

/** Says what changed since older rules. Throws if too many URLs of a site newly merge, and lists their keys. */
export function refuseSurprises(
  { against, maxChange = 0.01, report }: LearnArguments,
  sites: readonly LearnedSite[],
  older: readonly Rule[],
): void {
  const before = rulesBySite(older);
  const changes = sites.flatMap(({ site, urls, selected, change }) => {
    if (change === undefined) return [];
    const own = { site, urls, ...change };
    const to = moveOf(selected.map(({ rule }) => rule));
    if (to === undefined || to === moveOf(before(site))) return own;
    // The other site may have each of its URLs.
    const key = `http://${to}/`;
    return { ...own, merged: urls, keys: 1, merges: [[key, key, `http://${site}/`] as const] };
  });
  const total = (of: "merged" | "split") => changes.reduce((sum, change) => sum + change[of], 0);
  const ruled = new Set(sites.flatMap(({ site, selected }) => (selected.length > 0 ? site : [])));
  const added = [...ruled].filter((site) => before(site).length === 0).length;
  // A rule of a domain, or of every site, is one of the sites of the list that are below.
  const named = older.flatMap(({ site }) => (site.startsWith(ANY_SITE) ? [] : site));
  const below = sites.flatMap(({ site }) => (before(site).length > 0 ? site : []));
  const gone = [...new Set([...named, ...below])].filter((site) => !ruled.has(site)).length;
  say(
    `against ${against}: ${counted(total("merged"), "URL")} newly merged, ${total("split")} no longer merged, ${counted(added, "new site")}, ${counted(gone, "site")} without rules now`,
  );
  const refused = changes.filter(({ urls, merged }) =>
    urls < 200 ? merged > 2 : merged / urls > maxChange,
  );
  if (refused.length === 0) return;
  for (const { site, urls, merged, keys, merges } of refused) {
    say(`${site}: ${merged} of ${counted(urls, "URL")} newly merged (${percent(merged, urls)})`);
    for (const [key, ...two] of merges.slice(0, LISTED_KEYS)) say(`  ${key}: ${two.join(" and ")}`);
    if (keys > LISTED_KEYS) say(`  and ${counted(keys - LISTED_KEYS, "more key")}`);
  }
  throw new CommandFailure(
    `no rules are written: they newly merge too many URLs of ${counted(refused.length, "site")} (--max-change ${percent(maxChange, 1)}, or two of fewer than 200); ${report ?? "--report FILE"} lists all keys; to accept them, learn without --against`,
    3,
  );
}

/** Returns the site that rules move a site to. */
function moveOf(rules: readonly Rule[]): string | undefined {
  return rules.flatMap(({ action }) => (action.type === "host" ? action.to : []))[0];
}
