// At full length only: it damages files.

import { cpSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { logId } from "../../src/seen/disk/files/row-log.ts";
import { blocksOf, contentsOf, journalHead, MANIFEST_NUMBER } from "../shared/records.ts";
import { fillSet, openSet, urlsOf, useAll } from "../shared/stored-sets.ts";
import { newFolders } from "../shared/temp-folder.ts";

/*
 * Files of sets with right checksums, which say what no set says: each is refused by name, at once, and nothing outside of the
 * folder changes.
 */

const path = newFolders();
const SECRET = "what the victim has";

/** Uses a set with a changed file. Returns the code of the error. */
async function codeWith(
  kind: "journal" | "disk",
  name: string,
  bytes: string | Uint8Array,
): Promise<string | null> {
  rmSync(path("set"), { recursive: true, force: true });
  cpSync(path("made"), path("set"), { recursive: true });
  writeFileSync(path(`set/${name}`), bytes);
  for (const victim of ["victim", "journal-victim", "log.victim", "p000.victim"]) {
    writeFileSync(path(victim), SECRET);
  }
  const code = await useAll(kind, path("set"));
  for (const victim of ["victim", "journal-victim", "log.victim", "p000.victim"]) {
    expect(readFileSync(path(victim), "utf8")).toBe(SECRET);
  }
  return code;
}

type Json = Record<string, unknown>;
const DEEP = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;

describe("the head of a journal", () => {
  const make = async (): Promise<Json> => {
    await fillSet("journal", path("made"), urlsOf(0, 3));
    return JSON.parse(readFileSync(path("made/set.json"), "utf8"));
  };
  const WRONG: readonly (readonly [string, Json])[] = [
    ["another format", { format: "another" }],
    ["another version", { version: 3 }],
    ["a version that is not a number", { version: "2" }],
    ["a path as its journal", { journal: "x/../../victim" }],
    ["a path that begins with a number", { journal: "1/../../journal-victim" }],
    ["journal 0", { journal: 0 }],
    ["half a journal", { journal: 1.5 }],
    ["a journal beyond 32 bits", { journal: 2 ** 32 }],
    ["a list as its journal", { journal: [1] }],
    ["no journal", { journal: undefined }],
    ["bytes below 0", { durableBytes: -1 }],
    ["bytes as text", { durableBytes: "0" }],
    ["bytes that are null", { durableBytes: null }],
  ];

  test.each(WRONG)("is refused with %s", async (_, change) => {
    const right = await make();
    const text = journalHead({ ...right, ...change });
    expect(await codeWith("journal", "set.json", text)).toBe("SEEN_CORRUPT");
    expect(await codeWith("journal", "set.json", journalHead(right))).toBe(null);
  });

  test.each([
    ["nothing", ""],
    ["no JSON", "{"],
    ["null", "null"],
    ["a number", "7"],
    ["a list", "[]"],
    ["a list of lists", DEEP],
    ["another checksum", '{"format":"urlmill seen set","version":2}'],
    ["16 MiB", " ".repeat(2 ** 24 + 1)],
  ])("is refused that is %s", async (_, text) => {
    await make();
    expect(await codeWith("journal", "set.json", text)).toBe("SEEN_CORRUPT");
  });

  test.each([
    ["null", null],
    ["a text", "x"],
    ["options that are a list", { options: [] }],
    ["options that are null", { options: null }],
    ["a short key", { key: "ab" }],
    ["a key that is a number", { key: 7 }],
    ["other bits", { bits: 32 }],
    ["no profile", { profileId: 1 }],
  ])("is refused whose identity is or has %s", async (_, change) => {
    const right = await make();
    const identity =
      typeof change === "object" && change !== null
        ? { ...(right["identity"] as Json), ...change }
        : change;
    const text = JSON.stringify({ ...right, identity });
    expect(await codeWith("journal", "set.json", text)).toBe("SEEN_CORRUPT");
  });

  test("is refused whose options are deeper than any", async () => {
    const right = await make();
    const identity = JSON.stringify(right["identity"]).replace(
      /"options":\{/,
      `"options":{"x":${DEEP},`,
    );
    const text = JSON.stringify({ ...right, identity: 0 }).replace(
      '"identity":0',
      `"identity":${identity}`,
    );
    expect(text).toContain("[[[[");
    expect(await codeWith("journal", "set.json", text)).toBe("SEEN_CORRUPT");
  });
});

interface Log {
  readonly number: number;
  readonly rows: number | null;
}

/** Makes a set on disk with files of all sorts, and returns what its manifest says. */
async function makeDisk(): Promise<{ beginning: Json; state: Json; logs: Log[] }> {
  const set = await openSet("disk", path("set"));
  await set.addBatch(urlsOf(0, 3));
  await set.enqueueBatch(urlsOf(2, 3), { payload: "url" });
  for await (const _ of set.drain());
  await set.enqueueBatch(["x", ...urlsOf(4, 3)], { payload: "url" });
  await set.addBatch(urlsOf(40, 3));
  await set.enqueueBatch(["x", ...urlsOf(50, 3)], { payload: "url" });
  await set.close();
  renameSync(path("set"), path("made"));
  const [beginning, state] = contentsOf(readFileSync(path("made/manifest"))).map((bytes) =>
    JSON.parse(bytes.toString()),
  );
  return { beginning, state, logs: state.logs };
}

const manifestOf = (...records: readonly unknown[]): Buffer =>
  blocksOf(
    MANIFEST_NUMBER,
    records.map((record) =>
      Buffer.from(typeof record === "string" ? record : JSON.stringify(record)),
    ),
  );

const PARTITION = { generation: 1, keys: 1, blocks: 1, lines: 0, checksum: "0".repeat(32) };
const LOG = {
  number: 9,
  kind: "waiting",
  firstRow: 0,
  rows: null,
  durable: [0, 0, 0],
  hasPayloads: false,
  merged: [],
};

describe("the manifest of a set on disk", () => {
  test("is taken as it was", async () => {
    const { beginning, state } = await makeDisk();
    expect(await codeWith("disk", "manifest", manifestOf(beginning, state, {}))).toBe(null);
  });

  test.each<readonly [string, Json]>([
    ["another format", { format: "urlmill seen set" }],
    ["another version", { version: 2 }],
    ["a set that is text", { set: "1" }],
    ["a set beyond 32 bits", { set: 2 ** 32 }],
    ["no set", { set: undefined }],
    ["an identity that is no text", { identity: {} }],
    ["an identity that is not JSON", { identity: "{" }],
    ["an identity that is null", { identity: "null" }],
  ])("is refused with %s", async (_, change) => {
    const { beginning, state } = await makeDisk();
    const bytes = manifestOf({ ...beginning, ...change }, state, {});
    expect(await codeWith("disk", "manifest", bytes)).toBe("SEEN_CORRUPT");
  });

  test.each<readonly [string, unknown]>([
    ["null", null],
    ["text", '"x"'],
    ["a list", []],
    ["not JSON", "{"],
    ["a list of lists", DEEP],
    ["nothing", ""],
  ])("is refused with a record that is %s", async (_, record) => {
    const { beginning, state } = await makeDisk();
    for (const records of [
      [beginning, state, record, {}],
      [beginning, record],
      [record, state],
    ]) {
      expect(await codeWith("disk", "manifest", manifestOf(...records))).toBe("SEEN_CORRUPT");
    }
  });

  test.each<readonly [string, unknown]>([
    ["that are no list", { 0: PARTITION }],
    ["of null", [null]],
    ["without a number", [[PARTITION]]],
    ["256", [[256, PARTITION]]],
    ["10^9", [[1e9, PARTITION]]],
    ["-1", [[-1, PARTITION]]],
    ["of the name length", [["length", PARTITION]]],
    ["without a state", [[0, null]]],
    ["of generation 0", [[0, { ...PARTITION, generation: 0 }]]],
    ["of a path as generation", [[0, { ...PARTITION, generation: "x/../../p000.victim" }]]],
    ["of 10^9 blocks", [[0, { ...PARTITION, blocks: 1e9 }]]],
    ["of half a block", [[0, { ...PARTITION, blocks: 0.5 }]]],
    ["of 10^12 lines", [[0, { ...PARTITION, lines: 1e12 }]]],
    ["of lines below 0", [[0, { ...PARTITION, lines: -64 }]]],
    ["of keys as text", [[0, { ...PARTITION, keys: "1" }]]],
    ["without a checksum", [[0, { ...PARTITION, checksum: null }]]],
  ])("is refused with partitions %s", async (_, partitions) => {
    const { beginning, state } = await makeDisk();
    const bytes = manifestOf(beginning, state, { partitions }, {});
    expect(await codeWith("disk", "manifest", bytes)).toBe("SEEN_CORRUPT");
  });

  test.each<readonly [string, unknown]>([
    ["that are no list", "x"],
    ["that are null", null],
    ["of null", [null]],
    ["of a kind that there is not", [{ ...LOG, kind: "other" }]],
    ["of a path as number", [{ ...LOG, number: "x/../../victim" }]],
    ["of another path as number", [{ ...LOG, number: "x/../../log.victim" }]],
    ["of a number that is not made yet", [{ ...LOG, number: 1000 }]],
    ["of number 0", [{ ...LOG, number: 0 }]],
    ["of rows below 0", [{ ...LOG, rows: -1 }]],
    ["of rows as text", [{ ...LOG, rows: "4" }]],
    ["of a first row that is null", [{ ...LOG, firstRow: null }]],
    ["of two durable files", [{ ...LOG, durable: [0, 0] }]],
    ["of durable bytes that are text", [{ ...LOG, durable: "000" }]],
    ["with payloads of 1", [{ ...LOG, hasPayloads: 1 }]],
    ["merged into 300", [{ ...LOG, merged: [300] }]],
    ["merged into a text", [{ ...LOG, merged: "x" }]],
    ["merged and without rows", [{ ...LOG, merged: null }]],
    ["answered at once and with rows", [{ ...LOG, kind: "added", rows: 1 }]],
    ["answered at once and merged", [{ ...LOG, kind: "added", merged: null }]],
    ["twice", [LOG, LOG]],
  ])("is refused with logs %s", async (_, logs) => {
    const { beginning, state } = await makeDisk();
    const bytes = manifestOf(beginning, state, { logs, logsMade: 20 }, {});
    expect(await codeWith("disk", "manifest", bytes)).toBe("SEEN_CORRUPT");
  });

  test.each<readonly [string, Json]>([
    ["logs made below 0", { logsMade: -1 }],
    ["logs made as text", { logsMade: "1" }],
    ["fewer logs made than there are", { logsMade: 0 }],
    ["settled rows below 0", { settled: -1 }],
    ["settled rows that are null", { settled: null }],
  ])("is refused with %s", async (_, change) => {
    const { beginning, state } = await makeDisk();
    const bytes = manifestOf(beginning, state, change, {});
    expect(await codeWith("disk", "manifest", bytes)).toBe("SEEN_CORRUPT");
  });
});

const words = (...numbers: readonly number[]): Buffer =>
  Buffer.from(Uint32Array.from(numbers).buffer);

describe("a log of a set on disk", () => {
  test.each<readonly [string, "log" | "payload" | "new", Buffer]>([
    ["a frame without a head", "log", Buffer.alloc(4)],
    ["more keys than bytes", "log", words(1, 9, 0, 0, 0)],
    ["10^9 rows", "log", words(1e9, 1, 0, 0, 0)],
    ["4 * 10^9 keys", "log", words(1, 4e9)],
    [
      "more keys than a batch",
      "log",
      Buffer.concat([words(90_000, 90_000), Buffer.alloc(900_000)]),
    ],
    ["more statuses than rows", "log", words(1, 0, 0, 0, 0)],
    ["payloads without a head", "payload", Buffer.alloc(4)],
    ["more payloads than bytes", "payload", words(4, 1e9, 0)],
    ["payloads longer than their frame", "payload", words(4, 1, 9)],
    ["a payload after its frame", "payload", words(4, 1, 0, 0)],
    ["half a number", "new", Buffer.alloc(7)],
  ])("is refused with %s", async (_, part, content) => {
    const { beginning, state, logs } = await makeDisk();
    const set = Number(beginning["set"]);
    // An answered log: all of its files are read.
    const { number } = logs.find(({ rows }) => rows !== null) as Log;
    const name = `${part}.${number}`;
    expect(readdirSync(path("made"))).toContain(name);
    const bytes = blocksOf(logId(set, number, part), [content]);
    const loose = { ...state, logs: logs.map((log) => ({ ...log, durable: [0, 0, 0] })) };
    writeFileSync(join(path("made"), "manifest"), manifestOf(beginning, loose, {}));
    expect(await codeWith("disk", name, bytes)).toBe("SEEN_CORRUPT");
  });
});
