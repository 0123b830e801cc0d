// At full length only: it kills processes.

import { type ChildProcess, spawn } from "node:child_process";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import {
  lstatSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { writeWhole } from "../../src/io/files/whole-file.ts";
import { writeText } from "../../src/io/files/write-text.ts";
import { CLI_PATH, runProcess } from "../shared/cli.ts";
import { sampleOf } from "../shared/length.ts";
import { tempFolder } from "../shared/temp-folder.ts";

let folder = "";
const children: ChildProcess[] = [];

beforeEach(() => {
  folder = tempFolder();
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
});

/** Starts a command whose input never ends, and returns it when it reads. */
async function start(args: readonly string[]): Promise<ChildProcess> {
  const child = spawn(process.execPath, [CLI_PATH, ...args], { stdio: "pipe" });
  children.push(child);
  child.stdin?.on("error", () => {});
  const block = Buffer.from("http://192.0.2.7/\n".repeat(50_000));
  // More than a pipe holds: when the second is taken, the command is reading.
  for (let blocks = 0; blocks < 2; blocks++) {
    await new Promise((resolve) => child.stdin?.write(block, resolve));
  }
  return child;
}

async function interrupt(child: ChildProcess, signal: NodeJS.Signals): Promise<unknown[]> {
  let complaint = "";
  child.stderr?.on("data", (text) => {
    complaint += text;
  });
  child.kill(signal);
  const [code, killedBy] = await once(child, "close");
  return [code, killedBy, complaint];
}

const SAID =
  "urlmill: interrupted; the output is not written, and a file that was there before is as it was\n";

const SIGNALS: readonly (readonly [NodeJS.Signals, number])[] = [
  ["SIGINT", 130],
  ["SIGTERM", 143],
  ["SIGHUP", 129],
];

describe.runIf(process.platform !== "win32")("an interrupt", () => {
  test.each(sampleOf(SIGNALS, 3))(
    "of learn by %s ends with %i and leaves an old file as it was",
    async (signal, code) => {
      const out = join(folder, "rules.tsv");
      writeFileSync(out, "old");
      const child = await start(["learn", "-o", out]);
      expect(await interrupt(child, signal)).toEqual([code, null, SAID]);
      expect(readFileSync(out, "utf8")).toBe("old");
      expect(readdirSync(folder)).toEqual(["rules.tsv"]);
    },
  );

  test.each(sampleOf(SIGNALS.toReversed(), 2))(
    "of hosts by %s ends with %i",
    async (signal, code) => {
      const child = await start(["hosts", "--server", "127.0.0.1:9", "--timeout", "60000"]);
      expect(await interrupt(child, signal)).toEqual([code, null, SAID]);
    },
  );

  test("of learn between two sites is not lost", async () => {
    const [list, out, preload] = ["list.jsonl", "rules.tsv", "preload.cjs"].map((name) =>
      join(folder, name),
    ) as [string, string, string];
    const sites = Array.from({ length: 4 }, (_, at) => `{"url":"http://s${at}.org/"}\n`);
    writeFileSync(list, sites.join(""));
    // Nothing can be handled between the call that listens again after a site and what follows it.
    writeFileSync(
      preload,
      `const { on } = process;
      let times = 0;
      process.on = function (name, ...rest) {
        on.call(this, name, ...rest);
        if (name === "SIGTERM" && ++times === 2) process.kill(process.pid, "SIGTERM");
        return this;
      };`,
    );
    const { code, stderr } = await runProcess(["learn", list, "--threads", "1", "-o", out], "", {
      NODE_OPTIONS: `--require ${preload}`,
    });
    expect({ code, stderr }).toEqual({ code: 143, stderr: SAID });
    expect(readdirSync(folder)).not.toContain("rules.tsv");
  });

  test("of hosts that waits for an answer ends it, too", async () => {
    const silent = createSocket("udp4");
    silent.bind(0, "127.0.0.1");
    await once(silent, "listening");
    const server = `127.0.0.1:${silent.address().port}`;
    const child = await start(["hosts", "--server", server, "--timeout", "60000"]);
    child.stdin?.end();
    await once(silent, "message");
    expect(await interrupt(child, "SIGINT")).toEqual([130, null, SAID]);
    silent.close();
  });
});

describe("a file of learn's", () => {
  test("has its name when it is whole, and the mode of the file before it", async () => {
    const out = join(folder, "rules.tsv");
    writeFileSync(out, "old", { mode: 0o640 });
    const mode = statSync(out).mode;
    function* texts(): Generator<string> {
      yield "a".repeat(1 << 19);
      expect(readFileSync(out, "utf8")).toBe("old");
      yield "b";
    }
    await writeWhole(out, texts());
    expect(readFileSync(out, "utf8")).toBe(`${"a".repeat(1 << 19)}b`);
    expect([statSync(out).mode, readdirSync(folder)]).toEqual([mode, ["rules.tsv"]]);
  });

  test("stays as it was where its text cannot be made", async () => {
    const out = join(folder, "rules.tsv");
    writeFileSync(out, "old");
    function* texts(): Generator<string> {
      yield "a".repeat(1 << 19);
      throw new Error("no more");
    }
    await expect(writeWhole(out, texts())).rejects.toThrow("no more");
    expect([readFileSync(out, "utf8"), readdirSync(folder)]).toEqual(["old", ["rules.tsv"]]);
  });

  test.skipIf(process.platform !== "linux")("is closed where its text cannot be made", async () => {
    const open = () =>
      readdirSync("/proc/self/fd")
        .map((fd) => `/proc/self/fd/${fd}`)
        // The one that lists them is closed by now.
        .filter((link) => lstatSync(link, { throwIfNoEntry: false }) !== undefined)
        .filter((link) => readlinkSync(link).startsWith(folder));
    function* texts(): Generator<string> {
      yield "a".repeat(1 << 19);
      throw new Error("no more");
    }
    for (const write of [writeWhole, writeText]) {
      await expect(write(join(folder, "rules.tsv"), texts())).rejects.toThrow("no more");
      expect(open()).toEqual([]);
    }
  });

  test("in a folder that is not there is an error with the name that was given", async () => {
    const out = join(folder, "none", "rules.tsv");
    await expect(writeWhole(out, ["a"])).rejects.toThrow(`cannot write ${out}: `);
  });
});
