// At full length only: it lets calls of the system fail.

import { beforeEach, expect, test, vi } from "vitest";
import { SeenSet } from "../../src/seen/index.ts";
import { lmdb } from "../../src/seen/lmdb.ts";
import { tempFolder } from "../shared/temp-folder.ts";

const PANIC = "MDB_PANIC: Update of meta page failed or environment had fatal error";
const state = vi.hoisted(() => ({ message: null as string | null }));

/** The package as it is, whose transactions throw LMDB's error while there is one. */
vi.mock("lmdb", async (load) => {
  const real = await load<typeof import("lmdb")>();
  const open = (...args: Parameters<typeof real.open>): unknown => {
    const root = real.open(...args);
    const openDB = root.openDB.bind(root) as (...args: unknown[]) => typeof root;
    return Object.assign(root, {
      openDB: (...args: unknown[]) => {
        const database = openDB(...args);
        const transactionSync = database.transactionSync.bind(database);
        return Object.assign(database, {
          transactionSync: (...args: Parameters<typeof transactionSync>) => {
            if (state.message !== null) throw new Error(state.message);
            return transactionSync(...args);
          },
        });
      },
    });
  };
  return { ...real, open };
});

let folder = "";
beforeEach(() => {
  folder = tempFolder();
});

test("an error after which LMDB refuses all calls says to open the set again", async () => {
  const set = await SeenSet.open(lmdb(folder));
  state.message = "Input/output error";
  await expect(set.addBatch(["http://a/"])).rejects.toMatchObject({
    code: "SEEN_FAILED",
    message: expect.stringMatching(/nothing of this call was added.*call again$/),
  });
  state.message = PANIC;
  await expect(set.addBatch(["http://a/"])).rejects.toMatchObject({
    code: "SEEN_FAILED",
    message: expect.stringMatching(/MDB_PANIC.*close the set and open it again$/),
  });
  state.message = null;
  await set.close();
  const again = await SeenSet.open(lmdb(folder));
  expect([...(await again.addBatch(["http://a/"]))]).toEqual([1]);
  await again.close();
});
