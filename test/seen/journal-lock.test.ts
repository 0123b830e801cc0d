import { spawnSync } from "node:child_process";
import { appendFile, mkdtemp, rename, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { SeenSet } from "../../src/seen/index.ts";
import { Writer } from "../shared/seen-processes.ts";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "urlmill-lock-"));
});
afterEach(() => rm(folder, { recursive: true }));

const open = (): Promise<SeenSet> => SeenSet.open(folder);

const codeOf = (): Promise<string> =>
  open().then(
    (set) => set.close().then(() => "opened"),
    (error) => error.code,
  );

test("a lock lets one writer in, and says who that is", async () => {
  const set = await open();
  await expect(open()).rejects.toMatchObject({
    code: "SEEN_LOCKED",
    message: expect.stringMatching(new RegExp(`process ${process.pid} on .* since \\d{4}-`)),
  });
  await set.close();
  await (await open()).close();
});

test("a lock ends with its process, however that ends", async () => {
  const writer = new Writer({ journal: folder, first: 0, count: 1_000_000, size: 10 });
  await writer.opened();
  expect(await codeOf()).toBe("SEEN_LOCKED");
  await writer.kill();
  expect(await codeOf()).toBe("opened");
});

test("a lock is let go where the set is refused", async () => {
  await (await open()).close();
  await expect(SeenSet.open(folder, { preset: "crawl" })).rejects.toMatchObject({
    code: "SEEN_MISMATCH",
  });
  expect(await codeOf()).toBe("opened");
});

test.skipIf(process.platform === "win32")("nobody else may take or read the lock", async () => {
  await (await open()).close();
  for (const name of ["lock", "set.json", "journal-1"]) {
    expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600);
  }
});

const hasNamespaces = spawnSync("unshare", ["--net", "true"]).status === 0;
test.skipIf(!hasNamespaces)("a lock holds in a container that has its own network", async () => {
  const set = await open();
  const script = `
    import { SeenSet } from "urlmill/seen";
    await SeenSet.open(process.argv[1]).catch((error) => console.log(error.code));`;
  const command = [process.execPath, "--input-type=module", "-e", script, folder];
  expect(spawnSync("unshare", ["--net", ...command], { encoding: "utf8" }).stdout).toBe(
    "SEEN_LOCKED\n",
  );
  await set.close();
});

// Where a lock does not reach, as on some network file systems.
test.each([
  ["was written to", (file: string) => appendFile(file, "a block")],
  ["was cut", (file: string) => writeFile(file, "")],
  [
    "was replaced",
    async (file: string) => {
      await writeFile(`${file}.new`, "");
      await rename(`${file}.new`, file);
    },
  ],
])(
  "a journal that %s by another process is not written to, and answers no more",
  async (_, change) => {
    const set = await open();
    await set.addBatch(["http://a/"]);
    const file = join(folder, "journal-1");
    await change(file);
    const { size } = await stat(file);
    const locked = { code: "SEEN_LOCKED" };
    await expect(set.addBatch(["http://b/"])).rejects.toMatchObject(locked);
    await expect(set.hasBatch(["http://b/"])).rejects.toMatchObject(locked);
    await expect(set.size()).rejects.toMatchObject(locked);
    expect((await stat(file)).size).toBe(size);
    await expect(set.close()).rejects.toMatchObject(locked);
  },
);
