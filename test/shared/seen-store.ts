import { describe, expect, test } from "vitest";
import { Status } from "../../src/base/status.ts";
import type { FingerprintBits } from "../../src/fingerprints/table.ts";
import type { OpenSeenStore } from "../../src/seen/index.ts";
import { type SeenOptions, SeenSet } from "../../src/seen/index.ts";
import { ENGINES } from "./engines.ts";
import { linesOf, readCorpus } from "./fixtures.ts";
import { hostileUrls } from "./hostile.ts";
import { atLength, IS_LONG } from "./length.ts";

/** Describes a place for one set. Opening it again gives the same set. */
export interface SeenPlace {
  /** Null for a set that no other process and no later one can open. */
  readonly store: OpenSeenStore | null;
}

const corpus = linesOf(readCorpus());
const PART = atLength(80, 1_000);

/** What differs among stores. */
export interface StoreTraits {
  /** Whether a later process can open the set. */
  readonly outlives?: boolean;
  /** The sizes of fingerprints that it takes. */
  readonly widths?: readonly FingerprintBits[];
  /** How many bits of the smallest count. */
  readonly bits?: number;
  /** The engines on which `npm test` runs it: a store has fingerprints from both alike. */
  readonly engines?: readonly ("wasm" | "js")[];
}

/** Runs what every store must do. `place` makes a new, empty place. */
export function describeSeenStore(
  name: string,
  place: () => Promise<SeenPlace>,
  {
    outlives = true,
    widths = [128, 64],
    bits = Math.min(...widths),
    engines = ENGINES,
  }: StoreTraits = {},
): void {
  const few = { bits: Math.min(...widths) as FingerprintBits };
  describe.each(atLength(engines, ENGINES))(`${name} (%s)`, (engine) => {
    const open = ({ store }: SeenPlace, options: SeenOptions = {}): Promise<SeenSet> =>
      store === null
        ? Promise.resolve(new SeenSet({ ...options, engine }))
        : SeenSet.open(store, { ...options, engine });

    /** One set in a place of its own. */
    const withSet = async (
      options: SeenOptions,
      check: (set: SeenSet, place: SeenPlace) => Promise<void>,
    ): Promise<void> => {
      const here = await place();
      const set = await open(here, options);
      try {
        await check(set, here);
      } finally {
        await set.close();
      }
    };

    // What no store sees is tried in memory alone, if runs are short.
    const testOfAny = test.runIf(IS_LONG || !outlives);

    test("adds and finds one URL", () =>
      withSet({ preset: "crawl" }, async (set) => {
        expect(await set.has("http://a/?x&y")).toBe(false);
        expect(await set.add("http://a/?x&y")).toBe(true);
        expect(await set.add(new URL("HTTP://A/?y&x"))).toBe(false);
        expect(await set.has("?x&y", { base: "http://a/" })).toBe(true);
        const error = expect.objectContaining({ code: "BAD_IPV4", offset: 7 });
        await expect(set.add("http://1.2.3.256/")).rejects.toThrow(error);
        await expect(set.has("http://1.2.3.256/")).rejects.toThrow(error);
        const none = 5 as unknown as string;
        await expect(set.add(none)).rejects.toMatchObject({ code: "NOT_A_STRING" });
        expect(await set.size()).toBe(1);
      }));

    test("takes URLs out, which are new again, or names the command that does", () =>
      withSet({ preset: "crawl" }, async (set) => {
        const urls = Array.from({ length: 300 }, (_, row) => `http://a.example/${row}`);
        await set.commit(await set.addBatch(urls, { hold: true }));
        const held = await set.addBatch(["http://held/"], { hold: true });
        const removed = urls.filter((_, row) => row % 3 === 0);
        const call = set.delete([
          ...removed,
          "HTTP://A.example/0",
          "http://b/",
          "x",
          "http://held/",
        ]);
        if (["journal", "disk"].includes((await set.stats()).store)) {
          const message = expect.stringContaining("urlmill seen remove DIR LIST");
          return expect(call).rejects.toMatchObject({ code: "BAD_OPTION", message });
        }
        expect([...(await call)]).toEqual([...removed.map(() => 1), 0, 0, Status.NO_SCHEME, 0]);
        expect(await set.size()).toBe(200);
        const there = urls.map((_, row) => (row % 3 === 0 ? 0 : 1));
        expect([...(await set.hasBatch(urls))]).toEqual(there);
        expect([...(await set.addBatch(urls))]).toEqual(there.map((isThere) => 1 - isThere));
        expect(await set.size()).toBe(300);
        await set.commit(held);
        expect(await set.has("http://held/")).toBe(true);
      }));

    testOfAny("takes URLs and bytes that come one by one", () =>
      withSet({}, async (set) => {
        async function* later<T>(items: readonly T[]): AsyncGenerator<T> {
          yield* items;
        }
        const urls = ["http://a/", "x", "http://b/", "HTTP://A"];
        expect([...(await set.addBatch(later(urls)))]).toEqual([1, Status.NO_SCHEME, 1, 0]);
        const pieces = ["http://b/\r\nhttp:", "//c/\n\nhttp://d"].map((text) => Buffer.from(text));
        const answers = await set.addBatch(later(pieces));
        expect([...answers]).toEqual([0, 1, Status.EMPTY, 1]);
        expect([...(await set.hasBatch(later(["http://d/", "http://e/"])))]).toEqual([1, 0]);
        const held = await set.addBatch(later(["http://e/", "http://a/"]), { hold: true });
        expect([...held.answers]).toEqual([1, 0]);
        await set.release(held);
        expect(await set.size()).toBe(4);
      }),
    );

    testOfAny("records nothing of a call that is aborted before, or whose stream fails", () =>
      withSet({}, async (set) => {
        const reason = new Error("enough");
        const stop = new AbortController();
        async function* silent(): AsyncGenerator<string> {
          yield "http://a/";
          await new Promise(() => {});
        }
        const waiting = set.addBatch(silent(), { signal: stop.signal });
        const later = set.addBatch(["http://b/"], { signal: AbortSignal.abort(reason) });
        stop.abort(reason);
        await expect(waiting).rejects.toBe(reason);
        await expect(later).rejects.toBe(reason);
        await expect(set.add("http://c/", { signal: stop.signal })).rejects.toBe(reason);
        async function* failing(): AsyncGenerator<string> {
          yield "http://a/";
          throw reason;
        }
        await expect(set.addBatch(failing())).rejects.toBe(reason);
        expect(await set.size()).toBe(0);
      }),
    );

    test("says of each URL once that it is new", () =>
      withSet({}, async (set) => {
        expect([...(await set.addBatch(["http://a/", "http://b/", "http://a/"]))]).toEqual([
          1, 1, 0,
        ]);
        expect([...(await set.addBatch(["http://c/", "http://b/"]))]).toEqual([1, 0]);
        expect(await set.size()).toBe(3);
        expect(await set.addBatch([])).toEqual(new Uint8Array(0));
      }));

    testOfAny("takes URLs with one normalized form for one, as its options have it", () =>
      withSet({ preset: "crawl" }, async (set) => {
        const urls = ["http://a/x?b&a", "HTTP://A:80/x?a&b#c", "http://a/x?a&b&utm_source=d"];
        expect([...(await set.addBatch(urls))]).toEqual([1, 0, 0]);
        expect([...(await set.addBatch(["http://a/y", "y"], { base: "http://a/" }))]).toEqual([
          1, 0,
        ]);
      }),
    );

    testOfAny("resolves links against the page they are on", () =>
      withSet({ preset: "crawl" }, async (set) => {
        const links = ["../c", "#top", "", "//b/", "http://a/c", "mailto:x@y.z"];
        const base = "http://a/b/page";
        const { SCHEME_NOT_ALLOWED } = Status;
        const asked = [0, 0, 0, 0, 0, SCHEME_NOT_ALLOWED];
        expect([...(await set.hasBatch(links, { base }))]).toEqual(asked);
        const answers = [...(await set.addBatch(links, { base }))];
        expect(answers).toEqual([1, 1, 0, 1, 0, SCHEME_NOT_ALLOWED]);
        const other = { base: new URL("http://a/d/"), hold: true } as const;
        const held = await set.addBatch(["../c", "d", "../b/page"], other);
        expect([...held.answers]).toEqual([0, 1, 0]);
        await set.commit(held);
        expect([...(await set.hasBatch(["http://a/d/d", "http://a/b/page"]))]).toEqual([1, 1]);
        expect(await set.size()).toBe(4);
      }),
    );

    testOfAny("resolves links against the base as it was at the call", () =>
      withSet({}, async (set) => {
        const base = new URL("http://a/");
        const first = set.addBatch(["x"], { base });
        base.href = "http://b/";
        const second = set.addBatch(["x"], { base });
        const asked = set.hasBatch(["x"], { base });
        base.href = "http://c/";
        expect([...(await first), ...(await second), ...(await asked)]).toEqual([1, 1, 1]);
        expect([...(await set.hasBatch(["http://a/x", "http://b/x", "http://c/x"]))]).toEqual([
          1, 1, 0,
        ]);
      }),
    );

    testOfAny("refuses a base that is not a URL, and adds nothing", () =>
      withSet({}, async (set) => {
        for (const base of [null, 7, "", "/b", new URL("http://a/").searchParams]) {
          const options = { base } as { base: string };
          const refusal = { code: "BAD_BASE" };
          await expect(set.addBatch(["http://a/"], options)).rejects.toMatchObject(refusal);
          await expect(set.hasBatch(["http://a/"], options)).rejects.toMatchObject(refusal);
          const held = set.addBatch(["http://a/"], { ...options, hold: true });
          await expect(held).rejects.toMatchObject(refusal);
        }
        expect(await set.stats()).toMatchObject({ size: 0, held: 0 });
        expect([...(await set.addBatch(["x"]))]).toEqual([Status.NO_SCHEME]);
      }),
    );

    testOfAny("answers NOT_A_STRING for what is neither a string nor a URL object", () =>
      withSet({}, async (set) => {
        const urls = [null, "http://a/", undefined, new URL("http://a/"), 7, {}, "HTTP://A"];
        const batch = urls as string[];
        const { NOT_A_STRING } = Status;
        const none = [NOT_A_STRING, 1, NOT_A_STRING, 0, NOT_A_STRING, NOT_A_STRING, 0];
        expect([...(await set.addBatch(new Set(batch), { base: "http://b/" }))]).toEqual(none);
        expect([...(await set.hasBatch(batch))]).toEqual(none.map((answer) => answer || 1));
        const held = await set.addBatch(batch, { hold: true });
        expect([...held.answers]).toEqual(none.map((answer) => (answer === 1 ? 0 : answer)));
        expect(await set.size()).toBe(1);
        const one = set.addBatch("http://c/" as unknown as string[]);
        await expect(one).rejects.toMatchObject({ code: "BAD_INPUT" });
        expect(await set.size()).toBe(1);
      }),
    );

    testOfAny("answers what is not a URL with its error, and keeps nothing of it", () =>
      withSet({}, async (set) => {
        const urls = ["", "http://a/", "x", "http://[/", "http://a/", "http://b/", "http://a:b/"];
        const { EMPTY, NO_SCHEME, BAD_IPV6, BAD_PORT } = Status;
        const expected = [EMPTY, 1, NO_SCHEME, BAD_IPV6, 0, 1, BAD_PORT];
        expect([...(await set.addBatch(urls))]).toEqual(expected);
        expect([...(await set.hasBatch(urls))]).toEqual(
          expected.map((answer) => Math.max(answer, 1)),
        );
        expect(await set.size()).toBe(2);
      }),
    );

    testOfAny("takes strings, columns and lines", () =>
      withSet({}, async (set) => {
        expect([...(await set.addBatch(["http://a/", "http://b/"]))]).toEqual([1, 1]);
        const lines = Buffer.from("http://a/\r\nhttp://c/\n\nhttp://c/");
        expect([...(await set.addBatch(lines))]).toEqual([0, 1, Status.EMPTY, 0]);
        const column = {
          data: Buffer.from("http://b/http://d/"),
          offsets: Int32Array.of(0, 9, 18),
        };
        expect([...(await set.addBatch(column))]).toEqual([0, 1]);
      }),
    );

    test("asking adds nothing", () =>
      withSet({}, async (set) => {
        await set.addBatch(["http://a/"]);
        expect([...(await set.hasBatch(["http://b/", "http://a/"]))]).toEqual([0, 1]);
        expect([...(await set.hasBatch(["http://b/"]))]).toEqual([0]);
        expect(await set.size()).toBe(1);
      }));

    test("serves calls in the order they are made", () =>
      withSet({}, async (set) => {
        const answers = await Promise.all([
          set.addBatch(["http://a/"]),
          set.hasBatch(["http://a/"]),
          set.addBatch(["http://a/", "http://b/"]),
          set.size(),
        ]);
        expect(answers).toEqual([Uint8Array.of(1), Uint8Array.of(1), Uint8Array.of(0, 1), 2]);
      }));

    test.each(widths)("agrees with a Set of normalized URLs, %i bits", (width) =>
      withSet({ preset: "crawl", bits: width }, async (set) => {
        const seen = new Set<string>();
        const { createNormalizer } = await import("../../src/index.ts");
        const normalizer = createNormalizer({ preset: "crawl", engine });
        const lists = [
          corpus.slice(0, 9 * PART),
          corpus.slice(5 * PART, 10 * PART),
          hostileUrls(23, 3 * PART),
          corpus.slice(8 * PART, 12 * PART).toReversed(),
        ];
        for (const urls of lists) {
          const normalized = normalizer.normalizeBatch(urls);
          const expected = normalized.urls.map((url, row) => {
            if (url === null) return normalized.status[row];
            if (seen.has(url)) return 0;
            seen.add(url);
            return 1;
          });
          expect([...(await set.addBatch(urls))]).toEqual(expected);
        }
        expect(await set.size()).toBe(seen.size);
        const has = await set.hasBatch(corpus.slice(0, 12 * PART));
        expect(has.includes(0)).toBe(false);
      }),
    );

    test("tells how large and how sure it is", () =>
      withSet(few, async (set) => {
        await set.addBatch(corpus.slice(0, 2 * PART));
        const stats = await set.stats();
        const { size } = stats;
        expect(size).toBe(await set.size());
        expect(stats.bits).toBe(bits);
        expect(stats.expectedFalseSeen).toBeCloseTo((size * (size - 1)) / 2 ** (bits + 1), 20);
        expect((stats.memoryBytes ?? 0) + (stats.storedBytes ?? 0)).toBeGreaterThan(8 * size);
      }));

    test("is closed once", () =>
      withSet({}, async (set) => {
        const last = set.addBatch(["http://a/"]);
        await Promise.all([set.close(), set.close()]);
        expect([...(await last)]).toEqual([1]);
        await expect(set.addBatch(["http://a/"])).rejects.toMatchObject({ code: "SEEN_CLOSED" });
        await expect(set.size()).rejects.toMatchObject({ code: "SEEN_CLOSED" });
      }));

    test.runIf(outlives)("remembers its URLs after its process has ended", () =>
      withSet(few, async (set, here) => {
        await set.addBatch(corpus.slice(0, 5 * PART));
        const { key } = set;
        const size = await set.size();
        await set.close();
        const again = await open(here);
        try {
          expect(again.key).toEqual(key);
          expect(await again.size()).toBe(size);
          expect((await again.addBatch(corpus.slice(0, 5 * PART))).includes(1)).toBe(false);
          expect([...(await again.addBatch(["http://new.example/"]))]).toEqual([1]);
        } finally {
          await again.close();
        }
      }),
    );

    test("a held batch is seen in its process, and counted once it is committed", () =>
      withSet({}, async (set) => {
        await set.addBatch(["http://a/"]);
        const held = await set.addBatch(["http://a/", "http://b/", "x", "http://b/"], {
          hold: true,
        });
        expect([...held.answers]).toEqual([0, 1, Status.NO_SCHEME, 0]);
        expect(await set.stats()).toMatchObject({ size: 1, held: 1 });
        const urls = ["http://c/", "http://b/", "http://a/"];
        expect([...(await set.hasBatch(urls))]).toEqual([0, 1, 1]);
        const second = await set.addBatch(urls, { hold: true });
        expect([...second.answers]).toEqual([1, 0, 0]);
        expect([...(await set.addBatch(["http://b/", "http://d/", "http://c/"]))]).toEqual([
          0, 1, 0,
        ]);
        expect(await set.stats()).toMatchObject({ size: 2, held: 2 });
        await set.commit(held);
        await set.commit(held);
        expect(await set.stats()).toMatchObject({ size: 3, held: 1 });
        await set.commit(second);
        expect(await set.stats()).toMatchObject({ size: 4, held: 0 });
        expect([...(await set.addBatch(urls))]).toEqual([0, 0, 0]);
      }));

    test.runIf(outlives)("a held batch that was not committed is new again after a restart", () =>
      withSet({}, async (set, here) => {
        const urls = ["http://a/", "http://b/", "http://c/"];
        await set.commit(await set.addBatch(urls.slice(0, 1), { hold: true }));
        await set.addBatch(urls.slice(0, 2), { hold: true });
        // Answered as seen, because it is held: it must not be recorded for that.
        expect([...(await set.addBatch(urls)).values()]).toEqual([0, 0, 1]);
        await set.close();
        const again = await open(here);
        try {
          expect([...(await again.hasBatch(urls))]).toEqual([1, 0, 1]);
          expect([...(await again.addBatch(urls))]).toEqual([0, 1, 0]);
        } finally {
          await again.close();
        }
      }),
    );

    test("many batches are held at a time and committed in any order", () =>
      withSet(few, async (set) => {
        const holds = [];
        for (let first = 0; first < 10 * PART; first += PART / 2) {
          holds.push(await set.addBatch(corpus.slice(first, first + PART), { hold: true }));
        }
        const fresh = holds.map(({ answers }) => answers.filter((answer) => answer === 1).length);
        const all = fresh.reduce((sum, count) => sum + count, 0);
        expect((await set.stats()).held).toBe(all);
        const isOdd = (row: number): boolean => row % 2 === 1;
        for (const [row, batch] of holds.entries()) if (isOdd(row)) await set.commit(batch);
        const half = fresh.reduce((sum, count, row) => sum + (isOdd(row) ? count : 0), 0);
        expect(await set.stats()).toMatchObject({ size: half, held: all - half });
        expect((await set.addBatch(corpus.slice(0, 10 * PART))).includes(1)).toBe(false);
        for (const [row, batch] of holds.toReversed().entries()) {
          if (isOdd(row)) await set.commit(batch);
        }
        expect(await set.stats()).toMatchObject({ size: all, held: 0 });
      }));

    testOfAny("commits only what it holds itself", () =>
      withSet({}, async (set) => {
        const other = new SeenSet({ engine });
        const held = await other.addBatch(["http://a/"], { hold: true });
        await expect(set.commit(held)).rejects.toMatchObject({ code: "BAD_OPTION" });
        await expect(set.commit({ answers: held.answers })).rejects.toMatchObject({
          code: "BAD_OPTION",
        });
        await other.close();
      }),
    );

    test.runIf(outlives)(
      "refuses another profile, other bits and another key, and says what differs",
      () =>
        withSet({ preset: "crawl", key: new Uint8Array(16) }, async (set, here) => {
          await set.close();
          const refusal = (options: SeenOptions): Promise<string> =>
            open(here, { preset: "crawl", ...options }).then(
              (opened) => opened.close().then(() => "opened"),
              (error) => `${error.code}: ${error.message}`,
            );
          expect(await refusal({ fragment: "keep", www: "add" })).toMatch(
            /^SEEN_MISMATCH: .* was written with other options: fragment was "remove" and is "keep"; www was not set and is "add"\. Open it with its options, or make another set$/,
          );
          expect(await refusal({ bits: 64 })).toMatch(/^SEEN_MISMATCH: .* 128 bits, not 64$/);
          expect(await refusal({ key: new Uint8Array(16).fill(1) })).toMatch(
            /^SEEN_MISMATCH: .* under another key$/,
          );
          expect(await refusal({ bits: 128, key: new Uint8Array(16) })).toBe("opened");
        }),
    );
  });
}
