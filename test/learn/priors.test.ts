import { describe, expect, test } from "vitest";
import { createNormalizer } from "../../src/index.ts";
import { learn } from "../../src/learn/learn.ts";
import type { LearnRecord } from "../../src/learn/records/record.ts";
import { parseRules, writeRules } from "../../src/site-rules/language/rule-file.ts";
import type { Rule } from "../../src/site-rules/rule.ts";
import { learnLines, many, records, ruleLines } from "../shared/learn-site.ts";
import { DEVIATING, type MadeUpCrawl, madeUpForums } from "../shared/made-up-forums.ts";

/** What a crawler skips by the rules, of URLs that come after the known ones. */
function skipped(rules: readonly Rule[], { known, arriving }: MadeUpCrawl) {
  const normalizer = createNormalizer({ preset: "safe", rules: writeRules(rules) });
  const keyOf = ({ url }: LearnRecord) => normalizer.normalize(url);
  const keys = new Set(known.map(keyOf));
  const fetched = new Set(known.map(({ fp }) => fp));
  const there = new Set(fetched);
  let [redundant, right, wrong] = [0, 0, 0];
  for (const record of arriving) {
    if (there.has(record.fp)) redundant++;
    there.add(record.fp);
    const key = keyOf(record);
    if (keys.has(key)) fetched.has(record.fp) ? right++ : wrong++;
    else fetched.add(record.fp);
    keys.add(key);
  }
  return { removed: right / redundant, wrong };
}

const rulesOf = (...lines: readonly string[]): Rule[] =>
  parseRules(`#urlmill-rules 1\n${lines.join("\n")}`);

/** What another forum has learned. */
const FORUM = rulesOf(
  "big.org\t*\tdrop highlight,sid\tE2 n=90 ok=90 lb=.9590",
  "big.org\t/posting.php\tsink /login.php\tE2 n=60 ok=60 lb=.9398",
  "big.org\t/viewtopic.php ?t\tdrop f\tE2 n=60 ok=60 lb=.9398",
);

/** A forum in which `copies` topics have a second URL, with `sid`. */
const smallForum = (copies: number, directory = ""): LearnRecord[] =>
  records(
    many(12, (t) => ({
      [`${directory}/viewtopic.php?t=${t}`]: `t${t}`,
      [`${directory}/viewtopic.php?t=${t}&highlight=a`]: `t${t} a`,
      ...(t < copies && { [`${directory}/viewtopic.php?t=${t}&sid=s${t}`]: `t${t}` }),
    })),
  );

describe("rules of other sites as priors", () => {
  const crawl = madeUpForums(60);
  const alone = learn(crawl.known);
  const helped = learn(crawl.known, { priors: alone.rules });

  test("small sites learn what others taught, and no more wrong merges", () => {
    let [removed, more] = [0, 0];
    const seeds = [7, 8, 9, 10, 11];
    for (const seed of seeds) {
      const forums = madeUpForums(60, seed);
      const { rules } = learn(forums.known);
      const before = skipped(rules, forums);
      const after = skipped(learn(forums.known, { priors: rules }).rules, forums);
      expect(after.wrong).toBeLessThanOrEqual(before.wrong);
      removed += before.removed / seeds.length;
      more += after.removed / seeds.length;
    }
    expect(removed).toBeLessThan(0.2);
    expect(more).toBeGreaterThan(0.65);
  });

  test("a site whose own pages are against a rule refuses it, with that reason", () => {
    const site = helped.sites.find((each) => each.site === DEVIATING);
    const isTaken = ({ rule: { action } }: { rule: Rule }) =>
      action.type === "drop" && action.params.includes("f");
    expect(helped.rules.filter(({ action }) => isTaken({ rule: { action } as Rule }))).not.toEqual(
      [],
    );
    expect(site?.selected.filter(isTaken)).toEqual([]);
    const refusals = site?.refused.filter(isTaken).map(({ refusal }) => refusal.why);
    expect(refusals).toContain("wrong too often");
  });

  test("without priors, or with those of the site itself, the rules are the same", () => {
    const expected = learn(crawl.known);
    expect(learn(crawl.known, { priors: [] })).toEqual(expected);
    const [first] = madeUpForums(1).known as [LearnRecord];
    const site = new URL(first.url).host;
    for (const own of [site, `www.${site}`, `${site}:8080`]) {
      const priors = FORUM.map((rule) => ({ ...rule, site: own }));
      const given = madeUpForums(1).known;
      expect(learn(given, { priors })).toEqual(learn(given));
    }
  });
});

test("two pages of a site are enough for a rule of a site with the same software", () => {
  expect(learnLines(smallForum(2))).toEqual([]);
  expect(ruleLines(learn(smallForum(2), { priors: FORUM }))).toEqual([
    "a.org\t/viewtopic.php\tdrop sid",
  ]);
  expect(ruleLines(learn(smallForum(1), { priors: FORUM }))).toEqual([]);
});

test("a rule says nothing of page types for which no page of the site speaks", () => {
  const given = [
    ...smallForum(2),
    ...records({ "/viewforum.php?f=1&sid=s": "f1", "/viewforum.php?f=2&sid=s": "f2" }),
  ];
  expect(ruleLines(learn(given, { priors: FORUM }))).toEqual(["a.org\t/viewtopic.php\tdrop sid"]);
});

test("parameters that always come together are dropped together", () => {
  const given = records(
    many(12, (t) => ({
      [`/viewtopic.php?t=${t}`]: `t${t}`,
      ...(t < 2 && { [`/viewtopic.php?t=${t}&highlight=a&sid=s${t}`]: `t${t}` }),
    })),
  );
  expect(ruleLines(learn(given, { priors: FORUM }))).toEqual([
    "a.org\t/viewtopic.php\tdrop highlight,sid",
  ]);
});

test("what speaks for one parameter does not speak for another", () => {
  const priors = rulesOf(
    "big.org\t*\tdrop f,sid\tE2 n=90 ok=90 lb=.9590",
    "big.org\t/viewtopic.php ?view\tdrop highlight\tE2 n=60 ok=60 lb=.9398",
  );
  const boards = many(6, (t) => ({ [`/viewtopic.php?f=1&t=${t}`]: `t${t}` }));
  const given = [
    ...smallForum(2),
    ...records(boards),
    // The only board that is known: its URLs tell of sessions, not of boards.
    ...records({ "/viewforum.php?f=1": "f1", "/viewforum.php?f=1&sid=s": "f1" }),
  ];
  const rules = writeRules(learn(given, { priors }).rules);
  const normalizer = createNormalizer({ preset: "safe", rules });
  expect(normalizer.normalize("http://a.org/viewtopic.php?f=2&t=9")).not.toContain("f=");
  expect(normalizer.normalize("http://a.org/viewforum.php?f=2")).toContain("f=2");
});

test("one page against a rule is enough, however many sites are for it", () => {
  const sites = ["big.org", "huge.org", "large.org"];
  const priors = sites.flatMap((site) => FORUM.map((rule) => ({ ...rule, site })));
  const given = [...smallForum(4), ...records({ "/viewtopic.php?t=9&sid=s9": "other" })];
  expect(ruleLines(learn(smallForum(4), { priors }))).toEqual(["a.org\t/viewtopic.php\tdrop sid"]);
  expect(ruleLines(learn(given, { priors, maxPageLoss: 1 }))).toEqual([]);
});

test("the scripts of a site may be in another directory", () => {
  const posting = many(5, (t) => ({ [`/forum/posting.php?mode=reply&t=${t}`]: "login" }));
  const given = [...smallForum(0, "/forum"), ...records(posting)];
  expect(learnLines(given)).toEqual([]);
  expect(ruleLines(learn(given, { priors: FORUM }))).toEqual([
    "a.org\t/forum/posting.php\tsink /forum/posting.php",
  ]);
});

test("a site with other software, that only has the parameter, takes no prior", () => {
  const given = records(
    many(12, (id) => ({
      [`/story.asp?id=${id}`]: `t${id}`,
      ...(id < 3 && { [`/story.asp?id=${id}&sid=${id}`]: `t${id}` }),
    })),
  );
  expect(ruleLines(learn(given, { priors: FORUM }))).toEqual([]);
});

test.each([
  [
    "are only proposed",
    FORUM.map((rule) => ({ ...rule, evidence: { level: "E5", n: 90, ok: 90, lb: 0.9 } })),
  ],
  ["have no evidence", FORUM.map((rule) => ({ ...rule, evidence: null }))],
  ["are for every site", FORUM.map((rule) => ({ ...rule, site: "*" }))],
  ["have exceptions", FORUM.map((rule) => ({ ...rule, except: new Set(["/x"]) }))],
  [
    "were often wrong",
    FORUM.map((rule) => ({ ...rule, evidence: { level: "E2", n: 90, ok: 70, lb: 0.7 } })),
  ],
] as [string, Rule[]][])("rules that %s are not priors", (_, priors) => {
  expect(ruleLines(learn(smallForum(2), { priors }))).toEqual([]);
});

test("a site of 20,000 URLs has pages enough, and takes no prior", () => {
  const rest = (count: number) =>
    Array.from({ length: count }, (_, t) => ({
      url: `http://a.org/viewtopic.php?t=${100 + t}`,
      fp: `cls:${100 + t}`,
    }));
  const small = smallForum(2);
  const taken = (count: number) =>
    ruleLines(learn([...small, ...rest(count - small.length)], { priors: FORUM }));
  expect(taken(19_999)).toEqual(["a.org\t/viewtopic.php\tdrop sid"]);
  expect(taken(20_000)).toEqual([]);
});

test("a rule that may take versions for one needs as many pages as ever", () => {
  const priors = rulesOf(
    ...FORUM.map((rule) => writeRules([rule]).split("\n")[1] as string),
    "big.org\t*\tsub /v<N>/viewtopic.php => /viewtopic.php\tE2 n=900 ok=900 lb=.9957",
  );
  const given = records(
    many(9, (t) => ({
      [`/viewtopic.php?t=${t}&sid=1`]: `t${t}`,
      [`/v2/viewtopic.php?t=${t}&sid=1`]: `t${t}`,
      [`/posting.php?t=${t}&highlight=1`]: `p${t}`,
    })),
  );
  const { rules, sites } = learn(given, { priors });
  expect(rules).toEqual([]);
  const [version] = sites[0]?.refused.filter(({ rule }) => rule.action.type === "sub") ?? [];
  expect(version?.refusal.why).toBe("version-like");
});

test("a rule with the number of a thing says nothing of other sites", () => {
  const priors = rulesOf(
    ...FORUM.map((rule) => writeRules([rule]).split("\n")[1] as string),
    "big.org\t* ?t=7\tdrop highlight\tE2 n=90 ok=90 lb=.9590",
  );
  const given = [
    ...smallForum(0),
    ...records({
      "/viewtopic.php?t=7&x=1": "t7 x",
      "/viewtopic.php?t=7&x=1&highlight=b": "t7 x",
      "/viewtopic.php?t=7&x=2": "t7 y",
      "/viewtopic.php?t=7&x=2&highlight=b": "t7 y",
    }),
  ].filter(({ url }) => !url.endsWith("t=7&highlight=a"));
  expect(ruleLines(learn(given, { priors }))).toEqual([]);
});

test("priors that are not an array of rules are refused with BAD_OPTION", () => {
  for (const priors of ["rules.tsv", [null], [{ site: "a.org" }]] as unknown as Rule[][]) {
    expect(() => learn([], { priors })).toThrow(
      expect.objectContaining({ code: "BAD_OPTION", message: expect.stringContaining("priors") }),
    );
  }
});
