import { basename, dirname } from "node:path";
import { expect, test } from "vitest";
import { disk, journal, SeenSet } from "../../src/seen/index.ts";
import { lmdb } from "../../src/seen/lmdb.ts";
import { sampleOf } from "../shared/length.ts";
import { describeSeenStore } from "../shared/seen-store.ts";
import { tempFolder } from "../shared/temp-folder.ts";

describeSeenStore("a set in memory", async () => ({ store: null }), { outlives: false });

for (const fsync of sampleOf(["batch", "second", "close"] as const, 3)) {
  describeSeenStore(
    `a set in a journal, on disk by ${fsync}`,
    async () => ({ store: journal(tempFolder(), { fsync }) }),
    { engines: ["wasm"] },
  );
}

describeSeenStore("a set in LMDB", async () => ({ store: lmdb(tempFolder()) }), {
  engines: ["js"],
});

describeSeenStore(
  "a set on disk",
  async () => ({ store: disk(tempFolder(), { memory: 1 << 24 }) }),
  { widths: [128], bits: 80, engines: ["wasm"] },
);

test.each([
  ["journal", journal],
  ["LMDB", lmdb],
  ["disk", disk],
] as const)("a set stays in its folder when the process changes its own: %s", async (_, store) => {
  const folder = tempFolder();
  const before = process.cwd();
  process.chdir(dirname(folder));
  try {
    const set = await SeenSet.open(store(basename(folder)));
    await set.addBatch(["http://a/"]);
    process.chdir(before);
    await set.delete(["http://a/"]).catch(() => {}); // a journal has none
    await set.addBatch(["http://a/", "http://b/"]);
    await set.close();
  } finally {
    process.chdir(before);
  }
  const again = await SeenSet.open(store(folder));
  expect(await again.size()).toBe(2);
  await again.close();
});
