import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { runCli } from "../shared/cli.ts";
import { writeColumns } from "../shared/parquet.ts";

const folder = mkdtempSync(join(tmpdir(), "urlmill-guess-column-"));
afterAll(() => rmSync(folder, { recursive: true }));
const out = join(folder, "out.parquet");
const column = (name: string, data: string[]) => ({ name, data, type: "STRING" as const });
const URLS = ["HTTP://a", "http://a/", "http://b/"];
const NOTES = ["x", "y", "z"];

/** Runs `dedupe` on a file with these columns. */
async function dedupe(columns: ReturnType<typeof column>[], ...flags: string[]) {
  const input = writeColumns(join(folder, "in.parquet"), columns, 2);
  return runCli(["dedupe", "--stats", ...flags, input, "-o", out]);
}

describe("the column of the URL in Parquet", () => {
  test.each([
    ["url", [column("link", URLS), column("url", NOTES)]],
    ["link", [column("note", NOTES), column("link", URLS)]],
  ])("is %s", async (field, columns) => {
    const { code, stderr } = await dedupe(columns);
    expect({ code, field: JSON.parse(stderr).field }).toEqual({ code: 0, field });
  });

  test("is not clear if several have URLs", async () => {
    const { code, stderr } = await dedupe([column("a", URLS), column("b", URLS)]);
    expect(code).toBe(2);
    expect(stderr).toBe(
      `urlmill: URLs are in a, b of ${join(folder, "in.parquet")}: give --field\n`,
    );
  });

  test.each([
    [[column("a", NOTES)], []],
    [[column("a", URLS)], ["--seen", join(folder, "seen")]],
  ])("is asked for otherwise: %#", async (columns, flags) => {
    const { code, stderr } = await dedupe(columns, ...flags);
    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('has no column "url"; --field names one of: a'),
    });
  });
});
