import { disk, journal } from "../../src/seen/index.ts";
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
