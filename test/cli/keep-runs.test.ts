import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { CLI_PATH, runCli, runProcess, runShell } from "../shared/cli.ts";
import { ENGINES } from "../shared/engines.ts";
import { keptRecords, someRows, type WrittenRow } from "../shared/kept.ts";
import { sampleOf, shareOf } from "../shared/length.ts";
import { untilDeletedFileIsOpen } from "../shared/open-deleted.ts";
import { newFolders } from "../shared/temp-folder.ts";

const path = newFolders();

const rows = (seed: number, count: number, keys: number): WrittenRow[] =>
  someRows(seed, count, keys).map((row) => ({
    ...row,
    text: `${row.url}\t${row.value ?? ""}\t${row.id}\n`,
  }));
const textOf = (list: readonly WrittenRow[]): string => list.map(({ text }) => text).join("");
const keyOf = ({ key, text }: WrittenRow): string => key ?? text;

describe.each(ENGINES)("urlmill dedupe --keep, --engine %s", (engine) => {
  const dedupe = (args: readonly string[], input = "") =>
    runCli(
      ["dedupe", "--format", "tsv", "--field", "1", "--engine", engine, ...args],
      Buffer.from(input, "latin1"),
    );

  test("leaves out URLs of earlier runs whatever their value, with --seen", async () => {
    const [one, two] = [rows(1, 300, 80), rows(2, 300, 160)];
    const seen = new Set<string>();
    for (const [list, bits] of [
      [one, 64],
      [two, 64],
    ] as const) {
      const args = ["--seen", path("keys"), "--bits", String(bits), "--keep", "max:2"];
      const { stdout } = await dedupe(args, textOf(list));
      const kept = keptRecords(list, "max", (key) => seen.has(key));
      expect(stdout).toBe(kept.map(({ row }) => row.text).join(""));
      for (const { row } of kept) seen.add(keyOf(row));
    }
    const again = await dedupe(["--seen", path("keys"), "--stats"], textOf([...one, ...two]));
    expect(again.stdout).toBe("");
    expect(JSON.parse(again.stderr)).toMatchObject({ keysBefore: seen.size });
  });

  test("records only keys that were written, with --repeated", async () => {
    const flags = ["--seen", path("keys")];
    expect((await dedupe([...flags, "-d"], "http://a/\nhttp://b/\nhttp://a/\n")).stdout).toBe(
      "http://a/\n",
    );
    expect((await dedupe(flags, "http://a/\nhttp://b/\n")).stdout).toBe("http://b/\n");
  });

  test("leaves out what the files of --exclude have, and writes nothing of them", async () => {
    const [one, two, list] = [rows(4, 200, 60), rows(5, 50, 60), rows(6, 400, 120)];
    writeFileSync(path("one"), textOf(one), "latin1");
    writeFileSync(path("two"), textOf(two), "latin1");
    const excluded = new Set([...one, ...two].map(keyOf));
    const flags = ["--exclude", path("one"), "--exclude", path("two")];
    const runs = [
      ["last", "1"],
      ["first", "1"],
      ["last", "2"],
      ["first", "2"],
    ] as const;
    for (const [which, threads] of shareOf(runs, engine, 4)) {
      const { stdout } = await dedupe(
        [...flags, "--keep", which, "--threads", threads],
        textOf(list),
      );
      const kept = keptRecords(list, which, (key) => excluded.has(key));
      expect(stdout, which).toBe(kept.map(({ row }) => row.text).join(""));
    }
    const urls = await dedupe([...flags, "--on-error", "fail"], "http://new/\n");
    expect([urls.code, urls.stdout]).toEqual([0, "http://new/\n"]);
  });

  test("does not record the keys of --exclude in the set of --seen", async () => {
    writeFileSync(path("list"), "http://a/\n");
    const flags = ["--seen", path("keys")];
    const first = await dedupe([...flags, "--exclude", path("list")], "http://a/\nhttp://b/\n");
    expect(first.stdout).toBe("http://b/\n");
    expect((await dedupe(flags, "http://a/\nhttp://b/\n")).stdout).toBe("http://a/\n");
  });

  test("lists errors and merged lines, and counts each line once", async () => {
    const list = "HTTP://a\t1\nnothing\t\nhttp://a/\t3\nhttp://a/\t2\nnothing\t\n";
    const flags = ["--keep", "max:2", "--errors", path("errors"), "--map", path("map"), "--stats"];
    const { stdout, stderr } = await dedupe(flags, list);
    expect(stdout).toBe("nothing\t\nhttp://a/\t3\n");
    expect(readFileSync(path("errors"), "utf8")).toBe(
      "2\tNO_SCHEME\tnothing\n5\tNO_SCHEME\tnothing\n",
    );
    const map = "http://a/\tHTTP://a\t1\nhttp://a/\thttp://a/\t2\nnothing\t\tnothing\t\n";
    expect(readFileSync(path("map"), "utf8")).toBe(map);
    const counts = { lines: 5, changed: 1, unchanged: 2, errors: 2, duplicates: 3 };
    expect(JSON.parse(stderr)).toMatchObject(counts);
  });

  test("stops at the first line that is not a URL, before anything is written", async () => {
    writeFileSync(path("out"), "as it was");
    const flags = ["--keep", "last", "--on-error", "fail", "-o", path("out")];
    const result = await dedupe(flags, "http://a/\nnothing\n");
    expect(result.code).toBe(1);
    expect(result.stderr).toContain("line 2 is not a URL (NO_SCHEME)");
    expect(readFileSync(path("out"), "utf8")).toBe("as it was");
  });
});

describe("urlmill dedupe --keep", () => {
  const temporary = () => path("temporary");
  const environment = () => ({ TMPDIR: temporary() });
  beforeEach(() => mkdirSync(temporary()));

  const children: ReturnType<typeof spawn>[] = [];
  afterEach(() => {
    for (const child of children.splice(0)) child.kill("SIGKILL");
  });

  test("copies a pipe to a temporary file, and removes it", async () => {
    const result = await runProcess(
      ["dedupe", "--keep", "last"],
      "http://a\nhttp://a/\n",
      environment(),
    );
    expect(result).toEqual({ code: 0, stdout: "http://a/\n", stderr: "" });
    expect(readdirSync(temporary())).toEqual([]);
    writeFileSync(path("list"), "http://b/\nhttp://a#\nhttp://A\n");
    const named = runShell(
      `mkfifo pipe; printf 'http://a/\\nhttp://a\\n' > pipe & TMPDIR=${temporary()} urlmill dedupe --keep last pipe list`,
      path(""),
    );
    expect(named.stdout).toBe("http://b/\nhttp://a#\nhttp://A\n");
    expect(readdirSync(temporary())).toEqual([]);
  });

  test("says which folder it needs if there is none", async () => {
    const missing = { TMPDIR: path("missing") };
    const result = await runProcess(["dedupe", "--keep", "last"], "http://a/\n", missing);
    expect(result.code).toBe(1);
    expect(result.stderr).toMatch(
      /cannot make a temporary file in .*missing: .*name another folder with --tmp, or set TMPDIR/,
    );
  });

  test("ends with a clear message where the temporary folder is full", () => {
    // A limit on the size of files is to a program what a full disk is.
    const script = `export TMPDIR=${temporary()}; ulimit -f 8; yes http://a/ | head -c 1000000 | urlmill dedupe --keep last`;
    const { code, stdout, stderr } = runShell(script, path(""));
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(
      /cannot write a temporary file in .*: .*; the copy of standard input took .* MB/,
    );
    expect(readdirSync(temporary())).toEqual([]);
  });

  test.runIf(process.platform === "linux").each(sampleOf(["SIGTERM", "SIGINT"] as const, 2))(
    "leaves output, set and temporary folder as they were on %s",
    async (signal) => {
      const keys = path("keys");
      await runCli(["dedupe", "--seen", keys], "http://before/\n");
      writeFileSync(path("out"), "as it was");
      const args = ["dedupe", "--keep", "last", "--seen", keys, "-o", path("out")];
      const child = spawn(process.execPath, [CLI_PATH, ...args], {
        stdio: "pipe",
        env: { ...process.env, ...environment() },
      });
      children.push(child);
      child.stdin.write("http://a/\n");
      await untilDeletedFileIsOpen(child.pid);
      child.kill(signal);
      const [code] = await once(child, "close");
      expect(code).toBe(signal === "SIGINT" ? 130 : 143);
      expect(readFileSync(path("out"), "utf8")).toBe("as it was");
      expect(readdirSync(temporary())).toEqual([]);
      const after = await runCli(["dedupe", "--seen", keys], "http://before/\nhttp://a/\n");
      expect(after.stdout).toBe("http://a/\n");
    },
  );

  test.each([
    [["--keep", "newest"], "--keep is first, last, max:COLUMN or min:COLUMN"],
    [["--keep", "max:"], "--keep is first, last, max:COLUMN or min:COLUMN"],
    [["--keep", "max:date"], "--keep max:date: field needs"],
    [["--keep", "max:date", "--format", "tsv"], "without a header no column has one"],
    [["--keep", "max:when", "--format", "cdx"], "a column of CDX is a letter"],
    [["--keep", "last", "--flush"], "--flush answers each line at once"],
    [["-d", "--page-aliases", "/dev/null", "--shadow", "s"], "--shadow lists lines at once"],
  ])("refuses %j", async (flags, message) => {
    const result = await runCli(["dedupe", ...flags], "");
    expect(result.code).toBeGreaterThan(0);
    expect(result.stderr).toContain(message);
  });

  test("names the file and its columns if the column is not there", async () => {
    writeFileSync(path("list.csv"), "url,date\nhttp://a/,1\n");
    const flags = ["--format", "csv", "--header", "--keep", "max:day"];
    const result = await runCli(["dedupe", ...flags, path("list.csv")]);
    expect(result.stderr).toContain(
      `list.csv: no column "day" in the CSV header; the columns are url, date`,
    );
  });
});

test("a value that no record has is refused before anything is written", async () => {
  const list = '{"url":"http://a/","date":"1"}\n{"url":"HTTP://A","date":"2"}\n';
  const { code, stdout, stderr } = await runCli(["dedupe", "--keep", "max:Date"], list);
  expect({ code, stdout, stderr }).toEqual({
    code: 2,
    stdout: "",
    stderr: "urlmill: --keep max:Date: no record has a value there; check the name\n",
  });
  expect((await runCli(["dedupe", "--format", "jsonl", "--keep", "max:Date"], "")).code).toBe(0);
});
