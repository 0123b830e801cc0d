import type { LearnRecord } from "urlmill/learn";

/** Returns a number that looks random, always the same for one number. */
export function mixed(number: number): number {
  let hash = (number + 0x9e3779b9) | 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

const record = (target: string, page: string): LearnRecord => ({
  url: `http://a.org${target}`,
  fp: `cls:${page}`,
});

/** Articles, each with a page of its own. */
export const articles = (count: number): LearnRecord[] =>
  Array.from({ length: count }, (_, n) =>
    record(`/article/${n}-${mixed(n).toString(36)}`, `a${n}`),
  );

/** A calendar without end: each day has two views, and shows one of thirty menus: too many pages for a sink. */
export const calendar = (): LearnRecord[] =>
  Array.from({ length: 2000 }, (_, n) => {
    const day = new Date(Date.UTC(2020, 0, 1 + n)).toISOString().slice(0, 10);
    return ["", "&view=agenda"].map((view) =>
      record(`/calendar?day=${day}${view}`, `menu${n % 30}`),
    );
  }).flat();

const FACETS = ["brand", "color", "price", "size", "sort"];

/** A shop of twelve things with five facets of five values: what a list shows is its things, in whatever order. */
export function facets(): LearnRecord[] {
  const things = Array.from({ length: 12 }, (_, thing) =>
    FACETS.map((_, facet) => mixed(thing * 7 + facet * 131) % 5),
  );
  return Array.from({ length: 6 ** FACETS.length }, (_, number) => {
    const asked = FACETS.map((_, facet) => (Math.floor(number / 6 ** facet) % 6) - 1);
    const query = FACETS.flatMap((name, facet) =>
      asked[facet] === -1 ? [] : `${name}=${asked[facet]}`,
    );
    const shown = things.flatMap((own, thing) =>
      asked.every((value, facet) => value < 0 || facet === 4 || own[facet] === value) ? thing : [],
    );
    return record(`/shop?${query.join("&")}`, `list${shown}`);
  });
}

/** A session trap: each link to one of forty pages has a new id in its path. */
export const sessions = (): LearnRecord[] =>
  Array.from({ length: 4000 }, (_, n) =>
    record(
      `/visit/${mixed(n).toString(36)}/${mixed(n + 1_000_000).toString(36)}`,
      `home${mixed(n + 5) % 40}`,
    ),
  );

/**
 * A community in the way of applications in Laravel: `?page=1`, `?sort=latest` and a locale are defaults, which show what
 * their absence shows; other pages, orders and slugs do not. Of each kind there are only a few URLs, so that it depends on
 * which half is known whether a rule has evidence enough.
 */
export const community = (): LearnRecord[] =>
  Array.from({ length: 70 }, (_, n) => {
    const [slug, topic] = [mixed(n).toString(36), `t${n}`];
    const some = <T>(share: number, of: number, value: T): T[] =>
      mixed(n * 31 + of) % 100 < share ? [value] : [];
    return [
      record(`/topics/${n}-${slug}`, topic),
      ...some(50, 1, record(`/topics/${n}-${slug}?page=1`, topic)),
      ...some(30, 2, record(`/topics/${n}-${slug}?page=2`, `${topic} page 2`)),
      ...some(40, 3, record(`/topics/${n}`, topic)),
      ...some(40, 4, record(`/topics/${n}-${slug}?sort=latest`, topic)),
      ...some(25, 5, record(`/topics/${n}-${slug}?sort=likes`, `${topic} likes`)),
      ...some(60, 6, record(`/topics/${n}-${slug}?locale=en`, topic)),
      ...some(20, 7, record(`/topics/${n}-${slug}?locale=de`, `${topic} de`)),
      ...some(60, 8, record(`/login?redirect=/topics/${n}-${slug}`, "login")),
      ...some(45, 9, record(`/users/${slug}?tab=posts`, `user ${slug}`)),
      ...some(60, 10, record(`/users/${slug}`, `user ${slug}`)),
      ...some(30, 11, record(`/users/${slug}?tab=likes`, `likes of ${slug}`)),
    ];
  }).flat();

/** Sites that the judge measures besides lists. */
export const MADE_UP = { articles: () => articles(500), calendar, community, facets, sessions };
