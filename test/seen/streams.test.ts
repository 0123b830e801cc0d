import { createReadStream } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { beforeAll, describe, expect, test } from "vitest";
import { dedupe } from "../../src/index.ts";
import { createPool } from "../../src/pool/index.ts";
import { SeenSet } from "../../src/seen/index.ts";
import { ENGINES } from "../shared/engines.ts";
import { readCorpus } from "../shared/fixtures.ts";
import { atLength } from "../shared/length.ts";
import { tempFolder } from "../shared/temp-folder.ts";

const list = readCorpus().subarray(0, atLength(100_000, 400_000));
const BAD_INPUT = expect.objectContaining({ name: "UrlmillError", code: "BAD_INPUT" });
const file = join(tempFolder(), "urls.txt");

beforeAll(async () => {
  await writeFile(file, Buffer.concat([Buffer.from("\ufeff"), list]));
});

describe.each(ENGINES)("a set (%s)", (engine) => {
  const options = { engine, preset: "crawl" } as const;

  test.each([1, 2])(
    "answers a stream as it answers its bytes, with %i threads",
    async (threads) => {
      const expected = await new SeenSet(options).addBatch(list);
      await using set = new SeenSet({ ...options, threads });
      expect(await set.addBatch(createReadStream(file, { highWaterMark: 1_000 }))).toEqual(
        expected,
      );
      const web = new Blob([list as Uint8Array<ArrayBuffer>]).stream();
      const again = await set.hasBatch(web as unknown as AsyncIterable<Uint8Array>);
      expect(again).toEqual(expected.map((answer) => (answer > 1 ? answer : 1)));
      const lines = createInterface({ input: Readable.from([list.subarray(0, 5_000)]) });
      const some = await new SeenSet(options).addBatch(lines);
      expect(some.subarray(0, -1)).toEqual(expected.subarray(0, some.length - 1));
    },
  );

  test("answers for the text that a URL object had when it came", async () => {
    function* pages(): Generator<URL> {
      const url = new URL("http://a/");
      for (const page of [1, 2, 1]) {
        url.search = `?page=${page}`;
        yield url;
      }
    }
    async function* later(): AsyncGenerator<URL> {
      yield* pages();
    }
    for (const source of [pages, later]) {
      expect([...(await new SeenSet(options).addBatch(source()))]).toEqual([1, 1, 0]);
    }
  });

  test("takes bytes in memory that the stream writes to again and again", async () => {
    async function* pieces(): AsyncGenerator<Uint8Array> {
      const piece = Buffer.alloc(11);
      for (const page of [1, 2, 1]) {
        piece.write(`http://a/${page}\n`);
        yield piece.subarray(0, 11);
      }
    }
    expect([...(await new SeenSet(options).addBatch(pieces()))]).toEqual([1, 1, 0]);
  });

  test("serves other calls while a stream is read", async () => {
    const set = new SeenSet(options);
    let goOn = (): void => {};
    const waits = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    async function* links(): AsyncGenerator<string> {
      yield "http://a/";
      await waits;
    }
    const stream = set.addBatch(links());
    expect(await set.add("http://a/")).toBe(true);
    goOn();
    expect([...(await stream)]).toEqual([0]);
  });

  test("refuses options that a call does not take, and calls after close", async () => {
    const set = new SeenSet(options);
    const BAD_OPTION = expect.objectContaining({ code: "BAD_OPTION" });
    const held = { hold: true } as object;
    await expect(set.add("http://a/", held)).rejects.toThrow(BAD_OPTION);
    await expect(set.has("http://a/", "http://b/" as unknown as object)).rejects.toThrow(
      BAD_OPTION,
    );
    await expect(set.addBatch(Readable.from(["a"]), { sign: 1 } as object)).rejects.toThrow(
      BAD_OPTION,
    );
    await set.close();
    const calls = [
      () => set.add("http://a/"),
      () => set.has("not a URL"),
      () => set.addBatch(Readable.from([])),
    ];
    for (const call of calls) await expect(call()).rejects.toMatchObject({ code: "SEEN_CLOSED" });
  });

  test("refuses URLs among bytes, and bytes among URLs", async () => {
    const set = new SeenSet(options);
    const bytes = Buffer.from("http://b/\n");
    for (const items of [
      ["http://a/", bytes],
      [bytes, "http://a/"],
    ]) {
      await expect(set.addBatch(Readable.from(items))).rejects.toThrow(BAD_INPUT);
    }
    expect(await set.size()).toBe(0);
  });
});

test("a stream of text is refused: its pieces are not URLs", async () => {
  // Nobody waits until it is open, so its file outlives the test.
  const text = (): Readable => createReadStream(new URL(import.meta.url), { encoding: "utf8" });
  await expect(new SeenSet().addBatch(text())).rejects.toThrow(BAD_INPUT);
  expect(() => dedupe(text())).toThrow(BAD_INPUT);
  await using pool = createPool({ threads: 1 });
  await expect(pool.normalizeEach(text()).next()).rejects.toThrow(BAD_INPUT);
});
