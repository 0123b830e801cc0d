import { join } from "node:path";
import type { SchemaElement } from "hyparquet";
import { describe, expect, test } from "vitest";
import { runCli } from "../shared/cli.ts";
import { writeColumns, writeSchema } from "../shared/parquet.ts";
import { tempFolder } from "../shared/temp-folder.ts";

const folder = tempFolder();
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

  const page = (url: string | null) => (url === null ? null : { url, "a.b": { c: "x" } });
  const optional = {
    repetition_type: "OPTIONAL",
    converted_type: "UTF8",
    type: "BYTE_ARRAY",
  } as const;
  const STRUCT = [
    { name: "root", num_children: 2 },
    { name: "note", ...optional },
    { name: "page", repetition_type: "OPTIONAL", num_children: 2 },
    { name: "url", ...optional },
    { name: "a.b", repetition_type: "OPTIONAL", num_children: 1 },
    { name: "c", ...optional },
  ] satisfies SchemaElement[];

  test.each([
    [
      "page.url",
      ["x", "y", "z", "u"],
      [null, page("HTTP://a"), page("http://a/"), page("http://b/")],
    ],
    ["note", ["http://a", "y", "z", "u"], [page("x"), null, null, page("y")]],
    [
      "page.a.b.c",
      ["x", "y", "z", "u"],
      [null, { url: "x", "a.b": { c: "http://c" } }, null, null],
    ],
  ])("is %s, in a struct or beside one", async (field, note, rows) => {
    const input = writeSchema(join(folder, "struct.parquet"), STRUCT, { note, page: rows });
    const { code, stderr } = await runCli(["dedupe", "--stats", input, "-o", out]);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(JSON.parse(stderr).field).toBe(field);
  });

  test("in a struct is not clear if a column beside it has URLs", async () => {
    const input = writeSchema(join(folder, "both.parquet"), STRUCT, {
      note: ["http://a"],
      page: [page("http://b")],
    });
    const { code, stderr } = await runCli(["dedupe", input, "-o", out]);
    expect(code).toBe(2);
    expect(stderr).toContain("URLs are in note, page.url of ");
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
