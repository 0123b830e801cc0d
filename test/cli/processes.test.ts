import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runCli, runProcess } from "../shared/cli.ts";
import { readCorpus } from "../shared/fixtures.ts";
import { sampleOf } from "../shared/length.ts";
import { tempFolder } from "../shared/temp-folder.ts";

// Most tests run commands in their own process. These run them as people do, and must find no difference.

const folder = tempFolder();
const path = (name: string): string => join(folder, name);

/** More than a pipe holds, with lines of all kinds. */
const LIST = Buffer.concat([
  readCorpus().subarray(0, 100_000),
  Buffer.from("\nnothing\r\nHTTP://A"),
]);
writeFileSync(path("list"), LIST);
writeFileSync(path("labelled.tsv"), "url\tcluster\nhttp://a/\t1\nhttp://a/?b\t1\n");
const OUT = path("out");

const CASES = [
  [["--version"]],
  [[]],
  [["help", "dedupe"]],
  [["nothing"]],
  [["http://a/%7e"]],
  [["explain", "nothing"]],
  [["normalize"]],
  [["normalize", "--on-error", "fail"]],
  [["normalize", "missing"]],
  [["dedupe", "--threads", "2", "--preset", "crawl", "--errors", OUT]],
  [["dedupe", path("list"), "-o", OUT]],
  [["learn", "-o", OUT]],
  [["learn", "evaluate", path("labelled.tsv")]],
  [["hosts", "--server", "127.0.0.1:9", "--timeout", "1"]],
  [["plan", "--preset", "crawl", "-o", OUT]],
  [["presets", "crawl"]],
  [["schema"]],
  [["completion", "bash"]],
  [["man"]],
];

test.each(sampleOf(CASES, 9))(
  "a process of its own writes and ends as a call does: urlmill %j",
  async (args) => {
    const results = [];
    for (const run of [runCli, runProcess]) {
      rmSync(OUT, { force: true });
      const result = await run(args, LIST);
      results.push({ result, out: args.includes(OUT) ? readFileSync(OUT, "latin1") : null });
    }
    expect(results[1]).toEqual(results[0]);
  },
);
