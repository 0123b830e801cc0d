import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { runCli } from "../shared/cli.ts";
import { ENGINES } from "../shared/engines.ts";
import { keptRecords, someRows } from "../shared/kept.ts";
import { FORMATS, listOf, written } from "../shared/kept-formats.ts";
import { atLength, oneOf, sampleOf, shareOf } from "../shared/length.ts";
import { tempFolder } from "../shared/temp-folder.ts";

const folder = tempFolder();
const path = (name: string): string => join(folder, name);

describe.each(ENGINES)("urlmill dedupe --keep, --engine %s", (engine) => {
  test.each(shareOf(FORMATS, engine))("writes what a map keeps: $name", async (format) => {
    const { column, header = "", args } = format;
    const rows = written(format, someRows(7, atLength(600, 8_000), 60));
    const list = listOf(format, rows);
    const choices = column === undefined ? ["first", "last"] : ["first", "last", "max", "min"];
    // In short runs, an engine takes one choice of a format, and another one of its next format.
    const turn = FORMATS.indexOf(format) >> 1;
    for (const which of oneOf(choices, turn)) {
      const keep = which.startsWith("m") ? `${which}:${column}` : which;
      const result = await runCli(["dedupe", "--engine", engine, ...args, "--keep", keep], list);
      const kept = keptRecords(rows, which).map(({ row }) => row.text);
      expect([result.code, result.stdout], keep).toEqual([0, header + kept.join("")]);
    }
  });

  test.each(shareOf(sampleOf(FORMATS, 4), engine, 3))(
    "writes the same from files, gzip and pipes, on any threads: $name",
    async (format) => {
      const { column, args } = format;
      // More than one chunk of 256 KiB on one thread; at full length, of 1 MiB on two.
      const [count, keys] = atLength([16_000, 5000], [50_000, 10_000]);
      const rows = written(format, someRows(11, count, keys));
      const middle = rows.length >> 1;
      const parts = [rows.slice(0, middle), rows.slice(middle)].map((part) => listOf(format, part));
      writeFileSync(path("one"), parts[0] as string, "latin1");
      writeFileSync(path("two.gz"), gzipSync(Buffer.from(parts[1] as string, "latin1")));
      const which = column === undefined ? "last" : "max";
      const keep = column === undefined ? "last" : `max:${column}`;
      const kept = keptRecords(rows, which).map(({ row }) => row);
      const expected = listOf(format, kept);
      for (const threads of shareOf(["2", "1"], engine)) {
        const run = ["dedupe", "--engine", engine, "--threads", threads, ...args, "--keep", keep];
        const files = await runCli([...run, "-o", path("out.gz"), path("one"), path("two.gz")]);
        expect(files.code).toBe(0);
        const ofFiles = gunzipSync(readFileSync(path("out.gz"))).toString("latin1");
        expect(ofFiles === expected).toBe(true);
        const list = Buffer.from(listOf(format, rows), "latin1");
        const packed = gzipSync(list);
        for (const input of atLength(threads === "1" ? [packed] : [], [packed, list])) {
          const piped = await runCli(run, input);
          expect(piped.stdout === expected).toBe(true);
        }
      }
    },
    120_000,
  );
});

describe("dates whose year is last", () => {
  const list = [
    "url;Date",
    "http://a/;31.01.2023",
    "HTTP://A;01.03.2024",
    "http://b/;1/2/2024 9:05",
    "http://b;1/2/2024, 10:00:01",
    "http://c;2024-05-05",
    "http://c/;30.02.2024",
    "http://C/;1.1.2020",
    "http://d/;1/2/2024 12:30 AM",
    "http://d;1/2/2024 1:00 a.m.",
    "http://D;01/02/2024 11:00 pm",
  ].join("\n");
  const kept = async (how: string): Promise<string[]> => {
    const { stdout } = await runCli(["dedupe", "-q", "--keep", how], `${list}\n`);
    return stdout.split("\n").slice(1, -1);
  };

  test("are compared as dates, and other values lose", async () => {
    expect(await kept("max:Date:dmy")).toEqual([
      "HTTP://A;01.03.2024",
      "http://b;1/2/2024, 10:00:01",
      "http://C/;1.1.2020",
      "http://D;01/02/2024 11:00 pm",
    ]);
    expect(await kept("min:Date:dmy")).toEqual([
      "http://a/;31.01.2023",
      "http://b/;1/2/2024 9:05",
      "http://C/;1.1.2020",
      "http://d/;1/2/2024 12:30 AM",
    ]);
    expect((await kept("max:Date:mdy"))[0]).toBe("HTTP://A;01.03.2024");
  });

  test("are named if they compare as text", async () => {
    const hint =
      "--keep max:Date: values such as 31.01.2023 compare as text; give --keep max:Date:dmy if the day comes first, or --keep max:Date:mdy\n";
    const run = await runCli(["dedupe", "--keep", "max:Date"], list);
    expect(run.stderr).toBe(`urlmill: ${hint}`);
    const dated = await runCli(["dedupe", "--keep", "max:Date:dmy"], list);
    expect(dated.stderr).toBe("");
    const iso = await runCli(["dedupe", "--keep", "max:d"], "url,d\nhttp://a/,2024-01-31\n");
    expect(iso.stderr).toBe("");
  });
});
