import { each, few, lines, type MakePath } from "../path.ts";

export const safeLines: MakePath = ({ urls }) => ({
  name: "lines, safe",
  contestants: [...lines(urls, {}), each("new URL().href", urls, (url) => new URL(url).href)],
  reference: "new URL().href",
  target: process.versions.node.startsWith("20.") ? 8 : 4.5,
  note: "most lines are in normal form and move in bulk; JavaScript pays for strings it must cut and join",
});

export const crawlLines: MakePath = ({ urls }) => ({
  name: "lines, crawl",
  contestants: [
    ...lines(urls, { preset: "crawl" }),
    each("new URL() sorted", few(urls), sortedWithoutHash),
  ],
  reference: "new URL() sorted",
  target: 8,
  note: "the peer removes the fragment and sorts, no more",
});

/** How much dearer crawl is than safe: the reference is our own safe preset. */
export const crawlToSafe: MakePath = ({ urls }) => ({
  name: "lines, safe to crawl",
  contestants: [...lines(urls, { preset: "crawl" }), { ...first(lines(urls, {})), name: "safe" }],
  reference: "safe",
  target: 1 / 1.4,
  note: "the time of safe over that of crawl",
});

export const crawlToSafeOfQueries: MakePath = ({ urls }) => {
  const withQuery = urls.filter((url) => url.includes("?"));
  return {
    name: "the same, all with a query",
    contestants: [
      ...lines(withQuery, { preset: "crawl" }),
      { ...first(lines(withQuery, {})), name: "safe" },
    ],
    reference: "safe",
    target: 1 / 2,
    note: "a third of these lines come out changed, and file: URLs are refused",
  };
};

function sortedWithoutHash(text: string): string {
  const url = new URL(text);
  url.hash = "";
  url.searchParams.sort();
  return url.href;
}

function first<T>(items: readonly T[]): T {
  return items[0] as T;
}
