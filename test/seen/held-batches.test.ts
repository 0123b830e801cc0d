import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { killHolders } from "../shared/kill-holder.ts";
import { atLength } from "../shared/length.ts";
import { Random } from "../shared/random.ts";

test.each(["journal", "lmdb"] as const)(
  "a crawler that is killed between an answer and its queue loses nothing (%s)",
  async (store) => {
    const folder = await mkdtemp(join(tmpdir(), "urlmill-held-"));
    const { queued } = await killHolders(store, folder, atLength(2, 4), 50, new Random(5));
    expect(queued).toBeGreaterThan(0);
    await rm(folder, { recursive: true });
  },
);
