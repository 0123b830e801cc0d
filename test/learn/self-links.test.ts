import { describe, expect, test } from "vitest";
import { createNormalizer } from "../../src/index.ts";
import { writeAliases, writeRules } from "../../src/learn/index.ts";
import { type LearnRecord, STATEMENTS } from "../../src/learn/records/record.ts";
import { learnNow } from "../shared/learn-site.ts";

const list = (count: number, make: (number: number) => LearnRecord[]): LearnRecord[] =>
  Array.from({ length: count }, (_, number) => make(number)).flat();

/** The keys of URLs under what is learned: their path and query. */
function keysOf(
  given: readonly LearnRecord[],
  targets: readonly string[],
  maxPageLoss?: number,
): (string | undefined)[] {
  const { rules, aliases } = learnNow(given, { maxPageLoss });
  const options = { rules: writeRules(rules), pageAliases: writeAliases(aliases) };
  const { urls } = createNormalizer(options).normalizeBatch(
    targets.map((target) => `http://a.org${target}`),
  );
  return urls.map((url) => url?.slice("http://a.org".length));
}

/** Topics whose posts have links of their own: two of each topic were fetched, two are only linked to. */
const post = (topic: number, place: number) => `/viewtopic.php?p=${topic * 97 + place * place}`;
const TOPICS = list(12, (t) => {
  const self = [0, 1, 2, 3].map((place) => `${post(t, place)}#${t * 97 + place * place}`);
  return [
    { url: `http://a.org/viewtopic.php?t=${t}`, fp: `cls:${t}`, self },
    { url: `http://a.org${post(t, 0)}`, fp: `cls:${t}` },
    { url: `http://a.org${post(t, 1)}`, fp: `cls:${t}` },
  ];
});

test("a link to an anchor of the page itself says that the URL is the page, also one that no list has", () => {
  expect(keysOf(TOPICS, [post(3, 1), post(3, 2), post(3, 3), post(4, 3), post(40, 1)])).toEqual([
    "/viewtopic.php?t=3",
    "/viewtopic.php?t=3",
    "/viewtopic.php?t=3",
    "/viewtopic.php?t=4",
    post(40, 1),
  ]);
  const { aliases, sites } = learnNow(TOPICS);
  // With the unknown numbers between those that are known or stated.
  expect(aliases.filter(({ to }) => to === "/viewtopic.php?t=3")).toEqual([
    {
      site: "a.org",
      from: "/viewtopic.php?p=<291..300>",
      to: "/viewtopic.php?t=3",
      level: "fingerprint",
    },
  ]);
  expect(sites[0]?.urls).toBe(36);
});

test("without fingerprints, without five pages, and where links are relative to another host nothing is trusted", () => {
  const unlisted = [post(1, 2), post(2, 3)];
  expect(keysOf(TOPICS, unlisted)).not.toEqual(unlisted);
  expect(
    keysOf(
      TOPICS.map(({ fp: _, ...record }) => record),
      unlisted,
    ),
  ).toEqual(unlisted);
  expect(keysOf(TOPICS.slice(0, 12), unlisted)).toEqual(unlisted);
  const elsewhere = TOPICS.map(({ self = [], ...record }) => ({
    ...record,
    self: self.map((link) => `http://b.org${link}`),
  }));
  expect(learnNow(elsewhere).aliases.filter(({ level }) => level === "declared")).toEqual([]);
});

test("a shape of links that is wrong too often is refused, and the other shapes are not", () => {
  // As in a template that links to the next topic by an anchor that every page has.
  const next = (t: number) => `/next.php?n=${(t * 7919) % 9973}`;
  const given = (wrong: number) =>
    list(30, (t) => [
      {
        url: `http://a.org/viewtopic.php?t=${t}`,
        fp: `cls:${t}`,
        self: [post(t, 0), post(t, 2), next(t), next(t + 100)].map((url) => `${url}#new`),
      },
      { url: `http://a.org${post(t, 0)}`, fp: `cls:${t}` },
      { url: `http://a.org${next(t)}`, fp: `cls:${t < wrong ? t + 1000 : t}` },
    ]);
  const merged = (wrong: number) => {
    const targets = ["/viewtopic.php?t=7", post(7, 2), next(107)];
    const [topic, unlisted, nextOne] = keysOf(given(wrong), targets, 0.1);
    return { post: unlisted === topic, next: nextOne === topic };
  };
  expect(merged(0)).toEqual({ post: true, next: true });
  expect(merged(1)).toEqual({ post: true, next: true });
  expect(merged(3)).toEqual({ post: true, next: false });
  expect(merged(30)).toEqual({ post: true, next: false });
});

describe("what pages are likely to be lost is charged to the budget", () => {
  const url = (t: number, place: number) => `/post.php?p=${t * 97 + place * place}`;
  /** Topics of five posts, four of which were fetched. Of `wrong` topics the first post is another page. */
  const topics = (wrong: number) =>
    list(200, (t) => [
      {
        url: `http://a.org/topic.php?t=${t}`,
        fp: `cls:${t}`,
        self: [1, 2, 3, 4, 5].map((place) => `${url(t, place)}#1`),
      },
      ...(t < 100 ? [1, 2, 3, 4] : [2, 4, 5]).map((place) => ({
        url: `http://a.org${url(t, place)}`,
        fp: `cls:${place === 1 && t < wrong ? t + 500 : t}`,
      })),
    ]);
  const late = ["/topic.php?t=140", url(140, 1), url(140, 3)];
  const merged = ([topic, first, between]: readonly (string | undefined)[]) => ({
    first: first === topic,
    between: between === topic,
  });
  const early = [1, 9].flatMap((t) => [`/topic.php?t=${t}`, url(t, 5)]);
  const OF_FIVE_WRONG = keysOf(topics(5), [...late, ...early], 0.1);

  test("a URL before those that are known is less certain than one between them", () => {
    expect(merged(keysOf(topics(0), late, 0.001))).toEqual({ first: true, between: true });
    expect(merged(keysOf(topics(5), late, 0.001))).toEqual({ first: false, between: true });
    expect(merged(OF_FIVE_WRONG)).toEqual({ first: true, between: true });
  });

  test("a page of which one statement was wrong is not believed", () => {
    const [, , , topic, last, otherTopic, otherLast] = OF_FIVE_WRONG;
    expect([last === topic, otherLast === otherTopic]).toEqual([false, true]);
  });
});

describe("a URL stays as it is", () => {
  const unlisted = post(3, 2);
  const also = (record: LearnRecord) => keysOf([...TOPICS, record], [unlisted])[0];

  test("if it is known to be another page", () => {
    expect(also({ url: `http://a.org${unlisted}`, fp: "cls:other" })).toBe(unlisted);
    expect(also({ url: `http://a.org${unlisted}`, fp: "cls:3" })).not.toBe(unlisted);
  });

  test("if it was not found, or changes", () => {
    const url = `http://a.org${unlisted}`;
    expect(also({ url, status: 404, fp: "cls:3" })).toBe(unlisted);
    expect(also({ url, status: 301 })).not.toBe(unlisted);
    expect(keysOf([...TOPICS, { url, fp: "cls:3" }, { url, fp: "cls:9" }], [unlisted])).toEqual([
      unlisted,
    ]);
  });

  test("if another page claims it", () => {
    const self = [`${unlisted}#1`];
    expect(also({ url: "http://a.org/index.php", fp: "cls:index", self })).toBe(unlisted);
    expect(also({ url: "http://a.org/index.php", fp: "cls:3", self })).not.toBe(unlisted);
  });

  test("if only a page that failed, changes, or is beyond the first thousand links says so", () => {
    const url = "http://a.org/viewtopic.php?t=99";
    const far = "/viewtopic.php?p=5000";
    const says = (record: Partial<LearnRecord>, ...more: LearnRecord[]) =>
      keysOf(
        [
          ...TOPICS,
          ...list(12, (t) => [
            {
              url: `http://a.org/viewtopic.php?t=${t + 50}`,
              fp: `cls:${t + 50}`,
              self: [`${post(t, 7)}#1`],
            },
            { url: `http://a.org${post(t, 7)}`, fp: `cls:${t + 50}` },
          ]),
          { url, fp: "cls:99", self: [`${far}#5`], ...record },
          ...more,
        ],
        [far],
      )[0];
    expect(says({})).toBe("/viewtopic.php?t=99");
    expect(says({ status: 404 })).toBe(far);
    expect(says({}, { url, fp: "cls:98" })).toBe(far);
    const many = Array.from({ length: 1000 }, () => "/viewtopic.php?p=6000#5");
    expect(says({ self: [...many.slice(1), `${far}#5`] })).not.toBe(far);
    expect(says({ self: [...many, `${far}#5`] })).toBe(far);
  });
});

test("shapes of few pages are judged together: posts of a blog, each at a path of its own", () => {
  const letters = (n: number) => [...String(n * 7919)].map((digit) => "abcdefghij"[Number(digit)]);
  const slug = (n: number) => `/${letters(n + 11).join("")}/`;
  const short = (n: number) => `/${letters(n * 31 + 500).join("")}/?short`;
  const blog = (wrong: number) =>
    list(24, (n) => [
      { url: `http://a.org${slug(n)}`, fp: `cls:${n}`, self: [`${short(n)}#respond`] },
      ...(n < 16 ? [{ url: `http://a.org${short(n)}`, fp: `cls:${n < wrong ? n + 500 : n}` }] : []),
    ]);
  expect(learnNow(blog(0)).rules).toEqual([]);
  expect(keysOf(blog(0), [short(20)])).toEqual([slug(20)]);
  expect(learnNow(blog(0)).aliases).toContainEqual({
    site: "a.org",
    from: short(20),
    to: slug(20),
    level: "declared",
  });
  expect(keysOf(blog(3), [short(20)])).toEqual([short(20)]);
});

test("the order of records changes nothing", () => {
  expect(learnNow(TOPICS.toReversed()).aliases).toEqual(learnNow(TOPICS).aliases);
});

describe("canonical, shortlink, og, Content-Location and hreflang", () => {
  const slug = (n: number) => `/${"abcdefgh".slice(n % 8)}-${n * n}/`;
  /** Posts by slug that name their short form, which no list has; of `wrong` of them another page is known there. */
  const posts = (field: (typeof STATEMENTS)[number], wrong: number) =>
    list(40, (n) => [
      { url: `http://a.org${slug(n)}`, fp: `cls:${n}`, [field]: `/?p=${n}` },
      ...(n < 20 ? [{ url: `http://a.org/?p=${n}`, fp: `cls:${n < wrong ? n + 500 : n}` }] : []),
    ]);

  test.each(STATEMENTS)(
    "%s joins URLs where at most 5 %% contradict, and none where more do",
    (field) => {
      const merged = (wrong: number) => {
        const [a, b] = keysOf(posts(field, wrong), ["/?p=30", slug(30)], 0.1);
        return a === b;
      };
      expect([merged(0), merged(1), merged(2)]).toEqual([true, true, false]);
    },
  );

  test("declarations that are refused make no rule either", () => {
    const given = (wrong: number) =>
      list(40, (n) => [
        { url: `http://a.org/t?id=${n}`, fp: `cls:${n}` },
        {
          url: `http://a.org/t?id=${n}&v=2`,
          canonical: `/t?id=${n}`,
          fp: `cls:${n < wrong ? n + 500 : n}`,
        },
        { url: `http://a.org/u?id=${n}&page=2`, canonical: `/u?id=${n}`, fp: `cls:${n + 900}` },
      ]);
    const dropped = (wrong: number) =>
      learnNow(given(wrong)).rules.flatMap(({ action }) =>
        action.type === "drop" ? action.params : [],
      );
    expect(dropped(2)).toContain("page");
    expect(dropped(3)).not.toContain("page");
  });
});
