// At full length only: it needs lists larger than memory.

import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { runCli } from "../shared/cli.ts";
import { ENGINES } from "../shared/engines.ts";
import { someRows } from "../shared/kept.ts";
import { shareOf } from "../shared/length.ts";
import { writeColumns } from "../shared/parquet.ts";
import { tempFolder } from "../shared/temp-folder.ts";

const folder = tempFolder();
const path = (name: string): string => join(folder, name);

function write(name: string, seed: number, count: number): void {
  const rows = someRows(seed, count, 20_000);
  const columns = [
    { name: "id", data: rows.map(({ id }) => id), type: "INT32" },
    { name: "url", data: rows.map(({ url }) => url), type: "STRING", encoding: "PLAIN" },
    { name: "value", data: rows.map(({ value }) => value), type: "STRING", nullable: true },
  ] as const;
  writeColumns(path(name), columns, 4000);
}

beforeAll(() => {
  write("one.parquet", 1, 25_000);
  write("two.parquet", 2, 10_000);
  write("other.parquet", 3, 3000);
}, 120_000);

const EXCLUDED = ["--exclude", path("other.parquet")];
const FLAGS: readonly (readonly string[])[] = [
  [],
  ["--keep", "last", "-c"],
  ["--keep", "max:value"],
  ["-d", "--keep", "min:value", "-c"],
  [...EXCLUDED, "--emit", "both"],
  [...EXCLUDED, "--keep", "last"],
  ["--seen", path("keys")],
  ["--seen", path("keys"), "-d", ...EXCLUDED],
  ["--on-error", "empty", "--emit", "normalized"],
];

describe.each(ENGINES)("urlmill dedupe --memory of Parquet, --engine %s", (engine) => {
  /** Runs `dedupe`, with a set that an earlier run made. Returns its outputs. */
  const run = async (flags: readonly string[]) => {
    rmSync(path("keys"), { recursive: true, force: true });
    const common = ["dedupe", "--engine", engine];
    if (flags.includes("--seen")) {
      const first = ["--seen", path("keys"), "-o", path("first.parquet"), path("other.parquet")];
      expect((await runCli([...common, ...first])).code).toBe(0);
    }
    const lists = ["--map", path("map"), "--errors", path("errors"), "--stats"];
    const files = [path("one.parquet"), path("two.parquet")];
    const args = [...common, ...flags, ...lists, "-o", path("out.parquet"), ...files];
    const { code, stderr } = await runCli(args);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    const {
      seconds: _,
      linesPerSecond: __,
      threads: ___,
      temporaryBytes,
      ...counts
    } = JSON.parse(stderr);
    const bytes = ["out.parquet", "map", "errors"].map((name) =>
      readFileSync(path(name), "base64"),
    );
    return { bytes, counts, isSpilled: temporaryBytes > 0 };
  };

  test.each(shareOf(FLAGS, engine, 6))("writes what it does in memory: %j", async (...flags) => {
    const args = flags.flat();
    const expected = await run(args);
    const found = await run([...args, "--memory", "1M"]);
    expect(found).toEqual({ ...expected, isSpilled: true });
  });
});

test.runIf(process.platform === "linux")(
  "needs a temporary file only for rows that will not fit",
  async () => {
    const flags = ["--memory", "1M", "--tmp", "/proc", "-o", path("out.parquet")];
    expect((await runCli(["dedupe", ...flags, path("other.parquet")])).code).toBe(0);
    const { code, stderr } = await runCli([
      "dedupe",
      ...flags,
      path("one.parquet"),
      path("two.parquet"),
    ]);
    expect([code, stderr]).toEqual([1, expect.stringContaining("cannot make a temporary file")]);
  },
);
