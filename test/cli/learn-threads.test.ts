// At full length only: it starts many threads.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { LearnRecord } from "../../src/learn/records/record.ts";
import { CLI_PATH, runCli, runProcess } from "../shared/cli.ts";
import { readSite } from "../shared/learn-site.ts";
import { atLength, sampleOf } from "../shared/length.ts";
import { tempFolder } from "../shared/temp-folder.ts";

const folder = tempFolder();
const path = (name: string): string => join(folder, name);

function writeList(name: string, records: Iterable<object>): string {
  const lines = Array.from(records, (record) => `${JSON.stringify(record)}\n`);
  writeFileSync(path(name), lines.join(""));
  return path(name);
}

/** URLs of a site. */
const MOST = atLength(100, Number.POSITIVE_INFINITY);

/** Sites of several kinds: with pages, with sizes, with captures that differ, and with declarations. */
function* everyKind(): Generator<LearnRecord> {
  for (const name of sampleOf(["autoindex", "forum"] as const, 2))
    yield* readSite(name).slice(0, MOST);
  for (const { url, size } of readSite(atLength("autoindex", "blog")).slice(0, MOST)) {
    yield { url: url.replace("//", "//sizes."), ...(size !== undefined && { size }) };
  }
  for (let page = 0; page < 60; page++) {
    for (const sid of [1, 2]) {
      const url = `http://states.org/?p=${page}&sid=${page * 2 + sid}`;
      yield { url, fp: `text:é${page}` };
      if (page % 3 === 0) yield { url, fp: `text:é${page} later` };
    }
    yield { url: `http://old.org/${page}`, status: 301, redirect: `https://new.org/${page}` };
    yield { url: `http://new.org/${page}`, status: 301, redirect: `https://new.org/${page}` };
    yield { url: `http://s${page}.org/` };
  }
}

/** Two sites; with 10,000 pages they take a second. */
function* wikis(pages: number): Generator<LearnRecord> {
  for (const site of ["a.org", "b.org"]) {
    for (let page = 0; page < pages; page++) {
      yield { url: `http://${site}/wiki/Page_${page}`, fp: `cls:${page}` };
      yield { url: `http://${site}/index.php?title=Page_${page}`, fp: `cls:${page}` };
    }
  }
}

describe("urlmill learn --threads", () => {
  test("writes the same rules for any number", async () => {
    const list = writeList("every-kind.jsonl", everyKind());
    const results = [];
    for (const threads of ["1", atLength("2", "3")]) {
      const report = path(`${threads}.html`);
      results.push(
        await runCli([
          "learn",
          list,
          "--threads",
          threads,
          "--report",
          report,
          "--format",
          "jsonl",
        ]),
      );
      expect(readFileSync(report, "utf8")).toContain("Refused");
    }
    const [first] = results;
    expect(first?.code).toBe(0);
    expect(first?.stdout).toContain("\thost old.org => new.org\t");
    expect(first?.stdout).toMatch(/^sizes\..*size/m);
    for (const result of results) expect(result).toEqual(first);
  }, 60_000);

  /** A program that runs first, on the main thread and on each worker. */
  const preload = (program: string): Record<string, string> => {
    const file = path("preload.cjs");
    writeFileSync(file, `${program}`);
    return { NODE_OPTIONS: `--require ${file}` };
  };

  test("ends with 1 and writes no file if its threads die", async () => {
    const list = writeList("dies.jsonl", wikis(atLength(500, 20_000)));
    const out = path("dies.tsv");
    const { code, stderr } = await runProcess(
      ["learn", list, "--threads", "2", "-o", out],
      "",
      preload(
        `const { isMainThread, MessagePort, parentPort } = require("node:worker_threads");
        const answer = MessagePort.prototype.postMessage;
        if (!isMainThread) MessagePort.prototype.postMessage = function (...message) {
          if (this !== parentPort) process.exit(1);
          answer.apply(this, message);
        };`,
      ),
    );
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(
        /^urlmill: a worker died twice on the \d+ URLs of \S+: .*; no rules are written: if memory ran out, /,
      ),
    });
    expect(readdirSync(folder)).not.toContain("dies.tsv");
  }, 60_000);

  test.runIf(process.platform !== "win32")(
    "ends at once and leaves no file when interrupted",
    async () => {
      const list = writeList("interrupted.jsonl", wikis(atLength(10_000, 20_000)));
      const out = path("interrupted.tsv");
      const begun = preload(
        "if (!require('node:worker_threads').isMainThread) process.stderr.write('begun\\n');",
      );
      const child = spawn(
        process.execPath,
        [CLI_PATH, "learn", list, "--threads", "2", "-o", out],
        { stdio: ["ignore", "ignore", "pipe"], env: { ...process.env, ...begun } },
      );
      const closed = once(child, "close");
      let complaint = "";
      for await (const text of child.stderr) {
        if (complaint === "") child.kill("SIGINT");
        complaint += text;
      }
      expect(await closed).toEqual([130, null]);
      expect(complaint).toContain("urlmill: interrupted; the output is not written");
      expect(readdirSync(folder).filter((name) => name.startsWith("interrupted.tsv"))).toEqual([]);
    },
    30_000,
  );
});
