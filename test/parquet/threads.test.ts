import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parquetMetadata } from "hyparquet";
import { describe, expect, test } from "vitest";
import { runCli, runProcess } from "../shared/cli.ts";
import { atLength, sampleOf } from "../shared/length.ts";
import { writeColumns } from "../shared/parquet.ts";
import { tempFolder } from "../shared/temp-folder.ts";

const folder = tempFolder();
const path = (name: string): string => join(folder, name);

const ROWS = 600;
const GROUP = 50;
const URLS = [
  "HTTP://A.example/a",
  "http://a.example/b?b=1&a=2",
  "not a url",
  null,
  "",
  "http://[::1",
];

/** Returns the URL of a row: some repeat within a row group, some in later ones, and some are not URLs. */
function urlOf(row: number): string | null {
  if (row % 3 > 0) return URLS[(row * 7) % URLS.length] as string | null;
  return `http://host${row % 5}.example/%7e/${(row * row) % 211}/../x?q=${row % 17}`;
}

/** Writes a file of many row groups, the last of which is smaller. */
function writeList(name: string, encoding: "PLAIN" | "RLE_DICTIONARY"): string {
  const rows = Array.from({ length: ROWS - 20 }, (_, row) => row);
  return writeColumns(
    path(name),
    [
      { name: "id", data: rows.map((row) => row % 9), type: "INT32" },
      { name: "url", data: rows.map(urlOf), type: "STRING", nullable: true, encoding },
      { name: "title", data: rows.map((row) => `title ${row % 4}`), type: "STRING" },
      { name: "isNew", data: rows.map((row) => (row % 11 === 0 ? null : row % 2 === 0)) },
    ],
    GROUP,
  );
}

const INPUTS = [writeList("plain.parquet", "PLAIN"), writeList("coded.parquet", "RLE_DICTIONARY")];
// All its row groups are the same as those of another file, so none is written.
INPUTS.push(writeList("again.parquet", "PLAIN"), INPUTS[0] as string);

const LISTS = ["out.parquet", "errors", "map", "report.html"];

/** Runs a command on threads. Returns what it says and writes, without times. */
async function runOn(threads: number, command: string, flags: readonly string[]) {
  for (const name of LISTS) rmSync(path(name), { force: true });
  const seen = path(`seen-${threads}`);
  rmSync(seen, { recursive: true, force: true });
  const named = flags.map((flag) => (flag === "SEEN" ? seen : flag.replace("DIR", folder)));
  const args = [command, "--threads", `${threads}`, ...named, ...INPUTS, "-o", path("out.parquet")];
  const { code, stderr } = await runCli(args);
  const said = stderr
    .replaceAll(seen, "SEEN")
    .replace(/"(seconds|linesPerSecond|threads|profileId|expectedFalseMerges)":[^,}]+/g, "")
    .replace(`${threads} threads`, "");
  const written = LISTS.map((name) => {
    if (!existsSync(path(name))) return null;
    const bytes = readFileSync(path(name));
    return name === "report.html" ? withoutTimes(bytes.toString()) : bytes.toString("latin1");
  });
  return { code, said, written };
}

/** A report says how long a run took and on how many threads. */
const withoutTimes = (page: string): string => page.replaceAll(/[\d.,]+ (s|ms|threads?)\b/g, "");

const FLAGS: readonly (readonly [string, ...string[]])[] = [
  ["dedupe", "--report", "DIR/report.html"],
  ["dedupe"],
  ["dedupe", "--emit", "both"],
  ["dedupe", "--emit", "normalized"],
  ["dedupe", "--emit", "both", "--form", "surt"],
  ["dedupe", "--form", "crawlee"],
  ["dedupe", "--map", "DIR/map", "--errors", "DIR/errors", "--stats"],
  ["dedupe", "--seen", "SEEN", "--bits", "64"],
  ["dedupe", "--on-error", "empty", "--emit", "normalized", "--errors", "DIR/errors"],
  ["dedupe", "--on-error", "fail", "--map", "DIR/map"],
  ["dedupe", "--base", "http://base.example/x/", "--preset", "crawl", "--stats"],
  ["dedupe", "--engine", "js", "--report", "DIR/report.html", "--map", "DIR/map", "--stats"],
  ["normalize", "--emit", "both", "--errors", "DIR/errors"],
  ["normalize", "--report", "DIR/report.html", "--stats"],
];

test("files have more row groups than there are threads", () => {
  const [first] = INPUTS as [string];
  const { row_groups } = parquetMetadata(new Uint8Array(readFileSync(first)).buffer);
  expect(row_groups).toHaveLength(12);
});

test.each(sampleOf(FLAGS, 12).map((args) => ({ name: args.join(" "), args })))(
  "$name writes and says the same on any number of threads",
  async ({ args }) => {
    const [command, ...flags] = args;
    const one = await runOn(1, command, flags);
    expect(one.code).toBe(flags.includes("fail") ? 1 : 0);
    for (const threads of atLength([2], [3, 2])) {
      expect(await runOn(threads, command, flags)).toEqual(one);
    }
  },
);

test("--seen leaves out what an earlier run wrote on other threads", async () => {
  mkdirSync(path("seen"));
  const args = (threads: number) => ["dedupe", "--seen", path("seen"), "--threads", `${threads}`];
  const rest = [...INPUTS, "--stats", "-o"];
  const out = path("out.parquet");
  const first = JSON.parse((await runCli([...args(atLength(2, 3)), ...rest, out])).stderr);
  const other = path("elsewhere.parquet");
  const second = JSON.parse((await runCli([...args(1), ...rest, other])).stderr);
  expect(second).toMatchObject({
    duplicates: second.lines,
    keysBefore: first.lines - first.duplicates,
  });
});

test("--stats counts no more threads than row groups", async () => {
  const one = writeColumns(path("one.parquet"), [{ name: "url", data: ["http://a/"] }]);
  const { stderr } = await runCli(["dedupe", "--threads", "3", "--stats", one, "-o", path("o")]);
  expect(JSON.parse(stderr).threads).toBe(1);
});

describe("damage", () => {
  /** Changes a byte in a chunk of a row group. */
  function damage(column: number, group: number): string {
    const bytes = readFileSync(INPUTS[0] as string);
    const { row_groups } = parquetMetadata(new Uint8Array(bytes).buffer);
    const meta = row_groups[group]?.columns[column]?.meta_data;
    const at = Number(meta?.dictionary_page_offset ?? meta?.data_page_offset);
    bytes.fill(0xff, at, at + 3);
    writeFileSync(path("damaged.parquet"), bytes);
    return path("damaged.parquet");
  }

  test.each(
    sampleOf(
      [
        ["url", 1],
        ["title", 2],
      ] as const,
      2,
    ),
  )(
    "in column %s is the same error on any threads, and nothing is written",
    async (name, column) => {
      const file = damage(column, 7);
      const run = async (threads: number) => {
        const lists = ["--errors", path("no-errors"), "--map", path("no-map")];
        const args = [
          "dedupe",
          "--threads",
          `${threads}`,
          ...lists,
          file,
          "-o",
          path("damaged.out"),
        ];
        const { code, stderr } = await runCli(args);
        return { code, stderr };
      };
      const one = await run(1);
      expect(one.code).toBe(1);
      expect(one.stderr).toContain(`column ${name} of row group 8: `);
      for (const threads of atLength([2], [3, 2])) expect(await run(threads)).toEqual(one);
      for (const name of ["damaged.out", "no-errors", "no-map"]) {
        expect(existsSync(path(name))).toBe(false);
      }
    },
  );
});

describe("threads", () => {
  const OUT = path("disturbed.parquet");
  const args = ["dedupe", "--threads", "2", "--map", path("map"), ...INPUTS, "-o"];

  /** Runs with a script that gets the workers as they start. */
  function runWith(script: string) {
    const preload = `data:text/javascript,${encodeURIComponent(script)}`;
    return runProcess([...args, OUT], "", { NODE_OPTIONS: `--import ${preload}` });
  }

  /** Runs `act` on the first worker that asks the set of keys, before it hears the answer. */
  const onQuestion = (act: string): string =>
    `let isDone = false;
     process.on("worker", (worker) => {
       worker.on("message", (message) => {
         if (isDone || message.place === undefined || message.place < 3) return;
         isDone = true;
         ${act}
       });
     });`;

  test("that die once in a row group are replaced, and all files are the same", async () => {
    const undisturbed = path("undisturbed.parquet");
    await runCli([...args, undisturbed]);
    const map = readFileSync(path("map"), "latin1");
    const { code, stderr } = await runWith(
      onQuestion(`worker.terminate(); process.stderr.write("one died\\n");`),
    );
    expect(stderr).toContain("one died");
    expect(code).toBe(0);
    expect(readFileSync(OUT).equals(readFileSync(undisturbed))).toBe(true);
    expect(readFileSync(path("map"), "latin1")).toBe(map);
  });

  test("that die again end the run with a sentence that names the row group", async () => {
    rmSync(OUT, { force: true });
    const { code, stderr } = await runWith(
      `process.on("worker", (worker) => worker.on("message", (message) => {
         if (message.place !== undefined) worker.terminate();
       }));`,
    );
    expect(stderr).toMatch(
      /^urlmill: a worker died twice on row group \d+ of \S+plain\.parquet: .*; if memory ran out, use --threads 1\n$/,
    );
    expect(code).toBe(1);
    expect(existsSync(OUT)).toBe(false);
  });

  test("that are interrupted leave the file that was there before", async () => {
    writeFileSync(OUT, "before");
    const { code, stderr } = await runWith(onQuestion(`process.kill(process.pid, "SIGINT");`));
    expect(stderr).toBe(
      "urlmill: interrupted; the output is not written, and a file that was there before is as it was\n",
    );
    expect(code).toBe(130);
    expect(readFileSync(OUT, "latin1")).toBe("before");
  });
});
