import { spawnSync } from "node:child_process";
import { readdir, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { type Fsync, journal, SeenSet } from "../../src/seen/index.ts";
import { blockHeader } from "../../src/seen/journal/block.ts";
import { atLength, sampleOf } from "../shared/length.ts";
import { Random } from "../shared/random.ts";
import { WRITER, Writer } from "../shared/seen-processes.ts";
import { tempFolder } from "../shared/temp-folder.ts";

let folder = "";
beforeEach(() => {
  folder = tempFolder();
});

const urlsOf = (first: number, count: number): string[] =>
  Array.from({ length: count }, (_, row) => `http://a.example/${first + row}`);

const open = (): Promise<SeenSet> => SeenSet.open(folder);
const file = (): string => join(folder, "journal-1");

/** Writes batches of `size` URLs to the journal, and ends without closing it. */
function writeAndCrash(count: number, size: number): Promise<void> {
  return new Writer({ journal: folder, first: 0, count, size, crashes: true }).crash();
}

const codeOf = (): Promise<string> =>
  open().then(
    (set) => set.close().then(() => "opened"),
    (error) => error.code,
  );

describe("a journal that is damaged", () => {
  const HEADER = 32;
  const BLOCK = HEADER + 100 * 16;

  test.each(sampleOf([1, HEADER - 1, HEADER, HEADER + 5, BLOCK - 1], 5))(
    "loses an unfinished write of %i bytes at its end, and says so",
    async (bytes) => {
      await writeAndCrash(10, 100);
      await truncate(file(), 9 * BLOCK + bytes);
      const set = await open();
      expect((await set.stats()).cutBytes).toBe(bytes);
      expect(await set.size()).toBe(900);
      // What was cut is new again, and what is written then is read again.
      expect((await set.addBatch(urlsOf(850, 100))).indexOf(1)).toBe(50);
      await set.close();
      const again = await open();
      expect(await again.size()).toBe(950);
      expect((await again.stats()).cutBytes).toBe(0);
      await again.close();
    },
  );

  test("loses a block at its end whose bytes never came, as after a power cut", async () => {
    await writeAndCrash(10, 100);
    const bytes = await readFile(file());
    await writeFile(file(), bytes.fill(0, 9 * BLOCK + HEADER + 512));
    const set = await open();
    expect((await set.stats()).cutBytes).toBe(BLOCK);
    expect(await set.size()).toBe(900);
    await set.close();
  });

  /** Adds ten batches, and gives the file as a crash of the machine may leave it. */
  const crashImage = async (fsync: Fsync): Promise<Buffer> => {
    const set = await SeenSet.open(journal(folder, { fsync }));
    for (let batch = 0; batch < 10; batch++) await set.addBatch(urlsOf(100 * batch, 100));
    const bytes = await readFile(file());
    const manifest = await readFile(join(folder, "set.json"));
    await set.close();
    await writeFile(join(folder, "set.json"), manifest);
    return bytes;
  };

  /** A byte of whole blocks; every other one is in a header, which random places seldom hit. */
  const placeIn = (length: number, flip: number, random: Random): number => {
    const at = random.below(length);
    return flip % 2 === 0 ? at : at - (at % BLOCK) + random.below(HEADER);
  };

  const flipped = (bytes: Buffer, at: number, random: Random): Buffer => {
    const damaged = Buffer.from(bytes);
    damaged[at] = (damaged[at] as number) ^ (1 << random.below(8));
    return damaged;
  };

  test("is refused where a bit is flipped in what was on disk for certain", async () => {
    const bytes = await crashImage("batch");
    const random = new Random(3);
    for (let flip = 0; flip < atLength(4, 200); flip++) {
      const at = placeIn(9 * BLOCK, flip, random);
      await writeFile(file(), flipped(bytes, at, random));
      expect([at, await codeOf()]).toEqual([at, "SEEN_CORRUPT"]);
    }
    await writeFile(file(), bytes);
    expect(await codeOf()).toBe("opened");
  });

  test("is cut at the first gap in what was not on disk for certain", async () => {
    const bytes = await crashImage("close");
    const manifest = await readFile(join(folder, "set.json"));
    const random = new Random(4);
    for (let flip = 0; flip < atLength(4, 100); flip++) {
      const at = placeIn(bytes.length, flip, random);
      await writeFile(file(), flipped(bytes, at, random));
      await writeFile(join(folder, "set.json"), manifest);
      const set = await open();
      const whole = Math.floor(at / BLOCK);
      expect([at, await set.size()]).toEqual([at, 100 * whole]);
      expect((await set.stats()).cutBytes).toBe(bytes.length - whole * BLOCK);
      expect((await set.hasBatch(urlsOf(0, 100 * whole))).includes(0)).toBe(false);
      await set.close();
    }
  });

  test("is refused where it is shorter than it was when it was last closed, or flipped anywhere", async () => {
    const set = await open();
    await set.addBatch(urlsOf(0, 100));
    await set.addBatch(urlsOf(100, 100));
    await set.close();
    const bytes = await readFile(file());
    for (const length of sampleOf([0, 10, BLOCK - 1, BLOCK, BLOCK + 30, 2 * BLOCK - 1], 3)) {
      await writeFile(file(), bytes.subarray(0, length));
      expect([length, await codeOf()]).toEqual([length, "SEEN_CORRUPT"]);
    }
    const random = new Random(4);
    for (let flip = 0; flip < atLength(4, 100); flip++) {
      const at = placeIn(bytes.length, flip, random);
      await writeFile(file(), flipped(bytes, at, random));
      expect([at, await codeOf()]).toEqual([at, "SEEN_CORRUPT"]);
    }
    await rm(file());
    expect(await codeOf()).toBe("SEEN_CORRUPT");
  });

  test("is refused where it is another set's, or a block stands where it was not written", async () => {
    const set = await open();
    await set.addBatch(urlsOf(0, 100));
    await set.addBatch(urlsOf(100, 100));
    await set.close();
    const bytes = await readFile(file());
    const [first, second] = [bytes.subarray(0, BLOCK), bytes.subarray(BLOCK)];
    await writeFile(file(), Buffer.concat([second, first]));
    expect(await codeOf()).toBe("SEEN_CORRUPT");
    await writeFile(file(), Buffer.concat([first, first]));
    expect(await codeOf()).toBe("SEEN_CORRUPT");
    await writeFile(file(), Buffer.alloc(bytes.length, "http://a.example/\n"));
    expect(await codeOf()).toBe("SEEN_CORRUPT");
  });

  test("is refused where a block ends within a fingerprint", async () => {
    await (await open()).close();
    const bytes = Buffer.alloc(24);
    const header = blockHeader({ journal: 1, number: 0 }, bytes, 0);
    await writeFile(file(), Buffer.concat([header, bytes]));
    expect(await codeOf()).toBe("SEEN_CORRUPT");
  });

  test("is refused where its manifest is damaged or something else", async () => {
    await (await open()).close();
    const manifest = join(folder, "set.json");
    const text = await readFile(manifest, "utf8");
    const random = new Random(5);
    for (let flip = 0; flip < atLength(4, 200); flip++) {
      const damaged = Buffer.from(text);
      const at = random.below(damaged.length - 3); // the end is space
      damaged[at] = (damaged[at] as number) ^ (1 << random.below(7));
      await writeFile(manifest, damaged);
      const code = await codeOf();
      // White space may become other white space.
      if (JSON.stringify(parsed(damaged)) === JSON.stringify(JSON.parse(text))) continue;
      expect([at, code]).toEqual([at, "SEEN_CORRUPT"]);
    }
    for (const other of ["", "{}", "null", "[]", '{"format":"urlmill seen set","version":1}']) {
      await writeFile(manifest, other);
      expect([other, await codeOf()]).toEqual([other, "SEEN_CORRUPT"]);
    }
  });

  test("a folder with other files is not a set", async () => {
    await writeFile(join(folder, "thesis.tex"), "x");
    await expect(open()).rejects.toMatchObject({
      code: "SEEN_CORRUPT",
      message: expect.stringContaining("thesis.tex"),
    });
    expect(await readdir(folder)).toContain("thesis.tex");
  });

  test("a path that cannot be a folder is an error of the system", async () => {
    await writeFile(join(folder, "file"), "x");
    await expect(SeenSet.open(join(folder, "file"))).rejects.toMatchObject({ code: "SEEN_FAILED" });
  });
});

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString());
  } catch {
    return undefined;
  }
}

test.skipIf(process.platform === "win32")(
  "a batch that the disk does not take is not answered, and the set answers no more",
  async () => {
    const size = 100;
    const task = { journal: folder, first: 0, count: 20, size };
    // No file may grow beyond 8 KiB: five blocks and a piece.
    const script = `trap "" XFSZ; ulimit -f 8; exec "$0" "$@"`;
    const command = [process.execPath, WRITER, JSON.stringify(task)];
    const { stdout, stderr } = spawnSync("bash", ["-c", script, ...command], { encoding: "utf8" });
    expect(stdout).toBe("open\n0 100\n1 100\n2 100\n3 100\n4 100\n");
    expect(stderr).toContain("SEEN_FAILED");
    const set = await open();
    expect(await set.size()).toBe(5 * size);
    expect((await set.stats()).cutBytes).toBe(0); // the piece was taken back
    expect((await set.addBatch(urlsOf(400, 200))).indexOf(1)).toBe(100);
    await set.close();
  },
);
