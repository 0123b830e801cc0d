import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import type { Readable, Writable } from "node:stream";
import { describe, expect, test } from "vitest";
import { CLI_PATH } from "../shared/cli.ts";
import { readCorpus } from "../shared/fixtures.ts";
import { atLength, IS_LONG } from "../shared/length.ts";

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

function start(command: string): Child {
  return spawn(process.execPath, [CLI_PATH, command], { stdio: "pipe" });
}

describe.each(["normalize", "dedupe"])("urlmill %s as a filter", (command) => {
  // Both commands stream in one way. Short runs try each behaviour with one of them.
  test.runIf(IS_LONG || command === "dedupe")(
    "ends quietly when its reader goes away",
    async () => {
      const child = start(command);
      child.stdin.on("error", () => {});
      let complaint = "";
      child.stderr.on("data", (chunk) => {
        complaint += chunk;
      });
      child.stdout.once("data", () => child.stdout.destroy());
      const corpus = readCorpus();
      for (let round = 0; round < 20 && child.stdin.write(corpus); round++);
      child.stdin.end(corpus);
      const [code] = await once(child, "close");
      expect({ code, complaint }).toEqual({ code: 0, complaint: "" });
    },
  );

  test.runIf(IS_LONG || command === "normalize")(
    "answers lines before its input ends",
    async () => {
      const child = start(command);
      child.stdin.write("http://a.com\nhttp://b");
      const [first] = (await once(child.stdout, "data")) as [Buffer];
      expect(String(first)).toMatch(/^http:\/\/a\.com\/?\n$/);
      child.stdin.end(".com\n");
      const [second] = (await once(child.stdout, "data")) as [Buffer];
      expect(String(second)).toMatch(/^http:\/\/b\.com\/?\n$/);
    },
  );
});

test.runIf(IS_LONG && process.platform === "linux")(
  "normalize takes no more memory for 4 times the input, and less than 300 MB",
  async () => {
    const corpus = readCorpus();
    const peak = async (rounds: number): Promise<number> => {
      const child = start("normalize");
      let read = 0;
      child.stdout.on("data", (chunk: Buffer) => {
        read += chunk.length;
      });
      for (let round = 0; round < rounds; round++) {
        if (!child.stdin.write(corpus)) await once(child.stdin, "drain");
      }
      const status = readFileSync(`/proc/${child.pid}/status`, "utf8");
      child.stdin.end();
      await once(child, "close");
      expect(read).toBeGreaterThan(corpus.length * rounds);
      return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) * 1024;
    };
    // Both are long enough for threads to start.
    const large = await peak(atLength(120, 240));
    expect(large).toBeLessThan((await peak(atLength(30, 60))) + 64 * 2 ** 20);
    expect(large).toBeLessThan(300e6);
  },
  60_000,
);
