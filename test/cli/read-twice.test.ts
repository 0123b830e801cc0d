import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import {
  appendFileSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { InputStates } from "../../src/io/files/input-states.ts";
import { checkRoom, freeBytes } from "../../src/io/files/temporary-file.ts";
import { CLI_PATH, runCli } from "../shared/cli.ts";
import { sampleOf } from "../shared/length.ts";
import { untilDeletedFileIsOpen } from "../shared/open-deleted.ts";
import { tempFolder } from "../shared/temp-folder.ts";

let folder = "";
let list = "";
let out = "";
beforeEach(() => {
  folder = tempFolder();
  list = join(folder, "list");
  out = join(folder, "out");
  writeFileSync(list, "http://a/\nhttp://b/\n");
  writeFileSync(out, "as it was");
  // A change within the same tick of the clock would leave the time as it is.
  utimesSync(list, 1, 1);
});

const children: ChildProcessWithoutNullStreams[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
});

/** Runs `dedupe` on the list and a pipe, and calls `change` when the list was looked at, before any reading. */
async function runChanged(
  flags: readonly string[],
  change: () => void,
): Promise<{ code: number | null; stderr: string }> {
  const args = ["dedupe", ...flags, "-o", out, list, "-"];
  const child = spawn(process.execPath, [CLI_PATH, ...args], { stdio: "pipe" });
  children.push(child);
  const stderr: Buffer[] = [];
  child.stderr.on("data", (bytes: Buffer) => stderr.push(bytes));
  child.stdin.write("http://c/\n");
  await untilDeletedFileIsOpen(child.pid);
  change();
  child.stdin.end();
  const [code] = (await once(child, "close")) as [number | null];
  return { code, stderr: Buffer.concat(stderr).toString() };
}

// Where the system does not list open files, the moment of the change is not known.
describe.runIf(process.platform === "linux")("an input that is read twice", () => {
  const changes: readonly (readonly [string, () => void])[] = [
    ["was changed", () => writeFileSync(list, "http://x/\nhttp://y/\n")],
    ["became shorter", () => truncateSync(list, 10)],
    [
      "was replaced",
      () => {
        writeFileSync(`${list}.new`, "http://a/\nhttp://b/\n");
        renameSync(`${list}.new`, list);
      },
    ],
    ["went away", () => rmSync(list)],
  ];
  // Short runs try the others with the class alone, in a test below.
  test.each(sampleOf(changes.slice(0, 3), 3))(
    "ends the run if it %s, and nothing is written",
    async (how, change) => {
      const { code, stderr } = await runChanged(["--keep", "last"], change);
      expect([code, stderr]).toEqual([
        1,
        `urlmill: ${list} ${how} between its two readings (INPUT_CHANGED): nothing is written; run again once it no longer changes\n`,
      ]);
      expect(readFileSync(out, "utf8")).toBe("as it was");
    },
  );

  test("is read to its first length if it grew, as long as it was or compressed", async () => {
    const grow = (bytes: string | Uint8Array): void => appendFileSync(list, bytes);
    expect((await runChanged(["--keep", "last"], () => grow("http://d/\n"))).code).toBe(0);
    expect(readFileSync(out, "utf8")).toBe("http://a/\nhttp://b/\nhttp://c/\n");
    writeFileSync(list, gzipSync("http://a/\n"));
    const more = gzipSync("http://d/\n");
    expect((await runChanged(["--keep", "last"], () => grow(more))).code).toBe(0);
    expect(readFileSync(out, "utf8")).toBe("http://a/\nhttp://c/\n");
  });

  test.each(changes)("is told from what it was: it %s", (how, change) => {
    const states = new InputStates([list, "-", join(folder, "missing")]);
    expect(() => states.check("")).not.toThrow();
    change();
    expect(() => states.check("")).toThrow(`${list} ${how} between its two readings`);
  });
});

describe("room on the disk", () => {
  test("is what the system says, and unknown for folders without a disk", () => {
    expect(freeBytes(folder)).toBeGreaterThan(0);
    expect(freeBytes(join(folder, "missing"))).toBe(Number.POSITIVE_INFINITY);
  });

  test("is refused with what is needed, where, and the flag", () => {
    expect(() => checkRoom(folder, 10, "the keys need", 10)).not.toThrow();
    expect(() => checkRoom("/some", 3e9, "the keys need about", 2e6)).toThrow(
      "the keys need about 3.0 GB in the temporary folder /some, which has 2.0 MB free: make room there, or name another folder with --tmp DIR",
    );
  });

  test("is checked before a run whose keys need a temporary file", async () => {
    writeFileSync(list, "\n".repeat(1 << 15));
    truncateSync(list, 2 ** 43); // the rest takes no room on the disk
    const { code, stderr } = await runCli(["dedupe", "--memory", "1M", "-o", out, list]);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^urlmill: the keys of the input need about \d+\.\d GB in the temporary folder .*, which has .* free: make room there, or name another folder with --tmp DIR\n$/,
    );
    expect(readFileSync(out, "utf8")).toBe("as it was");
  });
});
