// At full length everywhere: it starts programs, and lets two processes meet.

import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { delimiter, join } from "node:path";
import { beforeEach, expect, test, vi } from "vitest";
import type { SeenIdentity } from "../../src/seen/contract/identity.ts";
import { SeenSet } from "../../src/seen/index.ts";
import { lmdb } from "../../src/seen/lmdb.ts";
import { writeRun } from "../../src/seen/pending/committed-run.ts";
import { finishRuns, type KeyTaker } from "../../src/seen/pending/finish-runs.ts";
import { PendingKeys } from "../../src/seen/pending/pending-keys.ts";
import { runCli } from "../shared/cli.ts";
import { tempFolder } from "../shared/temp-folder.ts";

const folder = tempFolder();

const set = join(folder, "set");
beforeEach(() => {
  vi.unstubAllEnvs();
  rmSync(set, { recursive: true, force: true });
  mkdirSync(set);
});

const IDENTITY = { profileId: "p", bits: 128 } as SeenIdentity;
const KEYS = Uint8Array.from({ length: 64 }, (_, at) => at * 3);

/** Has the program `flock` wait before it locks, as on a machine with much to do. */
function slowLocks(seconds: number): void {
  const bin = join(folder, "bin");
  mkdirSync(bin, { recursive: true });
  const path = process.env["PATH"];
  const script = `#!/bin/sh\nsleep ${seconds}\nPATH=${path} exec flock "$@"\n`;
  writeFileSync(join(bin, "flock"), script);
  chmodSync(join(bin, "flock"), 0o755);
  vi.stubEnv("PATH", `${bin}${delimiter}${path}`);
}

/** Ends what runs left, and returns the bytes of keys that the set was given. */
async function finish(): Promise<number> {
  let taken = 0;
  const taker: KeyTaker = {
    identity: IDENTITY,
    add: async (keys) => {
      taken += keys.length;
      return new Uint8Array(keys.length / 16);
    },
    close: async () => {},
  };
  await finishRuns(set, async () => taker);
  return taken;
}

const namesIn = (): string[] => readdirSync(set).filter((name) => name.includes(".keys"));

test("the keys of a run that begins are not taken for those of a dead one", async () => {
  slowLocks(0.3);
  const beginning = PendingKeys.begin(set, IDENTITY);
  let isBegun = false;
  const begun = beginning.then(() => {
    isBegun = true;
  });
  while (!isBegun) {
    await finish();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await begun;
  const pending = await beginning;
  await pending.append(KEYS);
  await pending.commit({ call: "c", outputs: [[join(folder, "out")]] });
  await pending.close();
  expect(await finish()).toBe(KEYS.length);
  expect(namesIn()).toEqual([]);
});

test("the keys of a run that leaves its record while another waits for the lock are added", async () => {
  const pending = await PendingKeys.begin(set, IDENTITY);
  await pending.append(KEYS);
  slowLocks(0.5);
  const finishing = finish();
  await new Promise((resolve) => setTimeout(resolve, 100));
  await pending.commit({ call: "c", outputs: [[join(folder, "out")]] });
  await pending.close();
  expect(await finishing).toBe(KEYS.length);
  expect(namesIn()).toEqual([]);
});

test("the keys of a run that died before its record are removed", async () => {
  const pending = await PendingKeys.begin(set, IDENTITY);
  await pending.append(KEYS);
  expect(await finish()).toBe(0);
  expect(namesIn()).toHaveLength(1);
  await pending.close();
  expect(await finish()).toBe(0);
  expect(namesIn()).toEqual([]);
});

test("only its owner may read the keys of a run", async () => {
  const pending = await PendingKeys.begin(set, IDENTITY);
  expect(statSync(join(set, namesIn()[0] as string)).mode & 0o777).toBe(0o600);
  await pending.remove();
});

test("nothing is removed from a folder that is not a set", async () => {
  writeFileSync(join(set, "run-1-deadbeef.keys"), "mine");
  writeFileSync(join(set, "letter.txt"), "mine");
  const { code, stderr } = await runCli(["dedupe", "--seen", set], "http://a/\n");
  expect([code, stderr]).toEqual([1, expect.stringContaining("letter.txt")]);
  expect(readdirSync(set)).toEqual(expect.arrayContaining(["letter.txt", "run-1-deadbeef.keys"]));
});

test("a set keeps a thousand records of runs, also if no run was killed", async () => {
  const keys = { name: "run-1-00000000.keys", bytes: 0, checksum: 0 };
  await writeRun(set, { profileId: "p", bits: 128, call: "c", keys, outputs: [["/old"]] });
  const record = readFileSync(join(set, readdirSync(set)[0] as string));
  for (let at = 0; at < 1003; at++) {
    writeFileSync(join(set, `run-${at.toString(16).padStart(32, "0")}.json`), record);
  }
  const pending = await PendingKeys.begin(set, IDENTITY);
  await pending.commit({ call: "c", outputs: [["/out"]] });
  await pending.remove();
  const records = readdirSync(set).filter((name) => name.endsWith(".json"));
  expect(records.length).toBeLessThanOrEqual(1001);
});

test("a run that asks for other files than the same run before writes them", async () => {
  rmSync(set, { recursive: true });
  const list = join(folder, "list");
  writeFileSync(list, "http://a/\nx y\nhttp://b/\n");
  const out = join(folder, "out");
  const args = ["dedupe", "--seen", set, list, "-o", out];
  await runCli(args);
  const again = await runCli(args);
  expect(again.stderr).toContain("nothing is done");
  const errors = join(folder, "errors");
  const more = await runCli([...args, "--errors", errors]);
  expect(more.stderr).not.toContain("nothing is done");
  expect(existsSync(errors)).toBe(true);
});

test("a run whose URLs a program has deleted from LMDB is done again", async () => {
  rmSync(set, { recursive: true });
  const list = join(folder, "deleted");
  writeFileSync(list, "http://a/\nhttp://b/\n");
  const out = join(folder, "out");
  const args = ["dedupe", "--seen", set, list, "-o", out];
  await runCli([...args, "--store", "lmdb"]);
  const seen = await SeenSet.open(lmdb(set));
  expect(await seen.delete(["http://b/"])).toEqual(Uint8Array.of(1));
  await seen.close();
  await runCli(args);
  expect(readFileSync(out, "utf8")).toBe("http://b/\n");
});

test("a file that says that it has gigabytes is damaged, and is not searched", async () => {
  rmSync(set, { recursive: true });
  await runCli(["dedupe", "--seen", set], "http://a/\n");
  const journal = readdirSync(set).find((name) => name.startsWith("journal-")) as string;
  truncateSync(join(set, journal), 2 ** 40);
  const { code, stderr } = await runCli(["seen", "info", set]);
  expect([code, stderr]).toEqual([1, expect.stringContaining("is damaged at byte")]);
});
