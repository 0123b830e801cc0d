import fs, { cp, rm } from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { expect } from "vitest";
import { journal, SeenSet } from "../../src/seen/index.ts";

/** The operations on files that a journal does. Each can fail. */
const ON_HANDLES = ["read", "write", "truncate", "sync", "datasync", "stat", "writeFile"] as const;
const ON_NAMES = ["open", "rename", "rm", "readFile", "readdir"] as const;

/** Counts the operations on files, and lets one of them fail. Returns how to go back to those of Node. */
async function failing(
  folder: string,
  number: number,
): Promise<{ count: () => number; end: () => void }> {
  let count = 0;
  const error = () => Object.assign(new Error("EIO: i/o error"), { code: "EIO" });
  const handle = await fs.open(folder);
  const prototype = Object.getPrototypeOf(handle);
  await handle.close();
  const undo: (() => void)[] = [];
  const wrap = (object: Record<string, unknown>, name: string): void => {
    const own = object[name] as (...values: unknown[]) => unknown;
    undo.push(() => {
      object[name] = own;
    });
    object[name] = function (this: unknown, ...values: unknown[]) {
      return ++count === number ? Promise.reject(error()) : own.apply(this, values);
    };
  };
  for (const name of ON_HANDLES) wrap(prototype, name);
  for (const name of ON_NAMES) wrap(fs as unknown as Record<string, unknown>, name);
  syncBuiltinESMExports();
  return {
    count: () => count,
    end: () => {
      for (const back of undo) back();
      syncBuiltinESMExports();
    },
  };
}

/** Returns so many lines of URLs. */
export const linesOf = (first: number, count: number): Uint8Array =>
  Buffer.from(
    Array.from({ length: count }, (_, row) => `http://a.example/${first + row}\n`).join(""),
  );

/** Says how many URLs a journal has, and how many batches are added to it while an operation fails. */
interface Sizes {
  readonly before: number;
  readonly batch: number;
  readonly batches: number;
}

/**
 * Lets operations on files fail, each in a run of its own, and expects all URLs that were answered. `numbersOf`: which of
 * all operations. Returns how often each code came.
 */
export async function faultsOf(
  folder: string,
  { before, batch, batches }: Sizes,
  numbersOf: (total: number) => Iterable<number>,
): Promise<Map<unknown, number>> {
  const base = join(folder, "base");
  const made = await SeenSet.open(journal(base, { fsync: "close" }));
  for (let first = 0; first < before; first += batch) await made.addBatch(linesOf(first, batch));
  await made.close();

  /** Opens the set, adds batches and closes it. Returns the URLs that were answered, and the error. */
  const run = async (place: string): Promise<{ answered: number; code: unknown }> => {
    let answered = before;
    try {
      const set = await SeenSet.open(journal(place, { fsync: "batch" }));
      try {
        for (let number = 0; number < batches; number++) {
          await set.addBatch(linesOf(answered, batch));
          answered += batch;
        }
      } finally {
        await set.close();
      }
    } catch (error) {
      return { answered, code: (error as { code?: unknown }).code };
    }
    return { answered, code: null };
  };

  const whole = join(folder, "whole");
  await cp(base, whole, { recursive: true });
  const counting = await failing(folder, 0);
  expect(await run(whole)).toEqual({ answered: before + batches * batch, code: null });
  counting.end();
  await rm(whole, { recursive: true });
  const codes = new Map<unknown, number>();
  for (const number of numbersOf(counting.count())) {
    const place = join(folder, "copy");
    await cp(base, place, { recursive: true });
    const failure = await failing(folder, number);
    const { answered, code } = await run(place);
    failure.end();
    codes.set(code, (codes.get(code) ?? 0) + 1);
    const again = await SeenSet.open(place);
    for (let first = 0; first < answered; first += batch) {
      expect((await again.hasBatch(linesOf(first, batch))).includes(0)).toBe(false);
    }
    // The batch that failed is there as a whole, after a sync that failed, or not at all.
    expect(new Set(await again.hasBatch(linesOf(answered, batch))).size).toBe(1);
    await again.close();
    await rm(place, { recursive: true });
  }
  return codes;
}
