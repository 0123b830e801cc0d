import { Readable } from "node:stream";
import { learn as builtLearn } from "urlmill/learn";
import { describe, expect, test } from "vitest";
import { type LearnProgress, type LearnRecord, learn } from "../../src/learn/index.ts";
import { learnNow, many, records } from "../shared/learn-site.ts";
import { sampleOf } from "../shared/length.ts";

/** Records of five sites, each with a rule to learn. */
const RECORDS = ["a.org", "b.org", "c.org", "d.org", "e.org"].flatMap((site, at) =>
  records(
    many(60 + at, (page) => ({
      [`/?id=${page}&sid=1${page}`]: `${page}`,
      [`/?sid=2${page}&id=${page}`]: `${page}`,
    })),
    site,
  ),
);
const EXPECTED = learnNow(RECORDS);
const reason = new Error("enough");

async function* later<T>(items: Iterable<T>): AsyncGenerator<T> {
  for (const item of items) yield item;
}

/** Gives one object again and again, each time with the members of the next record. */
function* changing(): Generator<LearnRecord> {
  const record: Record<string, unknown> = {};
  for (const next of RECORDS) {
    for (const name of Object.keys(record)) delete record[name];
    yield Object.assign(record, next);
  }
}

test("the records have something to learn", () => {
  expect(EXPECTED.rules.length).toBeGreaterThan(4);
  expect(EXPECTED.records).toBe(RECORDS.length);
});

describe("learn", () => {
  test.each<[string, Parameters<typeof learn>[0]]>([
    ["an array", RECORDS],
    ["a set", new Set(RECORDS)],
    ["an iterator", RECORDS.values()],
    ["an async iterable", later(RECORDS)],
    ["a stream", Readable.from(RECORDS)],
    ["a generator of one object", changing()],
    ["an async generator of one object", later(changing())],
  ])("takes %s", async (_, given) => {
    expect(await learn(given)).toEqual(EXPECTED);
  });

  test("says how far it is, on the calling thread", async () => {
    const all: LearnProgress[] = [];
    await learn(RECORDS, { onProgress: (progress) => all.push(progress) });
    expect(all[0]).toEqual({ records: RECORDS.length, urls: 0, ofUrls: 0 });
    expect(all).toHaveLength(6);
    const { urls, ofUrls } = all.at(-1) as LearnProgress;
    expect(urls).toBe(ofUrls);
    expect(ofUrls).toBe(EXPECTED.sites.reduce((sum, site) => sum + site.urls, 0));
  });

  test("throws the reason of a signal: before it begins, while it waits, and between sites", async () => {
    await expect(learn(RECORDS, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    async function* silent(): AsyncGenerator<LearnRecord> {
      yield* RECORDS;
      await new Promise(() => {});
    }
    const stop = new AbortController();
    const waiting = learn(silent(), { signal: stop.signal });
    setTimeout(() => stop.abort(reason), 5);
    await expect(waiting).rejects.toBe(reason);
    const between = new AbortController();
    const onProgress = ({ urls }: LearnProgress): void => {
      if (urls > 0) between.abort(reason);
    };
    await expect(learn(RECORDS, { signal: between.signal, onProgress })).rejects.toBe(reason);
  });

  test("passes on errors of its source and of onProgress", async () => {
    async function* failing(): AsyncGenerator<LearnRecord> {
      yield* RECORDS;
      throw reason;
    }
    await expect(learn(failing())).rejects.toBe(reason);
    const onProgress = (): void => {
      throw reason;
    };
    await expect(learn(RECORDS, { onProgress })).rejects.toBe(reason);
  });

  test.each<[unknown, string]>([
    ["http://a/", "records are a list or an async iterable, not http://a/"],
    [{ url: "http://a/" }, "not a Object"],
    [null, "not null"],
  ])("refuses %j: BAD_INPUT", async (given, message) => {
    await expect(learn(given as LearnRecord[])).rejects.toMatchObject({
      code: "BAD_INPUT",
      message: expect.stringContaining(message),
    });
  });

  test("names a wrong record by its place among all", async () => {
    const wrong = { url: "http://a/", size: -1 };
    const many = Array.from({ length: 5_000 }, () => ({ url: "http://a/" }));
    await expect(learn([...many, wrong])).rejects.toMatchObject({
      code: "BAD_INPUT",
      message: expect.stringContaining("5000"),
    });
  });

  test.each<[object, string]>([
    [{ maxPageLos: 0 }, 'learn has no option "maxPageLos"; did you mean maxPageLoss?'],
    [{ thread: 2 }, "; did you mean threads?"],
    [{ threads: 0 }, "option threads cannot be 0"],
    [{ maxPageLoss: 2 }, "option maxPageLoss cannot be 2"],
    [[], "options cannot be Array"],
    [{ signal: {} }, "option signal cannot be {}: expected an AbortSignal"],
    [{ onProgress: 5 }, "option onProgress cannot be 5: expected a function"],
  ])("refuses options %j: BAD_OPTION", async (options, message) => {
    await expect(learn([], options)).rejects.toMatchObject({
      code: "BAD_OPTION",
      message: expect.stringContaining(message),
    });
  });
});

// Threads run what was built.
describe("learn on threads", () => {
  test.each(sampleOf([2, 3], 2))("gives what one thread gives (%i)", async (threads) => {
    const all: LearnProgress[] = [];
    const learned = await builtLearn(later(RECORDS), {
      threads,
      onProgress: (progress) => all.push(progress),
    });
    expect(learned).toEqual(EXPECTED);
    const { urls, ofUrls } = all.at(-1) as LearnProgress;
    expect([urls > 0, urls]).toEqual([true, ofUrls]);
  });

  test("stops when a signal aborts, and when onProgress throws", async () => {
    const stop = new AbortController();
    const onProgress = ({ urls }: LearnProgress): void => {
      if (urls > 0) stop.abort(reason);
    };
    const options = { threads: 2, signal: stop.signal, onProgress };
    await expect(builtLearn(RECORDS, options)).rejects.toBe(reason);
    const failing = ({ urls }: LearnProgress): void => {
      if (urls > 0) throw reason;
    };
    const run = builtLearn(RECORDS, { threads: 2, onProgress: failing });
    await expect(run).rejects.toThrow("enough");
  });
});
