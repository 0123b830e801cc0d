import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { runCli } from "../shared/cli.ts";
import { ENGINES } from "../shared/engines.ts";
import { keptRecords, someRows } from "../shared/kept.ts";
import { FORMATS, listOf, written } from "../shared/kept-formats.ts";
import { atLength, sampleOf, shareOf } from "../shared/length.ts";
import { tempFolder } from "../shared/temp-folder.ts";

const folder = tempFolder();
const path = (name: string): string => join(folder, name);

describe.each(ENGINES)("urlmill dedupe --keep, --engine %s", (engine) => {
  test.each(FORMATS)("writes what a map keeps: $name", async (format) => {
    const { column, header = "", args } = format;
    const rows = written(format, someRows(7, atLength(600, 20_000), 60));
    const list = listOf(format, rows);
    const choices = column === undefined ? ["first", "last"] : ["first", "last", "max", "min"];
    for (const which of shareOf(choices, engine)) {
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
      const [count, keys] = atLength([16_000, 5000], [100_000, 20_000]);
      const rows = written(format, someRows(11, count, keys));
      const middle = rows.length >> 1;
      const parts = [rows.slice(0, middle), rows.slice(middle)].map((part) => listOf(format, part));
      writeFileSync(path("one"), parts[0] as string, "latin1");
      writeFileSync(path("two.gz"), gzipSync(Buffer.from(parts[1] as string, "latin1")));
      const which = column === undefined ? "last" : "max";
      const keep = column === undefined ? "last" : `max:${column}`;
      const kept = keptRecords(rows, which).map(({ row }) => row);
      const expected = listOf(format, kept);
      const ofSecond = new Set(rows.slice(middle));
      const expectedOfFiles = format.hasHeaderPerFile
        ? listOf(
            format,
            kept.filter((row) => !ofSecond.has(row)),
          ) +
          listOf(
            format,
            kept.filter((row) => ofSecond.has(row)),
          )
        : expected;
      for (const threads of shareOf(["2", "1"], engine)) {
        const run = ["dedupe", "--engine", engine, "--threads", threads, ...args, "--keep", keep];
        const files = await runCli([...run, "-o", path("out.gz"), path("one"), path("two.gz")]);
        expect(files.code).toBe(0);
        const ofFiles = gunzipSync(readFileSync(path("out.gz"))).toString("latin1");
        expect(ofFiles === expectedOfFiles).toBe(true);
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
