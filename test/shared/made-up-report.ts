import type { Learned } from "../../src/learn/learn.ts";
import type { JudgedRule, LearnedSite } from "../../src/learn/learned-site.ts";
import { parseRule } from "../../src/site-rules/language/rule-line.ts";

/** What the head of a made-up report says. */
export const HEAD = { files: ["crawl.tsv", "-"], maxPageLoss: 0.001, seconds: 3.44 };
/** What a rule does that merges nothing. */
export const NOTHING = { right: 0, wrong: 0, unknown: 0, lost: 0, rightGroups: 0, wrongGroups: 0 };
/** A path with markup, and with a control that turns text around. */
export const HOSTILE = "/<script>alert(1)</script>?\u202eexe&quot;\u0001";

/** Returns a rule that was judged, by its line. */
export function judged(
  line: string,
  effect: Partial<JudgedRule["effect"]> = {},
  examples: JudgedRule["examples"] = [],
): JudgedRule {
  return { rule: parseRule(line), effect: { ...NOTHING, ...effect }, examples };
}

/** Returns what was learned of a site: nothing, but for what is given. */
export function siteOf(site: string, given: Partial<LearnedSite> = {}): LearnedSite {
  const empty = {
    urls: 10,
    pages: 10,
    softErrors: 0,
    redundant: 0,
    selected: [],
    proposed: [],
    refused: [],
    aliases: [],
    trust: [],
    skips: [],
    effect: NOTHING,
  };
  return { site, ...empty, ...given };
}

/** Returns what was learned of several sites. */
export function learnedOf(sites: readonly LearnedSite[], given: Partial<Learned> = {}): Learned {
  const rules = sites.flatMap(({ selected, proposed }) =>
    [...selected, ...proposed].map(({ rule }) => rule),
  );
  const aliases = sites.flatMap((site) => site.aliases);
  return {
    rules,
    aliases,
    trust: [],
    skips: [],
    sites,
    records: 20_000,
    skipped: 12,
    failed: 0,
    ...given,
  };
}

/** A pair of URLs that a rule makes one. */
export const EXAMPLE = ["/viewtopic.php?t=1", "/viewtopic.php?t=1&start=0"] as const;
/** A site with rules of each kind, and many that were refused. */
export const FORUM = siteOf("forum.example", {
  urls: 13_424,
  pages: 6588,
  redundant: 6836,
  effect: { ...NOTHING, right: 4022, wrong: 3, lost: 3.25 },
  selected: [
    judged(
      "forum.example\t/members/login\tsink /login?a\tfingerprint n=2940 ok=2940 lb=.9986",
      {},
      [["/login?a", HOSTILE]],
    ),
    judged("forum.example\t* ?start=0\tdrop start\tfingerprint n=1177 ok=1176 lb=.9951", {}, [
      EXAMPLE,
    ]),
    judged("forum.example\t*\thost forum.example => new.example\tdeclared n=5 ok=5 lb=.5655"),
  ],
  refused: [
    {
      ...judged("forum.example\t*\tdrop t", { right: 7, wrong: 6458 }),
      refusal: { why: "wrong too often", reached: 0.0005, needed: 0.9, unit: "share" },
    },
    ...Array.from({ length: 24 }, (_, row) => ({
      ...judged(`forum.example\t*\tdrop p${row}`, { right: 1000 + row, lost: 0.001 }, [EXAMPLE]),
      refusal: { why: "too few pages", reached: 3, needed: 5, unit: "pages" } as const,
    })),
  ],
});
/** A site where no rule was good enough. */
export const WIKI = siteOf("wiki.example", {
  urls: 400,
  pages: 300,
  redundant: 100,
  refused: [
    {
      ...judged("wiki.example\t*\tsort", { right: 2 }),
      refusal: { why: "version-like", reached: 0.9579, needed: 0.99, unit: "share" },
    },
  ],
});
/** A site where nothing was found. */
export const QUIET = siteOf("quiet.example");
/** What was learned of these three. */
export const LEARNED = learnedOf([QUIET, WIKI, FORUM]);
