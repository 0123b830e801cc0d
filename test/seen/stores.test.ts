import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { disk, journal } from "../../src/seen/index.ts";
import { lmdb } from "../../src/seen/lmdb.ts";
import { sampleOf } from "../shared/length.ts";
import { describeSeenStore } from "../shared/seen-store.ts";

const folder = (): Promise<string> => mkdtemp(join(tmpdir(), "urlmill-seen-"));

describeSeenStore("a set in memory", async () => ({ store: null }), { outlives: false });

for (const fsync of sampleOf(["batch", "second", "close"] as const, 3)) {
  describeSeenStore(
    `a set in a journal, on disk by ${fsync}`,
    async () => {
      const directory = await folder();
      return {
        store: journal(directory, { fsync }),
        remove: () => rm(directory, { recursive: true }),
      };
    },
    { engines: ["wasm"] },
  );
}

describeSeenStore(
  "a set in LMDB",
  async () => {
    const directory = await folder();
    return { store: lmdb(directory), remove: () => rm(directory, { recursive: true }) };
  },
  { engines: ["js"] },
);

describeSeenStore(
  "a set on disk",
  async () => {
    const directory = await folder();
    return {
      store: disk(directory, { memory: 1 << 24 }),
      remove: () => rm(directory, { recursive: true }),
    };
  },
  { widths: [128], bits: 80, engines: ["wasm"] },
);
