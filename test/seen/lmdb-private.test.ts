import { chmod, stat } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { SeenSet } from "../../src/seen/index.ts";
import { lmdb } from "../../src/seen/lmdb.ts";
import { tempFolder } from "../shared/temp-folder.ts";

let folder = "";
let mask = 0;
beforeEach(() => {
  folder = tempFolder();
  mask = process.umask();
});

const modes = (): Promise<string[]> =>
  Promise.all(
    ["data.mdb", "lock.mdb"].map(async (name) =>
      ((await stat(join(folder, name))).mode & 0o777).toString(8),
    ),
  );

test.skipIf(process.platform === "win32")(
  "the files of a new set are its owner's alone",
  async () => {
    const set = await SeenSet.open(lmdb(folder));
    expect(await modes()).toEqual(["600", "600"]);
    expect(process.umask()).toBe(mask);
    await set.close();
  },
);

test.skipIf(process.platform === "win32")(
  "the files of a set that others could read are closed to them",
  async () => {
    const set = await SeenSet.open(lmdb(folder));
    await set.addBatch(["http://a.example/"]);
    await set.close();
    for (const name of ["data.mdb", "lock.mdb"]) await chmod(join(folder, name), 0o664);
    const again = await SeenSet.open(lmdb(folder));
    expect(await modes()).toEqual(["600", "600"]);
    expect(await again.size()).toBe(1);
    await again.close();
  },
);
