// Prints where the crawl key merges or splits URLs and the keys of other tools do not, by reason.
import { parseArgs } from "node:util";
import { normalizeUrl as apifyNormalizeUrl } from "@apify/utilities";
import normalizeUrl from "normalize-url";
import { createNormalizer } from "urlmill";
import { readCorpus } from "./corpus.ts";

type Key = (url: string) => string | null;

/** Returns the key, or null if the tool refuses the URL. */
const orNull =
  (key: (url: string) => string | null): Key =>
  (url) => {
    try {
      return key(url);
    } catch {
      return null;
    }
  };

const PEERS: Record<string, Key> = {
  "@apify/utilities normalizeUrl (Crawlee)": orNull((url) => apifyNormalizeUrl(url, false)),
  "normalize-url": orNull((url) => normalizeUrl(url)),
  "new URL().href": orNull((url) => new URL(url).href),
};

const { values } = parseArgs({
  options: { corpus: { type: "string" }, examples: { type: "string" } },
});
const EXAMPLES = Number(values.examples ?? 2);
const corpus = readCorpus(values.corpus);
const crawl = createNormalizer({ preset: "crawl" });
const tracking = createNormalizer({ trackingParams: "remove" });
const ours = crawl.normalizeBatch(corpus.urls).urls;

/** Collects differences by their reasons, in the terms of the two keys. */
class Differences {
  readonly #groups = new Map<string, string[][]>();

  add(reason: string, urls: string[]): void {
    this.#groups.set(reason, [...(this.#groups.get(reason) ?? []), urls]);
  }

  print(title: string): void {
    const groups = [...this.#groups].toSorted(([, a], [, b]) => b.length - a.length);
    const total = groups.reduce((sum, [, pairs]) => sum + pairs.length, 0);
    console.log(`\n### ${title}: ${total}`);
    for (const [reason, pairs] of groups) {
      console.log(`\n${pairs.length}  ${reason}`);
      for (const urls of pairs.slice(0, EXAMPLES)) {
        for (const url of urls)
          console.log(`    ${url.length > 150 ? `${url.slice(0, 150)}…` : url}`);
        console.log();
      }
    }
  }
}

/** Returns the first difference between two URLs, apart from what every tool normalizes. */
function reasonOf(a: string, b: string): string {
  const [first, second] = [parts(a), parts(b)];
  if (first === null || second === null) return "one is not a URL to the platform";
  const reasons: string[] = [];
  if (first.protocol !== second.protocol) reasons.push("scheme");
  if (first.hostname !== second.hostname) reasons.push(hostReason(first.hostname, second.hostname));
  if (first.port !== second.port) reasons.push("port");
  if (first.username + first.password !== second.username + second.password)
    reasons.push("userinfo");
  if (first.pathname !== second.pathname) reasons.push(pathReason(first.pathname, second.pathname));
  if (first.search !== second.search) reasons.push(queryReason(first.search, second.search));
  if (first.hash !== second.hash) reasons.push("fragment");
  return reasons.join(" + ") || "an empty fragment";
}

function parts(url: string): URL | null {
  return orNull((text) => new URL(text).href)(url) === null ? null : new URL(url);
}

function hostReason(a: string, b: string): string {
  if (a.replace(/^www\./, "") === b.replace(/^www\./, "")) return "www";
  return a.replace(/\.$/, "") === b.replace(/\.$/, "") ? "final dot of the host" : "host";
}

function pathReason(a: string, b: string): string {
  if (a.replace(/\/+$/, "") === b.replace(/\/+$/, "")) return "trailing slash";
  if (a.toLowerCase() === b.toLowerCase()) return "case of the path";
  if (decode(a) === decode(b)) return "percent-encoding of the path";
  if (a.replaceAll(/\/+/g, "/") === b.replaceAll(/\/+/g, "/")) return "duplicate slashes";
  return "path";
}

function queryReason(a: string, b: string): string {
  if ((a === "" || a === "?") && (b === "" || b === "?")) return "empty query";
  if (sorted(a) === sorted(b)) return "order of parameters";
  if (sorted(decode(a)) === sorted(decode(b))) return "percent-encoding of the query";
  if (a.toLowerCase() === b.toLowerCase()) return "case of the query";
  const [first, second] = [new URLSearchParams(a), new URLSearchParams(b)];
  const differing = [...new Set([...first.keys(), ...second.keys()])].filter(
    (name) => first.getAll(name).join() !== second.getAll(name).join(),
  );
  const isTracking = (name: string) =>
    tracking.normalize(`http://a/?${encodeURIComponent(name)}`) === "http://a/";
  return differing.every(isTracking) ? "tracking parameters" : "other parameters";
}

const sorted = (query: string): string => query.slice(1).split("&").toSorted().join("&");

function decode(text: string): string {
  return text.replaceAll(/%[0-9A-Fa-f]{2}/g, (triplet) =>
    String.fromCharCode(Number.parseInt(triplet.slice(1), 16)),
  );
}

console.log(
  `${corpus.urls.length} URLs of ${corpus.name}, Node ${process.version}, preset crawl\n`,
);
for (const [name, key] of Object.entries(PEERS)) {
  const theirs = corpus.urls.map(key);
  console.log(`\n## ${name}`);
  compareRefusals(theirs);
  compareMerges("merged by it and not by us", theirs, ours);
  compareMerges("merged by us and not by it", ours, theirs);
}

function compareRefusals(theirs: readonly (string | null)[]): void {
  const refused = new Differences();
  for (const [row, url] of corpus.urls.entries()) {
    if ((theirs[row] === null) === (ours[row] === null)) continue;
    const scheme = /^[a-z][a-z0-9+.-]*(?=:)/i.exec(url)?.[0].toLowerCase() ?? "no scheme";
    refused.add(`${ours[row] === null ? "refused by us" : "refused by it"}, scheme ${scheme}`, [
      url,
    ]);
  }
  refused.print("refused by one of the two");
}

/** Prints lines that share a key of `merging` with an earlier line, but not a key of `splitting`. */
function compareMerges(
  title: string,
  merging: readonly (string | null)[],
  splitting: readonly (string | null)[],
): void {
  const differences = new Differences();
  const first = new Map<string, number>();
  for (const [row, url] of corpus.urls.entries()) {
    const key = merging[row];
    if (key === null || key === undefined || splitting[row] === null) continue;
    const earlier = first.get(key);
    if (earlier === undefined) first.set(key, row);
    else if (splitting[earlier] !== splitting[row]) {
      const other = corpus.urls[earlier] as string;
      differences.add(reasonOf(other, url), [other, url]);
    }
  }
  differences.print(title);
}
