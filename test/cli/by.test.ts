import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { runCli } from "../shared/cli.ts";
import { ENGINES } from "../shared/engines.ts";
import { atLength, oneOf, shareOf, testAtLength } from "../shared/length.ts";
import { tempFolder } from "../shared/temp-folder.ts";

let here = "";
beforeEach(() => {
  here = tempFolder();
});

interface Capture {
  readonly time: number;
  readonly url: string;
  readonly digest: string;
}

const FORMATS: Readonly<Record<string, (capture: Capture) => string>> = {
  cdx: ({ time, url, digest }) => `k ${time} ${url} text/html 200 ${digest || "-"} 9\n`,
  cdxj: ({ time, url, digest }) => `k ${time} ${JSON.stringify({ url, digest: digest || null })}\n`,
  jsonl: ({ time, url, digest }) =>
    `${JSON.stringify(digest === "" ? { time, url } : { time, url, digest })}\n`,
  csv: ({ time, url, digest }) => `${time},${url},"${digest}"\r\n`,
  tsv: ({ time, url, digest }) => `${time}\t${digest}\t${url}\n`,
};
const HEADERS: Readonly<Record<string, string>> = {
  csv: "time,url,digest\r\n",
  tsv: "time\tdigest\turl\n",
};

/** So many that the keys of ROWS do not fit in 1 MB at full length. */
const PAGES = atLength(40, 8_009);

/** Captures of pages that change now and then, in several spellings; some have no digest, some come twice. */
function captures(count: number): Capture[] {
  return Array.from({ length: count }, (_, at) => ({
    time: 20260000 + (at % 11 === 0 ? 1 : at),
    url: at % 3 === 0 ? `HTTP://A/${at % PAGES}` : `http://a/${at % PAGES}`,
    digest: at % 5 === 0 ? "" : `D${(at >> 6) % 4}`,
  }));
}

const ROWS = captures(atLength(6_000, 60_000));

/** What is left if records are one that have the same page and digest, or are the same as a whole. */
function expected(rows: readonly Capture[], write: (capture: Capture) => string): string {
  const seen = new Set<string>();
  const first = rows.filter((row) => {
    const page = row.url.toLowerCase();
    const key = row.digest === "" ? write(row) : `${page} ${row.digest}`;
    return seen.size < seen.add(key).size;
  });
  return first.map(write).join("");
}

describe.each(ENGINES)("dedupe --by url,digest, --engine %s", (engine) => {
  const dedupe = (args: readonly string[], input = "") =>
    runCli(["dedupe", "-q", "--engine", engine, "--by", "url,digest", ...args], input);

  test.each(shareOf(Object.keys(FORMATS), engine))("%s, in all modes", async (format) => {
    const write = FORMATS[format] as (capture: Capture) => string;
    const header = HEADERS[format] ?? "";
    const input = header + ROWS.map(write).join("");
    const output = header + expected(ROWS, write);
    const [file, out] = [join(here, `in.${format}`), join(here, `out.${format}`)];
    writeFileSync(file, input);
    const piped = await dedupe(["--format", format], input);
    expect(piped.stdout === output).toBe(true);
    const modes = [
      ["-j", "1"],
      ["--keep", "first", "--map", "/dev/null"],
      ["-j", "2"],
      ["--memory", "1M"],
    ];
    for (const more of oneOf(modes, Object.keys(FORMATS).indexOf(format))) {
      expect(await dedupe([file, "-o", out, ...more])).toMatchObject({ code: 0, stderr: "" });
      expect(readFileSync(out, "latin1") === output).toBe(true);
    }
  });

  testAtLength("--memory keeps keys in a temporary file", async () => {
    const write = FORMATS["tsv"] as (capture: Capture) => string;
    const file = join(here, "in.tsv");
    writeFileSync(file, HEADERS["tsv"] + ROWS.map(write).join(""));
    const args = ["dedupe", "--stats", "--engine", engine, "--by", "url,digest", file];
    const { stderr } = await runCli([...args, "-o", join(here, "out.tsv"), "--memory", "1M"]);
    expect(JSON.parse(stderr.trim().split("\n").at(-1) as string).temporaryBytes).toBeGreaterThan(
      0,
    );
  });

  test("with --keep the greatest value of each version is written", async () => {
    const write = FORMATS["cdx"] as (capture: Capture) => string;
    const rows = [1, 2, 3, 4].map((time) => ({
      time,
      url: "http://a/",
      digest: time < 3 ? "A" : "B",
    }));
    const { stdout } = await dedupe(
      ["--format", "cdx", "--keep", "max:timestamp"],
      rows.map(write).join(""),
    );
    expect(stdout).toBe([rows[1], rows[3]].map((row) => write(row as Capture)).join(""));
  });

  test("a stored set remembers versions, and refuses a run that compares otherwise", async () => {
    const write = FORMATS["jsonl"] as (capture: Capture) => string;
    const set = ["--seen", join(here, "set"), "--format", "jsonl"];
    const one = write({ time: 1, url: "http://a/", digest: "A" });
    const two = write({ time: 2, url: "http://a/", digest: "B" });
    expect((await dedupe(set, one)).stdout).toBe(one);
    expect((await dedupe(set, one + two)).stdout).toBe(two);
    const other = await runCli(["dedupe", "--engine", engine, ...set], one);
    expect(other).toMatchObject({ code: 1, stdout: "" });
  });
});

test.each([
  [
    "lines",
    ["--by", "url,digest", "--format", "lines"],
    "--by url,digest: field needs a format with fields",
  ],
  [
    "an unknown letter",
    ["--by", "url,nothing", "--format", "cdx"],
    '--by url,nothing: field is "nothing"',
  ],
  ["no URL", ["--by", "digest", "--format", "cdx"], '--by is url or url,COLUMN, not "digest"'],
  [
    "parquet",
    ["--by", "url,digest", "--format", "parquet"],
    "--by url,digest is for lines, not for parquet",
  ],
  [
    "a list to leave out",
    ["--by", "url,digest", "--format", "cdx", "--exclude", "x"],
    "--exclude leaves out URLs",
  ],
])("it is refused for %s", async (_, args, said) => {
  const { code, stderr } = await runCli(["dedupe", ...args], "");
  expect([code, stderr]).toEqual([2, expect.stringContaining(`urlmill: ${said}`)]);
});

test("--by url is the default", async () => {
  const { stdout } = await runCli(
    ["dedupe", "--by", "url", "--format", "lines"],
    "http://a\nhttp://a/\n",
  );
  expect(stdout).toBe("http://a\n");
});

test("a file without the column is refused", async () => {
  const { code, stderr } = await runCli(
    ["dedupe", "--by", "url,digest", "--format", "csv"],
    "url\nhttp://a\n",
  );
  expect([code, stderr]).toEqual([2, expect.stringContaining("digest")]);
});

describe("--keep max: and min: keep a revisit only if its URL has nothing else", () => {
  const line = (time: number, url: string, mime = "text/html"): string =>
    `k ${time} ${url} ${mime} 200 A 9\n`;
  const json = (time: number, url: string, mime = "text/html"): string =>
    `k ${time} ${JSON.stringify({ mime, url })}\n`;

  test.each([
    ["cdx", line, ""],
    ["cdx", line, " CDX N b a m s k S\n"],
    ["cdxj", json, ""],
  ] as const)("%s", async (format, write, header) => {
    const revisit = "warc/revisit";
    const rows = [
      write(1, "http://a/"),
      write(2, "http://a/"),
      write(3, "http://a/", revisit),
      write(4, "http://b/", revisit),
      write(5, "http://b/", revisit),
    ];
    for (const engine of ENGINES) {
      const flags = ["--engine", engine, "--format", format, "--keep"];
      const newest = await runCli(["dedupe", ...flags, "max:timestamp"], header + rows.join(""));
      expect(newest.stdout).toBe(header + rows[1] + rows[3]);
      const last = await runCli(["dedupe", ...flags, "last"], header + rows.join(""));
      expect(last.stdout).toBe(header + rows[2] + rows[4]);
    }
  });

  test("CDX whose header has no column of the kind is read as before", async () => {
    const text = " CDX N b a\nk 1 http://a/\nk 2 http://a/\n";
    for (const engine of ENGINES) {
      const flags = ["--engine", engine, "--keep", "max:timestamp"];
      const { stdout } = await runCli(["dedupe", ...flags], text);
      expect(stdout).toBe(" CDX N b a\nk 2 http://a/\n");
    }
  });
});
