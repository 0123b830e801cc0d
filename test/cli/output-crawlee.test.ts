import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createUniqueKey } from "../../src/crawlee/index.ts";
import { runCli } from "../shared/cli.ts";
import { ENGINES } from "../shared/engines.ts";
import { linesOf, readCorpus } from "../shared/fixtures.ts";
import { atLength, sampleOf, shareOf } from "../shared/length.ts";
import { readParquet, writeColumns } from "../shared/parquet.ts";
import { tempFolder } from "../shared/temp-folder.ts";
import { warcResponse } from "../shared/warc.ts";

const folder = tempFolder();
const path = (name: string): string => join(folder, name);

const uniqueKey = createUniqueKey({ preset: "crawlee" });

/** The key of a URL, which is a byte string, by `urlmill/crawlee`, or null where it is an error. */
function keyOf(url: string): string | null {
  try {
    return uniqueKey(Buffer.from(url, "latin1").toString());
  } catch {
    return null;
  }
}

/** Items whose key no item before has; all that have none. */
function firsts<T>(items: readonly T[], keys: readonly (string | null)[]): T[] {
  const seen = new Set<string>();
  return items.filter((_, at) => {
    const key = keys[at] as string | null;
    if (key === null) return true;
    if (seen.has(key)) return false;
    return seen.add(key);
  });
}

/** Bytes of a chunk: of one thread in short runs. */
const CHUNK = atLength(1 << 18, 1 << 20);
/** More than one chunk. */
const CORPUS = linesOf(readCorpus()).slice(0, atLength(5_000, 50_000));
const KEYS = CORPUS.map(keyOf);
const LIST = CORPUS.map((url) => `${url}\n`).join("");
/** URLs of one key whose normalized URLs differ, and of other keys. */
const TWINS = [
  "http://a.org/?b=c%20d",
  "http://a.org/?b=c+d",
  "http://a.org/b/",
  "HTTP://a.org/b?utm_x",
];
const TWIN_KEYS = ["http://a.org?b=c+d", "http://a.org/b"];

const run = async (input: string, ...args: string[]): Promise<string> => {
  const { code, stdout } = await runCli([...args, "--form", "crawlee"], input);
  expect(code).toBe(0);
  return stdout;
};

test("every line of the list has the key of urlmill/crawlee", async () => {
  expect(LIST.length).toBeGreaterThan(CHUNK);
  for (const threads of sampleOf(["1", "2"], 2)) {
    const text = await run(LIST, "normalize", "--threads", threads);
    const lines = text.split("\n").slice(0, -1);
    expect(lines.length).toBe(CORPUS.length);
    const wrong = lines.filter((line, at) => line !== (KEYS[at] ?? CORPUS[at]));
    expect(wrong).toEqual([]);
  }
}, 60_000);

test("dedupe keeps the first line of each key of urlmill/crawlee", async () => {
  const keyed = sampleOf(
    [...CORPUS.keys()].filter((at) => KEYS[at] !== null),
    6,
  );
  const urls = [...keyed.map((at) => CORPUS[at] as string), ...TWINS];
  const input = urls.map((url) => `${url}\n`).join("");
  const expected = firsts(urls, [...keyed.map((at) => KEYS[at] as string), ...TWINS.map(keyOf)]);
  for (const threads of sampleOf(["2", "1"], 2)) {
    const text = await run(input, "dedupe", "--threads", threads);
    expect(text === expected.map((url) => `${url}\n`).join("")).toBe(true);
  }
}, 60_000);

const ESCAPED = (url: string): string => url.replaceAll("&", "&amp;");
const RECORDS: readonly [format: string, write: (url: string) => string][] = [
  ["lines", (url) => `${url}\n`],
  ["tsv", (url) => `${url}\tx\n`],
  ["csv", (url) => `"${url}",x\n`],
  ["jsonl", (url) => `{"url":"${url}","n":1}\n`],
  ["TabSeparated", (url) => `${url}\tx\n`],
  ["TSVRaw", (url) => `${url}\tx\n`],
  ["cdx", (url) => `${url} x\n`],
  ["cdxj", (url) => `a,b)/ 1 {"url": "${url}"}\n`],
  [
    "crawl-log",
    (url) => `2024-01-01T00:00:00.000Z 200 1 ${url} - - text/html #001 1+1 sha1:A - -\n`,
  ],
  ["sitemap", (url) => `<url><loc>${ESCAPED(url)}</loc></url>`],
];

describe.each(ENGINES)("on the engine %s", (engine) => {
  const URLS = [...TWINS, "http://a.org/?d&c&utm_id=1", "http://a.org/?c=&d="];

  test.each(shareOf(RECORDS, engine))("records of %s have these keys", async (format, write) => {
    const [head, tail] = format === "sitemap" ? ["<urlset>\n", "</urlset>\n"] : ["", ""];
    const header = format === "cdx" ? " CDX a b\n" : head;
    const input = header + URLS.map(write).join("") + tail;
    const args = ["--format", format, "--engine", engine];
    const keyed = URLS.map((url) => write(keyOf(url) as string));
    const written = await run(input, "normalize", ...args);
    const unquoted = written.replaceAll("\\/", "/");
    const expected = (rows: readonly string[]) => header + rows.join("") + tail;
    const plain = (text: string) => (format === "csv" ? text.replaceAll('"', "") : text);
    expect(plain(unquoted)).toBe(plain(expected(keyed)));
    const original = await run(input, "dedupe", ...args);
    expect(original).toBe(expected([0, 2, 4].map((at) => write(URLS[at] as string))));
    const unique = await run(input, "dedupe", "--emit", "normalized", ...args);
    expect(plain(unique)).toBe(plain(expected([0, 2, 4].map((at) => keyed[at] as string))));
  });

  test("a table of Parquet has these keys", async () => {
    const [from, to] = [path("in.parquet"), path("out.parquet")];
    for (const encoding of shareOf(["PLAIN", "RLE_DICTIONARY"] as const, engine)) {
      writeColumns(from, [{ name: "url", data: URLS, type: "STRING", encoding }]);
      await run("", "normalize", "--engine", engine, from, "-o", to);
      const urls = (await readParquet(to)).rows.map((row) => row["url"]);
      expect(urls).toEqual(URLS.map(keyOf));
      await run("", "dedupe", "--engine", engine, from, "-o", to);
      const firstUrls = (await readParquet(to)).rows.map((row) => row["url"]);
      expect(firstUrls).toEqual([0, 2, 4].map((at) => URLS[at]));
    }
  });

  test("the URLs of a web archive have these keys", async () => {
    const warc = URLS.map((url) => warcResponse(url)).join("");
    const text = await run(
      warc,
      "dedupe",
      "--format",
      "warc",
      "--emit",
      "both",
      "--engine",
      engine,
    );
    expect(text).toBe(
      [0, 2, 4].map((at) => `${keyOf(URLS[at] as string)}\t${URLS[at]}\n`).join(""),
    );
  });
});

test("--map lists the keys, and a set of --seen knows them from URLs", async () => {
  const [map, seen] = [path("map"), path("seen")];
  const input = TWINS.map((url) => `${url}\n`).join("");
  await run(input, "dedupe", "--map", map, "--seen", seen);
  const merged = (await runCli(["normalize", "--format", "tsv", "--field", "2", map])).stdout;
  expect(merged.split("\n").map((line) => line.split("\t")[0])).toEqual([...TWIN_KEYS, ""]);
  expect(
    await run("http://a.org/?b=c+d\nhttp://a.org/b#c\nhttp://a.org/c\n", "dedupe", "--seen", seen),
  ).toBe("http://a.org/c\n");
  const { code, stderr } = await runCli(["dedupe", "--seen", seen], input);
  expect(code).toBe(1);
  expect(stderr).toContain('output was "crawlee" and is not set');
});

test("other options can be added, but not a preset", async () => {
  const url = "http://a.org/b;jsessionid=1/?ref=2&utm_x=3\n";
  expect(await run(url, "normalize", "--session-ids", "remove", "--drop-params", "ref")).toBe(
    `${createUniqueKey({ preset: "crawlee", sessionIds: "remove", dropParams: ["ref"] })(url.trim())}\n`,
  );
  for (const flags of [["--preset", "crawl"], ["--unicode-hosts"]]) {
    const { code, stderr } = await runCli(["normalize", "--form", "crawlee", ...flags]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/takes no preset|contradict each other/);
  }
});

test.each([["normalize"], ["dedupe"], ["plan"], ["explain", "http://a/"]])(
  "--preset crawlee of %s is refused with what to take instead",
  async (...args) => {
    const { code, stderr } = await runCli([...args, "--preset", "crawlee"]);
    expect(code).toBe(2);
    expect(stderr).toContain("urlmill/crawlee makes them, and --form crawlee of the command line");
  },
);
