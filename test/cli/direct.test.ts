import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import {
  closeSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { CLI_PATH, runCli, runProcess, runShell } from "../shared/cli.ts";
import { readCorpus } from "../shared/fixtures.ts";
import { atLength, sampleOf, testAtLength } from "../shared/length.ts";
import { PATIENTLY } from "../shared/patiently.ts";
import { tempFolder } from "../shared/temp-folder.ts";

// The direct mode takes a file to a file; the chunked one takes the same list from a pipe.

const folder = tempFolder();
const path = (name: string): string => join(folder, name);

const real = readCorpus();
/** A list that has several chunks of 256 KiB. */
const corpus = Buffer.from(real)
  .toString("latin1")
  .split("\n")
  .slice(0, atLength(2_500, 25_000))
  .map((line) => `${line}\n`)
  .join("");
const changed = corpus.replaceAll(/\?.*/g, (query) => `${query}2`);
const long = `${"x".repeat(atLength(300_000, 2_000_000))}\r\n`;
const list = Buffer.from(
  `\xef\xbb\xbf${corpus}nothing\r\n${long}${changed}${long}../relative\n${corpus}\nhttp://last/\r`,
  "latin1",
);
const input = path("list");
writeFileSync(input, list);
/** Short lines again and again, so that a run can be disturbed in the middle. */
const part = path("part");
writeFileSync(part, real);
const inputs: readonly string[] = new Array(100).fill(part);

const COMMANDS = [
  "normalize",
  "normalize --preset crawl",
  "dedupe",
  "dedupe --preset crawl",
  "normalize --emit both",
  "dedupe --emit both",
  "dedupe --emit normalized",
  "dedupe --map MAP",
  "normalize --base http://base/x/",
  "dedupe --base http://base/x/",
];
/** Engines and threads. */
const WAYS = [
  ["wasm", "2"],
  ["wasm", "3"],
  ["wasm", "1"],
  ["js", "2"],
] as const;
const MODES = ["", " --on-error empty"].flatMap((mode) => COMMANDS.map((name) => name + mode));

const NOT_URLS = /^urlmill: \d+ lines are not URLs, .*\n$/;

/** What a command writes, lists and counts, of a file or of the list from a pipe. */
async function run(
  mode: string,
  out: string,
  how: readonly string[],
  file: string | null,
  text = list,
  ends = 0,
) {
  const errors = `${out}.errors`;
  const map = `${out}.map`;
  writeFileSync(map, "");
  const command = mode.replace("MAP", map).split(" ");
  const args = [...command, ...how, "--stats", "--errors", errors, "-o", out];
  const { code, stderr } =
    file === null ? await runCli(args, text) : await runCli([...args, file], "");
  expect(code).toBe(ends);
  const stats = stderr.split("\n").find((line) => line.startsWith("{")) as string;
  const { seconds, linesPerSecond, threads, engine, ...counts } = JSON.parse(stats);
  return { counts, text: readFileSync(out), errors: readFileSync(errors), map: readFileSync(map) };
}

describe("a list from a file to a file", () => {
  test.each(sampleOf(["dedupe --preset crawl --on-error empty", "dedupe --bits 64", ...MODES], 22))(
    "is written as one from a pipe, by any number of threads and both engines: urlmill %s",
    async (mode) => {
      const expected = await run(mode, path("general"), ["--threads", "1"], null);
      for (const [engine, threads] of sampleOf(WAYS, 3)) {
        const how = ["--engine", engine, "--threads", threads];
        const found = await run(mode, path(`${engine}-${threads}`), how, input);
        expect(found.counts).toEqual(expected.counts);
        // Megabytes that differ are not worth showing.
        expect(Buffer.compare(found.text, expected.text), `${engine} ${threads}`).toBe(0);
        expect(Buffer.compare(found.errors, expected.errors), `${engine} ${threads}`).toBe(0);
        expect(Buffer.compare(found.map, expected.map), `${engine} ${threads}`).toBe(0);
      }
    },
    60_000,
  );

  test("goes on over several files, one of them empty", async () => {
    writeFileSync(path("empty"), "");
    writeFileSync(path("marked"), "\xef\xbb\xbfhttp://marked/\r\nhttp://LAST", "latin1");
    const files = [path("marked"), path("empty"), input, path("marked")];
    const all = "http://marked/\r\nhttp://LAST\n";
    for (const threads of sampleOf(["2", "1"], 2)) {
      const out = path(`several-${threads}`);
      const { code } = await runCli(["dedupe", "--threads", threads, "-o", out, ...files]);
      expect(code).toBe(0);
      const text = readFileSync(out, "latin1");
      expect(text.slice(0, all.length)).toBe(all);
      await runCli(["dedupe", "--threads", "1", "-o", path("alone"), input]);
      const alone = readFileSync(path("alone"), "latin1").replace("http://last/\r\n", "");
      expect(text.slice(all.length) === alone).toBe(true);
    }
  });

  test.runIf(process.platform !== "win32")(
    "reads standard input that is a file from where the shell has read it",
    async () => {
      const some = atLength(Buffer.from(corpus, "latin1"), real);
      writeFileSync(path("some"), some);
      const script = [
        "{ read -r first; urlmill dedupe --stats -o rest; } < some",
        "urlmill dedupe --threads 2 -o both some - < some",
      ].join(" && ");
      await runCli(["dedupe", "-o", path("all"), path("some")]);
      const { code, stderr } = runShell(script, folder);
      expect(code).toBe(0);
      const [first] = corpus.split("\n", 1) as [string];
      expect(stderr).toContain(`"bytesIn":${some.length - first.length - 1},`);
      const all = readFileSync(path("all"), "latin1");
      expect(`${first}\n${readFileSync(path("rest"), "latin1")}` === all).toBe(true);
      expect(readFileSync(path("both"), "latin1") === all).toBe(true);
    },
  );

  test("says how many keys there are where they have 64 bits", async () => {
    const args = ["dedupe", "--bits", "64", "-o", path("64"), input, "--threads"];
    const [one, two] = await Promise.all(["1", "2"].map((threads) => runCli([...args, threads])));
    expect(one?.stderr).toMatch(/^urlmill: keys of 64 bits: [1-9]\d+;/);
    expect(two).toEqual(one);
  });
});

describe("a table whose records have line ends inside, from a file to a file", () => {
  const rows = corpus
    .split("\n")
    .map((url, row) => `${row},"a ""${row % 3}""\nhttp://in.quotes/,${row}\n",${url}\r\n`);
  const table = Buffer.from(`id,text,url\n${[...rows, ...rows].join("")}9,"\n`, "latin1");
  const file = path("table");
  writeFileSync(file, table);

  test.each(sampleOf(["dedupe --map MAP", "normalize --emit both"], 2))(
    "is written as one from a pipe, by any number of threads: urlmill %s",
    async (command) => {
      const mode = `${command} --format csv --field url`;
      const js = ["--engine", "js", "--threads", "1"];
      // Its last quote is not closed.
      const expected = await run(mode, path("pipe"), js, null, table, 1);
      expect(expected.counts.errorsByCode.NO_FIELD).toBeGreaterThan(1);
      for (const threads of atLength(["2"], ["3", "1"])) {
        const found = await run(mode, path("direct"), ["--threads", threads], file, table, 1);
        expect(found.counts).toEqual(expected.counts);
        expect(Buffer.compare(found.text, expected.text), threads).toBe(0);
        expect(Buffer.compare(found.errors, expected.errors), threads).toBe(0);
        expect(Buffer.compare(found.map, expected.map), threads).toBe(0);
      }
    },
    60_000,
  );
});

/** Starts a run whose output is a file of the shell, and waits until some of it is written. */
async function start(args: readonly string[], out: string): Promise<ChildProcess> {
  const output = openSync(out, "w");
  const child = spawn(process.execPath, [PATIENTLY, CLI_PATH, ...args, "--no-progress"], {
    stdio: ["ignore", output, "pipe"],
  });
  closeSync(output);
  while ((statSync(out, { throwIfNoEntry: false })?.size ?? 0) < 100_000) await sleep(1);
  return child;
}

async function endOf(child: ChildProcess): Promise<{ code: number | null; complaint: string }> {
  let complaint = "";
  child.stderr?.on("data", (text) => {
    complaint += text;
  });
  const [code] = (await once(child, "close")) as [number | null];
  return { code, complaint };
}

/** Returns whether a file has the beginning of the whole output, but not all of it. */
function isBeginning(file: string, ofOne: Buffer): boolean {
  const written = readFileSync(file);
  for (let at = 0; at < written.length; at += ofOne.length) {
    const piece = written.subarray(at, at + ofOne.length);
    if (Buffer.compare(piece, ofOne.subarray(0, piece.length)) !== 0) return false;
  }
  return written.length < inputs.length * ofOne.length;
}

describe.runIf(process.platform !== "win32").each(sampleOf(["2", "1"], 2))(
  "a run from a file to a file (%s threads)",
  (threads) => {
    const args = ["normalize", "--threads", threads];
    const out = path(`disturbed-${threads}`);
    let ofOne: Buffer | undefined;
    const outputOfOne = async (): Promise<Buffer> => {
      if (ofOne === undefined) await runCli([...args, part, "-o", path(`one-${threads}`)]);
      ofOne ??= readFileSync(path(`one-${threads}`));
      return ofOne;
    };

    test("that is interrupted leaves whole lines, all in order and none missing", async () => {
      const signals = [
        ["SIGINT", 130],
        ["SIGTERM", 143],
      ] as const;
      for (const [signal, exit] of sampleOf(signals, 2)) {
        const child = await start([...args, ...inputs], out);
        child.kill(signal);
        expect(await endOf(child)).toEqual({
          code: exit,
          complaint: "urlmill: interrupted; what is written ends with a whole line\n",
        });
        expect(isBeginning(out, await outputOfOne())).toBe(true);
        expect(readFileSync(out).at(-1)).toBe(0x0a);
      }
    });

    test("that is interrupted with -z ends with NUL", async () => {
      const records = path(`records-${threads}`);
      writeFileSync(records, readFileSync(part, "latin1").replaceAll("\n", "\0"), "latin1");
      const child = await start([...args, "-z", ...inputs.map(() => records)], out);
      child.kill("SIGINT");
      expect(await endOf(child)).toEqual({
        code: 130,
        complaint: "urlmill: interrupted; what is written ends with a whole line\n",
      });
      expect(readFileSync(out).at(-1)).toBe(0);
    });

    // In short runs, the test before these shows such a beginning.
    testAtLength("that is killed leaves the beginning of the output, without a gap", async () => {
      const child = await start([...args, ...inputs], out);
      child.kill("SIGKILL");
      await endOf(child);
      expect(isBeginning(out, await outputOfOne())).toBe(true);
    });

    // In short runs, test/cli/direct-workers.test.ts interrupts long lines.
    testAtLength(
      "that is interrupted within a line of many megabytes says that it is cut",
      async () => {
        const file = path(`line-${threads}`);
        writeFileSync(file, "http://a/\n");
        truncateSync(file, 400_000_000); // zeros that take no room on disk
        const child = await start(["dedupe", "--threads", threads, file], out);
        child.kill("SIGINT");
        const { code, complaint } = await endOf(child);
        expect(code).toBe(130);
        expect(complaint).toMatch(
          /^urlmill: interrupted within a write: the last line of an output/,
        );
        expect(readFileSync(out).at(-1)).toBe(0x0a);
        rmSync(out);
        rmSync(file);
      },
    );

    test("that cannot write any more says so, and ends with 1", () => {
      const script = `ulimit -f 2000; urlmill normalize --threads ${threads} list > limited`;
      const { code, stderr } = runShell(script, folder);
      expect(stderr).toMatch(/^urlmill: cannot write standard output: .*\n$/);
      expect(code).toBe(1);
    });

    test("goes on where another command of the same redirection has written", async () => {
      const script = `(echo x; urlmill normalize --threads ${threads} list; echo y) > joined`;
      expect(runShell(script, folder)).toMatchObject({
        code: 0,
        stderr: expect.stringMatching(NOT_URLS),
      });
      const { stdout } = await runCli(["normalize", "--threads", "1"], list);
      expect(readFileSync(path("joined"), "latin1") === `x\n${stdout}y\n`).toBe(true);
    });

    test("says which file became shorter while it was read", async () => {
      const file = path(`shorter-${threads}`);
      writeFileSync(file, list);
      const child = await start([...args, ...inputs.slice(0, atLength(30, 100)), file], out);
      truncateSync(file, 0);
      const { code, complaint } = await endOf(child);
      expect(complaint).toBe(
        `urlmill: ${file} became shorter while it was read; run again once it no longer changes\n`,
      );
      expect(code).toBe(1);
      rmSync(file);
    });
  },
);

// Some platforms do without the 10 GB of a kernel where they cannot have them.
test.runIf(process.platform === "linux").each(atLength([], [17, 28]))(
  "a run whose address space is limited to %i GB writes the same",
  (gigabytes) => {
    for (const threads of [1, 2]) {
      const run = `urlmill dedupe --threads ${threads} list`;
      const script = `${run} > free; ulimit -v ${gigabytes}000000; ${run} > limited`;
      expect(runShell(script, folder).code).toBe(0);
      expect(Buffer.compare(readFileSync(path("limited")), readFileSync(path("free")))).toBe(0);
    }
  },
);

describe("workers of a run from a file to a file", () => {
  const args = ["dedupe", "--preset", "crawl", "--threads", "2", ...inputs, "--errors"];

  /** Runs with a script that gets the workers as they start. */
  function runWith(script: string, out: string) {
    const preload = `data:text/javascript,${encodeURIComponent(script)}`;
    return runProcess([...args, `${out}.errors`, "-o", out], "", {
      NODE_OPTIONS: `--import ${preload}`,
    });
  }

  testAtLength("that die once are replaced, and the file is the same", async () => {
    const undisturbed = path("undisturbed");
    await runCli([...args, `${undisturbed}.errors`, "-o", undisturbed]);
    const out = path("dying");
    const { code, stderr } = await runWith(
      `import { readdirSync, statSync } from "node:fs";
       import { isMainThread } from "node:worker_threads";
       const workers = [];
       const folder = ${JSON.stringify(folder)};
       // It is written beside its place.
       const beside = () => readdirSync(folder).find((name) => /^\\.urlmill-locked-.*-dying$/.test(name));
       process.on("worker", (worker) => workers.push(worker));
       const timer = isMainThread && setInterval(() => {
         const name = beside();
         if (name === undefined || statSync(folder + "/" + name).size < 100_000) return;
         clearInterval(timer);
         workers[0].terminate();
       }, 1);
       if (isMainThread) process.on("exit", () => process.stderr.write(workers.length + " started"));`,
      out,
    );
    expect(Number(/(\d+) started$/.exec(stderr)?.[1])).toBeGreaterThan(2);
    expect(code).toBe(0);
    expect(Buffer.compare(readFileSync(out), readFileSync(undisturbed))).toBe(0);
    const errors = [`${out}.errors`, `${undisturbed}.errors`].map((name) => readFileSync(name));
    expect(errors[0]?.length).toBeGreaterThan(0);
    expect(Buffer.compare(errors[0] as Buffer, errors[1] as Buffer)).toBe(0);
  });

  test("that do not begin in time are not waited for", async () => {
    const whole = path("whole");
    await runCli([...args, `${whole}.errors`, "-o", whole]);
    const out = path("late");
    const { code, stderr } = await runWith(
      `import { isMainThread } from "node:worker_threads";
       // A worker that never gets as far as its task.
       if (!isMainThread) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);`,
      out,
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(Buffer.compare(readFileSync(out), readFileSync(whole))).toBe(0);
  });

  test("that die again end the run with a sentence", async () => {
    const { code, stderr } = await runWith(
      `process.on("worker", (worker) => worker.once("online", () => worker.terminate()));`,
      path("dying"),
    );
    expect(stderr).toMatch(
      /^urlmill: a worker died twice on all of the input: .*; the output is not whole: use --threads 1\n$/,
    );
    expect(code).toBe(1);
  });
});
