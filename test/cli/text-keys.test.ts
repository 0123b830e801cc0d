import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { createNormalizer } from "../../src/index.ts";
import { runCli } from "../shared/cli.ts";
import { ENGINES } from "../shared/engines.ts";
import { atLength, IS_LONG, sampleOf, shareOf } from "../shared/length.ts";
import { Random } from "../shared/random.ts";
import { tempFolder } from "../shared/temp-folder.ts";

const folder = tempFolder();
const path = (name: string): string => join(folder, name);
beforeEach(() => rmSync(path("keys"), { recursive: true, force: true }));

describe.each(ENGINES)("texts that are not URLs, --engine %s", (engine) => {
  const dedupe = (input: string, ...args: string[]) =>
    runCli(["dedupe", "--engine", engine, ...args], input);

  test("are written once, an empty line too", async () => {
    const { stdout } = await dedupe(
      "not a url\n\nnot a url\r\n\r\nNot a url\n not a url\n\nnot a url",
    );
    expect(stdout).toBe("not a url\n\nNot a url\n not a url\n");
  });

  test("are their bytes, whatever these are", async () => {
    const texts = [
      "\xff",
      "\xfe",
      "\xc3\xbc",
      "u\xcc\x88",
      "\xef\xbb\xbf",
      "a\rb",
      "a\tb",
      "a\0",
      "a\0\0",
    ]
      .map((text) => `${text}\n`)
      .join("");
    expect((await dedupe(texts + texts)).stdout).toBe(
      Buffer.from(texts, "latin1").toString("latin1"),
    );
  });

  test.each(shareOf(["--emit both", "--emit normalized", "--form surt", "--threads 2"], engine))(
    "are written once with %s",
    async (mode) => {
      const { stdout } = await dedupe("x\r\nhttp://a\nx\nHTTP://A\nx", ...mode.split(" "));
      expect(stdout.split("\n").filter((line) => /^\t?x\r?$/.test(line))).toHaveLength(1);
      expect(stdout.split("\n")).toHaveLength(3);
    },
  );

  const records = [
    ["csv --field 2", "3,N/A\n4,N/A\n4,N/A\n", "3,N/A\n4,N/A\n"],
    ["csv --field 2", '3,N/A\n"3","N/A"\n3,N/A', '3,N/A\n"3","N/A"\n'],
    ["csv --field 2", '"a\nb",x\n"a\nc",x\n"a\nb",x\n', '"a\nb",x\n"a\nc",x\n'],
    ["csv --header", "id,url\n1,\n2,\n1,\n1\n1\n", "id,url\n1,\n2,\n1\n"],
    ["tsv --field 2", "1\tx\r\n1\tx\n2\tx\n", "1\tx\r\n2\tx\n"],
    ["TabSeparated --field 2", "1\t\\N\n1\t\\N\n2\t\\N\n", "1\t\\N\n2\t\\N\n"],
    [
      "jsonl",
      '{"url":1}\n{"url":1,"n":2}\n{"url":1}\n{}\n{}\n',
      '{"url":1}\n{"url":1,"n":2}\n{}\n',
    ],
    ["jsonl", "{\n{\n[]\n", "{\n[]\n"],
    ["cdx", "a - - 1\na - - 2\na - - 1\n", "a - - 1\na - - 2\n"],
    [
      "sitemap",
      "<urlset><url><loc>x</loc></url><url/><url><loc>y</loc></url><url><loc>x</loc></url><url/></urlset>",
      "<urlset><url><loc>x</loc></url><url/><url><loc>y</loc></url></urlset>",
    ],
  ] as const;
  test.each(shareOf(records, engine))(
    "are compared as whole records: --format %s",
    async (format, input, expected) => {
      expect((await dedupe(input, "--format", ...format.split(" "))).stdout).toBe(expected);
    },
  );

  test("are remembered by --seen", async () => {
    const seen = ["--seen", path("keys"), "--stats"];
    await dedupe("x\nhttp://a/\n\n", ...seen);
    const { stdout, stderr } = await dedupe("y\nx\r\nHTTP://A\n\n", ...seen);
    expect(stdout).toBe("y\n");
    expect(JSON.parse(stderr)).toMatchObject({ lines: 4, duplicates: 3, errors: 3, keysBefore: 3 });
  });

  test.runIf(IS_LONG || engine === "wasm")(
    "are remembered where they are over the limit, in both modes",
    async () => {
      const long = `${"x".repeat(1_100_000)}\n`;
      writeFileSync(path("long"), long);
      const seen = ["--seen", path("keys"), "--threads", atLength("1", "2")];
      expect((await dedupe(`x\n${long}`, ...seen)).stdout === `x\n${long}`).toBe(true);
      expect((await dedupe("", ...seen, path("long"))).stdout).toBe("");
      const map = ["--map", path("map"), "--engine", engine];
      const { stdout, stderr } = await dedupe(long + long, "--stats", ...map);
      expect(stdout === long).toBe(true);
      expect(JSON.parse(stderr)).toMatchObject({ lines: 2, duplicates: 1, errors: 2 });
      expect(readFileSync(path("map"), "latin1") === `${long.trim()}\t${long}`).toBe(true);
    },
  );

  test("are not remembered where they are not written", async () => {
    const seen = ["--seen", path("keys")];
    const first = await dedupe("x\nhttp://a/\nx\n", ...seen, "--stats", "--on-error", "empty");
    expect(first.stdout).toBe("http://a/\n");
    expect(JSON.parse(first.stderr)).toMatchObject({ lines: 3, duplicates: 0, errors: 2 });
    expect((await dedupe("x\nhttp://a/\n", ...seen)).stdout).toBe("x\n");
  });

  test("are listed by --map with their text as the key, and all of them by --errors", async () => {
    const lists = ["--map", path("map"), "--errors", path("errors")];
    await dedupe("x\ty\nx\ty\nhttp://a\nhttp://a\n\\\n\\\n", ...lists);
    expect(readFileSync(path("map"), "latin1")).toBe(
      "x\ty\tx\ty\nhttp://a/\thttp://a\n\\\\\t\\\\\n",
    );
    expect(readFileSync(path("errors"), "latin1").split("\n")).toHaveLength(5);
    await dedupe("1,x\n2,x\n1,x\n", "--format", "csv", "--field", "2", ...lists);
    expect(readFileSync(path("map"), "latin1")).toBe("1,x\t1,x\n");
  });

  test("are counted once in a report", async () => {
    const { code } = await dedupe("x\nx\nhttp://a/\nhttp://A/\n", "--report", path("page.html"));
    expect(code).toBe(0);
    const tiles = /<div class="tiles">(.*)<\/div>/.exec(readFileSync(path("page.html"), "utf8"));
    const texts = tiles?.[1]?.replaceAll(/<[^>]*>/g, "");
    expect(texts).toMatch(/^4 records 100 %1 different URL 25 %2 merged 50 %1 not a URL 25 %/);
  });
});

describe("lines over the limit of a URL", () => {
  const MOST = 1 << 22;

  test.each([0, 1])(
    "are compared up to 4 MiB, and stay above that, from a file and from a pipe (%i more)",
    async (more) => {
      const long = "x".repeat(MOST + more);
      const list = Buffer.from(`${long}\nhttp://a/\n${long}\r\nhttp://A\nx\n${long}`);
      writeFileSync(path("long"), list);
      const again = more === 0 ? "" : `${long}\r\n`;
      const last = more === 0 ? "" : `${long}\n`;
      const expected = `${long}\nhttp://a/\n${again}x\n${last}`;
      for (const threads of sampleOf(["1", "2"], 2)) {
        await runCli(["dedupe", "--threads", threads, "-o", path("file"), path("long")]);
        expect(readFileSync(path("file"), "latin1") === expected).toBe(true);
        const { stdout } = await runCli(["dedupe", "--threads", threads], list);
        expect(stdout === expected).toBe(true);
      }
    },
    60_000,
  );
});

/** Bytes of texts, few enough that texts repeat. */
const PIECES = [
  "",
  "x",
  " ",
  "\xff",
  "\xc3\xa9",
  "\t",
  "\r",
  "http://",
  "a:",
  "\0",
  "\xef\xbb\xbf",
  "[",
  "%",
];
const URLS = ["http://a", "HTTP://a/", "http://a/?b&a", "ftp://a", "http://a/%7e", "a:b"];

function lineOf(random: Random): string {
  if (random.chance(3)) return random.pick(URLS);
  if (random.chance(40)) return `http://a b${"x".repeat(random.pick([299, 300, 301, 5000]))}`;
  return random.pick(PIECES) + random.pick(PIECES) + random.pick(PIECES);
}

function listOf(random: Random): string {
  let list = "";
  for (let lines = random.below(600); lines > 0; lines--) {
    list += lineOf(random) + random.pick(["\n", "\n", "\r\n"]);
  }
  return list + (random.chance(2) ? "" : lineOf(random));
}

/** What a run writes, by a slow model that compares strings. */
function model(list: string, preset: "safe" | "crawl", onError: "keep" | "empty") {
  const normalizer = createNormalizer({ preset, maxLength: 300, engine: "js" });
  const keys = new Set<string>();
  const counts = { lines: 0, duplicates: 0, errors: 0 };
  let text = "";
  // A mark at the beginning is not part of the first line.
  const lines = list.replace(/^\xef\xbb\xbf/, "").match(/[^\n]*\n|[^\n]+$/g) ?? [];
  for (const line of lines) {
    counts.lines++;
    const whole = line.endsWith("\n") ? line : `${line}\n`;
    const content = whole.replace(/\r?\n$/, "");
    const { bytes, status } = normalizer.normalizeLines(Buffer.from(whole, "latin1"));
    const isUrl = (status[0] as number) < 2;
    if (!isUrl) counts.errors++;
    if (!isUrl && onError === "empty") continue;
    const key = isUrl ? `url ${Buffer.from(bytes).toString("latin1")}` : `text ${content}`;
    if (keys.has(key)) counts.duplicates++;
    else text += whole;
    keys.add(key);
  }
  return { text, counts };
}

test("every way of a list gives what a slow model gives", async () => {
  for (let seed = 1; seed <= atLength(1, 50, 150); seed++) {
    const random = new Random(seed);
    const [preset, onError] = [
      random.pick(["safe", "crawl"] as const),
      random.pick(["keep", "keep", "empty"] as const),
    ];
    const list = listOf(random);
    const expected = model(list, preset, onError);
    const input = path("list");
    writeFileSync(input, list, "latin1");
    // Lists of odd bytes are also of other formats, by their first lines.
    const rules = [
      "--format",
      "lines",
      "--preset",
      preset,
      "--max-length",
      "300",
      "--on-error",
      onError,
      "--stats",
    ];
    const ways = [
      ["-o", path("out"), input],
      ["-o", path("out"), "--threads", "2", input],
      ["-o", path("out"), "--engine", "js", input],
      ["-o", path("out"), "--map", path("map"), "--threads", "2", input],
      ["-o", path("out"), "--threads", "1"],
      ["-o", path("out"), "--report", path("page"), input],
      ["-o", path("out"), "--emit", "original", "--form", "surt", input],
    ];
    for (const way of sampleOf(ways, 3)) {
      const isPiped = way.at(-1) !== input;
      const { stderr } = await runCli(["dedupe", ...rules, ...way], isPiped ? list : "");
      const written = readFileSync(path("out"), "latin1");
      expect({ seed, way, written }).toEqual({ seed, way, written: expected.text });
      expect({ seed, way, ...JSON.parse(stderr) }).toMatchObject({ seed, way, ...expected.counts });
    }
  }
});
