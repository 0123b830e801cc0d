// At full length only: it reads lines of several MiB.

import { readFileSync, writeFileSync } from "node:fs";
import { devNull } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { runCli } from "../shared/cli.ts";
import { atLength, sampleOf } from "../shared/length.ts";
import { tempFolder } from "../shared/temp-folder.ts";

/** One thread reads 256 KiB at a time, more read 1 MiB: what one of them cuts the others have in one piece. */
const CHUNK = 1 << 18;
const LIMIT = 1000;

const folder = tempFolder();

/** A URL of so many bytes, which normalizing changes. */
const urlOf = (bytes: number): string => "HTTP://a/?b&a=".padEnd(bytes, "x");

/** Lines with their ends, and how many of their bytes come before the border of a chunk. */
const AT_BORDERS = [
  [`${urlOf(LIMIT - 1)}\r\n`, LIMIT],
  [`${urlOf(LIMIT)}\r\n`, LIMIT + 1],
  [`${urlOf(LIMIT + 1)}\r\n`, LIMIT + 2],
  [`${urlOf(LIMIT + 1)}\n`, LIMIT + 1],
  [`${urlOf(3 * LIMIT)}\r\n`, LIMIT + 2],
  [`${urlOf(3 * LIMIT)}\r\n`, 3 * LIMIT],
  [`${urlOf(3 * LIMIT)}\r\n`, 3 * LIMIT + 1],
  [`${urlOf(3 * LIMIT)}\r\n`, 3 * LIMIT + 2],
  [`${urlOf(3 * LIMIT)}\n`, 3 * LIMIT],
  [`${urlOf(2 * LIMIT)}\rxx\r\r\n`, 2 * LIMIT + 4],
] as const;

const FILLER = `${"http://b/".padEnd(LIMIT / 2, "b")}\r\n`;
let list = "";
for (const [index, [line, before]] of AT_BORDERS.entries()) {
  const border = (index + 1) * CHUNK;
  list += FILLER.repeat((border - before - list.length - 20) / FILLER.length);
  list += `${"http://y/".padEnd(border - before - list.length - 2, "y")}\r\n${line}`;
}
const LIST = `${list}${urlOf(LIMIT + 1)}\r\n${urlOf(LIMIT)}\nhttp://c/\n`;
/** Ends without LF, in the chunk after. */
const OPEN = `${LIST}${FILLER.repeat((CHUNK - 4 * LIMIT) / FILLER.length)}${urlOf(6 * LIMIT)}`;

const MODES = [
  "dedupe --emit both --map map",
  "normalize",
  "normalize --on-error empty",
  "normalize --emit both",
  "normalize --emit both --on-error empty",
  "normalize --form surt",
  "dedupe",
  "dedupe --on-error empty",
  "dedupe --emit normalized",
];

describe.each([
  ["in the middle of a list", LIST, MODES],
  ["that end in CR with the list", `${OPEN}\r`, ["normalize", "dedupe"]],
  ["that end with the list", OPEN, ["dedupe", "normalize"]],
  ["that end the run", LIST, ["normalize --on-error fail", "dedupe --on-error fail"]],
])("lines over the limit %s", (_, list, modes) => {
  test.each(sampleOf(modes, 9))("are written alike by any number of threads: %s", async (mode) => {
    writeFileSync(join(folder, "list"), list);
    const one = await run(mode, "1");
    expect(one.said).toMatch(mode.endsWith("fail") ? FAILED : /^$/);
    for (const threads of atLength(["2"], ["2", "3"])) {
      const more = await run(mode, threads);
      expect(more.said).toEqual(one.said);
      // Megabytes that differ are not worth showing.
      for (const key of ["stdout", "errors", "map", "counts"] as const) {
        expect(more[key] === one[key], key).toBe(true);
      }
    }
  });
});

const FAILED = /^urlmill: line \d+ is not a URL \(TOO_LONG\); stopped \(--on-error fail\)\n$/;

async function run(mode: string, threads: string) {
  const map = join(folder, `map-${threads}`);
  const errors = join(folder, `errors-${threads}`);
  const args = mode.split(" ").map((part) => (part === "map" ? map : part));
  const limits = ["--max-length", String(LIMIT), "--threads", threads];
  const { stdout, stderr } = await runCli([
    ...args,
    ...limits,
    ...["--errors", errors, "--stats", join(folder, "list")],
  ]);
  const hasCounts = stderr.startsWith("{");
  const { seconds, linesPerSecond, threads: used, ...counts } = hasCounts ? JSON.parse(stderr) : {};
  return {
    stdout,
    said: hasCounts ? "" : stderr,
    errors: readFileSync(errors, "latin1"),
    map: mode.endsWith("map") ? readFileSync(map, "latin1") : "",
    counts: JSON.stringify(counts),
  };
}

test("the report shows the same of a long line for any number of threads", async () => {
  const list = `${"\u00e9".repeat(900)}\r\n`.repeat(atLength(160, 1000));
  const pages = await Promise.all(
    ["1", atLength("2", "3")].map(async (threads) => {
      const page = join(folder, `page-${threads}.html`);
      const limits = ["--max-length", "700", "--threads", threads];
      await runCli(["normalize", ...limits, "--report", page, "-o", devNull], Buffer.from(list));
      return readFileSync(page, "utf8").replaceAll(/\d+(\.\d+)? (s|threads?)\b/g, "");
    }),
  );
  expect(pages[0]).toContain("TOO_LONG");
  expect(pages[1]).toBe(pages[0]);
});
