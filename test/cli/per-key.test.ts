import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { atPlaces, findPlaces } from "../../src/fingerprints/key-places.ts";
import { STORE_NAMES } from "../../src/seen/folder/store-names.ts";
import { runCli } from "../shared/cli.ts";
import { atLength, IS_LONG, sampleOf } from "../shared/length.ts";
import { readParquet, writeColumns } from "../shared/parquet.ts";
import { Random } from "../shared/random.ts";
import { tempFolder } from "../shared/temp-folder.ts";

const folder = tempFolder();
const path = (name: string): string => join(folder, name);

/** The least memory: so many lines go to temporary files. */
const SPILLED = ["--memory", "1M"];
const LINES = atLength(30_000, 40_000);

/** Lines of pages on few hosts and on many, and texts that are not URLs. */
function someLines(seed: number, count: number, hosts: number): string[] {
  const random = new Random(seed);
  return Array.from({ length: count }, (_, row) => {
    if (random.chance(30)) return `no url ${random.below(5)}`;
    const host = random.chance(3) ? random.below(5) : random.below(hosts);
    return `http://h${host}/${row}`;
  });
}

const keyOf = (line: string): string => /^http:\/\/[^/]*/.exec(line)?.[0] ?? line;

/** The first lines of each key. `counts`: the lines of each key that were written before. */
function firstOf(
  lines: readonly string[],
  perKey: number,
  counts = new Map<string, number>(),
): string {
  const left = lines.filter((line) => {
    const count = (counts.get(keyOf(line)) ?? 0) + 1;
    if (count <= perKey) counts.set(keyOf(line), count);
    return count <= perKey;
  });
  return left.map((line) => `${line}\n`).join("");
}

const textOf = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join("");

async function dedupe(perKey: number, ...args: string[]): Promise<string> {
  const call = ["dedupe", "--form", "host", "--emit", "original", "--per-key", `${perKey}`];
  const { code, stdout, stderr } = await runCli([...call, "--quiet", ...args]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return stdout;
}

describe.each(sampleOf([2, 3, 10, 999], 4))("--per-key %i", (perKey) => {
  const lines = someLines(perKey, atLength(9_000, LINES), 3_000);
  const file = path(`lines-${perKey}`);
  writeFileSync(file, textOf(lines));
  writeFileSync(`${file}.gz`, gzipSync(textOf(lines)));

  function expectedOf(args: readonly string[]): string {
    const urls = lines.filter((line) => line.startsWith("http"));
    if (args.includes("--on-error")) return firstOf(urls, perKey);
    if (!args.includes("--base")) return firstOf(lines, perKey);
    // A line that is not a URL alone is one of the base.
    const based = lines.map((line) => (line.startsWith("http") ? line : `http://base/${line}`));
    return firstOf(based, perKey).replaceAll("http://base/", "");
  }

  test.each(
    sampleOf(
      [
        ["--engine", "js"],
        ["-j", "2"],
        [],
        SPILLED,
        ["--map", path("map")],
        ["--report", path("report.html")],
        ["--base", "http://base/"],
        ["--on-error", "empty"],
      ],
      4,
    ).map((args) => ({ args })),
  )("writes the first lines of each key: $args", async ({ args }) => {
    const expected = expectedOf(args);
    expect((await dedupe(perKey, ...args, file)) === expected).toBe(true);
    expect((await dedupe(perKey, ...args, `${file}.gz`)) === expected).toBe(true);
  });

  test.each(STORE_NAMES.map((name) => ({ name })))(
    "counts what earlier runs with a set of $name wrote, in memory and in temporary files",
    async ({ name }) => {
      const counts = new Map<string, number>();
      const set = path(`set-${name}-${perKey}`);
      // Short runs take temporary files with one kind.
      const runs = IS_LONG || name === "journal" ? [[], SPILLED, []] : [[], []];
      for (const [seed, more] of runs.entries()) {
        const part =
          more === SPILLED ? someLines(9, LINES, 100_000) : someLines(70 + seed, 3_000, 2_000);
        writeFileSync(path("part"), textOf(part));
        const written = await dedupe(perKey, "--seen", set, "--store", name, ...more, path("part"));
        expect(written === firstOf(part, perKey, counts)).toBe(true);
      }
    },
  );

  test("leaves out all records of a key that is excluded", async () => {
    const excluded = ["http://h1/x", "http://h1/y", "http://h700/", "no url 2"];
    writeFileSync(path("excluded"), textOf(excluded));
    const counts = new Map(excluded.map((line) => [keyOf(line), perKey]));
    const expected = firstOf(lines, perKey, counts);
    for (const way of sampleOf([SPILLED, []], 2)) {
      const args = ["--exclude", path("excluded"), ...way, file];
      expect((await dedupe(perKey, ...args)) === expected).toBe(true);
    }
  });

  test("writes the first rows of Parquet", async () => {
    const rows = lines;
    const name = writeColumns(
      path("rows.parquet"),
      [{ name: "url", data: rows, type: "STRING", encoding: "RLE_DICTIONARY" }],
      3_000,
    );
    for (const way of sampleOf([["-j", "2"], [], SPILLED], 2)) {
      await dedupe(perKey, ...way, name, "-o", path("out.parquet"));
      const { rows: written } = await readParquet(path("out.parquet"));
      expect(textOf(written.map(({ url }) => url as string))).toBe(firstOf(rows, perKey));
    }
  });
});

test(`${LINES} lines go to temporary files with the least memory`, async () => {
  const text = textOf(someLines(1, LINES, 3_000));
  const { stderr } = await runCli(["dedupe", "--per-key", "2", "--stats", "-q", ...SPILLED], text);
  expect(JSON.parse(stderr).temporaryBytes).toBeGreaterThan(0);
});

test("a larger number goes on after what a smaller one wrote", async () => {
  const lines = Array.from({ length: 20 }, (_, at) => `http://h${at % 2}/${at}`);
  writeFileSync(path("twenty"), textOf(lines));
  const set = ["--seen", path("grown"), path("twenty")];
  expect(await dedupe(1, ...set)).toBe(textOf(lines.slice(0, 2)));
  expect(await dedupe(3, ...set)).toBe(textOf(lines.slice(0, 4)));
  expect(await dedupe(3, ...set)).toBe("");
});

test("what needs all records of a key, or leaves it no room, is refused before anything is written", async () => {
  const refused = async (...args: string[]) => {
    const { code, stdout, stderr } = await runCli(["dedupe", "--per-key", "2", ...args], "a\n");
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    return stderr;
  };
  writeFileSync(path("rules"), "#urlmill-rules 1\na.b\t*\tdrop x\n");
  for (const args of [["--keep", "last"], ["-c"], ["-d"]])
    expect(await refused(...args)).toContain("without --keep, --count and --repeated");
  expect(await refused("--bits", "64")).toContain("leave out --bits 64");
  expect(await refused("--shadow", path("shadow"), "--rules", path("rules"))).toContain("--shadow");
  const set = ["--seen", path("narrow")];
  await runCli(["dedupe", ...set, "--bits", "64"], "http://a/\n");
  expect(await refused(...set)).toContain("the set of --seen has 64");
  for (const number of ["0", "-1", "1000001", "x"])
    expect((await runCli(["dedupe", `--per-key=${number}`])).stderr).toContain("from 1 to 1000000");
});

test("places are those of a count of each key, whatever a set has", () => {
  const random = new Random(5);
  for (let round = 0; round < atLength(60, 1_000); round++) {
    const most = 2 + random.below(random.chance(2) ? 3 : 300);
    const keys = Array.from({ length: 1 + random.below(40) }, () =>
      Uint32Array.from({ length: 4 }, () => random.below(random.chance(3) ? 2 : 2 ** 32)),
    );
    const set = new Set<string>();
    const counts = new Map<string, number>();
    for (let batch = 0; batch < 6; batch++) {
      const rows = Array.from(
        { length: random.below(200) },
        () => keys[random.below(keys.length)] as Uint32Array,
      );
      const bytes = new Uint8Array(Uint32Array.from(rows.flatMap((row) => [...row])).buffer);
      const search = findPlaces(bytes, most);
      let step = search.next();
      while (step.done !== true) {
        const asked = textsOf(step.value);
        step = search.next(Uint8Array.from(asked, (text) => (set.has(text) ? 1 : 0)));
      }
      const expected = rows.map((row) => {
        const count = (counts.get(row.join()) ?? 0) + 1;
        if (count <= most) counts.set(row.join(), count);
        return count <= most ? count : 0;
      });
      expect([...step.value]).toEqual(expected);
      for (const text of textsOf(atPlaces(bytes, step.value))) set.add(text);
    }
    const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
    expect(set.size).toBe(all);
  }
});

/** Returns fingerprints as texts. */
function textsOf(fingerprints: Uint8Array): string[] {
  const words = new Uint32Array(fingerprints.buffer, fingerprints.byteOffset);
  return Array.from({ length: words.length / 4 }, (_, row) =>
    words.subarray(4 * row, 4 * row + 4).join(),
  );
}
