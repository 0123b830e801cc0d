// At full length only: it kills processes.

import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  chownSync,
  mkdirSync,
  promises,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { removeLeft, temporaryNames } from "../../src/io/files/left-files.ts";
import { CLI_PATH, type CliResult, runProcess } from "../shared/cli.ts";
import { atLength } from "../shared/length.ts";
import { writeColumns } from "../shared/parquet.ts";
import { tempFolder } from "../shared/temp-folder.ts";

let folder = "";
const path = (name: string): string => join(folder, name);
/** The files that are there besides those that the tests read. */
const names = (): string[] =>
  readdirSync(folder)
    .filter((name) => !/^(?:pages\.jsonl|a\.cdxj|a\.parquet)$/.test(name))
    .toSorted();

beforeEach(() => {
  folder = tempFolder();
  writeFileSync(path("pages.jsonl"), '{"url":"http://a/?s=1","fp":"x"}\n');
  writeFileSync(path("a.cdxj"), "a)/ 20200101000000 {}\n");
});
const children: ChildProcess[] = [];
afterEach(async () => {
  vi.restoreAllMocks();
  for (const child of children.splice(0)) {
    child.kill("SIGKILL");
    if (child.exitCode === null && child.signalCode === null) await once(child, "close");
  }
});

const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  runProcess(args, "", env);

const MERGE = (target: string): string[] => [
  "cdx",
  "merge",
  "-q",
  path("a.cdxj"),
  "-o",
  path(target),
];

/** Makes a process kill itself when it begins to write a file. */
const KILLED = {
  NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(`
    import fs from "node:fs";
    import { syncBuiltinESMExports } from "node:module";
    fs.write = () => process.kill(process.pid, "SIGKILL");
    syncBuiltinESMExports();`)}`,
};

/** A run that has begun to write a target, and waits for more to read. */
async function begun(target: string, ...within: string[]): Promise<ChildProcess> {
  const [program = "", ...rest] = [...within, process.execPath];
  const child = spawn(program, [...rest, CLI_PATH, "cdx", "merge", "-q", "-", "-o", path(target)], {
    stdio: ["pipe", "ignore", "ignore"],
  });
  children.push(child);
  child.stdin?.write("a)/ 20200101000000 {}\n");
  // In a namespace of its own it has another number.
  const pid = within.length === 0 ? child.pid : "\\d+";
  const own = new RegExp(`^\\.urlmill-locked-${pid}-[0-9a-f]{8}-${target}$`);
  while (!names().some((name) => own.test(name))) await setTimeout(10);
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  child.kill("SIGKILL");
  await once(child, "close");
}

const locked = (target: string): RegExp =>
  new RegExp(`^\\.urlmill-locked-\\d+-[0-9a-f]{8}-${target}$`);

describe("a temporary file of a killed run", () => {
  const outputs: [string, (target: string) => string[]][] = [
    ["cdx", MERGE],
    ["learn", (target) => ["learn", path("pages.jsonl"), "-o", path(target)]],
    ["Parquet", (target) => ["dedupe", path("a.parquet"), "-o", path(target)]],
  ];
  test.each(outputs)("is removed by the next run to the same target: %s", async (_, args) => {
    writeColumns(path("a.parquet"), [{ name: "url", data: ["http://a/"] }]);
    writeFileSync(path("out"), "old");
    expect((await run(args("out"), KILLED)).code).not.toBe(0);
    expect(names()).toEqual([expect.stringMatching(locked("out")), "out"]);
    expect(readFileSync(path("out"), "utf8")).toBe("old");
    expect((await run(args("b-out"))).code).toBe(0);
    expect(names()).toEqual([expect.stringMatching(locked("out")), "b-out", "out"]);
    expect((await run(args("out"))).code).toBe(0);
    expect(names()).toEqual(["b-out", "out"]);
    expect(readFileSync(path("out"))).toEqual(readFileSync(path("b-out")));
  });

  test("that was writing for long is removed, too, and others of the target with it", async () => {
    const runs = await Promise.all([begun("out"), begun("out")]);
    await Promise.all(runs.map(kill));
    expect(names()).toHaveLength(2);
    expect((await run(MERGE("out"))).code).toBe(0);
    expect(names()).toEqual(["out"]);
  });

  test("stays while its writer lives, which then ends as always", async () => {
    const child = await begun("out");
    expect((await run(MERGE("out"))).code).toBe(0);
    expect(names()).toEqual([expect.stringMatching(locked("out")), "out"]);
    child.stdin?.end("b)/ 20200101000000 {}\n");
    expect(await once(child, "close")).toEqual([0, null]);
    expect(names()).toEqual(["out"]);
    expect(readFileSync(path("out"), "utf8")).toMatch(/^b\)\//m);
  });

  const hasNamespaces = spawnSync("unshare", ["--pid", "--fork", "true"]).status === 0;
  test.skipIf(!hasNamespaces)(
    "is told from that of a container, where pids are others",
    async () => {
      const unshare = ["unshare", "--pid", "--fork", "--kill-child"];
      const child = await begun("out", ...unshare);
      expect((await run(MERGE("out"))).code).toBe(0);
      expect(names()).toEqual([expect.stringMatching(locked("out")), "out"]);
      await kill(child);
      await vi.waitFor(async () => {
        expect((await run(MERGE("out"))).code).toBe(0);
        expect(names()).toEqual(["out"]);
      }, 20_000);
    },
  );

  test("of a long name is told from others that end the same", async () => {
    const [one, other] = ["a", "b"].map((first) => `${first}${"\u00fc".repeat(120)}.cdxj`) as [
      string,
      string,
    ];
    expect((await run(MERGE(one), KILLED)).code).not.toBe(0);
    expect((await run(MERGE(other))).code).toBe(0);
    expect(names()).toEqual([expect.stringMatching(/^\.urlmill-locked-/), other]);
    expect((await run(MERGE(one))).code).toBe(0);
    expect(names()).toEqual([one, other]);
  });

  const onLinux = test.skipIf(process.platform !== "linux");
  // What a run without the program flock has, and what flock says of a file system that has no locks.
  const withoutLock = (kind: string): Record<string, string> => {
    mkdirSync(path("bin"));
    if (kind === "a lock") {
      writeFileSync(path("bin/flock"), "#!/bin/sh\necho no locks here >&2\nexit 71\n", {
        mode: 0o700,
      });
    }
    return { PATH: path("bin") };
  };

  onLinux.each(["flock", "a lock"])(
    "stays where %s is missing, and nothing fails",
    async (kind) => {
      await kill(await begun("out"));
      const env = withoutLock(kind);
      expect(await run(MERGE("out"), env)).toMatchObject({ code: 0, stderr: "" });
      expect(names()).toEqual([expect.stringMatching(locked("out")), "bin", "out"]);
    },
  );

  onLinux.each(["flock", "a lock"])("that was written without %s stays", async (kind) => {
    const env = withoutLock(kind);
    expect((await run(MERGE("out"), { ...env, ...KILLED })).code).not.toBe(0);
    const left = expect.stringMatching(/^\.urlmill-\d+-[0-9a-f]{8}-out$/);
    expect(names()).toEqual([left, "bin"]);
    expect((await run(MERGE("out"))).code).toBe(0);
    expect(names()).toEqual([left, "bin", "out"]);
  });
});

test("other things whose names are similar stay", async () => {
  const kept = [
    ".urlmill-7-out",
    ".urlmill-7-0123abcd-out",
    ".urlmill-locked-7-0123abcd-b-out",
    ".urlmill-locked-7-0123abcd-out.gz",
    ".urlmill-locked-7-out",
  ];
  for (const name of kept) writeFileSync(path(name), "x");
  mkdirSync(path(".urlmill-locked-8-0123abcd-out"));
  writeFileSync(path(".urlmill-locked-9-0123abcd-out"), "x");
  if (process.platform !== "win32") {
    symlinkSync(path("a.cdxj"), path(".urlmill-locked-6-0123abcd-out"));
    kept.push(".urlmill-locked-6-0123abcd-out");
  }
  await removeLeft(path("out"));
  expect(names()).toEqual([...kept, ".urlmill-locked-8-0123abcd-out"].toSorted());
});

// The calls of these systems, seen from another one: flags of open(), and the error that means "taken".
test.each([
  ["darwin", 0x24, "EAGAIN"],
  ["win32", 0x10000000, "EBUSY"],
] as const)("on %s a file that is open elsewhere stays", async (platform, flags, taken) => {
  const { locked: name } = temporaryNames(path("out"));
  writeFileSync(name, "x");
  vi.spyOn(process, "platform", "get").mockReturnValue(platform);
  const opened = vi.spyOn(promises, "open");
  opened.mockRejectedValueOnce(Object.assign(new Error(taken), { code: taken }));
  await removeLeft(path("out"));
  expect(names()).toHaveLength(1);
  await removeLeft(path("out"));
  expect(opened).toHaveBeenCalledWith(name, promises.constants.O_RDWR | flags, undefined);
  expect(names()).toEqual([]);
});

describe.skipIf(process.platform === "win32")("runs that write one target at once", () => {
  test("lose nothing but what is killed", async () => {
    const rounds = atLength(1, 8, 25);
    for (let round = 0; round < rounds; round++) {
      const runs = Array.from({ length: 6 }, async (_, at): Promise<CliResult | null> => {
        if (at % 2 === 0) return run(MERGE("out"));
        const child = spawn(process.execPath, [CLI_PATH, ...MERGE("out")], { stdio: "ignore" });
        children.push(child);
        await setTimeout(100 + Math.random() * 400);
        if (child.exitCode === null) await kill(child);
        return null;
      });
      for (const result of await Promise.all(runs)) {
        if (result !== null) expect(result).toMatchObject({ code: 0, stderr: "" });
      }
      expect(readFileSync(path("out"))).toEqual(readFileSync(path("a.cdxj")));
    }
    expect((await run(MERGE("out"))).code).toBe(0);
    expect(names().filter((name) => name.includes("locked"))).toEqual([]);
  });
});

test("a file that is replaced keeps its group and its permissions", async () => {
  writeFileSync(path("list"), "http://a/\n");
  writeFileSync(path("out"), "old");
  if (process.geteuid?.() === 0) chownSync(path("out"), 0, 1234);
  chmodSync(path("out"), 0o640);
  const { gid, mode } = statSync(path("out"));
  await run(["normalize", path("list"), "-o", path("out")]);
  expect(readFileSync(path("out"), "latin1")).toBe("http://a/\n");
  expect(statSync(path("out"))).toMatchObject({ gid, mode });
});
