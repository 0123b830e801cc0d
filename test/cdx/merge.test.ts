import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { beforeEach, describe, expect, test } from "vitest";
import { runCli } from "../shared/cli.ts";
import { atLength, sampleOf } from "../shared/length.ts";
import { tempFolder } from "../shared/temp-folder.ts";
import { capture, captures, HEADER, hostileLines, sorted } from "./lines.ts";

let here = "";
beforeEach(() => {
  here = tempFolder();
});

function write(name: string, content: string | Uint8Array): string {
  const file = join(here, name);
  writeFileSync(file, typeof content === "string" ? Buffer.from(content, "latin1") : content);
  return file;
}

const merge = (...args: string[]) => runCli(["cdx", "merge", ...args]);

describe("cdx merge writes what sorting all lines does", () => {
  test.each(sampleOf([1, 2, 3, 7, 40], 2))("%s files", async (count) => {
    // Short runs have few texts, in many files.
    const texts = Array.from({ length: Math.min(count, atLength(4, count)) }, (_, at) =>
      sorted(
        at % 3 === 2
          ? hostileLines(atLength(200, 700), at + 1)
          : captures(atLength(200, 7000), at + 1),
      ),
    );
    const written = Array.from({ length: count }, (_, at) => texts[at % texts.length] as string);
    const files = written.map((text, at) => write(`${at}.cdx`, text));
    const expected = sorted(written.join(""));
    for (const memory of ["1M", "64M"]) {
      const { code, stdout } = await merge("--memory", memory, ...files);
      expect(code).toBe(0);
      expect(stdout === expected).toBe(true);
    }
  });

  test("files with headers, compressed, empty, without the last line end", async () => {
    const one = sorted(captures(300, 1));
    const two = sorted(captures(300, 2));
    const files = [
      write("one.cdx", HEADER + one.slice(0, -1)),
      write("two.cdx.gz", gzipSync(HEADER + two)),
      write("empty.cdx", ""),
      write("header.cdx", HEADER),
      write("same.cdx", one),
    ];
    const { stdout, stderr } = await merge(...files);
    expect(stdout).toBe(HEADER + sorted(one + two + one));
    expect(stderr).toBe("urlmill: 900 lines merged\n");
  });

  test("files that begin with their header twice", async () => {
    const texts = [1, 2].map((seed) => sorted(captures(30, seed)));
    const files = texts.map((text, at) => write(`${at}.cdx`, HEADER + HEADER + text));
    const { code, stdout } = await merge(...files);
    expect(code).toBe(0);
    expect(stdout).toBe(HEADER + sorted(texts.join("")));
  });

  test("lines that are longer than what is read at a time", async () => {
    const text = (seed: number) =>
      sorted(
        captures(20, seed) +
          capture(`com,example)/${"x".repeat(atLength(1_100_000, 2_000_000))}${seed}`),
      );
    const texts = [1, 2, 3].map(text);
    const files = texts.map((each, at) => write(`${at}.cdx`, each));
    const { stdout } = await merge("--memory", "1M", ...files);
    expect(stdout === sorted(texts.join(""))).toBe(true);
  });
});

test("a file that is not sorted is refused with its name and line", async () => {
  const good = write("good.cdx", HEADER + capture("a") + capture("b"));
  const bad = write("bad.cdx", HEADER + capture("a") + capture("c") + capture("b"));
  const { code, stderr } = await merge(good, bad, "-o", join(here, "out.cdx"));
  expect(code).toBe(1);
  expect(stderr).toBe(
    `urlmill: ${bad}, line 4: it comes before the line above it, by its bytes; sort the file first: urlmill cdx sort\n`,
  );
});

test("a header after records is not sorted", async () => {
  const bad = write("bad.cdx", capture("a") + HEADER);
  const { code, stderr } = await merge(bad);
  expect(code).toBe(1);
  expect(stderr).toContain(`${bad}, line 2: it comes before`);
});

test("files with other fields are refused", async () => {
  const one = write("one.cdx", capture("a"));
  const two = write("two.cdxj", 'b)/ 2026 {"url":"http://b/"}\n');
  const { code, stderr } = await merge(one, two);
  expect(code).toBe(1);
  expect(stderr).toContain(`${two}, line 1: CDXJ, where the lines before are CDX of N b a`);
});

test("damaged lines are named and kept, in their place", async () => {
  const lines = `${capture("a")}b cut\n${capture("c")}`;
  const { code, stdout, stderr } = await merge(
    write("one.cdx", lines),
    write("two.cdx", capture("b")),
  );
  expect([code, stdout]).toEqual([0, sorted(lines + capture("b"))]);
  expect(stderr).toContain("one.cdx, line 2: damaged, and kept");
});

test("without a file it says what is missing", async () => {
  const { code, stderr } = await merge();
  expect([code, stderr]).toEqual([2, "urlmill: merge which files? see urlmill cdx merge --help\n"]);
});
