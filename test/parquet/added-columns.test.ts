import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as arrow from "apache-arrow";
import { parquetWriteBuffer } from "hyparquet-writer";
import { expect, test } from "vitest";
import { runCli } from "../shared/cli.ts";
import { readParquet } from "../shared/parquet.ts";
import { tempFolder } from "../shared/temp-folder.ts";

const folder = tempFolder();
const INPUT = join(folder, "in.parquet");
const OUT = join(folder, "out.parquet");

/** Columns that Arrow's schema alone tells from others, with metadata of fields and of the schema. */
const FIELDS = [
  new arrow.Field("url", new arrow.LargeUtf8(), true, new Map([["kind", "address"]])),
  new arrow.Field("took", new arrow.DurationMillisecond()),
  new arrow.Field("at", new arrow.TimestampMillisecond("Europe/Berlin")),
  new arrow.Field("kind", new arrow.Dictionary(new arrow.Utf8(), new arrow.Int8(), 7, true)),
  new arrow.Field("pair", new arrow.Struct([new arrow.Field("a", new arrow.LargeBinary(), true)])),
];
const SCHEMA = new arrow.Schema(FIELDS, new Map([["made", "for a test"]]));
const KEY = new arrow.Field("normalized_url", new arrow.Utf8(), true);
const COUNT = new arrow.Field("count", new arrow.Int64(), false);

/** Encodes a schema as the value of ARROW:schema: a message of a stream, without the end of that. */
function encoded(schema: arrow.Schema): string {
  const stream = Buffer.from(arrow.tableToIPC(new arrow.Table(schema, []), "stream"));
  return stream.subarray(0, 8 + stream.readInt32LE(4)).toString("base64");
}

function decoded(value: string): arrow.Schema | undefined {
  return new arrow.MessageReader(Buffer.from(value, "base64")).readSchema();
}

/** Writes the input with an entry of metadata, and another one before it. */
function writeInput(key: string, value: string): void {
  const columnData = [{ name: "url", data: ["HTTP://a/", "http://a/"], type: "STRING" as const }];
  const kvMetadata = [
    { key: "other", value: "stays" },
    { key, value },
  ];
  writeFileSync(INPUT, new Uint8Array(parquetWriteBuffer({ columnData, kvMetadata })));
}

/** Writes a file with an entry of metadata, runs a command on it, and returns the value of that entry. */
async function valueAfter(key: string, value: string, ...args: string[]): Promise<string> {
  writeInput(key, value);
  expect(await runCli([...args, INPUT, "-o", OUT])).toMatchObject({ code: 0 });
  const { key_value_metadata: entries = [] } = (await readParquet(OUT)).metadata;
  expect(entries).toContainEqual({ key: "other", value: "stays" });
  return entries.find((entry) => entry.key === key)?.value ?? "";
}

test.each([
  [["normalize", "--emit", "both"], [KEY]],
  [["dedupe", "--emit", "both"], [KEY]],
  [["dedupe", "-c"], [COUNT]],
  [
    ["dedupe", "-c", "--emit", "both"],
    [KEY, COUNT],
  ],
  [["dedupe", "--keep", "last", "--emit", "both"], [KEY]],
])("Arrow's schema gets the columns that %j adds", async (args, added) => {
  const schema = decoded(await valueAfter("ARROW:schema", encoded(SCHEMA), ...args));
  expect(schema).toEqual(new arrow.Schema([...FIELDS, ...added], SCHEMA.metadata));
});

test("Arrow's schema stays byte for byte where no column is added", async () => {
  const value = encoded(SCHEMA);
  expect(await valueAfter("ARROW:schema", value, "normalize")).toBe(value);
});

test("a schema of Arrow before 0.15, which has no mark at its start, gets the column", async () => {
  const old = Buffer.from(encoded(SCHEMA), "base64").subarray(4).toString("base64");
  const value = await valueAfter("ARROW:schema", old, "normalize", "--emit", "both");
  expect(decoded(value)?.fields).toEqual([...FIELDS, KEY]);
});

test.each([
  ["nothing", ""],
  ["a length alone", "/////xAAAAA="],
  ["text", Buffer.from("x".repeat(200)).toString("base64")],
  ["a message that is cut off", encoded(SCHEMA).slice(0, 60)],
  ["a dictionary in place of a schema", damaged((bytes, kind) => bytes.writeUInt8(2, kind))],
])("an Arrow schema that is %s is an error, not a wrong schema", async (_, value) => {
  writeInput("ARROW:schema", value);
  writeFileSync(OUT, "as it was");
  const { code, stderr } = await runCli(["normalize", "--emit", "both", INPUT, "-o", OUT]);
  expect([code, stderr]).toEqual([
    1,
    expect.stringContaining(`cannot read ${INPUT}: it is damaged (its schema for Arrow: `),
  ]);
  expect(readFileSync(OUT, "utf8")).toBe("as it was");
});

/** Returns the schema after a change; `kind` is where the message says what it is. */
function damaged(change: (bytes: Buffer, kind: number) => void): string {
  const bytes = Buffer.from(encoded(SCHEMA), "base64");
  const message = 8 + bytes.readUInt32LE(8);
  const vtable = message - bytes.readInt32LE(message);
  change(bytes, message + bytes.readUInt16LE(vtable + 6));
  return bytes.toString("base64");
}

const SPARK =
  '{"type":"struct","fields":[{"name":"url","type":"string","nullable":true,"metadata":{}}]}';
const AVRO =
  '{"type":"record","name":"r","fields":[{"name":"url","type":["null","string"],"default":null},' +
  '{"name":"n","type":"long","default":9007199254740993}]}';

test.each([
  ["org.apache.spark.sql.parquet.row.metadata", SPARK],
  ["parquet.avro.schema", AVRO],
])(
  "the schema in %s, which its readers prefer, gets the columns at its end",
  async (key, value) => {
    const after = await valueAfter(key, value, "dedupe", "-c", "--emit", "both");
    expect(after.startsWith(value.slice(0, -2))).toBe(true);
    const fields = JSON.parse(after).fields as { name: string; type: unknown }[];
    expect(fields.at(-2)).toMatchObject({ name: "normalized_url" });
    expect(fields.at(-1)).toMatchObject({ name: "count", type: "long" });
  },
);

test.each([
  ["a list that ends otherwise", '{"type":"record","fields":[{"name":"url"}],"aliases":["r"]}'],
  ["no JSON", "x]}"],
])("a schema of Avro with %s stays as it is", async (_, value) => {
  expect(await valueAfter("parquet.avro.schema", value, "normalize", "--emit", "both")).toBe(value);
});
