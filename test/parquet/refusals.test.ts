import { existsSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { SchemaElement } from "hyparquet";
import { expect, test } from "vitest";
import { ParquetFile } from "../../src/parquet/input-file.ts";
import type { Leaf } from "../../src/parquet/leaf.ts";
import { Arena } from "../../src/parquet/memory/arena.ts";
import { loadParquetPeers } from "../../src/parquet/peers.ts";
import { type CliResult, runCli, runProcess, runShell } from "../shared/cli.ts";
import { readParquet, writeColumns, writeSchema } from "../shared/parquet.ts";
import { ENCRYPTED_FILE } from "../shared/parquet-copy.ts";
import { tempFolder } from "../shared/temp-folder.ts";

const folder = tempFolder();
const path = (name: string): string => join(folder, name);

const OUT = path("out.parquet");
const SAMPLE = writeColumns(path("sample.parquet"), [
  { name: "url", data: ["http://a/", "not a url"], type: "STRING" },
  { name: "n", data: [1, 2], type: "INT32" },
]);
const LIST = writeSchema(
  path("list.parquet"),
  [
    { name: "root", num_children: 1 },
    { name: "url", repetition_type: "OPTIONAL", num_children: 1, converted_type: "LIST" },
    { name: "list", repetition_type: "REPEATED", num_children: 1 },
    { name: "element", type: "BYTE_ARRAY", repetition_type: "OPTIONAL", converted_type: "UTF8" },
  ],
  { url: [["http://a/"]] },
);
const dedupe = (...args: string[]): Promise<CliResult> => runCli(["dedupe", ...args, "-o", OUT]);
const say = (text: string): string => `urlmill: ${text}\n`;

test("a column that is missing is an error that lists those that hold texts, and no output is opened", async () => {
  expect(await dedupe("--field", "link", SAMPLE)).toEqual({
    code: 2,
    stdout: "",
    stderr: say(`${SAMPLE} has no column "link"; --field names one of: url`),
  });
  expect(existsSync(OUT)).toBe(false);
  const { stderr } = await dedupe(LIST);
  expect(stderr).toBe(say(`${LIST} has no column "url"; no other has one text a row`));
});

test("a column of the type null holds only nulls", async () => {
  const url: SchemaElement = { name: "url", type: "INT32", repetition_type: "OPTIONAL" };
  const nulls = writeSchema(
    path("nulls.parquet"),
    [
      { name: "root", num_children: 1 },
      { ...url, logical_type: { type: "NULL" } },
    ],
    { url: [null, null] },
  );
  const { code, stderr } = await dedupe(nulls);
  expect(code).toBe(2);
  expect(stderr).toContain(`column "url" of ${nulls} holds only nulls, and URLs are text`);
});

test.each([
  ["--field", "a"],
  ["--field", "url", "--keep", "max:a"],
])("two columns of one name are refused: %s", async (...flags) => {
  const a = { name: "a", data: ["http://a/"], type: "STRING" } as const;
  const two = writeColumns(path("two.parquet"), [a, { ...a, name: "url" }, a]);
  const stderr = say(`${two} has two columns "a"; rename one first`);
  expect(await dedupe(...flags, two)).toEqual({ code: 2, stdout: "", stderr });
});

test("a column of numbers is not one of URLs", async () => {
  const { code, stderr } = await dedupe("--field", "n", SAMPLE);
  expect(code).toBe(2);
  expect(stderr).toContain(`column "n" of ${SAMPLE} holds INT32, and URLs are text`);
});

test("a column of lists is not one URL a row", async () => {
  const { code, stderr } = await dedupe("--field", "url.list.element", LIST);
  expect(code).toBe(2);
  expect(stderr).toContain("is in a list, and a row has one URL");
});

test.each([
  ["within its pages", 100],
  ["within its footer", -20],
  ["before the last magic", -4],
  ["after the first magic", 4],
])("a file that is cut off %s is refused", async (_, at) => {
  const cut = path("cut.parquet");
  writeFileSync(cut, readFileSync(SAMPLE).subarray(0, at));
  expect(await dedupe(cut)).toEqual({
    code: 1,
    stdout: "",
    stderr: say(
      `cannot read ${cut}: its footer is missing, so its end was cut off; get the whole file`,
    ),
  });
});

test("a file that becomes shorter after it was opened is an error", async () => {
  const shorter = path("shorter.parquet");
  writeFileSync(shorter, readFileSync(SAMPLE));
  const file = await ParquetFile.open(shorter, await loadParquetPeers());
  const [leaf] = file.leaves as [Leaf];
  const meta = file.metaOf(file.raw.field_4[0]?.field_1[0], leaf);
  truncateSync(shorter, 10);
  await expect(file.readChunk(meta, new Arena())).rejects.toThrow(
    `${shorter} became shorter while it was read; run again once it no longer changes`,
  );
  await file.close();
});

test.each(["normalize", "dedupe"])("encrypted columns are named by %s", async (command) => {
  const encrypted = path("encrypted.parquet");
  writeFileSync(encrypted, ENCRYPTED_FILE);
  writeFileSync(OUT, "as it was");
  expect(await runCli([command, encrypted, "-o", OUT])).toMatchObject({
    code: 1,
    stderr: say(`cannot read ${encrypted}: it has encrypted columns (secret); decrypt it first`),
  });
  expect(readFileSync(OUT, "utf8")).toBe("as it was");
});

test("a file of --exclude may have encrypted columns, if they are not the URLs", async () => {
  const encrypted = path("excluded.parquet");
  writeFileSync(encrypted, ENCRYPTED_FILE);
  const args = ["dedupe", SAMPLE, "-o", OUT, "--exclude", encrypted];
  expect(await runCli(args)).toMatchObject({ code: 0 });
  expect((await readParquet(OUT)).rows).toEqual([{ url: "not a url", n: 2 }]);
});

test("what is not Parquet is refused with the way to name its format", async () => {
  const text = path("text.parquet");
  writeFileSync(text, "http://a/\n");
  expect(await dedupe(text)).toMatchObject({
    code: 1,
    stderr: say(`cannot read ${text}: it is not a Parquet file; --format names another format`),
  });
});

test("a file that is missing is refused", async () => {
  expect(await dedupe(path("none.parquet"))).toMatchObject({
    code: 1,
    stderr: say(`cannot read ${path("none.parquet")}: there is no such file`),
  });
});

test("standard input is refused, because Parquet is read from its end", async () => {
  const { code, stderr } = await runCli(
    ["dedupe", "--format", "parquet"],
    new Uint8Array(readFileSync(SAMPLE)),
  );
  expect(code).toBe(2);
  expect(stderr).toContain("standard input does not give: save it to a file and name that");
});

test.skipIf(process.platform === "win32")("a named pipe is refused before it is read", () => {
  const result = runShell(
    "mkfifo pipe.parquet; (cat sample.parquet > pipe.parquet &) ; urlmill dedupe pipe.parquet",
    folder,
  );
  expect(result.code).toBe(1);
  expect(result.stderr).toContain("it must be a file; save it to one first");
});

test.each([[["--header"], "--header needs --format tsv or csv: parquet names its columns itself"]])(
  "%j is refused",
  async (args, message) => {
    expect(await dedupe(...args, SAMPLE)).toMatchObject({ code: 2, stderr: say(message) });
  },
);

test("--shadow is refused", async () => {
  const rules = path("rules");
  writeFileSync(rules, "");
  const { code, stderr } = await dedupe("--rules", rules, "--shadow", path("s"), SAMPLE);
  expect(code).toBe(2);
  expect(stderr).toContain("--shadow reads lines (--format lines --emit original)");
});

test("files with other columns do not become one", async () => {
  const other = writeColumns(path("other.parquet"), [
    { name: "url", data: ["http://a/"], type: "STRING" },
  ]);
  expect(await dedupe(SAMPLE, other)).toMatchObject({ code: 2 });
  expect((await dedupe(SAMPLE, other)).stderr).toContain("have other columns or types");
});

test("--emit both is refused where its column is there already", async () => {
  const keyed = writeColumns(path("keyed.parquet"), [
    { name: "url", data: ["http://a/"], type: "STRING" },
    { name: "normalized_url", data: ["x"], type: "STRING" },
  ]);
  const { code, stderr } = await dedupe("--emit", "both", keyed);
  expect(code).toBe(2);
  expect(stderr).toContain(
    `--emit both adds the column normalized_url, which ${keyed} has already`,
  );
});

test("--on-error fail stops with the number of the row", async () => {
  expect(await dedupe("--on-error", "fail", SAMPLE)).toMatchObject({
    code: 1,
    stderr: say(
      "row 2 is not a URL (NO_SCHEME); stopped, and the output is not written (--on-error fail)",
    ),
  });
});

test("an output that is an input is refused before it is emptied", async () => {
  const before = readFileSync(SAMPLE);
  const { code } = await runCli(["dedupe", SAMPLE, "-o", SAMPLE]);
  expect(code).toBe(2);
  expect(readFileSync(SAMPLE).equals(before)).toBe(true);
});

test("a package that is missing is named with the line that installs it", async () => {
  const hook = `export async function resolve(name, context, next) {
    if (!name.startsWith("hyparquet-writer")) return next(name, context);
    throw Object.assign(new Error("missing"), { code: "ERR_MODULE_NOT_FOUND" });
  }`;
  const url = (code: string): string => `data:text/javascript,${encodeURIComponent(code)}`;
  const register = `import { register } from "node:module"; register(${JSON.stringify(url(hook))});`;
  // Node 26 warns of `register`.
  const env = { NODE_OPTIONS: `--disable-warning=DEP0205 --import=${url(register)}` };
  expect(await runProcess(["dedupe", SAMPLE, "-o", OUT], "", env)).toEqual({
    code: 1,
    stdout: "",
    stderr: say(
      "Parquet needs extra packages: npm i hyparquet@1.31 hyparquet-writer@0.17 hyparquet-compressors@1",
    ),
  });
});
