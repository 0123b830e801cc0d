import { spawn } from "node:child_process";
import { once } from "node:events";
import { createReadStream, readFileSync } from "node:fs";
import { readFile, stat, writeFile } from "node:fs/promises";
import type { Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { createNormalizer } from "../../src/index.ts";
import { SeenSet } from "../../src/seen/index.ts";
import { CLI_PATH, runCli, runShell } from "../shared/cli.ts";
import { ENGINES } from "../shared/engines.ts";
import { linesOf, readCorpus } from "../shared/fixtures.ts";
import { atLength, sampleOf, testAtLength } from "../shared/length.ts";
import { Random } from "../shared/random.ts";
import { newFolders } from "../shared/temp-folder.ts";

const path = newFolders();

describe.each(sampleOf(ENGINES, 2))("urlmill dedupe --seen --engine %s", (engine) => {
  const dedupe = (input: string, ...args: string[]) =>
    runCli(["dedupe", "--seen", path("keys"), "--engine", engine, ...args], input);

  test("leaves out what an earlier run wrote, and says how many keys there were", async () => {
    const first = await dedupe("http://a/\nhttp://B/\nnothing\n");
    expect(first).toEqual({
      code: 0,
      stdout: "http://a/\nhttp://B/\nnothing\n",
      stderr: expect.any(String),
    });
    const second = await dedupe("http://c/\nhttp://b/\nhttp://c/\nhttp://a\n", "--stats");
    expect(second.stdout).toBe("http://c/\n");
    expect(JSON.parse(second.stderr)).toMatchObject({ lines: 4, duplicates: 3, keysBefore: 3 });
    const third = await dedupe("http://c/\n", "--threads", "2");
    expect(third.stdout).toBe("");
  });

  test("is the set that the library opens", async () => {
    await dedupe("http://a/\nhttp://b/\n");
    const set = await SeenSet.open(path("keys"), { engine });
    expect([...(await set.addBatch(["http://b/", "http://c/"]))]).toEqual([0, 1]);
    const locked = await dedupe("http://d/\n");
    expect([locked.code, locked.stdout]).toEqual([1, ""]);
    expect(locked.stderr).toMatch(
      /^urlmill: .*keys is in use by another process \(process \d+ on /,
    );
    await set.close();
    expect((await dedupe("http://c/\nhttp://d/\n")).stdout).toBe("http://d/\n");
  });

  test("refuses other rules, and keys of another size", async () => {
    await dedupe("http://a/\n", "--bits", "64");
    const rules = await dedupe("http://a/\n", "--fragment", "remove");
    expect([rules.code, rules.stdout]).toEqual([1, ""]);
    expect(rules.stderr).toMatch(
      /: .*keys was written with other options: fragment .* is "remove"\. Open it with its options, or make another set\n$/,
    );
    expect((await dedupe("http://a/\n", "--bits", "128")).stderr).toMatch(/64 bits, not 128\n$/);
    expect((await dedupe("http://a/\nhttp://b/\n")).stdout).toBe("http://b/\n");
  });

  test("says of 64 bits what they can lose", async () => {
    const lines = Array.from({ length: 3_000 }, (_, row) => `http://a/${row}\n`).join("");
    const { stderr } = await runCli(["dedupe", "--bits", "64", "--engine", engine], lines);
    expect(stderr).toBe(
      "urlmill: keys of 64 bits: 3000; lines that can be expected to be lost to chance: 2.4e-13\n",
    );
    expect((await dedupe("", "--bits", "32")).code).toBe(2);
  });

  test.each(["out.txt", "out.gz"])("records the keys of all lines of a file, %s", async (out) => {
    expect((await dedupe("http://a/\nhttp://b/\n", "-o", path(out))).code).toBe(0);
    expect((await dedupe("http://b/\nhttp://c/\nhttp://a/\n")).stdout).toBe("http://c/\n");
  });

  test("records no key of a line that could not be written", async () => {
    const lines = Array.from(
      { length: atLength(3_000, 30_000) },
      (_, row) => `http://a/${row}\n`,
    ).join("");
    const failed = await dedupe(lines, "-o", "/dev/full");
    expect(failed.code).toBe(1);
    const { stdout } = await dedupe(lines);
    expect(stdout).toBe(lines);
  });
});

/** Lines of the list, and the blocks that a file may have. Several writes of 256 KiB fit. */
const [LENGTH, BLOCKS] = atLength([60_000, 1024], [400_000, 8192]);

test.skipIf(process.platform === "win32").each(sampleOf([">>", "-o"], 2))(
  "records the keys of all writes before the one that the disk did not take (%s)",
  async (redirect) => {
    const all = Array.from({ length: LENGTH }, (_, row) => `http://a.example/${row}`);
    await writeFile(path("list"), `${all.join("\n")}\n`);
    // The output is longer than a file may be, and the keys are shorter. Without the trap the process would end.
    const run = (limit: string, out: string) =>
      runShell(`${limit} urlmill dedupe list --threads 1 --seen keys ${redirect} ${out}`, path(""));
    const { code, stderr } = run(`trap '' XFSZ; ulimit -f ${BLOCKS};`, "full");
    expect({ code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("cannot write"),
    });
    expect(run("", "rest")).toMatchObject({ code: 0 });
    const rest = (await readFile(path("rest"), "latin1")).trim().split("\n");
    // What is in the first output, but for the write that failed, does not come again.
    const text = await readFile(path("full"), "latin1").catch(() => "");
    const full = text.split("\n").slice(0, -1);
    // With -o, nothing is written, and nothing is recorded.
    expect(full.length > 0).toBe(redirect === ">>");
    expect(new Set([...full, ...rest]).size).toBe(all.length);
    // One thread writes at most 256 KiB at a time.
    const repeated = full.length + rest.length - all.length;
    expect(repeated).toBeLessThan((1 << 18) / "http://a.example/0\n".length);
  },
);

const corpus = linesOf(readCorpus())
  .slice(0, atLength(6_000, 50_000))
  .map((line) => `${line}\n`)
  .join("");
/** A run is killed at a moment in the first so many milliseconds after its first keys. */
const KILL_MS = atLength(60, 300);

const bytesOf = (file: string): Promise<number> =>
  stat(file).then(
    ({ size }) => size,
    () => 0,
  );

/**
 * Runs `dedupe` again and again on one list, each run killed at a random moment, then once to its end.
 * Returns how many keys the killed runs left.
 */
async function killAgainAndAgain(kills: number, ending: string): Promise<number> {
  const random = new Random(8);
  const list = path("list");
  const lines = corpus.repeat(2).replaceAll("\n", () => `?${random.below(200_000)}\n`);
  await writeFile(list, lines, "latin1");
  const slowly = ["--engine", "js", "--threads", "1"];
  const args = ["dedupe", "--preset", "crawl", ...slowly, "--seen", path("keys")];
  const written: string[] = [];
  // A cut line at the end of a file counts for nothing.
  const add = (text: string): number => written.push(text.slice(0, text.lastIndexOf("\n") + 1));
  for (let run = 0; run < kills; run++) {
    const out = path(`out-${run}${ending}`);
    // Somewhere after its first keys; with a compressed output, after its first lines.
    const watched = ending === ".gz" ? out : path("keys/journal-1");
    const before = await bytesOf(watched);
    // The head of a journal has no key yet.
    const least = ending === ".gz" ? 1 : 20_000;
    // From a pipe, the output is written in its place.
    const child = spawn(process.execPath, [CLI_PATH, ...args, "-o", out], {
      stdio: ["pipe", "ignore", "ignore"],
    });
    child.stdin?.on("error", () => {});
    createReadStream(list).pipe(child.stdin as Writable);
    const ended = once(child, "close");
    while (child.exitCode === null && (await bytesOf(watched)) < before + least) await sleep(5);
    await sleep(random.below(KILL_MS));
    child.kill("SIGKILL");
    await ended;
    // Nobody can read a compressed file that was cut.
    if (ending !== ".gz") add(await readFile(out, "latin1"));
  }
  const last = await runCli([...args, list, "-o", path(`out${ending}`), "--stats"]);
  const bytes = await readFile(path(`out${ending}`));
  add((ending === ".gz" ? gunzipSync(bytes) : bytes).toString("latin1"));
  const normalizer = createNormalizer({ preset: "crawl" });
  const keysOf = (text: string): Set<string | null> =>
    new Set(normalizer.normalizeBatch(text.split("\n").slice(0, -1)).urls);
  expect(keysOf(written.join(""))).toEqual(keysOf(lines));
  return JSON.parse(last.stderr).keysBefore;
}

test("a run that is killed may repeat a line, and loses none", async () => {
  expect(await killAgainAndAgain(atLength(1, 6), ".txt")).toBeGreaterThan(1_000);
});

// In short runs, test/cli/keep-runs.test.ts stops a run whose keys are recorded at its end.
testAtLength("a run that is killed with a compressed output leaves no keys", async () => {
  expect(await killAgainAndAgain(1, ".gz")).toBe(0);
});

describe("a run without options takes those of the set", () => {
  const list = "http://www.a.b/x/index.html?b&a&utm_source=1#f\n";
  const withAliases = async () => {
    await writeFile(path("aliases.tsv"), "#urlmill-aliases 1\na.b\t/x\t/y\n");
    return ["--page-aliases", path("aliases.tsv")];
  };
  const dedupe = (...flags: string[]) => runCli(["dedupe", "--seen", path("keys"), ...flags], list);

  test.each(sampleOf(["safe", "crawl", "c14n", "aggressive"], 4))(
    "made with preset %s",
    async (preset) => {
      const aliases = await withAliases();
      await dedupe("--preset", preset, ...aliases);
      const again = await dedupe("--engine", "js", ...aliases);
      const stderr = expect.stringMatching(
        /^urlmill: no line is written: 1 line, 1 left out \(100 %\), 0 kept, 1 in the set/,
      );
      expect(again).toEqual({ code: 0, stdout: "", stderr });
    },
  );

  test("and asks for the files of rules and aliases", async () => {
    await dedupe("--preset", "crawl", ...(await withAliases()));
    expect(await dedupe()).toMatchObject({
      code: 2,
      stdout: "",
      stderr: `urlmill: ${path("keys")} was made with --page-aliases: give --page-aliases FILE\n`,
    });
    const kept = await readFile(path("keys/set.json"), "utf8");
    expect(kept).toContain('"pageAliases": "sha256:');
  });

  test("and refuses another option", async () => {
    await dedupe("--preset", "crawl");
    const other = await dedupe("--fragment", "keep");
    expect(other).toMatchObject({ code: 1, stderr: expect.stringContaining("with other options") });
  });
});

test.runIf(process.platform === "linux").each(sampleOf(["journal", "disk", "lmdb"], 1))(
  "a full disk at a set is told as one, and the output stays as it was (%s)",
  (store) => {
    const folder = path("full");
    // A limit of the process takes the place of a full disk. The list is shorter than its keys.
    const run = `urlmill dedupe -q --store ${store} --seen set list -o out`;
    const script = `mkdir -p ${folder} && cd ${folder} && seq -f h:%g 1 9000 > list && echo before > out && trap "" XFSZ && ulimit -f 240 && ${run}`;
    const { code, stderr } = runShell(script, "/");
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/^urlmill: set: .*\n$/),
    });
    expect(readFileSync(`${folder}/out`, "latin1")).toBe("before\n");
  },
);
