import { totalmem } from "node:os";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { processMemory } from "../../src/threads/process-memory.ts";
import { systemFolder } from "../shared/system-folder.ts";

const MB = 2 ** 20;
const STATUS = { "proc/self/status": "VmSize:\t 1048576 kB\nRssAnon:\t   10240 kB\n" };
const { constrainedMemory } = process;
beforeEach(() => {
  process.constrainedMemory = () => 0;
});
afterEach(() => {
  process.constrainedMemory = constrainedMemory;
});

/** What a system with these files allows, in MB. */
function allowed(files: Readonly<Record<string, string>>) {
  const { limit, free } = processMemory(systemFolder({ ...STATUS, ...files }));
  return { limit: limit / MB, free: free / MB };
}

/** The files of a group of version 1. */
function first(folder: string, limit: number, used = 0, stat = "") {
  return {
    [`${folder}/memory.limit_in_bytes`]: `${limit * MB}\n`,
    [`${folder}/memory.usage_in_bytes`]: `${used * MB}\n`,
    [`${folder}/memory.stat`]: stat,
  };
}

/** The files of a group of version 2. */
function second(folder: string, limit: number | "max", used = 0, stat = "") {
  return {
    [`${folder}/memory.max`]: `${limit === "max" ? limit : limit * MB}\n`,
    [`${folder}/memory.current`]: `${used * MB}\n`,
    [`${folder}/memory.stat`]: stat,
  };
}

const V1 = {
  "proc/self/cgroup": "5:cpu,cpuacct:/\n4:memory:/pod/a:b\n0::/\n",
  "proc/self/mountinfo":
    "31 23 0:28 / /sys/fs/cgroup rw - tmpfs tmpfs rw\n32 31 0:29 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu,cpuacct\n35 31 0:32 / /sys/fs/cgroup/memory rw,relatime shared:9 - cgroup cgroup rw,memory\n",
};
const V2 = {
  "proc/self/cgroup": "0::/user.slice/shell\n",
  "proc/self/mountinfo":
    "41 31 0:38 / /sys/fs/cgroup rw,relatime - cgroup2 cgroup2 rw,nsdelegate\n",
};

test("without a limit, it is the memory of the machine", () => {
  const whole = totalmem() / MB;
  expect(allowed({})).toEqual({ limit: whole, free: whole - 10 });
  expect(allowed({ ...V1, ...first("sys/fs/cgroup/memory", 2 ** 43) })).toEqual({
    limit: whole,
    free: whole - 10,
  });
});

test("where there are no groups, it is what Node says", () => {
  process.constrainedMemory = () => 300 * MB;
  expect(allowed({})).toEqual({ limit: 300, free: 290 });
});

test("the limit on address space is one too", () => {
  const limits = `Max address space         ${900 * MB}            unlimited            bytes\n`;
  expect(allowed({ "proc/self/limits": limits })).toEqual({ limit: 900, free: 890 });
});

describe("control groups of version 1", () => {
  test("limit a process by its own group", () => {
    const files = first("sys/fs/cgroup/memory/pod/a:b", 160, 40);
    expect(allowed({ ...V1, ...files })).toEqual({ limit: 160, free: 120 });
  });

  test("limit a process by a group above it", () => {
    const own = first("sys/fs/cgroup/memory/pod/a:b", 2 ** 43, 40);
    const above = first("sys/fs/cgroup/memory/pod", 200, 150);
    expect(allowed({ ...V1, ...own, ...above })).toEqual({ limit: 200, free: 50 });
  });

  test("limit a process by a group above the one that its container sees", () => {
    const stat = `hierarchical_memory_limit ${128 * MB}\n`;
    const files = {
      ...V1,
      "proc/self/mountinfo":
        "35 31 0:32 /pod/a:b /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n",
      ...first("sys/fs/cgroup/memory", 2 ** 43, 28, stat),
    };
    expect(allowed(files)).toEqual({ limit: 128, free: 100 });
  });

  test("pages of files are free, but not those that a process has mapped", () => {
    const stat = `cache 1\nactive_file 7\ntotal_mapped_file ${5 * MB}\ntotal_inactive_file ${60 * MB}\ntotal_active_file ${20 * MB}\n`;
    const files = first("sys/fs/cgroup/memory/pod/a:b", 160, 100, stat);
    expect(allowed({ ...V1, ...files })).toEqual({ limit: 160, free: 135 });
  });

  test("a group without room leaves none", () => {
    const files = first("sys/fs/cgroup/memory/pod/a:b", 160, 170);
    expect(allowed({ ...V1, ...files })).toEqual({ limit: 160, free: 0 });
  });
});

describe("control groups of version 2", () => {
  test.each([
    ["the group itself", 160, "max", { limit: 160, free: 100 }],
    ["a group above it", "max", 200, { limit: 200, free: 140 }],
    ["both", 160, 150, { limit: 150, free: 90 }],
  ] as const)("%s", (_, own, above, expected) => {
    const files = {
      ...second("sys/fs/cgroup/user.slice/shell", own, 60),
      ...second("sys/fs/cgroup/user.slice", above, 60),
    };
    expect(allowed({ ...V2, ...files })).toEqual(expected);
  });

  test("pages of files are free, but not those that a process has mapped", () => {
    const stat = `file_mapped ${5 * MB}\ninactive_file ${60 * MB}\nactive_file ${20 * MB}\n`;
    const files = second("sys/fs/cgroup/user.slice/shell", 160, 100, stat);
    expect(allowed({ ...V2, ...files })).toEqual({ limit: 160, free: 135 });
  });

  test("a group that is not below the one that is mounted has that one's limit", () => {
    const files = {
      ...V2,
      "proc/self/cgroup": "0::/../other\n",
      ...second("sys/fs/cgroup", 160, 60),
      ...second("sys/fs/other", 1, 1),
    };
    expect(allowed(files)).toEqual({ limit: 160, free: 100 });
  });

  test("may have a space in the name of a folder", () => {
    const files = {
      ...V2,
      "proc/self/mountinfo": "41 31 0:38 / /sys/my\\040groups rw - cgroup2 cgroup2 rw\n",
      ...second("sys/my groups/user.slice/shell", 160, 60),
    };
    expect(allowed(files)).toEqual({ limit: 160, free: 100 });
  });
});
