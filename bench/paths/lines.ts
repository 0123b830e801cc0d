import { fresh } from "../fresh.ts";
import { each, few, lines, type MakePath } from "../path.ts";
import { asked } from "../platform.ts";

export const safeLines: MakePath = ({ urls }) => ({
  name: "lines, safe",
  contestants: [...lines(urls, {}), each("new URL().href", urls, (url) => new URL(url).href)],
  reference: "new URL().href",
  target: asked(5.5, 6, 4.8),
  note: "most lines are in normal form and move in bulk; JavaScript pays for strings it must cut and join",
});

/** Measures what the bundled list has few of: fragments, short queries and errors. */
export const mixedLines: MakePath = ({ urls }) => {
  const mixed = fresh(urls.filter(isWeb).map(mix));
  return {
    name: "lines of a mix, safe",
    contestants: [...lines(mixed, {}), each("new URL().href", mixed, (url) => new URL(url).href)],
    reference: "new URL().href",
    target: asked(5.5, 6, 4.8),
    note: "http and https alone: 20 % with a fragment, 30 % with two or three parameters, 1 % errors",
  };
};

function isWeb(url: string): boolean {
  return url.startsWith("http");
}

/** Returns one row of the mix, from one of the list. */
function mix(url: string, row: number): string {
  const [text = ""] = url.split("#");
  const kind = (row * 61) % 100;
  if (kind === 0) return `http://[${row}/`;
  if (kind <= 20) return `${text}#section-${row}`;
  if (kind > 50) return url;
  const more = row % 2 === 0 ? "&z=%20x" : "";
  return `${text.split("?")[0]}?a=${(row * 31) % 1000}&id=${(row * 7919) % 100_000}${more}`;
}

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

/** Measures how much more time crawl takes than safe. The reference is our own safe preset. */
export const crawlToSafe: MakePath = ({ urls }) => {
  const web = urls.filter(isWeb);
  return {
    name: "lines, safe to crawl",
    contestants: [...lines(web, { preset: "crawl" }), { ...first(lines(web, {})), name: "safe" }],
    reference: "safe",
    target: 1 / 1.5,
    note: "the time of safe over that of crawl, on http and https: crawl refuses file:",
  };
};

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
