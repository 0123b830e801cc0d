import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { STORE_NAMES } from "../../src/seen/folder/store-names.ts";
import { runCli } from "../shared/cli.ts";
import { ENGINES } from "../shared/engines.ts";
import { atLength, sampleOf } from "../shared/length.ts";
import { readParquet, writeColumns } from "../shared/parquet.ts";
import { Random } from "../shared/random.ts";
import { tempFolder } from "../shared/temp-folder.ts";

const folder = tempFolder();
const path = (name: string): string => join(folder, name);
let made = 0;

function listOf(lines: readonly string[]): string {
  const file = path(`list-${made++}`);
  writeFileSync(file, lines.map((line) => `${line}\n`).join(""));
  return file;
}

/** Runs `dedupe` and returns its lines. */
async function dedupe(...args: string[]): Promise<string[]> {
  const { code, stdout, stderr } = await runCli(["dedupe", "--quiet", ...args]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return stdout === "" ? [] : stdout.trimEnd().split("\n");
}

/** Makes a set of lines. */
async function setOf(lines: readonly string[], ...args: string[]): Promise<string> {
  const set = path(`set-${made++}`);
  await dedupe("--seen", set, ...args, listOf(lines));
  return set;
}

const pages = (random: Random, count: number, of: number): string[] =>
  Array.from({ length: count }, () => `http://a/${random.below(of)}`);

/** Lines in their order, each once, without those of other lists. */
function left(lines: readonly string[], ...others: readonly (readonly string[])[]): string[] {
  const gone = new Set(others.flat());
  return [...new Set(lines)].filter((line) => !gone.has(line));
}

const pairs = STORE_NAMES.flatMap((first) => STORE_NAMES.map((second) => [first, second] as const));

describe.each(sampleOf(ENGINES, 2))("dedupe --exclude SET, engine %s", (engine) => {
  // A short run takes the two kinds that the next test does not take.
  test.each(atLength([["lmdb", "disk"] as const], pairs))(
    "leaves out what sets of %s and of %s have, and changes neither",
    async (one, another) => {
      const random = new Random(made);
      const [first, second, lines] = [40, 30, 60].map((count) => pages(random, count, 100));
      const january = await setOf(first as string[], "--store", one);
      const march = await setOf(second as string[], "--store", another, "--key-of", january);
      const sets = ["--engine", engine, "--exclude", january, "--exclude", march];
      const before = await sizesOf(january, march);
      const all = lines as string[];
      const expected = left(all, first as string[], second as string[]);
      for (const way of sampleOf([[], ["-j", "2"], ["--memory", "1M"]], 3))
        expect(await dedupe(...sets, ...way, listOf(all))).toEqual(expected);
      const counted = await dedupe(...sets, "-c", listOf(all));
      expect(counted.map((line) => line.slice(8))).toEqual(expected);
      const last = await dedupe(...sets, "--keep", "last", listOf(all));
      expect(last.toSorted()).toEqual(expected.toSorted());
      expect(await sizesOf(january, march)).toEqual(before);
    },
  );

  test.each(sampleOf(STORE_NAMES, 3))(
    "a new set of %s takes their key, and keeps only what is new",
    async (store) => {
      const random = new Random(7);
      const [first = [], second = [], third = []] = [40, 60, 60].map((n) => pages(random, n, 100));
      const january = await setOf(first, "--store", "disk");
      const february = path(`set-${made++}`);
      const run = ["--engine", engine, "--seen", february, "--exclude", january];
      expect(await dedupe(...run, "--store", store, listOf(second))).toEqual(left(second, first));
      for (const way of [[], ["--memory", "1M"]]) {
        const lines = listOf(way.length === 0 ? third : [...third, "http://a/x"]);
        const expected = left(third, first, second);
        expect(await dedupe(...run, ...way, lines)).toEqual(
          way.length === 0 ? expected : ["http://a/x"],
        );
      }
      expect(await sizesOf(february)).toEqual([
        left([...second, ...third, "http://a/x"], first).length,
      ]);
    },
  );

  test("rows of Parquet are left out, and lines of a list besides", async () => {
    const set = await setOf(["http://a/1", "http://a/2"]);
    const name = writeColumns(path("rows.parquet"), [
      {
        name: "url",
        data: ["http://a/1", "http://a/3", "http://A/2", "http://a/3"],
        type: "STRING",
      },
    ]);
    await dedupe("--engine", engine, "--exclude", set, name, "-o", path("out.parquet"));
    const { rows } = await readParquet(path("out.parquet"));
    expect(rows.map(({ url }) => url)).toEqual(["http://a/3"]);
    const both = ["--exclude", set, "--exclude", listOf(["http://a/4"])];
    const lines = listOf(["http://a/4", "http://a/1", "http://a/5"]);
    expect(await dedupe("--engine", engine, ...both, lines)).toEqual(["http://a/5"]);
  });
});

test("a journal that does not fit in memory says how to make it a set that does", async () => {
  const journal = await setOf(Array.from({ length: 20_000 }, (_, page) => `http://a/${page}`));
  const run = [
    "dedupe",
    "--exclude",
    journal,
    "--memory",
    "1M",
    listOf(["http://a/1", "http://b/"]),
  ];
  const { code, stdout, stderr } = await runCli(run);
  expect([code, stdout]).toEqual([1, ""]);
  expect(stderr).toContain(`urlmill seen convert ${journal} --store disk`);
  await runCli(["seen", "convert", journal, "--store", "disk"]);
  expect(await dedupe(...run.slice(1))).toEqual(["http://b/"]);
});

test("a set of 64 bits is asked by a run of 128, and not the other way round", async () => {
  const narrow = await setOf(["http://a/1"], "--bits", "64");
  const lines = listOf(["http://a/1", "http://a/2"]);
  expect(await dedupe("--exclude", narrow, lines)).toEqual(["http://a/2"]);
  const wide = await setOf(["http://a/2"], "--key-of", narrow, "--bits", "128");
  expect(await dedupe("--exclude", narrow, "--exclude", wide, lines)).toEqual([]);
  const { code, stderr } = await runCli(["dedupe", "--bits", "64", "--exclude", wide, lines]);
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: `urlmill: ${wide} has keys of 128 bits, and the run of 64: leave out --bits\n`,
  });
});

test("a run without options takes those of the set; other options, keys and folders are refused", async () => {
  const set = await setOf(["http://a/?b&a"], "--preset", "crawl");
  const lines = listOf(["http://a/?a&b", "http://a/c"]);
  expect(await dedupe("--exclude", set, lines)).toEqual(["http://a/c"]);
  const refused = async (...args: string[]) => {
    const { code, stdout, stderr } = await runCli(["dedupe", ...args, lines]);
    expect([code, stdout]).toEqual([expect.any(Number), ""]);
    expect(code).toBeGreaterThan(0);
    return stderr;
  };
  expect(await refused("--exclude", set, "--preset", "safe")).toContain("with other options");
  const other = await setOf(["http://a/1"], "--preset", "crawl");
  expect(await refused("--exclude", set, "--exclude", other)).toContain("--key-of");
  expect(await refused("--seen", other, "--exclude", set)).toContain(`--key-of ${set}`);
  expect(await refused("--seen", set, "--exclude", set)).toContain("is named twice");
  expect(await refused("--exclude", set, "--exclude", `${set}/.`)).toContain("is named twice");
  expect(await refused("--exclude", folder)).toContain("is not a seen set");
  expect(await refused("--exclude", set, "--per-key", "2")).toContain("exclude a list");
});

async function sizesOf(...sets: string[]): Promise<number[]> {
  const sizes: number[] = [];
  for (const set of sets) {
    const { stdout } = await runCli(["seen", "info", "--json", set]);
    sizes.push(JSON.parse(stdout).size);
  }
  return sizes;
}
