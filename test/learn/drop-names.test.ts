import { describe, expect, test } from "vitest";
import { learnSites, SiteCollector, writeRule } from "../../src/learn/index.ts";

const TOPICS = Array.from({ length: 40 }, (_, id) => id);
const topic = (id: number): string => `http://a.org/topic.php?t=${id}`;
const session = (id: number): string => `s=${id.toString(16).padStart(32, "0")}`;

/** Returns the rules of topics, each known with these queries added. Of twenty topics the page is known. */
function rulesOf(queriesOf: (id: number) => readonly string[], urls: readonly string[] = []) {
  const collector = new SiteCollector();
  for (const id of TOPICS) {
    const fp = id < 20 ? { fp: `cls:${id}` } : {};
    collector.add([{ url: topic(id), ...fp }]);
    collector.add(queriesOf(id).map((query) => ({ url: `${topic(id)}&${query}`, ...fp })));
  }
  collector.add(urls.map((url) => ({ url })));
  return learnSites(collector).rules.map((rule) => writeRule(rule).split("\t").slice(1).join(" "));
}

/** Returns the queries of those that begin below the limit that is written with each. */
const below = (id: number, limits: Readonly<Record<string, number>>): string[] =>
  Object.keys(limits).filter((query) => id < (limits[query] as number));

describe("a name of a drop", () => {
  test("needs evidence of its own", () => {
    const withPages = (pages: number) =>
      rulesOf(
        (id) => below(id, { [session(id)]: 14, "page=1": pages }),
        TOPICS.map((id) => `${topic(id)}&page=2`),
      );
    expect(withPages(4)).toEqual(["/topic.php drop s fingerprint n=14 ok=14 lb=.7846"]);
    expect(withPages(14)).toEqual(["/topic.php drop page,s fingerprint n=28 ok=28 lb=.8793"]);
  });

  test("needs it also if it never comes without another name", () => {
    const rules = rulesOf((id) => below(id, { [session(id)]: 14, [`${session(id)}&page=1`]: 4 }));
    expect(rules).toEqual(["/topic.php drop s fingerprint n=14 ok=14 lb=.7846"]);
  });

  test("has that of the names that it always comes with", () => {
    expect(rulesOf((id) => below(id, { "order=a&sort=date": 12 }))).toEqual([
      "/topic.php drop order,sort fingerprint n=12 ok=12 lb=.7575",
    ]);
  });

  test("needs it beside names that always come together", () => {
    const limits = { "order=a&sort=date": 12, "order=a&page=1&sort=date": 4 };
    expect(rulesOf((id) => below(id, limits))).toEqual([
      "/topic.php drop order,sort fingerprint n=12 ok=12 lb=.7575",
    ]);
  });

  test("needs it where parameters are also sorted", () => {
    const collector = new SiteCollector();
    for (const id of TOPICS.slice(0, 20)) {
      const url = `http://a.org/?a=${id}&b=1`;
      const urls = [url];
      if (id < 14) urls.push(`http://a.org/?b=1&a=${id}&${session(id)}`);
      if (id < 4) urls.push(`${url}&page=1`);
      collector.add(urls.map((url) => ({ url, fp: `cls:${id}` })));
    }
    const actions = learnSites(collector).rules.map(({ action }) => action);
    expect(actions).toEqual([{ type: "drop", params: ["s"] }, { type: "sort" }]);
  });
});
