import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { HEAP_SPACE, KERNEL_SPACE, threadsThatFit } from "../../src/threads/threads-that-fit.ts";
import { runShell } from "../shared/cli.ts";
import { atLength, sampleOf } from "../shared/length.ts";
import { systemFolder } from "../shared/system-folder.ts";
import { tempFolder } from "../shared/temp-folder.ts";

const folder = tempFolder();

const GB = 2 ** 30;

/** The folder of a system that limits the address space of a process that has taken 1 GB of it. */
function limited(limit: string): string {
  const limits = `Max cpu time              unlimited            unlimited            seconds\nMax address space         ${limit}            unlimited            bytes\n`;
  const status = "Name:\tnode\nVmSize:\t 1048576 kB\n";
  return systemFolder({ "proc/self/limits": limits, "proc/self/status": status });
}

test.each([
  ["unlimited", 2, 2],
  [String(40 * GB), 2, 2],
  [String(40 * GB), 3, 3],
  [String(40 * GB), 4, 3],
  [String(24 * GB), 2, 2],
  [String(24 * GB - 1), 2, 1],
  [String(13 * GB), 2, 1],
  [String(12 * GB), 2, 0],
  [String(12 * GB), 1, 0],
])(
  "with an address space of %s bytes, %i threads with kernels become %i",
  (limit, wanted, fitting) => {
    expect(threadsThatFit(wanted, KERNEL_SPACE, limited(limit))).toBe(fitting);
  },
);

test("threads without kernels need a tenth of the address space", () => {
  expect(threadsThatFit(4, HEAP_SPACE, limited(String(4 * GB)))).toBe(2);
  expect(threadsThatFit(4, HEAP_SPACE, limited(String(2 * GB)))).toBe(0);
});

test("where the system does not say what the limit is, all threads start", () => {
  expect(threadsThatFit(4, KERNEL_SPACE, systemFolder({}))).toBe(4);
});

describe.skipIf(process.platform !== "linux")("where address space is limited", () => {
  test.each(
    sampleOf(
      [
        ["1500000", "-o out"],
        ["12000000", "-o out"],
        ["12000000", "--map map -o out"],
        ["23000000", "-o out"],
      ],
      4,
    ),
  )("two threads become one, and the run ends well: %s KB, %s", (limit, flags) => {
    const lines = Array.from(
      { length: atLength(5_000, 30_000) },
      (_, at) => `http://example.com/a/path/${at}\n`,
    );
    writeFileSync(join(folder, "list"), lines.join(""));
    const script = `ulimit -v ${limit}; urlmill dedupe --threads 2 ${flags} list`;
    const { code, stderr } = runShell(script, folder);
    expect([code, stderr]).toEqual([
      0,
      "urlmill: 1 thread in place of 2: the limit on address space (ulimit -v) has no room for more\n",
    ]);
    expect(readFileSync(join(folder, "out"), "utf8")).toBe(lines.join(""));
  });
});
