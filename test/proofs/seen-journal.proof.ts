// What must hold of a journal that is large, that has very many blocks, or of a set that two Nodes share.

import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { beforeEach, describe, expect, test } from "vitest";
import { journal, SeenSet } from "../../src/seen/index.ts";
import { faultsOf, linesOf } from "../shared/journal-faults.ts";
import { killHolders } from "../shared/kill-holder.ts";
import { Random } from "../shared/random.ts";
import { Writer } from "../shared/seen-processes.ts";
import { tempFolder } from "../shared/temp-folder.ts";
import { installNode } from "./install-node.mjs";

const seed = Number(process.env["URLMILL_FUZZ_SEED"] ?? Date.now() % 1_000_000);

let folder = "";
beforeEach(() => {
  folder = tempFolder();
});

test("a journal of 20 million URLs keeps all of them, however often its compaction is killed", async () => {
  const random = new Random(seed);
  const [count, batch] = [20_000_000, 100_000];
  const set = await SeenSet.open(journal(folder, { fsync: "close" }), { capacity: count });
  for (let first = 0; first < count; first += batch) await set.addBatch(linesOf(first, batch));
  await set.close();
  const names = new Set<string>();
  for (let kill = 0; kill < 12; kill++) {
    const writer = new Writer({ journal: folder, first: 0, count: 0, size: 0, compacts: true });
    await writer.opened();
    await setTimeout(random.below(4_000));
    await writer.kill();
    for (const name of await readdir(folder)) names.add(name);
    const again = await SeenSet.open(folder);
    expect(await again.size()).toBe(count);
    expect((await again.stats()).cutBytes).toBe(0);
    const first = random.below(count - batch);
    expect((await again.hasBatch(linesOf(first, batch))).includes(0)).toBe(false);
    expect((await again.hasBatch(linesOf(count, batch))).includes(1)).toBe(false);
    await again.close();
  }
  console.log(`seed ${seed}: 12 kills, files seen: ${[...names].toSorted().join(" ")}`);
});

test("a million batches of one URL, opened again after every tenth of them", async () => {
  const count = 1_000_000;
  const sizes: number[] = [];
  for (let first = 0; first < count; first += count / 10) {
    const set = await SeenSet.open(folder);
    expect(await set.size()).toBe(first);
    expect((await set.stats()).cutBytes).toBe(0);
    sizes.push((await set.stats()).storedBytes ?? 0);
    for (let url = first; url < first + count / 10; url++) {
      const answers = await set.addBatch([`http://a.example/${url}`]);
      if (answers[0] !== 1) throw new Error(`URL ${url} was seen before`);
    }
    await set.close();
  }
  const set = await SeenSet.open(folder);
  expect(await set.size()).toBe(count);
  for (let first = 0; first < count; first += 100_000) {
    expect((await set.hasBatch(linesOf(first, 100_000))).includes(0)).toBe(false);
  }
  await set.close();
  console.log(`bytes on each opening: ${sizes.join(" ")}`);
});

test("a crawler that is killed between an answer and its queue loses nothing", async () => {
  for (const store of ["journal", "lmdb"] as const) {
    const place = join(folder, store);
    const { queued, repeated } = await killHolders(store, place, 50, 200, new Random(seed));
    console.log(`seed ${seed}: ${store}: ${queued} batches queued, ${repeated} of them come again`);
  }
});

describe
  .skipIf(process.platform !== "linux" || process.arch !== "x64")
  .each(["journal", "diskPath"] as const)("%s", (store) => {
  test("Node 20 and Node 24 do not have a directory open at the same time, and read what the other wrote", async () => {
    const nodes = ["20", "24"].map((version) => installNode(version, join(folder, "nodes")));
    const place = join(folder, "set");
    let next = 0;
    for (const [one, other] of [nodes, nodes.toReversed()] as [string, string][]) {
      const task = { [store]: place, first: next, count: 1_000_000, size: 10 };
      const writer = new Writer(task, one);
      await writer.opened();
      const refused = new Writer({ ...task, count: 1 }, other);
      await expect(refused.finish()).rejects.toThrow("is in use by another process");
      await writer.kill();
      const answered = writer.answered.size;
      expect(answered).toBeGreaterThan(0);
      // The other Node finds every batch that was answered.
      const reader = new Writer({ ...task, count: answered }, other);
      await reader.finish();
      expect([...reader.answered.values()].every((fresh) => fresh === 0)).toBe(true);
      next += answered + 1;
    }
    expect((await stat(join(place, "lock"))).mode & 0o777).toBe(0o600);
  });
});

test("any operation on a journal of more than 64 MiB may fail, and no answer is lost", async () => {
  const random = new Random(seed);
  const sizes = { before: 1_500_000, batch: 100_000, batches: 45 };
  const codes = await faultsOf(folder, sizes, (total) => {
    // All of the first and the last, where the set is opened and closed, and some of those between.
    const numbers = new Set([...Array(30).keys()].flatMap((at) => [at + 1, total - at]));
    for (let more = 0; more < 20; more++) numbers.add(1 + random.below(total));
    return numbers;
  });
  console.log(`seed ${seed}:`, Object.fromEntries(codes));
  expect([...codes.keys()].every((code) => code === null || /^SEEN_/.test(String(code)))).toBe(
    true,
  );
});
