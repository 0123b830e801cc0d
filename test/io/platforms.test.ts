import { writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join, posix, win32 } from "node:path";
import { describe, expect, test } from "vitest";
import { checkByteOrder } from "../../src/compile/byte-order.ts";
import { describeSystemError, isNullDevice } from "../../src/io/io-error.ts";
import { expanded } from "../../src/runs/base/files.ts";
import { processCores, quotaOf } from "../../src/threads/process-cores.ts";
import { endsWithPath } from "../../tools/ends-with-path.mjs";
import { runCli } from "../shared/cli.ts";
import { systemFolder } from "../shared/system-folder.ts";
import { tempFolder } from "../shared/temp-folder.ts";

const folder = tempFolder();

test.each([win32, posix])("a build finds a module by its path with / or backslashes", (path) => {
  const id = path.join("D:", "urlmill", "src", "platform", "current.ts");
  expect(endsWithPath(id, "/platform/current.ts")).toBe(true);
  expect(endsWithPath(id, "/current.tsx")).toBe(false);
});

describe("names with * and ?", () => {
  for (const name of ["a1.txt", "A2.TXT", "b(1).txt", "b.csv", ".hidden.txt"]) {
    writeFileSync(join(folder, name), "");
  }

  test.each([
    ["*.txt", ["A2.TXT", "a1.txt", "b(1).txt"]],
    ["a?.txt", ["A2.TXT", "a1.txt"]],
    ["b(?).txt", ["b(1).txt"]],
    ["*.none", ["*.none"]],
    ["b.csv", ["b.csv"]],
  ])("are expanded where no shell does it: %s", async (pattern, names) => {
    const files = await expanded(`${folder}/${pattern}`, "win32");
    expect(files).toEqual(names.map((name) => `${folder}/${name}`));
  });

  test("stay as they are elsewhere", async () => {
    expect(await expanded(`${folder}/*.txt`, "linux")).toEqual([`${folder}/*.txt`]);
  });
});

test.each(["NUL", "nul", "/dev/null"])("%s keeps nothing on Windows", (name) => {
  expect(isNullDevice(name, "win32")).toBe(true);
  expect(isNullDevice(name, "linux")).toBe(false);
  expect(isNullDevice(`${name}.txt`, "win32")).toBe(false);
});

test("a result with the longest name that a file may have is written", async () => {
  const list = join(folder, "list");
  writeFileSync(list, "http://a/?s=1\n");
  for (const name of ["n".repeat(255), "n".repeat(252).concat(".gz"), "\u00e9".repeat(127)]) {
    const { code, stderr } = await runCli(["learn", list, "-o", join(folder, name)]);
    expect([code, stderr]).toEqual([0, expect.not.stringContaining("too long")]);
  }
  const { code, stderr } = await runCli(["learn", list, "-o", join(folder, "n".repeat(256))]);
  expect([code, stderr]).toEqual([1, expect.stringMatching(/: its name is too long\n$/)]);
});

test.each(["EPERM", "EBUSY", "EROFS", "EMFILE", "ENFILE", "ENAMETOOLONG"])(
  "%s is a sentence",
  (code) => {
    const error = Object.assign(new Error(`${code}: raw, open 'x'`), { code });
    expect(describeSystemError(error)).toMatch(
      /^(?:its|the system|this process|another) [a-z -]+$/,
    );
  },
);

test("a processor that stores the highest byte first is refused", () => {
  expect(() => checkByteOrder()).not.toThrow();
  expect(() => checkByteOrder(Uint32Array.of(0x01000000))).toThrow(
    expect.objectContaining({ code: "ENGINE_UNAVAILABLE" }),
  );
});

describe("threads", () => {
  test.each([
    ["max 100000", Number.POSITIVE_INFINITY],
    ["150000 100000", 1.5],
    ["50000 100000", 0.5],
    ["-1 100000", Number.POSITIVE_INFINITY],
    ["", Number.POSITIVE_INFINITY],
  ])("a quota of %j allows %d CPUs", (text, cpus) => {
    expect(quotaOf(text)).toBe(cpus);
  });

  const MOUNT = "41 31 0:38 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n";
  const V1_MOUNT = "32 31 0:29 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu,cpuacct\n";

  test.each([
    ["none", {}, availableParallelism()],
    ["a quota of half a CPU", { "sys/fs/cgroup/a/b/cpu.max": "50000 100000\n" }, 1],
    ["a quota of a group above", { "sys/fs/cgroup/a/cpu.max": "100000 100000\n" }, 1],
    [
      "one above what there is",
      { "sys/fs/cgroup/a/cpu.max": "9900000 100000\n" },
      availableParallelism(),
    ],
    ["max", { "sys/fs/cgroup/a/b/cpu.max": "max 100000\n" }, availableParallelism()],
  ])("are as many as a control group allows: %s", (_, files, cores) => {
    const root = systemFolder({
      "proc/self/cgroup": "0::/a/b\n",
      "proc/self/mountinfo": MOUNT,
      ...(files as Record<string, string>),
    });
    expect(processCores(root)).toBe(cores);
  });

  test("are as many as a control group of version 1 allows", () => {
    const root = systemFolder({
      "proc/self/cgroup": "5:cpu,cpuacct:/pod\n0::/\n",
      "proc/self/mountinfo": V1_MOUNT,
      "sys/fs/cgroup/cpu/pod/cpu.cfs_quota_us": "100000\n",
      "sys/fs/cgroup/cpu/pod/cpu.cfs_period_us": "100000\n",
    });
    expect(processCores(root)).toBe(1);
  });
});
