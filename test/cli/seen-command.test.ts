import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { STORE_NAMES, type StoreName } from "../../src/seen/folder/store-names.ts";
import { KINDS } from "../../src/seen/stored/kinds.ts";
import { type CliResult, runCli } from "../shared/cli.ts";
import { atLength, IS_LONG } from "../shared/length.ts";
import { fillSet, fits, OF_64_BITS, openSet, urlsOf } from "../shared/stored-sets.ts";
import { newFolders } from "../shared/temp-folder.ts";

const path = newFolders();
/** URLs of a set that is read as a whole. */
const COUNT = atLength(300, 10_000);
const seen = (...args: string[]): Promise<CliResult> => runCli(["seen", ...args]);

/** Runs a part of `seen` that must succeed. Returns what it writes to standard output. */
async function ok(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await seen(...args);
  expect(code, stderr).toBe(0);
  return stdout;
}

/** The counts of a set, by `info`. */
async function info(where: string): Promise<Record<string, unknown>> {
  return JSON.parse(await ok("info", "--json", where));
}

const others = (kind: StoreName): StoreName[] => STORE_NAMES.filter((name) => name !== kind);

describe.each(STORE_NAMES)("with a set that is %s", (kind) => {
  /** Short runs try with one kind what is the same for all: the kind of this number. */
  const testWith = (number: number) => test.runIf(IS_LONG || STORE_NAMES[number] === kind);

  const fill = (name: string, first: number, count: number, options = {}): Promise<void> =>
    fillSet(kind, path(name), urlsOf(first, count), options);

  test("info tells what it is, and not its key", async () => {
    const key = Uint8Array.from({ length: 16 }, (_, at) => 0xa0 + at);
    const isOf64 = OF_64_BITS.includes(kind);
    const bits = isOf64 ? 64 : 80;
    await fill("set", 0, 100, { preset: "crawl", key, ...(isOf64 && { bits }) });
    const stdout = await ok("info", path("set"));
    const json = await ok("info", "--json", path("set"));
    expect(JSON.parse(json)).toEqual({
      path: path("set"),
      store: kind,
      size: 100,
      bits,
      expectedFalseSeen: (100 * 99) / 2 ** (bits + 1),
      storedBytes: expect.any(Number),
      profileId: expect.stringMatching(/^[0-9a-f]{16}$/),
      options: expect.objectContaining({ fragment: "remove" }),
    });
    expect(stdout).toMatch(/^path +.*\nstore +\w+\nsize +100\nstoredBytes +\d+\n/);
    expect(stdout + json).not.toMatch(/a0a1a2a3|160,161|"key"/);
  });

  testWith(2)("verify reads all of it", async () => {
    await fill("set", 0, COUNT);
    expect(await ok("verify", path("set"))).toContain(`set: ${COUNT} URLs, `);
  });

  test.runIf(IS_LONG || kind !== "lmdb")(
    "convert makes it one of other kinds, and back where bits allow it, with its key and URLs",
    async () => {
      await fill("set", 0, COUNT, { preset: "crawl" });
      const { key } = await keyOf(kind);
      expect(await info(path("set"))).toMatchObject({ store: kind, size: COUNT });
      const fitting = others(kind).filter((to) => fits(kind, to));
      // Short runs try one kind of them: for a journal the first, for others the last.
      const one = fitting.slice(kind === "journal" ? 0 : -1).slice(0, 1);
      for (const other of atLength(one, fitting)) {
        for (const to of fits(other, kind) ? [other, kind] : [other]) {
          const { stderr } = await seen("convert", path("set"), "--store", to);
          expect(stderr).toContain(` of ${COUNT} URLs\n`);
          expect(await info(path("set"))).toMatchObject({ store: to, size: COUNT });
          expect(readdirSync(path("set")).filter((name) => !isFileOf(to, name))).toEqual([]);
          const set = await openSet(to, path("set"), { preset: "crawl" });
          expect(set.key).toEqual(key);
          expect((await set.hasBatch(urlsOf(0, COUNT))).includes(0)).toBe(false);
          await set.close();
        }
      }
    },
  );

  async function keyOf(of: StoreName): Promise<{ key: Uint8Array }> {
    const set = await openSet(of, path("set"), { preset: "crawl" });
    await set.close();
    return set;
  }

  testWith(1)("convert refuses a set of that kind, and leaves it as it is", async () => {
    await fill("set", 0, 10);
    const { code, stderr } = await seen("convert", path("set"), "--store", kind);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/ already\n$/)]);
    expect(await info(path("set"))).toMatchObject({ store: kind, size: 10 });
  });

  const ends = { journal: [".keys"], lmdb: [".keys.gz"], disk: [] }[kind];
  test.each(atLength(ends, [".keys", ".keys.gz"]))(
    "export writes a file (%s) that import reads",
    async (end) => {
      await fill("set", 0, COUNT / 2, { preset: "crawl" });
      const keys = path(`exported${end}`);
      expect(await ok("export", path("set"), "-o", keys)).toBe("");
      expect(statSync(keys).mode & 0o777).toBe(0o600);
      expect(await info(keys)).toMatchObject({ store: "keys", size: COUNT / 2 });
      expect(await ok("verify", keys)).toContain(`: ${COUNT / 2} URLs, all checksums match\n`);
      await ok("import", path("again"), keys, "--store", kind);
      expect(await info(path("again"))).toMatchObject({ store: kind, size: COUNT / 2 });
      const { stdout } = await runCli(
        ["dedupe", "--seen", path("again")],
        `${urlsOf(COUNT / 2 - 10, 20).join("\n")}\n`,
      );
      expect(stdout).toBe(`${urlsOf(COUNT / 2, 10).join("\n")}\n`);
    },
  );

  testWith(0)("export overwrites nothing, and writes no key where others may read it", async () => {
    await fill("set", 0, 10);
    writeFileSync(path("keys"), "mine");
    const existing = await seen("export", path("set"), "-o", path("keys"));
    expect([existing.code, existing.stderr]).toEqual([1, expect.stringContaining("exists")]);
    expect(readFileSync(path("keys"), "utf8")).toBe("mine");
    const { code, stdout } = await seen("export", path("set"), "-o", "-");
    expect([code, stdout]).toEqual([2, ""]);
  });

  testWith(0)("import adds lists in any format, sets of its key and files of keys", async () => {
    await fill("set", 0, 100, { preset: "crawl" });
    await ok("import", path("kin"), "--key-of", path("set"), "--store", kind, listOf(90, 30));
    await ok("export", path("kin"), "-o", path("kin.keys"));
    writeFileSync(path("t.csv"), `id,url\n${rows(200, 50)}`);
    writeFileSync(path("l.jsonl.gz"), gzipSync(jsonl(230, 70)));
    await ok("import", path("set"), path("kin"), path("t.csv"));
    await ok("import", path("set"), path("kin.keys"), path("l.jsonl.gz"));
    expect(await info(path("set"))).toMatchObject({ store: kind, size: 120 + 100 });
    const { stdout } = await runCli(
      ["dedupe", "--seen", path("set")],
      `${urlsOf(0, 301).join("\n")}\n`,
    );
    expect(stdout).toBe(`${[...urlsOf(120, 80), ...urlsOf(300, 1)].join("\n")}\n`);
  });

  testWith(1)(
    "import reads standard input, says what was new, and writes nothing else",
    async () => {
      await fill("set", 0, 10);
      const lines = `${urlsOf(5, 10).join("\n")}\n`;
      const result = await runCli(["seen", "import", path("set")], lines);
      expect(result).toMatchObject({ code: 0, stdout: "" });
      expect(result.stderr).toMatch(
        /: 10 lines, 5 left out \(50 %\), 5 kept, 10 in the set before, /,
      );
      const quiet = await runCli(["seen", "import", "--quiet", path("set")], lines);
      expect(quiet).toEqual({ code: 0, stdout: "", stderr: "" });
      expect(await info(path("set"))).toMatchObject({ size: 15 });
    },
  );

  testWith(0)(
    "remove takes URLs of lists, sets and files of keys out of it, and says how many",
    async () => {
      await fill("set", 0, 100, { preset: "crawl" });
      writeFileSync(path("t.csv"), `id,link\n${rows(0, 5)}7,HTTP://A.example:80/5#top\n`);
      const list = await seen("remove", path("set"), "--field", "link", path("t.csv"));
      expect(list).toEqual({
        code: 0,
        stdout: "",
        stderr: `urlmill: ${path("set")}: 6 URLs removed, 0 not in the set, 94 left\n`,
      });
      const piped = await runCli(
        ["seen", "remove", path("set")],
        `${urlsOf(5, 3).join("\n")}\nno URL\n`,
      );
      expect(piped.stderr).toContain("set: 2 URLs removed, 2 not in the set, 92 left\n");
      await ok("import", path("kin"), "--key-of", path("set"), "--store", kind, listOf(90, 20));
      await ok("export", path("kin"), "-o", path("kin.keys"));
      for (const removed of ["10 URLs removed, 10", "0 URLs removed, 20"]) {
        const { stderr } = await seen("remove", path("set"), path("kin.keys"));
        expect(stderr).toContain(`set: ${removed} not in the set, 82 left\n`);
      }
      expect(await seen("remove", "-q", path("set"), path("kin"))).toMatchObject({ stderr: "" });
      expect(await info(path("set"))).toMatchObject({ store: kind, size: 82 });
      expect(readdirSync(path("set")).filter((name) => !isFileOf(kind, name))).toEqual([]);
      const { stdout } = await runCli(
        ["dedupe", "--seen", path("set")],
        `${urlsOf(0, 100).join("\n")}\n`,
      );
      expect(stdout).toBe(`${[...urlsOf(0, 8), ...urlsOf(90, 10)].join("\n")}\n`);
    },
  );

  testWith(0)("a run that was done is done again after remove, without what is left", async () => {
    const args = ["dedupe", "--seen", path("set"), listOf(0, 10), "-o", path("new.txt")];
    await runCli([...args, "--store", kind]);
    expect((await runCli(args)).stderr).toContain("nothing is done");
    writeFileSync(path("failed.txt"), `${urlsOf(3, 1)[0]}\n`);
    await ok("remove", path("set"), path("failed.txt"));
    expect(await runCli(args)).toMatchObject({ code: 0 });
    expect(readFileSync(path("new.txt"), "utf8")).toBe(`${urlsOf(3, 1)[0]}\n`);
  });

  test("a set that a killed remove has left goes on as it was", async () => {
    await fill("set", 0, 10, { preset: "crawl" });
    mkdirSync(path("set/unfinished/list"), { recursive: true });
    const args = ["--preset", "crawl", listOf(9, 2)];
    for (const flag of ["--exclude", "--seen"]) {
      const { code, stdout } = await runCli(["dedupe", flag, path("set"), ...args]);
      expect([code, stdout]).toEqual([0, `${urlsOf(10, 1)[0]}\n`]);
    }
  });

  testWith(1)("remove reads nothing where it is refused, and leaves the set as it is", async () => {
    await fill("set", 0, 10, { preset: "crawl" });
    await fill("other", 0, 10, { preset: "crawl" });
    const filesNow = (): string[] => readdirSync(path("set")).filter((name) => name !== "lock");
    const files = filesNow();
    const cases = [
      [[path("other")], "under another key"],
      [["no-list"], "cannot read no-list"],
      [[listOf(0, 1), "--preset", "safe"], "with other options"],
      [[path("set")], "is named twice"],
    ] as const;
    for (const [args, message] of cases) {
      const { code, stderr } = await seen("remove", path("set"), ...args);
      expect(code).not.toBe(0);
      expect(stderr).toContain(message);
      expect(filesNow()).toEqual(files);
    }
    expect(await info(path("set"))).toMatchObject({ size: 10 });
  });

  testWith(1)(
    "merge adds sets of one key, of any kind, to a new set and to one that is there",
    async () => {
      await fill("first", 0, 100, { preset: "crawl" });
      const all = [path("first")];
      const stores = STORE_NAMES.filter((store) => fits(store, kind));
      for (const [at, store] of stores.entries()) {
        const directory = path(`kin-${store}`);
        const flags = ["--key-of", path("first"), "--store", store];
        await ok("import", directory, ...flags, listOf(100 * at + 50, 100));
        all.push(directory);
      }
      const size = 50 + 100 * stores.length;
      expect((await seen("merge", path("all"), ...all)).stderr).toContain(
        `all has ${size} URLs now, ${size} more`,
      );
      expect(await info(path("all"))).toMatchObject({ store: kind, size });
      expect(readdirSync(path("all"))).not.toContain("unfinished");
      const [first, ...rest] = all as [string, ...string[]];
      expect((await seen("merge", first, ...rest)).stderr).toContain(
        `first has ${size} URLs now, ${size - 100} more`,
      );
      for (const other of others(kind).filter((to) => fits(kind, to))) {
        await ok("merge", path(other), path("all"), "--store", other);
        expect(await info(path(other))).toMatchObject({ store: other, size });
      }
    },
  );

  testWith(1)(
    "merge and import refuse other keys, other options and fewer bits before they read anything",
    async () => {
      await fill("set", 0, 10, { preset: "crawl" });
      const recipe = `urlmill seen import NEW --key-of ${path("set")} urls.txt`;
      const key = await keyBytes();
      const cases = [
        ["key", { preset: "crawl" }, "under another key"],
        ["options", { preset: "crawl", fragment: "keep", key }, "with other options: fragment"],
        ["bits", { preset: "crawl", bits: 64, key }, "has keys of 64 bits"],
      ] as const;
      for (const [name, options, why] of cases) {
        await fillSet("bits" in options ? "journal" : kind, path(name), urlsOf(0, 10), options);
        for (const part of ["merge", "import"]) {
          const { code, stderr } = await seen(part, path("set"), path(name));
          expect(code).toBe(1);
          expect(stderr).toContain(why);
          expect(stderr).toContain(recipe);
        }
        const fresh = await seen("merge", path(`new-${name}`), path("set"), path(name));
        expect(fresh.stderr).toContain(recipe);
      }
      expect(readdirSync(path("."))).not.toContain("new-key");
      // More bits than needed are cut.
      await ok("merge", path("bits"), path("set"));
      expect(await info(path("bits"))).toMatchObject({ bits: 64, size: 10 });
    },
  );

  async function keyBytes(): Promise<Uint8Array> {
    return (await KINDS[kind].readIdentity(path("set"))).key;
  }
});

describe("wrong use", () => {
  test.each([
    [[], 2, "seen needs a part: info, verify, convert, export, import, remove, merge"],
    [["infos", "set"], 2, '"infos" is not a part of seen'],
    [["infos", "set"], 2, "did you mean info?"],
    [["info"], 2, "seen info needs the directory of a set"],
    [["info", "a", "b"], 2, "seen info takes one directory"],
    [["info", "no-set"], 1, "no-set: there is no such file"],
    [["convert", "no-set"], 2, "--store is missing"],
    [["convert", "no-set", "--store", "redis"], 2, "--store is one of journal, lmdb, disk"],
    [["export", "no-set"], 2, "--output is missing"],
    [["merge", "no-set"], 2, "merge which sets?"],
    [["merge", "no-set", "x", "x"], 2, "x is named twice"],
    [["import", "no-set", "no-list"], 1, "cannot read no-list"],
    [["remove", "no-set", "no-list"], 1, "no-set is not a seen set"],
    [["verify", "."], 1, ". is not a seen set: it has no set.json, data.mdb or manifest"],
  ] as const)("%j", async (args, code, message) => {
    const result = await seen(...args);
    expect(result).toMatchObject({ code, stdout: "" });
    expect(result.stderr).toContain(message);
  });

  test("a file that is not of keys is refused", async () => {
    writeFileSync(path("file"), "http://a/\n");
    expect((await seen("info", path("file"))).stderr).toContain("is not a file of keys");
    writeFileSync(path("later"), "#urlmill-keys 2\n{}\n");
    expect((await seen("info", path("later"))).stderr).toContain("of another version of urlmill");
  });

  test("a new set is not made among other files", async () => {
    await fillSet("journal", path("set"), urlsOf(0, 3));
    const { code, stderr } = await seen("merge", path("."), path("set"));
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining("give a directory of the set's own"),
    ]);
  });
});

/** Makes a list of URLs. Returns its name. */
function listOf(first: number, count: number): string {
  const name = path(`list-${first}`);
  writeFileSync(name, `${urlsOf(first, count).join("\n")}\n`);
  return name;
}

const rows = (first: number, count: number): string =>
  urlsOf(first, count)
    .map((url, row) => `${row},${url}\n`)
    .join("");

const jsonl = (first: number, count: number): string =>
  urlsOf(first, count)
    .map((url) => `${JSON.stringify({ url })}\n`)
    .join("");

/** Whether a file belongs to a set of a kind, or is a lock. */
const isFileOf = (kind: StoreName, name: string): boolean =>
  name === "lock" || KINDS[kind].ownFiles.test(name);
