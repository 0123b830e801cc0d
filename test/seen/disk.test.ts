import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { disk, SeenSet } from "../../src/seen/index.ts";
import { ENGINES } from "../shared/engines.ts";
import { atLength } from "../shared/length.ts";
import { Random } from "../shared/random.ts";

const folder = mkdtempSync(join(tmpdir(), "urlmill-disk-"));
afterAll(() => rmSync(folder, { recursive: true }));
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

describe.each(ENGINES)("a set on disk, engine %s", (engine) => {
  test("answers at once as a set of strings does, whatever is merged", async () => {
    const random = new Random(37);
    const model = new Model();
    const open = () => SeenSet.open(disk(path, { memory: MEMORY, fsync: "close" }), { engine });
    let seen = await open();
    for (let round = 0; round < atLength(40, 120); round++) {
      const urls = someUrls(random, random.chance(4) ? 30_000 : 300, 1_000_000);
      if (random.chance(3)) expect([...(await seen.hasBatch(urls))]).toEqual(model.has(urls));
      else expect([...(await seen.addBatch(urls))]).toEqual(model.add(urls));
      if (random.chance(8)) {
        await seen.close();
        seen = await open();
      }
    }
    expect(await seen.size()).toBe(model.size);
    expect(await seen.stats()).toMatchObject({ store: "disk", bits: 80, size: model.size });
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
    for (let round = 0; round < atLength(30, 100); round++) {
      const urls = someUrls(random, random.chance(4) ? 100_000 : 300, 500_000);
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
