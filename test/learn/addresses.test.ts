import { describe, expect, test } from "vitest";
import { appliedRules } from "../shared/applied-rules.ts";
import { learnLines, learnNow, many, records } from "../shared/learn-site.ts";
import { atLength, sampleOf } from "../shared/length.ts";

const WORDS = ["red", "green", "blue", "north", "south", "east", "west", "spring", "winter"];
const OTHERS = atLength(30, 80);
/** Other pages of the same site. */
const REST = {
  ...many(OTHERS, (n) => ({ [`/profile.php?u=${n}`]: `user ${n}` })),
  ...many(OTHERS, (n) => ({ [`/about/${titleOf(n)}`]: `about ${n}` })),
};

function titleOf(n: number): string {
  const word = (step: number) => WORDS[Math.floor(n / step) % WORDS.length] as string;
  return `${word(1)}-${word(9)}-${word(81)}-wind`;
}

/** Returns two addresses of each of some pages. */
function twice(
  a: (n: number) => string,
  b: (n: number) => string,
  count = 60,
): Record<string, string> {
  return many(count, (n) => ({ [a(n)]: `page ${n}`, [b(n)]: `page ${n}` }));
}

describe("addresses of one page that share a number are made one", () => {
  const TWO_ADDRESSES: [string, (n: number) => string, (n: number) => string][] = [
    ["a script and a file", (n) => `/showthread.php?tid=${n}`, (n) => `/thread-${n}.html`],
    [
      "two numbers",
      (n) => `/index.php?topic=${n}.${n % 3}0`,
      (n) => `/index.php/topic,${n}.${n % 3}0.html`,
    ],
    ["a title in the query", (n) => `/show.php?${n}-${titleOf(n)}`, (n) => `/show.php?t=${n}`],
    ["a title in the path", (n) => `/index.php?topic=${n}`, (n) => `/topic/${n}-${titleOf(n)}/`],
    ["two titles", (n) => `/topic/${n}-${titleOf(n)}/`, (n) => `/topic/${n}-${titleOf(n + 5)}/`],
    [
      "a title and more parameters",
      (n) => `/index.php?view=article&id=${n}`,
      (n) => `/index.php?view=article&id=${n}:${titleOf(n)}&cat=${n % 6}&menu=${n % 4}`,
    ],
    [
      "a parameter more and another path",
      (n) => `/index.php?title=${titleOf(n)}&redirect=no`,
      (n) => `/wiki/${titleOf(n)}`,
    ],
    [
      "marks between parameters",
      (n) => `/?p=git;a=commit;id=${n}`,
      (n) => `/?p=git&a=commit&id=${n}`,
    ],
    ["the first page by another name", (n) => `/?topic=${n}.new`, (n) => `/?topic=${n}.0`],
  ];

  test.each(sampleOf(TWO_ADDRESSES, 2))("%s", (_, a, b) => {
    const given = records({ ...twice(a, b), ...REST });
    expect(appliedRules(learnNow(given).rules, given)).toEqual({ right: 60, wrong: 0 });
  });
});

describe("addresses that share a number stay apart", () => {
  test.each<[string, Record<string, string>]>([
    [
      "where the title says which page it is",
      many(60, (n) => ({
        [`/topic/${n}-${titleOf(n)}/`]: `page ${n}`,
        [`/topic/${n}-${titleOf(n + 5)}/`]: `other page ${n}`,
      })),
    ],
    [
      "in another section",
      twice(
        (n) => `/a/${n}.html`,
        (n) => `/a/${n}.html?x`,
      ),
    ],
  ])("%s", (name, pages) => {
    const others = many(60, (n) => ({ [`/b/${n}.html`]: `${name} ${n}` }));
    const given = records({ ...pages, ...others, ...REST });
    expect(appliedRules(learnNow(given).rules, given).wrong).toBe(0);
  });

  test("where the last page of a topic has the name of the first", () => {
    const topics = many(60, (n) => ({
      [`/?topic=${n}.0`]: `first page ${n}`,
      [`/?topic=${n}.new`]: n % 3 === 0 ? `last page ${n}` : `first page ${n}`,
    }));
    expect(learnLines(records({ ...topics, ...REST }))).toEqual([]);
  });
});

describe("of rules that do the same, the one that reaches least is learned", () => {
  test("a parameter goes, and not all that no URL has yet", () => {
    const items = many(60, (n) => ({
      [`/item/${n}`]: `item ${n}`,
      [`/item/${n}?ref=${n % 7}`]: `item ${n}`,
    }));
    const carts = many(60, (n) => ({ [`/cart/add?item=${n}`]: "cart" }));
    expect(learnLines(records({ ...items, ...carts, ...REST }))).toEqual([
      "a.org\t/item/<N>\tdrop ref",
      "a.org\t/cart/add\tsink /cart/add",
    ]);
  });

  test("a title that is a segment goes after a number in one directory, and not in any", () => {
    const items = twice(
      (n) => `/item/${n}/${titleOf(n)}`,
      (n) => `/item/${n}`,
      atLength(400, 600),
    );
    expect(learnLines(records({ ...items, ...REST }))).toEqual([
      "a.org\t/item/...\tsub /item/<N>/<T><$> => /item/<1>",
    ]);
  });

  test("a directory with a number goes before one name, and not before any", () => {
    const items = twice(
      (n) => `/c${n % 7}/item/${n}`,
      (n) => `/item/${n}`,
      atLength(400, 600),
    );
    expect(learnLines(records({ ...items, ...REST }))).toEqual([
      "a.org\t/c<N>/item/<N>\tsub /c<N>/item/ => /item/",
    ]);
  });
});

describe("a rule has the narrowest path with its evidence", () => {
  const topics = many(60, (n) => ({
    [`/viewtopic.php?t=${n}`]: `topic ${n}`,
    [`/viewtopic.php?f=${n % 5}&t=${n}`]: `topic ${n}`,
  }));
  const users = many(60, (n) => ({
    [`/memberlist.php?u=${n}`]: `user ${n}`,
    [`/memberlist.php?f=${n % 5}&u=${n}`]: `user ${n}`,
  }));
  const parameter = ["a.org\t/viewtopic.php\tdrop f"];

  test("one script, where others use the parameter without evidence", () => {
    expect(learnLines(records(topics))).toEqual(parameter);
    const boards = many(3, (n) => ({ [`/viewforum.php?f=${n}`]: `board ${n}` }));
    expect(learnLines(records({ ...topics, ...boards }))).toEqual(parameter);
  });

  test("one script, if fewer pages of others speak for the rule than a rule needs", () => {
    const few = Object.fromEntries(Object.entries(users).slice(0, 8));
    expect(learnLines(records({ ...topics, ...few }))).toEqual(parameter);
  });

  test("any path, if several scripts speak for the rule", () => {
    expect(learnLines(records({ ...topics, ...users }))).toEqual(["a.org\t*\tdrop f"]);
  });

  test("a directory, however deep, if several scripts in it speak for the rule", () => {
    const below = Object.fromEntries(
      Object.entries({ ...topics, ...users }).map(([url, page]) => [`/a/b/c${url}`, page]),
    );
    expect(learnLines(records(below))).toEqual(["a.org\t/a/b/c/...\tdrop f"]);
  });

  test("a sink of one component is not one of its neighbours", () => {
    const mails = many(400, (n) => ({ [`/index.php/component/mailto/${titleOf(n)}`]: "mail" }));
    const users = {
      "/index.php/component/user/reset": "reset",
      "/index.php/component/user/remind": "remind",
    };
    const [line, ...more] = learnLines(records({ ...mails, ...users, ...REST }));
    expect(line).toMatch(/^a\.org\t\/index\.php\/component\/mailto\/\.\.\.\tsink /);
    expect(more).toEqual([]);
  });

  test.each([
    ["cut", (n: number) => `/x/print/${titleOf(n)}`, (n: number) => `/x/${titleOf(n)}`],
    ["sub", (n: number) => `/x/${titleOf(n)}.htm`, (n: number) => `/x/${titleOf(n)}.html`],
    ["path", (n: number) => `/x/${titleOf(n)}/`, (n: number) => `/x/${titleOf(n)}`],
    ["lower", (n: number) => `/x/${titleOf(n).toUpperCase()}`, (n: number) => `/x/${titleOf(n)}`],
  ])("also of the action %s", (_, a, b) => {
    const pages = { ...twice(a, b), ...many(9, (n) => ({ [`/y/${titleOf(n)}`]: `other ${n}` })) };
    const lines = learnLines(records(pages));
    expect(lines.length).toBeGreaterThan(0);
    for (const line of lines) expect(line).toMatch(/^a\.org\t\/x\/.*\.\.\.\t/);
  });

  test("also a rule that URLs alone propose", () => {
    const urls = Object.keys({ ...topics, "/viewforum.php?f=1": "" });
    const given = urls.map((target) => ({ url: `http://a.org${target}` }));
    expect(learnLines(given)[0]).toBe("a.org\t/viewtopic.php\tdrop f");
  });
});
