// At full length only: it kills processes.

import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Readable } from "node:stream";
import { buffer as bufferOf, text as textOf } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import * as zlib from "node:zlib";
import { afterEach, describe, expect, test } from "vitest";
import { CLI_PATH, runCli, runShell } from "../shared/cli.ts";
import { readCorpus } from "../shared/fixtures.ts";
import { atLength, sampleOf } from "../shared/length.ts";
import { PATIENTLY } from "../shared/patiently.ts";
import { tempFolder } from "../shared/temp-folder.ts";

const folder = tempFolder();
const path = (name: string): string => join(folder, name);
const corpus = readCorpus();
/** Half of the URLs of a list of three halves. */
const HALF = atLength(150_000, 500_000);
const children: ChildProcess[] = [];

afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
});

/** A command with an input that never ends, unless that is given. */
function start(args: readonly string[], input: Uint8Array | null = corpus): ChildProcess {
  const child = spawn(process.execPath, [PATIENTLY, CLI_PATH, ...args], { stdio: "pipe" });
  children.push(child);
  child.stdin?.on("error", () => {});
  if (input !== null) feed(child, input);
  return child;
}

/** Writes a block again and again until the command ends. */
function feed({ stdin }: ChildProcess, block: Uint8Array): void {
  const more = (error?: Error | null): void => {
    if (!error && stdin?.destroyed === false) stdin.write(block, more);
  };
  more();
}

/** Sends a signal and returns what the command ended with. */
async function interrupt(
  child: ChildProcess,
  signal: "SIGHUP" | "SIGINT" | "SIGTERM" = "SIGINT",
): Promise<{ code: number | null; signal: string | null; complaint: string }> {
  // A process may have ended before what it said has come.
  const said = textOf(child.stderr as Readable);
  const exit = once(child, "exit") as Promise<[number | null, string | null]>;
  child.kill(signal);
  const [[code, killedBy], complaint] = await Promise.all([exit, said]);
  return { code, signal: killedBy, complaint };
}

/** Waits until a run writes beside a file. */
async function hasBegun(file: string): Promise<void> {
  const isBeside = (name: string): boolean =>
    name.startsWith(".urlmill-locked") && name.endsWith(basename(file));
  const sizes = (): number[] =>
    readdirSync(folder)
      .filter(isBeside)
      .map((name) => statSync(path(name)).size);
  while (!sizes().some((size) => size > 0)) await sleep(2);
}

async function hasWritten(file: string): Promise<void> {
  const size = (): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  while (size() < 100_000) await sleep(2);
}

const INTERRUPTED = "urlmill: interrupted; what is written ends with a whole line\n";
/** What is said of a file that another run can go on with. */
const goesOn = (file: string): string =>
  `${INTERRUPTED.trimEnd()}; --append ${file} goes on after it\n`;
const AS_IT_WAS =
  "urlmill: interrupted; the output is not written, and a file that was there before is as it was\n";
const compressors = [
  ["gz", zlib.gunzipSync],
  ...("zstdDecompressSync" in zlib
    ? [["zst", zlib.zstdDecompressSync as (bytes: Uint8Array) => Buffer] as const]
    : []),
] as const;

describe.runIf(process.platform !== "win32")("an interrupt", () => {
  test.each(
    sampleOf(
      [
        ["SIGINT", 130],
        ["SIGTERM", 143],
        ["SIGHUP", 129],
      ] as const,
      2,
    ),
  )("by %s ends with exit code %i, after a whole line", async (signal, code) => {
    const out = path(signal);
    const child = start(["normalize", "-o", out]);
    await hasWritten(out);
    expect(await interrupt(child, signal)).toEqual({ code, signal: null, complaint: goesOn(out) });
    expect(readFileSync(out).at(-1)).toBe(0x0a);
  });

  test.runIf(process.platform === "linux")("by SIGHUP is ignored if nohup began the run", () => {
    const begun =
      "urlmill dedupe --format lines fifo -o hup & exec 3> fifo; until [ -e hup ]; do sleep 0.05; done";
    const hangUp = "kill -HUP $!; sleep 0.1; echo http://a >&3; exec 3>&-; wait $!";
    const script = `mkfifo fifo; trap '' HUP; ${begun}; ${hangUp}`;
    expect(runShell(script, folder).code).toBe(0);
    expect(readFileSync(path("hup"), "utf8")).toBe("http://a\n");
  });

  test.each(
    sampleOf(
      compressors.flatMap(([ending, decompress]) =>
        (["1", "2"] as const).map((threads) => ({ ending, decompress, threads })),
      ),
      3,
    ),
  )("leaves a valid .$ending file ($threads threads)", async ({ ending, decompress, threads }) => {
    const out = path(`valid-${threads}.${ending}`);
    const errors = path(`errors-${threads}.${ending}`);
    const args = ["normalize", "--threads", threads, "-o", out, "--errors", errors];
    const child = start(args);
    await hasWritten(out);
    expect(await interrupt(child)).toMatchObject({ code: 130, complaint: INTERRUPTED });
    const texts = [out, errors].map((file) => decompress(readFileSync(file)));
    for (const text of texts) {
      expect(text.length).toBeGreaterThan(0);
      expect(text.at(-1)).toBe(0x0a);
    }
  });

  test.each(["normalize", "dedupe"])(
    "ends %s after a whole line where its reader has stopped",
    async (command) => {
      const child = start(
        [command, "--emit", "original", "--threads", "2"].slice(0, command === "dedupe" ? 5 : 1),
      );
      const stdout = child.stdout as Readable;
      await once(stdout, "readable");
      while (stdout.readableLength < stdout.readableHighWaterMark) await sleep(10);
      // Node drops what is not read soon after the end of a process.
      const rest = new Promise<Buffer>((resolve) => {
        child.once("exit", () => resolve(bufferOf(stdout)));
      });
      expect(await interrupt(child, "SIGTERM")).toEqual({
        code: 143,
        signal: null,
        complaint: INTERRUPTED,
      });
      expect((await rest).at(-1)).toBe(0x0a);
    },
  );

  test("ends after a whole line where its reader is slow", async () => {
    const child = start(["normalize"]);
    const text: Buffer[] = [];
    const read = (async () => {
      for await (const bytes of child.stdout as AsyncIterable<Buffer>) {
        text.push(bytes);
        await sleep(100);
      }
    })();
    while (text.length < 2) await sleep(10);
    expect(await interrupt(child)).toMatchObject({ code: 130, complaint: INTERRUPTED });
    await read;
    expect(Buffer.concat(text).at(-1)).toBe(0x0a);
  });

  test("that comes twice ends after a whole line as well", async () => {
    const out = path("twice.gz");
    const child = start(["normalize", "-o", out]);
    await hasWritten(out);
    const ended = interrupt(child);
    child.kill("SIGINT");
    expect(await ended).toMatchObject({ code: 130, complaint: INTERRUPTED });
    expect(zlib.gunzipSync(readFileSync(out)).at(-1)).toBe(0x0a);
  });

  test.each(sampleOf(["SIGINT", "SIGTERM"] as const, 2))(
    "by %s is heard while the input is silent",
    async (signal) => {
      const child = start(["normalize"], null);
      child.stdin?.write("http://a.com/\n");
      await once(child.stdout as NonNullable<ChildProcess["stdout"]>, "data");
      const code = signal === "SIGINT" ? 130 : 143;
      expect(await interrupt(child, signal)).toMatchObject({ code, complaint: INTERRUPTED });
    },
  );

  test.runIf(process.platform === "linux")(
    "is heard before the first line, which shows the format",
    async () => {
      const [out, pipe] = [path("unread"), path("unread-pipe")];
      writeFileSync(out, "as it was");
      execFileSync("mkfifo", [pipe]);
      const child = start(["normalize", pipe, "-o", out], null);
      const writer = await open(pipe, "w"); // opens when the command reads
      const ended = await interrupt(child);
      await writer.close();
      expect(ended).toMatchObject({ complaint: expect.stringContaining("interrupted;") });
      expect(readFileSync(out, "utf8")).toBe("as it was");
    },
  );

  test
    .runIf(process.platform === "linux")
    .each(sampleOf(["that is silent", "that nobody writes to"], 2))(
    "is heard while the input is a named pipe %s",
    async (kind) => {
      const pipe = path(kind.replaceAll(" ", "-"));
      execFileSync("mkfifo", [pipe]);
      const writer =
        kind === "that is silent" ? spawn("sh", ["-c", `exec 3<>${pipe}; sleep 60`]) : null;
      if (writer !== null) children.push(writer);
      const child = start(["normalize", "--format", "lines", pipe, "--progress"], null);
      await once(child.stderr as NonNullable<ChildProcess["stderr"]>, "data");
      // Only a signal ends a process whose thread waits for a named pipe.
      const { signal, complaint } = await interrupt(child);
      expect(signal).toBe("SIGINT");
      expect(complaint).toContain(INTERRUPTED);
    },
  );

  test("within a line that is too long for a URL says that it is cut", async () => {
    const out = path("long");
    const child = start(["normalize", "-o", out], Buffer.alloc(1 << 20, "x"));
    await hasWritten(out);
    const { code, complaint } = await interrupt(child);
    expect(code).toBe(130);
    expect(complaint).toMatch(
      /^urlmill: interrupted within a write: the last line of an output may be cut/,
    );
    expect(readFileSync(out).at(-1)).toBe(0x0a);
  });

  test.each(["", "--seen"])(
    "of a run from a file leaves all as it was: dedupe %s",
    async (flag) => {
      const [list, out, set] = [path("from"), path("kept"), path("kept-keys")];
      writeFileSync(list, Buffer.concat(new Array(40).fill(corpus)));
      writeFileSync(out, "as it was\n");
      await runCli(["dedupe", "--seen", set], "http://before/\n");
      const seen = flag === "" ? [] : [flag, set];
      const errors = path("kept-errors");
      const lists = ["--errors", errors, "--no-progress"];
      const child = start(["dedupe", ...seen, ...lists, list, "-o", out], null);
      await hasBegun(out);
      expect(await interrupt(child)).toMatchObject({ code: 130, complaint: AS_IT_WAS });
      expect(readFileSync(out, "utf8")).toBe("as it was\n");
      expect(existsSync(errors)).toBe(false);
      expect(readdirSync(folder).filter((name) => name.startsWith(".urlmill"))).toEqual([]);
      expect(readdirSync(set).filter((name) => name.startsWith("run-"))).toEqual([]);
      const { stdout } = await runCli(["dedupe", "--seen", set], "http://before/\nhttp://a/\n");
      expect(stdout).toBe("http://a/\n");
      rmSync(set, { recursive: true });
    },
  );

  test.each(sampleOf(["2", "1"], 2))(
    "of dedupe --seen loses no line and repeats none (%s threads)",
    async (threads) => {
      const list = path("list.txt");
      const [one, two] = [0, HALF].map((from) =>
        Array.from({ length: HALF }, (_, row) => `http://a.example/${from + row}\n`).join(""),
      );
      writeFileSync(list, `${one}${two}${one}`);
      const seen = path(`seen-${threads}`);
      const args = ["dedupe", "--seen", seen, "--threads", threads, "--no-progress"];
      const first = path(`first-${threads}`);
      const child = start([...args, "-o", first], null);
      child.stdin?.write(readFileSync(list)); // the pipe does not end
      await hasWritten(first);
      expect(await interrupt(child)).toMatchObject({ code: 130, complaint: goesOn(first) });
      const second = path(`second-${threads}`);
      expect(await runCli([...args, "-o", second, list])).toMatchObject({ code: 0 });
      const written = Buffer.concat([readFileSync(first), readFileSync(second)]);
      const expected = Buffer.from(`${one}${two}`);
      expect(Buffer.compare(written, expected)).toBe(0);
    },
  );
});
