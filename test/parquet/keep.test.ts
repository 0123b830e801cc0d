import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { runCli } from "../shared/cli.ts";
import { ENGINES } from "../shared/engines.ts";
import { type KeptRow, keptRecords, keyOf, someRows, type WrittenRow } from "../shared/kept.ts";
import { atLength, IS_LONG, sampleOf, shareOf } from "../shared/length.ts";
import { readParquet, writeColumns, writeSchema } from "../shared/parquet.ts";
import { Random } from "../shared/random.ts";
import { tempFolder } from "../shared/temp-folder.ts";

const folder = tempFolder();
const path = (name: string): string => join(folder, name);

/** Rows whose text tells equal rows. */
const written = (rows: readonly KeptRow[]): WrittenRow[] =>
  rows.map((row) => ({ ...row, text: JSON.stringify([row.url, row.value, row.id]) }));

const asRow = ({ url, value, id }: KeptRow) => ({ id, url, value });

function write(name: string, rows: readonly KeptRow[], encoding: "PLAIN" | "RLE_DICTIONARY") {
  return writeColumns(
    path(name),
    [
      { name: "id", data: rows.map(({ id }) => id), type: "INT32" },
      { name: "url", data: rows.map(({ url }) => url), type: "STRING", encoding },
      {
        name: "value",
        data: rows.map(({ value }) => value),
        type: "STRING",
        encoding,
        nullable: true,
      },
    ],
    150,
  );
}

async function dedupe(...args: string[]) {
  const { code, stderr } = await runCli(["dedupe", "--stats", ...args, "-o", path("out.parquet")]);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  return { ...(await readParquet(path("out.parquet"))), counts: JSON.parse(stderr) };
}

describe.each(ENGINES)("urlmill dedupe --keep of Parquet, --engine %s", (engine) => {
  test.each(shareOf(["PLAIN", "RLE_DICTIONARY"] as const, engine))(
    "writes what a map keeps, on one thread and on two, from %s pages",
    async (encoding) => {
      const rows = written(someRows(13, atLength(600, 5000), 200));
      const files = [
        write("one.parquet", rows.slice(0, 350), encoding),
        write("two.parquet", rows.slice(350), encoding),
      ];
      const runs = ["last", "max", "min"].flatMap((which) => ["1", "2"].map((on) => [which, on]));
      for (const [which, threads] of sampleOf(runs, 3) as [string, string][]) {
        const keep = which === "last" ? which : `${which}:value`;
        const flags = ["--engine", engine, "--threads", threads, "--keep", keep];
        const kept = keptRecords(rows, which);
        const { rows: out, counts } = await dedupe(...flags, ...files);
        expect(out, keep).toEqual(kept.map(({ row }) => asRow(row)));
        const duplicates = rows.length - kept.length;
        expect(counts).toMatchObject({ lines: rows.length, duplicates });
      }
    },
  );

  test.runIf(IS_LONG || engine === "js")(
    "adds the count of rows, after the normalized URL, or writes only repeated ones",
    async () => {
      const rows = written(someRows(17, 500, 200));
      const file = write("counts.parquet", rows, "PLAIN");
      const kept = keptRecords(rows, "last");
      const flags = ["--engine", engine, "--keep", "last"];
      const { rows: counted, metadata } = await dedupe(...flags, "-c", "--emit", "both", file);
      const names = metadata.schema.slice(1).map(({ name }) => name);
      expect(names).toEqual(["id", "url", "value", "normalized_url", "count"]);
      expect(counted).toEqual(
        kept.map(({ row, count }) => ({
          ...asRow(row),
          normalized_url: row.key,
          count: BigInt(count),
        })),
      );
      const repeated = kept.filter(({ count }) => count > 1);
      const only = await dedupe(...flags, "-d", "--map", path("map"), file);
      expect(only.rows).toEqual(repeated.map(({ row }) => asRow(row)));
      const merged = rows.length - kept.length;
      const unrepeated = kept.length - repeated.length;
      expect(only.counts).toMatchObject({ duplicates: merged, unrepeated });
      expect(readFileSync(path("map"), "utf8").split("\n").length - 1).toBe(merged);
      const both = await dedupe(...flags, "-cd", file);
      expect(both.rows).toEqual(
        repeated.map(({ row, count }) => ({ ...asRow(row), count: BigInt(count) })),
      );
    },
  );

  test.runIf(IS_LONG || engine === "wasm")(
    "leaves out what earlier runs wrote, and what --exclude has, whatever the value",
    async () => {
      const [one, two, list] = [1, 2, 3].map((seed) => written(someRows(seed, 200, 150)));
      const [first, second, excluded] = [one, two, list].map((rows, at) =>
        write(`seen-${at}.parquet`, rows as WrittenRow[], "PLAIN"),
      ) as [string, string, string];
      const left = new Set((list as WrittenRow[]).map(keyOf));
      const folderOfKeys = path(`keys-${engine}`);
      for (const [file, rows] of [
        [first, one],
        [second, two],
      ] as const) {
        const kept = keptRecords(rows as WrittenRow[], "max", (key) => left.has(key));
        const flags = ["--seen", folderOfKeys, "--exclude", excluded, "--keep", "max:value"];
        const { rows: out } = await dedupe("--engine", engine, ...flags, file);
        expect(out).toEqual(kept.map(({ row }) => asRow(row)));
        for (const { row } of kept) left.add(keyOf(row));
      }
      const plain = await dedupe(
        "--engine",
        engine,
        "--exclude",
        excluded,
        "--threads",
        "2",
        first,
      );
      const others = new Set((list as WrittenRow[]).map(keyOf));
      const kept = keptRecords(one as WrittenRow[], "first", (key) => others.has(key));
      expect(plain.rows).toEqual(kept.map(({ row }) => asRow(row)));
    },
  );
});

describe("values of Parquet", () => {
  const random = new Random(3);
  const numbers = Array.from({ length: 200 }, () => random.below(2 ** 31) - 2 ** 30);
  const nanos = numbers.map((number) => 1_700_000_000_000_000_000n + BigInt(number));
  const date = (number: number) => new Date(1.7e12 + number);

  /** The row with the greatest and the least value; the first of equals. */
  const ends = <T>(values: readonly T[], isLess: (one: T, other: T) => boolean) => {
    let [most, least] = [0, 0];
    for (const [at, value] of values.entries()) {
      if (isLess(values[most] as T, value)) most = at;
      if (isLess(value, values[least] as T)) least = at;
    }
    return [most, least];
  };

  test.each([
    ["INT32", numbers],
    ["INT64", nanos],
    ["DOUBLE", numbers.map((number) => number / 1024)],
    ["TIMESTAMP", numbers.map(date)],
  ] as const)("of %s compare as what they are", async (type, values) => {
    const column = { name: "value", data: [null, ...values], type, nullable: true } as const;
    const ids = [null, ...values].map((_, row) => row);
    const file = writeColumns(
      path("typed.parquet"),
      [
        { name: "id", data: ids, type: "INT32" },
        { name: "url", data: ids.map(() => "http://a/"), type: "STRING" },
        column,
      ],
      64,
    );
    const [most = 0, least = 0] = ends<number | bigint | Date>(values, (one, other) => one < other);
    for (const [keep, row] of [
      ["max", most],
      ["min", least],
    ] as const) {
      const { rows } = await dedupe("--keep", `${keep}:value`, file);
      expect(
        rows.map(({ id }) => id),
        keep,
      ).toEqual([row + 1]);
    }
  });

  test("of unsigned numbers, decimals and booleans do, too; NaN is no value", async () => {
    const file = writeSchema(
      path("kinds.parquet"),
      [
        { name: "root", num_children: 5 },
        { name: "url", type: "BYTE_ARRAY", converted_type: "UTF8", repetition_type: "REQUIRED" },
        { name: "unsigned", type: "INT32", converted_type: "UINT_32", repetition_type: "REQUIRED" },
        {
          name: "decimal",
          type: "FIXED_LEN_BYTE_ARRAY",
          type_length: 2,
          converted_type: "DECIMAL",
          precision: 4,
          scale: 2,
          repetition_type: "REQUIRED",
        },
        { name: "is", type: "BOOLEAN", repetition_type: "REQUIRED" },
        { name: "real", type: "DOUBLE", repetition_type: "REQUIRED" },
      ] as never,
      {
        url: ["http://a/", "http://A", "http://a"],
        unsigned: [5, 2 ** 32 - 1, 7],
        decimal: [0.09, -0.01, 2.56],
        is: [false, true, true],
        real: [Number.NaN, Number.POSITIVE_INFINITY, -1],
      },
    );
    const kept = async (keep: string) => {
      const { rows } = await dedupe("--keep", keep, file);
      return rows.map(({ url }) => url);
    };
    expect(await kept("max:unsigned")).toEqual(["http://A"]);
    expect(await kept("max:decimal")).toEqual(["http://a"]);
    expect(await kept("min:decimal")).toEqual(["http://A"]);
    expect(await kept("max:is")).toEqual(["http://A"]);
    expect(await kept("max:real")).toEqual(["http://A"]);
    expect(await kept("min:real")).toEqual(["http://a"]);
  });

  test("are refused before anything is written if there is no such column, or a count has no place", async () => {
    const file = writeColumns(path("refused.parquet"), [
      { name: "url", data: ["http://a/"], type: "STRING" },
      { name: "count", data: [1], type: "INT32" },
    ]);
    const run = (...args: string[]) => runCli(["dedupe", ...args, file, "-o", path("no.parquet")]);
    const missing = await run("--keep", "max:date");
    expect(missing.stderr).toContain('has no column "date"; --keep names one of: url, count');
    const counted = await run("-c");
    expect([counted.code, counted.stderr]).toEqual([
      2,
      expect.stringContaining("--count adds the column count"),
    ]);
    const list = await run("--exclude", import.meta.filename);
    expect([list.code, list.stderr]).toEqual([
      2,
      expect.stringContaining("and the input is Parquet"),
    ]);
  });
});
