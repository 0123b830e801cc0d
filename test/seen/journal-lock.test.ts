// At full length only: it locks files from several processes.

import { spawnSync } from "node:child_process";
import { promises } from "node:fs";
import { appendFile, mkdir, rename, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { lockDirectory, lockToRead } from "../../src/seen/folder/lock.ts";
import { SeenSet } from "../../src/seen/index.ts";
import { Writer } from "../shared/seen-processes.ts";
import { tempFolder } from "../shared/temp-folder.ts";

let folder = "";
beforeEach(() => {
  folder = tempFolder();
});
afterEach(() => {
  vi.restoreAllMocks();
});

const open = (): Promise<SeenSet> => SeenSet.open(folder);

/** What a program prints, given an argument. */
const runModule = (script: string, argument: string): string =>
  spawnSync(process.execPath, ["--input-type=module", "-e", script, argument], { encoding: "utf8" })
    .stdout;

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

test("a lock that the program flock took stays when flock has ended, and leaves no process", async () => {
  const set = await open();
  const script = `
    import { SeenSet } from "urlmill/seen";
    const set = await SeenSet.open(process.argv[1]).catch((error) => error);
    console.log(set.code, process.getActiveResourcesInfo().includes("ProcessWrap"));`;
  expect(runModule(script, folder)).toBe("SEEN_LOCKED false\n");
  await set.close();
  expect(runModule(script, folder)).toBe("undefined false\n");
});

test.skipIf(process.platform !== "linux")("a system without flock is told what to install", () => {
  const script = `
    import { SeenSet } from "urlmill/seen";
    process.env.PATH = "/nowhere";
    await SeenSet.open(process.argv[1]).catch(({ code, message }) => console.log(code, message));`;
  expect(runModule(script, folder)).toMatch(/^PACKAGE_MISSING .*program flock.*install util-linux/);
});

test.skipIf(process.platform !== "linux")(
  "what flock says of a file that it cannot lock is passed on",
  async () => {
    const programs = join(folder, "programs");
    await mkdir(programs);
    await writeFile(join(programs, "flock"), "#!/bin/sh\necho no locks here >&2\nexit 71\n", {
      mode: 0o700,
    });
    const script = `
    import { SeenSet } from "urlmill/seen";
    process.env.PATH = "${programs}";
    await SeenSet.open(process.argv[1]).catch(({ code, message }) => console.log(code, message));`;
    expect(runModule(script, join(folder, "set"))).toMatch(/^SEEN_FAILED .*no locks here/);
  },
);

// The calls of these systems, seen from another one: flags of open(), and the error that means "taken".
test.each([
  ["darwin", 0x24, 0x14, "EAGAIN"],
  ["freebsd", 0x24, 0x14, "EAGAIN"],
  ["win32", 0x10000000, 0x10000000, "EBUSY"],
] as const)(
  "on %s a lock is taken as the file is opened",
  async (platform, flags, shared, taken) => {
    vi.spyOn(process, "platform", "get").mockReturnValue(platform);
    const { O_CREAT, O_RDWR, O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = promises.constants;
    const opened = vi.spyOn(promises, "open");
    const lock = await lockDirectory(folder);
    const own = O_NOFOLLOW | O_NONBLOCK;
    const file = join(folder, "lock");
    expect(opened).toHaveBeenCalledWith(file, O_RDWR | O_CREAT | own | flags, 0o600);
    await lock.release();
    const reading = await lockToRead(folder);
    expect(opened).toHaveBeenLastCalledWith(file, O_RDONLY | own | shared, undefined);
    await reading.release();
    opened.mockRejectedValue(Object.assign(new Error(taken), { code: taken }));
    await expect(lockDirectory(folder)).rejects.toMatchObject({ code: "SEEN_LOCKED" });
    opened.mockRejectedValue(Object.assign(new Error("denied"), { code: "EACCES" }));
    await expect(lockDirectory(folder)).rejects.toMatchObject({ code: "EACCES" });
  },
);

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
