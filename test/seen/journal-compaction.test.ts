import { spawnSync } from "node:child_process";
import { open, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { journal, type SeenOptions, SeenSet } from "../../src/seen/index.ts";
import { IS_LONG, testAtLength } from "../shared/length.ts";
import { tempFolder } from "../shared/temp-folder.ts";

const HEADER = 32;
const MIB = 1 << 20;

let folder = "";
beforeEach(() => {
  folder = tempFolder();
});

function linesOf(first: number, count: number): Uint8Array {
  let lines = "";
  for (let row = first; row < first + count; row++) lines += `http://a.example/${row}\n`;
  return Buffer.from(lines, "latin1");
}

const openSet = (options: SeenOptions = {}): Promise<SeenSet> =>
  SeenSet.open(journal(folder, { fsync: "close" }), options);

/** The one journal in the folder. */
async function journalFile(): Promise<string> {
  const names = (await readdir(folder)).filter((name) => name.startsWith("journal-"));
  expect(names.length).toBe(1);
  return join(folder, names[0] as string);
}

const sizeOfJournal = async (): Promise<number> => (await stat(await journalFile())).size;

/** Fills a set with many small batches, which leaves a journal of more than a MiB, mostly overhead. */
async function fillBySmallBatches(count: number): Promise<void> {
  const set = await openSet();
  for (let url = 0; url < count; url++) await set.addBatch([`http://a.example/${url}`]);
  await set.close();
}

test("compacting keeps what is in a journal, in fewer bytes", async () => {
  const set = await openSet();
  for (let url = 0; url < 500; url++) await set.addBatch(linesOf(url, 1));
  expect(await sizeOfJournal()).toBe(500 * (HEADER + 16));
  await set.compact();
  expect(await sizeOfJournal()).toBe(HEADER + 500 * 16);
  expect((await set.addBatch(linesOf(400, 200))).indexOf(1)).toBe(100);
  await set.close();
  const again = await openSet();
  expect(await again.size()).toBe(600);
  expect((await again.hasBatch(linesOf(0, 600))).includes(0)).toBe(false);
  await again.compact();
  await again.close();
});

// The file is read in pieces of 8 MiB: what was kept of one piece was overwritten by the next.
const LARGE = [
  [128, "wasm"],
  [128, "js"],
  [64, "wasm"],
] as const;
testAtLength.each(LARGE)(
  "compacting a journal of more than 8 MiB keeps all of it, %i bits (%s)",
  async (bits, engine) => {
    const options = { bits, engine };
    const set = await openSet(options);
    const [batch, count] = [30_000, (9 * MIB) / (bits / 8)];
    for (let first = 0; first < count; first += batch) await set.addBatch(linesOf(first, batch));
    expect(await sizeOfJournal()).toBeGreaterThan(8 * MIB);
    const size = await set.size();
    await set.compact();
    await set.close();
    const again = await openSet(options);
    expect(await again.size()).toBe(size);
    expect((await again.stats()).cutBytes).toBe(0);
    for (let first = 0; first < count; first += batch) {
      expect((await again.hasBatch(linesOf(first, batch))).includes(0)).toBe(false);
    }
    await again.close();
  },
);

testAtLength(
  "opening compacts a journal that is mostly overhead, and drops what a crash left",
  async () => {
    const many = 24_000;
    await fillBySmallBatches(many);
    expect(await sizeOfJournal()).toBe(many * (HEADER + 16));
    await writeFile(join(folder, "journal-7"), "left");
    const again = await openSet();
    expect(await sizeOfJournal()).toBe(HEADER + many * 16);
    expect(await again.size()).toBe(many);
    await again.close();
  },
);

test("a copy that is not what memory holds does not take the old file's place", async () => {
  const set = await openSet();
  for (let url = 0; url < 100; url++) await set.addBatch(linesOf(url, 1));
  const name = await journalFile();
  const damage = await open(name, "r+");
  await damage.write(Buffer.from([0xff, 0xff]), 0, 2, 50 * (HEADER + 16) + HEADER);
  await damage.close();
  const before = await readFile(name);
  await expect(set.compact()).rejects.toMatchObject({
    code: "SEEN_CORRUPT",
    message: expect.stringContaining("50 fingerprints of 100"),
  });
  expect(await journalFile()).toBe(name);
  expect(Buffer.compare(await readFile(name), before)).toBe(0);
  await set.close();
});

test.skipIf(process.platform === "win32" || !IS_LONG)(
  "a journal opens where the disk has no room to compact it, says so and leaves no half file",
  async () => {
    const many = 24_000;
    await fillBySmallBatches(many);
    const before = await readdir(folder);
    const script = `
      import { SeenSet } from "urlmill/seen";
      const set = await SeenSet.open(process.argv[1]);
      const has = await set.hasBatch(["http://a.example/7", "http://b.example/"]);
      const { notCompacted } = await set.stats();
      console.log(JSON.stringify({ size: await set.size(), has: [...has], notCompacted }));
      await set.close();`;
    // No file may grow beyond 256 KiB; the compacted one would have 480.
    const limited = `trap "" XFSZ; ulimit -f 256; exec "$0" "$@"`;
    const command = [process.execPath, "--input-type=module", "-e", script, folder];
    const { stdout, stderr } = spawnSync("bash", ["-c", limited, ...command], { encoding: "utf8" });
    expect(stderr).toBe("");
    expect(JSON.parse(stdout)).toEqual({
      size: many,
      has: [1, 0],
      notCompacted: expect.stringContaining(folder),
    });
    expect(await readdir(folder)).toEqual(before);
    const dedupe = [process.execPath, "dist/cli/main.js", "dedupe", "--seen", folder];
    const said = spawnSync("bash", ["-c", limited, ...dedupe], {
      input: "http://a.example/7\n",
      encoding: "utf8",
    });
    expect(said).toMatchObject({ status: 0, stdout: "" });
    expect(said.stderr).toMatch(/was not compacted, and goes on as it is \(.*\)\n/);
    const set = await openSet();
    expect(await set.size()).toBe(many);
    expect((await set.stats()).notCompacted).toBe(undefined);
    await set.close();
  },
);

test("a set whose journal is missing keeps the file that an earlier compaction left", async () => {
  const set = await openSet();
  await set.addBatch(linesOf(0, 3));
  await set.close();
  const old = await readFile(await journalFile());
  const compacted = await openSet();
  await compacted.compact();
  await compacted.close();
  // As in a copy of the folder that was made while the set was compacted.
  await rm(await journalFile());
  await writeFile(join(folder, "journal-1"), old);
  await expect(openSet()).rejects.toMatchObject({ code: "SEEN_CORRUPT" });
  expect(await readFile(join(folder, "journal-1"))).toEqual(old);
});
