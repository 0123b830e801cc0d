// At full length only: it kills processes.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { STORE_NAMES } from "../../src/seen/folder/store-names.ts";
import { CLI_PATH, runProcess } from "../shared/cli.ts";
import { atLength } from "../shared/length.ts";
import { Random } from "../shared/random.ts";
import { tempFolder } from "../shared/temp-folder.ts";

const folder = tempFolder();
const path = (name: string): string => join(folder, name);

const COUNT = 60_000;
const lines = (from: number, to: number): string =>
  Array.from({ length: to - from }, (_, at) => `http://h${from + at}/\n`).join("");
writeFileSync(path("first"), lines(0, COUNT));
writeFileSync(path("second"), lines(COUNT / 2, 2 * COUNT));
const KILLS = atLength(2, 4, 8);

function begin(args: readonly string[]): ChildProcess {
  return spawn(process.execPath, [CLI_PATH, ...args], { stdio: "ignore" });
}

test.each(STORE_NAMES.flatMap((store) => [1, 2].map((threads) => [store, threads] as const)))(
  "a run that is killed leaves its file whole, and the same run again writes all: %s, %d threads",
  async (store, threads) => {
    const random = new Random(7);
    for (let kill = 0; kill < KILLS; kill++) {
      rmSync(path("set"), { recursive: true, force: true });
      writeFileSync(path("out"), "what was there\n");
      const seen = ["dedupe", "--seen", path("set"), "--store", store, "-j", String(threads)];
      const first = [...seen, path("first"), "-o", path("out")];
      const child = begin(first);
      const ended = once(child, "close");
      await new Promise((resume) => setTimeout(resume, 40 + random.below(400)));
      child.kill("SIGKILL");
      await ended;
      expect(["what was there\n", lines(0, COUNT)]).toContain(readFileSync(path("out"), "latin1"));
      expect((await runProcess(first)).code).toBe(0);
      expect(readFileSync(path("out"), "latin1")).toBe(lines(0, COUNT));
      expect((await runProcess([...seen, path("second")])).stdout).toBe(lines(COUNT, 2 * COUNT));
    }
  },
  600_000,
);
