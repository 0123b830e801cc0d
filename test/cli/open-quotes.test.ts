import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { runCli, runShell } from "../shared/cli.ts";
import { atLength, oneOf, sampleOf, testAtLength } from "../shared/length.ts";
import { tempFolder } from "../shared/temp-folder.ts";

// A quote of CSV that is not closed: its line has no URL, and the lines after it are rows.

const folder = tempFolder();
const path = (name: string): string => join(folder, name);

/** The rows of a table, each line one. `open`: the lines of quotes that are not closed, and what stands there. */
function table(rows: number, open: Readonly<Record<number, string>>): string[] {
  const lines = ["id,url,note"];
  for (let row = 1; row <= rows; row++) lines.push(`${row},http://h/${row % 1000},"n, ""${row}"""`);
  for (const [line, text] of Object.entries(open)) lines[Number(line) - 1] = text;
  return lines;
}

/** What `dedupe` leaves of lines. `isKept`: says whether lines without a URL are kept. */
function deduped(lines: readonly string[], open: Readonly<Record<number, string>>, isKept = true) {
  const seen = new Set<string>();
  const left = lines.filter((line, at) => {
    if (at === 0) return true;
    const key = open[at + 1] ?? (line.split(",")[1] as string);
    if (open[at + 1] !== undefined && !isKept) return false;
    return !seen.has(key) && seen.add(key);
  });
  return `${left.join("\n")}\n`;
}

const SHAPES: Readonly<Record<string, Readonly<Record<number, string>>>> = {
  "in the column of the URL": { 51: '50,"http://h/50,n' },
  "in a later column": { 51: '50,http://h/50,"n' },
  "in the first column": { 51: '"50,http://h/50,n' },
  "with a curly quote for the other one": { 51: '50,"http://h/50”,n' },
  "two such quotes": { 51: '50,"http://h/50,n', 1501: '1500,"http://h/500,n' },
  "two equal rows": { 51: '50,"http://h/50,n', 1501: '50,"http://h/50,n' },
  "in the last line": { 2001: '2000,http://h/0,"n' },
};

describe.each(sampleOf(Object.entries(SHAPES), 2))(
  "a quote that is not closed, %s",
  (shape, open) => {
    // Without quotes that later rows have, only the end of the table tells.
    const tables = [
      table(2000, open),
      table(2000, open).map((line) => line.replace(/,"n, .*/, ",")),
    ];
    const file = path("table.csv");
    const places = Object.keys(open).map((line) => `line ${line}: a quote opens a field`);

    // Short runs take one table of a shape, and the other of the next shape.
    const number = Object.keys(SHAPES).indexOf(shape) >> 1;
    const one = number % 2;
    test.each(atLength([one], [0, 1]))(
      "is named, and the rows after it are deduped (table %i)",
      async (at) => {
        const lines = tables[at] as string[];
        writeFileSync(file, `${lines.join("\n")}\n`);
        const all = [
          [],
          ["--engine", "js"],
          ["--memory", "16M"],
          ["-j", "2"],
          ["-j", "1"],
          ["--keep", "first"],
        ];
        const ways = oneOf(all, number);
        for (const way of ways) {
          const out = path("out.csv");
          const { code, stderr } = await runCli(["dedupe", file, ...way, "-o", out]);
          expect(code).toBe(1);
          for (const place of places) expect(stderr).toContain(`${file}, ${place}`);
          expect(readFileSync(out, "utf8")).toBe(deduped(lines, open));
          const piped = await runCli(["dedupe", "--format", "csv", ...way], readFileSync(file));
          expect(piped.code).toBe(1);
          for (const place of places) expect(piped.stderr).toContain(`standard input, ${place}`);
          expect(Buffer.from(piped.stdout, "latin1").toString()).toBe(deduped(lines, open));
        }
      },
    );

    test("goes alone with --on-error empty, and ends a run with --on-error fail", async () => {
      const lines = tables[0] as string[];
      writeFileSync(file, `${lines.join("\n")}\n`);
      const out = path("out.csv");
      const empty = await runCli(["dedupe", "--on-error", "empty", file, "-o", out]);
      expect(empty.code).toBe(1);
      expect(readFileSync(out, "utf8")).toBe(deduped(lines, open, false));

      const [first = 0] = Object.keys(open).map(Number);
      const failed = await runCli(["dedupe", "--on-error", "fail", file]);
      expect(failed.code).toBe(1);
      expect(failed.stderr).toBe(
        `urlmill: ${file}, line ${first}: a quote opens a field, and no quote closes it; stopped (--on-error fail)\n`,
      );
      expect(failed.stdout).toBe(deduped(lines.slice(0, first - 1), {}));
    });
  },
);

describe("every way to read a table with quotes that are not closed", () => {
  // Several chunks of every mode are before the first quote and after it.
  const rows = atLength(14_000, 20_000);
  const open = { 12001: '12000,"http://h/0,n', 13000: '12999,http://h/999,"n' };
  const lines = table(rows, open);
  const text = `${lines.join("\n")}\n`;
  const file = path("large.csv");
  writeFileSync(file, text);
  writeFileSync(`${file}.gz`, gzipSync(text));

  const flags: string[][] = [
    ["dedupe"],
    ["dedupe", "-c"],
    ["dedupe", "-d"],
    ["dedupe", "--keep", "last"],
    ["dedupe", "--keep", "max:id"],
    ["dedupe", "--emit", "both", "--on-error", "empty"],
    ["dedupe", "--by", "url,note"],
    ["dedupe", "--memory", "16M", "--emit", "normalized"],
    ["normalize"],
    ["normalize", "--emit", "both"],
    ["normalize", "--form", "surt", "--on-error", "empty"],
  ];
  test.each(sampleOf(flags, 11))(
    "%s %s %s gives the same bytes, lists and exit code",
    async (...call) => {
      const lists = call[0] === "dedupe" ? ["errors", "map"] : ["errors"];
      const results: unknown[][] = [];
      const run = async (args: string[], input?: Buffer): Promise<void> => {
        const named = lists.flatMap((name) => [`--${name}`, path(name)]);
        const { code, stdout } = await runCli([...call.filter(Boolean), ...named, ...args], input);
        const written = args.includes("-o") ? readFileSync(path("out"), "utf8") : stdout;
        results.push([code, written, ...lists.map((name) => readFileSync(path(name), "utf8"))]);
      };
      const ways: readonly [string[], Buffer?][] = [
        [["--engine", "js", file]],
        [["-j", "1", file]],
        [["-j", "2", file, "-o", path("out")]],
        [["-j", "1", file, "-o", path("out")]],
        [["-j", "1", "--format", "csv"], Buffer.from(text)],
        [["-j", "2", `${file}.gz`]],
      ];
      for (const way of sampleOf(ways, 2)) await run(...way);
      for (const result of results) expect(result).toEqual(results[0]);
      expect(results[0]?.[0]).toBe(1);
    },
  );

  test("standard output that is a file has what was written before the quote once", async () => {
    for (const threads of atLength([1], [1, 2])) {
      const out = path("shell.csv");
      const { code } = runShell(`urlmill dedupe -j ${threads} ${file} > ${out}`, folder);
      expect(code).toBe(1);
      expect(readFileSync(out, "utf8")).toBe(deduped(lines, open));
    }
  });

  test("a set has the URLs of all rows", async () => {
    const seen = path("seen");
    const first = await runCli(["dedupe", "--seen", seen, file]);
    expect([first.code, first.stdout]).toEqual([1, deduped(lines, open)]);
    const again = await runCli(["dedupe", "--seen", seen, file]);
    expect([again.code, again.stdout]).toEqual([1, "id,url,note\n"]);
  });

  test("a list of --exclude names its quote", async () => {
    const { code, stdout, stderr } = await runCli(
      ["dedupe", "--exclude", file],
      "url\nhttp://h/1\nhttp://n/\n",
    );
    expect(code).toBe(1);
    expect(stdout).toBe("url\nhttp://n/\n");
    expect(stderr).toContain(`${file}, line 12001: a quote opens a field`);
  });

  test("learn reads the rows after it, and names it", async () => {
    const { code, stderr } = await runCli(["learn", file]);
    expect(code).toBe(0);
    expect(stderr).toContain("line 12001: a quote that is not closed");
    expect(stderr).toContain("2 lines");
  });

  test("--stats counts it", async () => {
    const { stderr } = await runCli(["dedupe", "--stats", file]);
    expect(stderr).toContain('"openQuotes":2');
    expect(stderr).toContain(`"lines":${rows + 1},`);
  });
});

test("more than ten are counted", async () => {
  const open = Object.fromEntries(Array.from({ length: 12 }, (_, at) => [2 + 3 * at, `${at},"x`]));
  const { code, stderr } = await runCli(
    ["normalize", "--format", "csv"],
    `${table(100, open).join("\n")}\n`,
  );
  expect(code).toBe(1);
  expect(stderr.match(/a quote opens a field/g)).toHaveLength(10);
  expect(stderr).toContain("12 records could not be read whole; the first 10 are named above");
  expect(stderr).toContain("12 quotes are not closed");
});

test("a field of more than 1,000 lines is named, and is no error", async () => {
  const text = (lines: number) => `"${"x\n".repeat(lines - 1)}"`;
  const lines = table(10, { 4: `3,http://h/3,${text(1001)}`, 6: `5,http://h/5,${text(1000)}` });
  const file = path("long.csv");
  writeFileSync(file, `${lines.join("\n")}\n`);
  for (const way of [
    ["-j", "1"],
    ["-j", "2"],
    ["--engine", "js"],
  ]) {
    const { code, stdout, stderr } = await runCli(["dedupe", file, ...way]);
    expect([code, stdout]).toEqual([0, `${lines.join("\n")}\n`]);
    expect(stderr).toBe(
      `urlmill: ${file}, line 4: a field in quotes has 1001 lines; is a quote missing?\n`,
    );
  }
});

test("rows with two fields of many lines are whole, longer than a chunk or not", async () => {
  const lines = (count: number, text: string): string => `${text}\n`.repeat(count);
  // Longer than a chunk of one thread.
  const count = atLength(50_000, 250_000);
  const rows = [2, 1, 2, 1].map((url) => [`http://h/${url}`, lines(count, "x"), lines(count, "y")]);
  const written = rows.map(([url, ...texts]) => `${url},"${texts.join('","')}"\n`);
  const expected = `url,a,b\n${written.slice(0, 2).join("")}`;
  const file = path("two.csv");
  writeFileSync(file, `url,a,b\n${written.join("")}`);
  const ways = [
    ["-j", "1"],
    ["-j", "2"],
    ["--engine", "js"],
  ];
  for (const way of sampleOf(ways, 3)) {
    const out = path("two-out.csv");
    const { code, stderr } = await runCli(["dedupe", file, ...way, "-o", out]);
    expect([code, stderr.match(/ lines; is a quote missing/g)?.length]).toEqual([0, 8]);
    expect(readFileSync(out, "utf8") === expected).toBe(true);
    const piped = await runCli(["dedupe", "--format", "csv", ...way], readFileSync(file));
    expect([piped.code, piped.stdout === expected]).toEqual([0, true]);
  }
});

test("a header whose quote is not closed is refused", async () => {
  const { code, stdout, stderr } = await runCli(
    ["dedupe", "--format", "csv", "--field", "url"],
    'id,"url\n1,http://a/\n',
  );
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toContain("the CSV header cannot be read: a quote that is not closed");
});

test("rows that are counted do not close the quote of another row", async () => {
  // Without the second row, which is a repeat, the third one would close the quote of the first.
  const rows = ['1,"x', '2,"http://a/"', '3,http://b/,z"', "4,http://a/"];
  const text = `0,http://a/\n${rows.join("\n")}\n`;
  const counted = await runCli(["dedupe", "-c", "--format", "csv", "--field", "2"], text);
  expect(counted.stdout).toBe('0,http://a/,3\n1,"x\n3,http://b/,z",1\n');
  const map = path("map");
  await runCli(["dedupe", "--format", "csv", "--field", "2", "--map", map], `${text}${text}`);
  expect(readFileSync(map, "utf8").split("\n")).toEqual([
    'http://a/\t2,"http://a/"',
    "http://a/\t4,http://a/",
    "http://a/\t0,http://a/",
    '1,"x\t1,"x',
    'http://a/\t2,"http://a/"',
    'http://b/\t3,http://b/,z"',
    "http://a/\t4,http://a/",
    "",
  ]);
});

testAtLength(
  "a table of more than 64 MiB after the quote is read alike in every mode",
  async () => {
    const row = `1,http://h/1,${"x".repeat(200)}\n`;
    const text = `id,url,note\n0,"http://h/0,n\n${row.repeat(400_000)}2,http://h/2,"x"\n`;
    const file = path("huge.csv");
    writeFileSync(file, text);
    const expected = `id,url,note\n0,"http://h/0,n\n${row}2,http://h/2,"x"\n`;
    for (const call of [
      ["-j", "1"],
      ["-j", "2"],
      ["--engine", "js"],
    ]) {
      const { code, stdout, stderr } = await runCli(["dedupe", ...call, file]);
      expect([code, stdout]).toEqual([1, expected]);
      expect(stderr).toContain("line 2: a quote opens a field");
    }
    const gz = `${file}.gz`;
    writeFileSync(gz, gzipSync(text, { level: 1 }));
    const out = path("huge-out.csv.gz");
    expect((await runCli(["dedupe", gz, "-o", out])).code).toBe(1);
    expect(gunzipSync(readFileSync(out)).toString()).toBe(expected);
  },
);
