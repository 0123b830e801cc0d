// At full length only: it damages files.

import { spawnSync } from "node:child_process";
import { chmod, mkdir, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { open as openLmdb } from "lmdb";
import { beforeEach, describe, expect, test } from "vitest";
import { SeenSet } from "../../src/seen/index.ts";
import { lmdb } from "../../src/seen/lmdb.ts";
import { tempFolder } from "../shared/temp-folder.ts";

// LMDB ends the process where it cannot open what it is given: a test that fails here may end its worker.

let folder = "";
beforeEach(() => {
  folder = tempFolder();
});

const open = (): Promise<SeenSet> => SeenSet.open(lmdb(folder));
const data = (): string => join(folder, "data.mdb");
const refusal = (message: string): object => ({
  code: "SEEN_CORRUPT",
  message: expect.stringContaining(message),
});

test("an environment of LMDB 0.9 is refused, and not touched", async () => {
  const fixture = new URL("../fixtures/lmdb-0.9.mdb.gz", import.meta.url);
  const old = gunzipSync(await readFile(fixture));
  await writeFile(data(), old);
  await expect(open()).rejects.toMatchObject(
    refusal("is of another version of LMDB (data format 1, not 2)"),
  );
  expect(await readFile(data())).toEqual(old);
});

describe("with the file of a set", () => {
  const META = 24;
  let pageSize = 0;
  let bytes: Buffer;
  beforeEach(async () => {
    const set = await open();
    await set.addBatch(["http://a.example/"]);
    await set.close();
    bytes = await readFile(data());
    pageSize = bytes.readUInt32LE(META + 24);
  });

  /** Changes a number of the meta pages, which must then be refused. */
  const changed = async (at: number, value: number, pages: readonly number[]): Promise<void> => {
    const copy = Buffer.from(bytes);
    for (const page of pages) copy.writeUInt32LE(value, page * pageSize + META + at);
    await writeFile(data(), copy);
  };

  test.each([1, 3, 999])("data format %i is refused", async (format) => {
    for (const pages of [[0], [1], [0, 1]]) {
      await changed(4, format, pages);
      await expect(open()).rejects.toMatchObject(refusal(`data format ${format}, not 2`));
    }
  });

  test.each([0, 3, 255, 4097, 0x20000, 0xffffffff])(
    "pages of %i bytes are refused",
    async (size) => {
      await changed(24, size, [0, 1]);
      await expect(open()).rejects.toMatchObject(refusal("is damaged"));
      await changed(24, size, [1]);
      await expect(open()).rejects.toMatchObject(refusal("is damaged"));
    },
  );

  test("meta pages that contradict each other are refused", async () => {
    const [lastPage, transaction] = [120, 128];
    for (const [field, value, page] of [
      [lastPage + 4, 1, 0], // 2^32 more: LMDB would reserve as much memory, or end the process
      [lastPage + 4, 1, 0.5],
      [lastPage + 4, 1, 1],
      [transaction + 4, 1, 0.5],
      [transaction, 1, 0],
      [transaction, 2, 1],
    ] as const) {
      await changed(field, value, [page]);
      await expect(open()).rejects.toMatchObject(refusal("contradict each other"));
    }
  });

  test("flags that the package never sets are refused", async () => {
    for (const flags of [0x0000, 0x100c, 0x1018, 0x3008]) {
      await changed(28, flags, [0, 1]);
      await expect(open()).rejects.toMatchObject(refusal("has flags"));
    }
  });

  test("a page that is not marked as a meta page is refused", async () => {
    for (const page of [0, 1]) {
      const copy = Buffer.from(bytes);
      copy.writeUInt16LE(2, page * pageSize + 18);
      await writeFile(data(), copy);
      await expect(open()).rejects.toMatchObject(refusal("is not an LMDB environment"));
    }
  });
});

test.skipIf(process.platform === "win32")(
  "a directory, a pipe or a device in the place of a file is refused",
  async () => {
    for (const name of ["data.mdb", "lock.mdb"]) {
      const place = join(folder, name);
      const makers = [
        ["is not a file", () => mkdir(place)],
        ["is a link", () => symlink("/dev/zero", place)],
        ["is a link", () => symlink(join(folder, "moved.mdb"), place)],
        ["is not a file", async () => expect(spawnSync("mkfifo", [place]).status).toBe(0)],
      ] as const;
      for (const [what, make] of makers) {
        await make();
        await expect(open()).rejects.toMatchObject(refusal(`${name} ${what}`));
        await rm(place, { recursive: true });
      }
      expect(await readdir(folder)).toEqual([]);
    }
  },
);

test.skipIf(process.platform === "win32")(
  "files that may not be written are an error of the system",
  async () => {
    const set = await open();
    await set.close();
    // The superuser may write them all the same.
    const script = `
    process.setuid?.(${process.getuid?.() === 0 ? 65534 : process.getuid?.()});
    const { SeenSet } = await import("urlmill/seen");
    const { lmdb } = await import("urlmill/seen/lmdb");
    await SeenSet.open(lmdb(process.argv[1])).then(() => console.log("opened"), ({ code, message }) => console.log(code, message));
  `;
    const outcome = (): string =>
      spawnSync(process.execPath, ["--input-type=module", "-e", script, folder], {
        encoding: "utf8",
      }).stdout.trim();
    await chmod(folder, 0o555);
    await chmod(data(), 0o400);
    expect(outcome()).toMatch(/^SEEN_FAILED .*EACCES/);
    await chmod(folder, 0o755);
  },
);

test("a set that was made with other pages is opened", async () => {
  for (const pageSize of [8192, 16384, 65536]) {
    const other = tempFolder();
    await openLmdb(other, { noSubdir: false, pageSize }).close();
    const urls = Array.from({ length: 5_000 }, (_, row) => `http://a.example/${row}`);
    const set = await SeenSet.open(lmdb(other));
    expect((await set.addBatch(urls)).includes(0)).toBe(false);
    await set.close();
    const reopened = await SeenSet.open(lmdb(other));
    expect((await reopened.addBatch(urls)).includes(1)).toBe(false);
    await reopened.close();
  }
});
