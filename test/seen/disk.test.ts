import { cpSync, readdirSync, rmSync, statSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { planMemory } from "../../src/seen/disk/kernel/memory-plan.ts";
import { disk, SeenSet } from "../../src/seen/index.ts";
import { ENGINES } from "../shared/engines.ts";
import { atLength, sampleOf, testAtLength } from "../shared/length.ts";
import { Random } from "../shared/random.ts";
import { tempFolder } from "../shared/temp-folder.ts";

const folder = tempFolder();
const path = join(folder, "set");
beforeEach(() => rmSync(path, { recursive: true, force: true }));

/** The least memory, so that sets of some 100,000 URLs are merged often. */
const MEMORY = 1 << 24;
const urlOf = (number: number): string => `http://example.org/page/${number}`;

/** Answers as a set on disk must, from memory. */
class Model {
  readonly #seen = new Set<string>();

  add(urls: readonly string[]): number[] {
    return urls.map((url) => {
      if (url === "x") return 3;
      if (this.#seen.has(url)) return 0;
      this.#seen.add(url);
      return 1;
    });
  }

  has(urls: readonly string[]): number[] {
    return urls.map((url) => (url === "x" ? 3 : Number(this.#seen.has(url))));
  }

  get size(): number {
    return this.#seen.size;
  }
}

function someUrls(random: Random, most: number, range: number): string[] {
  return Array.from({ length: 1 + random.below(most) }, () =>
    random.chance(50) ? "x" : urlOf(random.below(range)),
  );
}

describe.each(sampleOf(ENGINES, 2))("a set on disk, engine %s", (engine) => {
  test("answers at once as a set of strings does, whatever is merged", async () => {
    const random = new Random(37);
    const model = new Model();
    const open = () => SeenSet.open(disk(path, { memory: MEMORY, fsync: "close" }), { engine });
    let seen = await open();
    for (let round = 0; round < atLength(8, 60); round++) {
      const urls = someUrls(random, random.chance(4) ? atLength(10_000, 100_000) : 300, 2_000_000);
      if (random.chance(3)) expect([...(await seen.hasBatch(urls))]).toEqual(model.has(urls));
      else expect([...(await seen.addBatch(urls))]).toEqual(model.add(urls));
      if (random.chance(8)) {
        await seen.close();
        seen = await open();
      }
    }
    expect(await seen.size()).toBe(model.size);
    expect(await seen.stats()).toMatchObject({ store: "disk", bits: 80, size: model.size });
    // Keys are merged into the files of partitions from about 235,000 on.
    const isMerged = readdirSync(path).some((name) => /^p\d/.test(name));
    expect(isMerged).toBe(model.size > 300_000);
    expect(model.size).toBeGreaterThan(atLength(10_000, 250_000));
    await seen.close();
  }, 120_000);

  test("answers later, in the order of the rows", async () => {
    const random = new Random(73);
    const model = new Model();
    const open = () =>
      SeenSet.open(disk(path, { memory: MEMORY, immediate: false, fsync: "close" }), { engine });
    let seen = await open();
    const expected: number[] = [];
    const asked: string[] = [];
    let row = 0;
    for (let round = 0; round < atLength(8, 50); round++) {
      const urls = someUrls(random, random.chance(4) ? atLength(10_000, 100_000) : 300, 500_000);
      const payload = random.chance(2) ? "url" : undefined;
      expect(await seen.enqueueBatch(urls, { payload })).toBe(expected.length);
      for (const answer of model.add(urls)) expected.push(answer);
      for (const url of payload === undefined ? urls.map(() => "") : urls) asked.push(url);
      if (random.chance(6)) {
        await seen.close();
        seen = await open();
      }
      if (!random.chance(4)) continue;
      for await (const piece of seen.drain()) {
        expect(piece.row).toBe(row);
        const end = row + piece.answers.length;
        expect([...piece.answers]).toEqual(expected.slice(row, end));
        const texts = piece.payloads?.map((bytes) => Buffer.from(bytes).toString());
        if (texts !== undefined) expect(texts).toEqual(asked.slice(row, end));
        await piece.commit();
        row = end;
      }
      expect(row).toBe(expected.length);
      expect(await seen.size()).toBe(model.size);
    }
    await seen.close();
  }, 120_000);
});

describe.each(sampleOf([true, false], 2))(
  "rows of one URL, more than a merge takes, immediate: %s",
  (immediate) => {
    const open = () => SeenSet.open(disk(path, { memory: MEMORY, fsync: "close", immediate }));
    const REPEATED = 20_000;
    const urls = Array.from({ length: 2 * REPEATED }, (_, row) => urlOf(row % 2 === 0 ? 0 : row));

    test("are answered, by one file of their partition", async () => {
      const seen = await open();
      const model = new Model();
      for (let round = 0; round < atLength(1, 2); round++) {
        const expected = [...urls, urlOf(-round)];
        await seen.enqueueBatch(expected, { payload: "url" });
        const answers: number[] = [];
        for await (const piece of seen.drain()) {
          answers.push(...piece.answers);
          await piece.commit();
        }
        expect(answers).toEqual(model.add(expected));
      }
      expect(await seen.size()).toBe(model.size);
      expect((await seen.stats()).memoryBytes).toBeLessThan(2 * MEMORY);
      await seen.close();
      expect(readdirSync(path).filter((name) => /^p\d/.test(name))).toHaveLength(256);
      const again = await open();
      if (immediate) expect([...(await again.hasBatch(urls))]).toEqual(model.has(urls));
      else expect(await again.size()).toBe(model.size);
      await again.close();
    });
  },
);

test.each(sampleOf([true, false], 2))(
  "answers right with less memory than its keys were added with (immediate: %s)",
  async (immediate) => {
    const lines = (first: number, end: number): Uint8Array =>
      Buffer.from(
        Array.from({ length: end - first }, (_, row) => `${urlOf(first + row)}\n`).join(""),
      );
    const count = immediate ? 300_000 : 1_300_000; // more than the least memory has room for
    const large = await SeenSet.open(disk(path, { memory: 2 ** 27, fsync: "close" }));
    await large.addBatch(lines(0, count));
    if (!immediate) await large.enqueueBatch(["x", urlOf(5), urlOf(count)]);
    await large.close();
    const small = await SeenSet.open(disk(path, { memory: MEMORY, fsync: "close", immediate }));
    expect(await small.size()).toBe(count);
    if (immediate) await small.enqueueBatch(["x", urlOf(5), urlOf(count)]);
    for await (const piece of small.drain()) {
      expect(piece.answers).toEqual(Uint8Array.of(3, 0, 1));
      await piece.commit();
    }
    await small.close();
    const again = await SeenSet.open(disk(path, { memory: MEMORY, fsync: "close" }));
    expect((await again.hasBatch(lines(0, count))).includes(0)).toBe(false);
    expect([...(await again.addBatch([urlOf(7), urlOf(count + 1)]))]).toEqual([0, 1]);
    expect(await again.size()).toBe(count + 2);
    await again.close();
  },
  120_000,
);

test("the index of a large set has room in little memory, and filters have what is left", () => {
  const small = planMemory(0, MEMORY, true, 0);
  const large = planMemory(0, MEMORY, true, 1000);
  expect(large.indexBytes).toBe(2 * 1000 * 8 * 256);
  expect(large.filterBytes).toBeGreaterThan(0);
  expect(large.groups).toBeLessThan(small.groups + (1 << 15)); // whole lines of filters
});

describe("a queue of a set on disk", () => {
  const open = (memory = MEMORY): Promise<SeenSet> =>
    SeenSet.open(disk(path, { memory, immediate: false, fsync: "close" }));

  test("gives back rows of which none is a URL", async () => {
    const seen = await open();
    await seen.enqueueBatch(["x", "y"], { payload: "url" });
    for await (const { row, answers, commit } of seen.drain()) {
      expect([row, ...answers]).toEqual([0, 3, 3]);
      await commit();
    }
    expect((await seen.stats()).settledRow).toBe(2);
    await seen.close();
  });

  test("takes URLs of an iterable that can be read once, and refuses what has no text", async () => {
    const seen = await open();
    const once = function* (): Generator<string> {
      yield* [urlOf(1), "x", urlOf(1)];
    };
    expect(await seen.enqueueBatch(once(), { payload: "url" })).toBe(0);
    const bytes = Buffer.from("http://a/\n");
    await expect(seen.enqueueBatch(bytes, { payload: "url" })).rejects.toMatchObject({
      code: "BAD_INPUT",
    });
    await expect(seen.enqueueBatch(bytes, { payload: [] })).rejects.toMatchObject({
      code: "BAD_OPTION",
      message: "payload: there are 0 for 1 URLs",
    });
    for (const payload of ["URL", ["x"], [5], {}, 5, null]) {
      const options = { payload: payload as unknown as "url" };
      await expect(seen.enqueueBatch(bytes, options)).rejects.toMatchObject({
        code: "BAD_OPTION",
        message: expect.stringMatching(/^payload: /),
      });
    }
    const { value: piece } = await seen.drain().next();
    expect(piece?.answers).toEqual(Uint8Array.of(1, 3, 0));
    const texts = piece?.payloads?.map((payload: Uint8Array) => Buffer.from(payload).toString());
    expect(texts).toEqual([...once()]);
    await seen.close();
  });

  test("leaves no file of a batch that is empty", async () => {
    const seen = await open();
    expect(await seen.enqueueBatch([], { payload: "url" })).toBe(0);
    expect((await seen.drain().next()).done).toBe(true);
    await seen.close();
    expect(readdirSync(path).toSorted()).toEqual(["lock", "manifest"]);
  });

  test("gives back no rows whose payloads a power cut took", async () => {
    const seen = await open();
    await seen.enqueueBatch([urlOf(1), urlOf(2)], { payload: "url" });
    await seen.enqueueBatch([urlOf(2), urlOf(3)], { payload: "url" });
    const cut = join(folder, "cut");
    cpSync(path, cut, { recursive: true });
    await seen.close();
    const payloads = join(cut, "payload.1");
    truncateSync(payloads, statSync(payloads).size - 1);
    const again = await SeenSet.open(disk(cut, { memory: MEMORY, immediate: false }));
    expect((await again.stats()).nextRow).toBe(2);
    expect(await again.enqueueBatch([urlOf(3)])).toBe(2);
    const answers: number[] = [];
    for await (const piece of again.drain()) answers.push(...piece.answers);
    expect(answers).toEqual([1, 1, 1]);
    await again.close();
  });

  test("may be drained twice at a time: what one commits, the other does not need", async () => {
    const seen = await open();
    for (const payload of ["url", undefined, "url"] as const) {
      await seen.enqueueBatch([urlOf(1), urlOf(2)], { payload });
    }
    const [one, other] = [seen.drain(), seen.drain()];
    expect((await other.next()).value).toMatchObject({ row: 0 });
    for await (const piece of one) await piece.commit();
    expect(await other.next()).toEqual({ done: true, value: undefined });
    expect((await seen.stats()).settledRow).toBe(6);
    await seen.close();
  });

  test("says that it is closed to who drains it", async () => {
    const seen = await open();
    await seen.enqueueBatch([urlOf(1)], { payload: "url" });
    await seen.enqueueBatch([urlOf(2)]);
    const pieces = seen.drain();
    await pieces.next();
    await seen.close();
    await expect(pieces.next()).rejects.toMatchObject({ code: "SEEN_CLOSED" });
  });

  test("gives back payloads of any size, some at a time", async () => {
    const seen = await open();
    const payload = Array.from({ length: atLength(28, 40) }, (_, row) =>
      new Uint8Array(row * 50_000).fill(row),
    );
    await seen.enqueueBatch(
      payload.map((_, row) => urlOf(row)),
      { payload },
    );
    await seen.close();
    const again = await open();
    const back: Uint8Array[] = [];
    for await (const piece of again.drain()) {
      const bytes = (piece.payloads ?? []).reduce((sum, { length }) => sum + length, 0);
      expect(bytes).toBeLessThan(1 << 24);
      back.push(...(piece.payloads ?? []));
    }
    expect(Buffer.concat(back).equals(Buffer.concat(payload))).toBe(true);
    expect(back.map(({ length }) => length)).toEqual(payload.map(({ length }) => length));
    await again.close();
  });

  test("needs the memory that it had while more rows wait than fit, and keeps them", async () => {
    const seen = await open(1 << 26);
    const lines = (first: number): Uint8Array =>
      Buffer.from(
        Array.from({ length: 400_000 }, (_, row) => `http://a/${first + row}\n`).join(""),
      );
    const count = atLength(1_200_000, 2_000_000);
    for (let first = 0; first < count; first += 400_000) await seen.enqueueBatch(lines(first));
    await seen.close();
    const small = await open();
    await expect(small.drain().next()).rejects.toMatchObject({
      code: "SET_FULL",
      message: expect.stringContaining(path),
    });
    await expect(small.close()).rejects.toMatchObject({ code: "SET_FULL" });
    const again = await open(1 << 26);
    let rows = 0;
    for await (const { answers, commit } of again.drain()) {
      expect(answers.includes(0)).toBe(false);
      rows += answers.length;
      await commit();
    }
    expect(rows).toBe(count);
    await again.close();
  });
});

testAtLength(
  "a manifest is written anew before it becomes long",
  async () => {
    const seen = await SeenSet.open(disk(path, { memory: MEMORY, fsync: "close" }));
    const manifest = join(path, "manifest");
    let longest = 0;
    for (let round = 0; round < 40; round++) {
      await seen.enqueueBatch(
        Array.from({ length: 2_000 }, (_, row) => urlOf(2_000 * round + row)),
      );
      for await (const piece of seen.drain()) await piece.commit();
      longest = Math.max(longest, statSync(manifest).size);
    }
    expect(longest).toBeGreaterThan(1 << 19);
    expect(longest).toBeLessThan(1.2 * (1 << 20));
    expect(await seen.size()).toBe(80_000);
    await seen.close();
    expect(statSync(manifest).size).toBeLessThan(1 << 16);
  },
  240_000,
);
