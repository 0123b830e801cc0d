import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { STORE_NAMES, type StoreName } from "../../src/seen/folder/store-names.ts";
import { type CliResult, runCli } from "../shared/cli.ts";
import { ENGINES } from "../shared/engines.ts";
import { linesOf, readCorpus } from "../shared/fixtures.ts";
import { atLength, IS_LONG, sampleOf } from "../shared/length.ts";
import { Random } from "../shared/random.ts";
import { fillSet, OF_64_BITS, openSet, urlsOf } from "../shared/stored-sets.ts";
import { newFolders } from "../shared/temp-folder.ts";

const path = newFolders();
const corpus = linesOf(readCorpus()).slice(0, atLength(900, 40_000));

/** Three lists that share many lines, with some that are not URLs. */
function lists(): string[] {
  const random = new Random(3);
  const part = (from: number, to: number): string =>
    Array.from({ length: to - from }, () => corpus[from + random.below(to - from)])
      .concat("nothing", "", "nothing")
      .map((line) => `${line}\n`)
      .join("");
  const third = Math.floor(corpus.length / 3);
  const parts = [part(0, 2 * third), part(third, corpus.length), part(0, corpus.length)];
  return parts.slice(0, atLength(2, 3));
}

const FLAGS: readonly (readonly string[])[] = [
  [],
  ["--threads", "2"],
  ["--bits", "64", "--preset", "crawl"],
  ["--keep", "last", "--count"],
  ["--emit", "both", "--on-error", "empty"],
  ["--map", "MAP"],
  ["--exclude", "EXCLUDED"],
];

describe.each(sampleOf(ENGINES, 2))("dedupe --seen --engine %s, on any store", (engine) => {
  test.each(
    sampleOf(
      FLAGS.map((flags, at) => [flags, at] as const),
      5,
    ),
  )("writes the same with %j", async (flags, at) => {
    writeFileSync(path("excluded"), `${corpus.slice(0, atLength(150, 500)).join("\n")}\n`);
    const outputs = new Map<StoreName, unknown[]>();
    const [first, ...others] = flags.includes("64") ? OF_64_BITS : STORE_NAMES;
    // Short runs compare the first with one other, by turns.
    const compared = IS_LONG ? others : [others[at % others.length]];
    for (const store of [first, ...compared] as StoreName[]) {
      const own = flags.map((flag) =>
        flag.replace("MAP", path(store)).replace("EXCLUDED", path("excluded")),
      );
      const results: unknown[] = [];
      for (const list of lists()) {
        const args = ["--seen", path(`set-${store}`), "--store", store, "--engine", engine];
        const { code, stdout, stderr } = await runCli(["dedupe", "--stats", ...args, ...own], list);
        const { lines, duplicates, keysBefore, expectedFalseMerges } = JSON.parse(stderr);
        results.push({ code, stdout, lines, duplicates, keysBefore });
        const keys = keysBefore + stdout.split("\n").length - 1;
        if (!flags.includes("--count"))
          expect(expectedFalseMerges).toBeLessThan(keys ** 2 / 2 ** 65);
        if (flags.includes("--map")) results.push(readFileSync(path(store), "latin1"));
      }
      outputs.set(store, results);
    }
    const [expected, ...found] = [...outputs.values()];
    expect(found).toHaveLength(compared.length);
    for (const other of found) expect(other).toEqual(expected);
  });
});

describe.each(STORE_NAMES)("dedupe --seen of a set that is %s", (store) => {
  /** Short runs try with one kind what is the same for all: the kind of this number. */
  const testWith = (number: number) => test.runIf(IS_LONG || STORE_NAMES[number] === store);

  const dedupe = (input: string, ...args: string[]): Promise<CliResult> =>
    runCli(["dedupe", "--seen", path("set"), ...args], input);
  const lines = (first: number, count: number): string =>
    urlsOf(first, count)
      .map((url) => `${url}\n`)
      .join("");

  test("opens it without a word of its kind, and takes its options", async () => {
    await fillSet(store, path("set"), urlsOf(0, 10), { preset: "crawl" });
    expect((await dedupe(lines(5, 10))).stdout).toBe(lines(10, 5));
    expect((await dedupe(`${urlsOf(14, 1)[0]}?utm_source=x\n`)).stdout).toBe("");
    const other = await dedupe("", "--fragment", "keep");
    expect([other.code, other.stderr]).toEqual([1, expect.stringContaining("other options")]);
    const set = await openSet(store, path("set"), { preset: "crawl" });
    expect(await set.size()).toBe(15);
    await set.close();
  });

  testWith(0)("refuses another kind in one sentence, and changes nothing", async () => {
    await fillSet(store, path("set"), urlsOf(0, 10));
    const before = readdirSync(path("set"));
    for (const other of STORE_NAMES.filter((name) => name !== store)) {
      const { code, stdout, stderr } = await dedupe(lines(0, 20), "--store", other);
      expect([code, stdout]).toEqual([1, ""]);
      expect(stderr).toMatch(/^urlmill: .*set is a .*, not a .*: urlmill seen convert .*\n$/);
    }
    expect(readdirSync(path("set"))).toEqual(before);
  });

  const isTried = IS_LONG; // seen.test.ts tries a journal
  test.runIf(isTried && process.platform === "linux")(
    "records no key of a line that could not be written",
    async () => {
      const list = lines(0, atLength(1_000, 30_000));
      const failed = await dedupe(list, "--store", store, "-o", "/dev/full");
      expect(failed.code).toBe(1);
      expect((await dedupe(list)).stdout).toBe(list);
    },
  );

  testWith(1)("records the keys of a compressed file at its end", async () => {
    const count = atLength(1_000, 50_000);
    await dedupe(lines(0, count), "--store", store, "-o", path("out.gz"));
    expect(gunzipSync(readFileSync(path("out.gz"))).toString()).toBe(lines(0, count));
    expect((await dedupe(lines(count - 10, 20))).stdout).toBe(lines(count, 10));
  });

  testWith(1)(
    "--key-of makes it with the key, the bits and the options of another one",
    async () => {
      const bits = OF_64_BITS.includes(store) ? 64 : 128;
      await fillSet("journal", path("first"), urlsOf(0, 10), { preset: "crawl", bits });
      const kin = ["--store", store, "--key-of", path("first")];
      expect((await dedupe(lines(0, 5), ...kin)).stdout).toBe(lines(0, 5));
      expect((await dedupe(lines(0, 6), ...kin)).stdout).toBe(lines(5, 1));
      const [first, second] = await Promise.all([
        openSet("journal", path("first"), { preset: "crawl" }),
        openSet(store, path("set"), { preset: "crawl" }),
      ]);
      expect(second.key).toEqual(first.key);
      expect(second.profileId).toBe(first.profileId);
      expect((await second.stats()).bits).toBe(bits === 64 ? 64 : 80);
      await Promise.all([first.close(), second.close()]);
    },
  );

  testWith(0)("--key-of refuses other options, and a set that has another key", async () => {
    await fillSet("journal", path("first"), [], { preset: "crawl" });
    const kin = ["--store", store, "--key-of", path("first")];
    const options = await dedupe("http://a/\n", ...kin, "--preset", "safe");
    expect([options.code, options.stderr]).toEqual([1, expect.stringContaining("other options")]);
    expect(readdirSync(path("."))).not.toContain("set");
    await fillSet(store, path("set"), [], { preset: "crawl" });
    const key = await dedupe("http://a/\n", ...kin);
    expect([key.code, key.stderr]).toEqual([1, expect.stringContaining("under another key")]);
  });
});

test.each([
  ["--store", "lmdb"],
  ["--key-of", "x"],
])("%s is for --seen", async (...flags) => {
  const { code, stderr } = await runCli(["dedupe", ...flags], "");
  expect([code, stderr]).toEqual([2, expect.stringContaining("give --seen DIR, too")]);
});
