import { expect, test } from "vitest";
import { killHolders } from "../shared/kill-holder.ts";
import { atLength } from "../shared/length.ts";
import { Random } from "../shared/random.ts";
import { tempFolder } from "../shared/temp-folder.ts";

test.each(["journal", "lmdb"] as const)(
  "a crawler that is killed between an answer and its queue loses nothing (%s)",
  async (store) => {
    const folder = tempFolder();
    const { queued } = await killHolders(store, folder, atLength(2, 4), 50, new Random(5));
    expect(queued).toBeGreaterThan(0);
  },
);
