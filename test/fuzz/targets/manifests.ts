import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { UrlmillError } from "../../../src/base/errors.ts";
import { logId, PARTS } from "../../../src/seen/disk/files/row-log.ts";
import { disk, journal, SeenSet } from "../../../src/seen/index.ts";
import { openStored } from "../../../src/seen/stored/open-stored.ts";
import { blocksOf, contentsOf, journalHead, MANIFEST_NUMBER } from "../../shared/records.ts";

/** The least memory of a set on disk, as it is here (test/fuzz/main.mjs). */
const MEMORY = 1 << 20;
const OPTIONS = { engine: "js", key: new Uint8Array(16), maxBytes: 1 << 24 } as const;
/** What a call may say of a set that is not as it was written. */
const REFUSALS = ["SEEN_CORRUPT", "SEEN_MISMATCH", "SET_FULL"];
const URLS = Array.from({ length: 9 }, (_, at) => `http://a/${at}`);
/** The bytes of a key of a run. */
const FINGERPRINT = 16;
const SECRET = "what the victim has";

const root = mkdtempSync(join(tmpdir(), "urlmill-fuzz-"));
const [MADE, USED] = [join(root, "made"), join(root, "used")] as const;
const folder = join(USED, "set");

type Json = Record<string, unknown>;
interface Made {
  readonly head: Json;
  readonly beginning: Json;
  readonly state: Json & { readonly logs: readonly (Json & { readonly number: number })[] };
}
let made: Made | undefined;

const openJournal = (directory: string) => SeenSet.open(journal(directory), OPTIONS);
const openDisk = (directory: string) => SeenSet.open(disk(directory, { memory: MEMORY }), OPTIONS);

/** Makes a set of each kind, with files of every sort. */
async function make(): Promise<Made> {
  const [one, other] = [join(MADE, "journal"), join(MADE, "disk")];
  mkdirSync(MADE);
  const log = await openJournal(one);
  await log.addBatch(URLS.slice(0, 3));
  await log.close();
  const set = await openDisk(other);
  await set.addBatch(URLS.slice(0, 3));
  await set.enqueueBatch(URLS.slice(2, 5), { payload: "url" });
  for await (const _ of set.drain());
  await set.enqueueBatch(["x", ...URLS.slice(4, 6)], { payload: "url" });
  await set.close();
  const head = JSON.parse(readFileSync(join(one, "set.json"), "utf8"));
  const [beginning, state] = contentsOf(readFileSync(join(other, "manifest"))).map((record) =>
    JSON.parse(record.toString()),
  );
  return { head, beginning, state };
}

/** Puts what `text` says in the place of some fields. */
function changed(fields: Json, text: string): Json {
  try {
    return { ...fields, ...JSON.parse(text) };
  } catch {
    return fields;
  }
}

/** Returns the bytes of a log's file whose blocks have right checksums; a byte says how long each is. */
function logOf(number: number, data: Buffer): Buffer {
  const contents: Buffer[] = [];
  for (let at = 0; at < data.length; ) {
    const length = (data[at] as number) || data.length;
    contents.push(data.subarray(at + 1, at + 1 + length));
    at += 1 + length;
  }
  return blocksOf(number, contents);
}

type NamedFile = readonly [name: string, content: string | Buffer];

/** Returns files. The checksums of most are right. */
function filesOf({ head, beginning, state }: Made, how: number, data: Buffer): NamedFile[] {
  const text = data.toString();
  const records = text.split("\0");
  const blocks = (all: readonly (string | Json)[]): Buffer =>
    blocksOf(
      MANIFEST_NUMBER,
      all.map((record) =>
        Buffer.from(typeof record === "string" ? record : JSON.stringify(record)),
      ),
    );
  if (how === 0) return [["set.json", data]];
  if (how === 1) return [["set.json", headOf(changed(head, text))]];
  if (how === 2) return [["manifest", data]];
  if (how === 3) return [["manifest", blocks([changed(beginning, records[0] ?? ""), state, {}])]];
  if (how === 4) return [["manifest", blocks([beginning, state, ...records, {}])]];
  if (how === 8) return runOf(beginning, Buffer.alloc(FINGERPRINT), text);
  if (how === 9) return runOf(beginning, data, "{}");
  const part = PARTS[how % 3] as (typeof PARTS)[number];
  const log = state.logs[(data[0] ?? 0) % state.logs.length] as { readonly number: number };
  const { number } = log;
  return [
    [`${part}.${number}`, logOf(logId(Number(beginning["set"]), number, part), data.subarray(1))],
  ];
}

/** Returns the keys of a run of the command, and its record, in which `text` is in the place of some fields. */
function runOf(beginning: Json, keys: Buffer, text: string): NamedFile[] {
  const { profileId } = JSON.parse(String(beginning["identity"]));
  const name = "run-1-00000000.keys";
  const record = {
    version: 1,
    profileId,
    bits: 8 * FINGERPRINT,
    keys: { name, bytes: keys.length, checksum: crc32(keys) },
    call: "",
    inputs: [],
    outputs: [["x"]],
  };
  return [
    [name, keys],
    [`run-${"0".repeat(32)}.json`, JSON.stringify(changed(record, text))],
  ];
}

function headOf(head: Json): string {
  try {
    return journalHead(head);
  } catch {
    return JSON.stringify(head); // its identity is not one
  }
}

/** Reads a set, and writes to it. */
async function use(isDisk: boolean): Promise<void> {
  const reader = await openStored(folder);
  for await (const _ of reader.fingerprints());
  await reader.close();
  const set = await (isDisk ? openDisk(folder) : openJournal(folder));
  try {
    await set.addBatch(URLS);
    if (!isDisk) await set.compact();
    else for await (const { commit } of set.drain()) await commit();
  } finally {
    await set.close();
  }
}

/** A byte for the file, and what it has: the set is taken or refused, and nothing outside of its folder changes. */
export async function fuzz(data: Buffer): Promise<void> {
  made ??= await make();
  const all = filesOf(made, (data[0] ?? 0) % 10, data.subarray(1));
  const isDisk = all.every(([name]) => name !== "set.json");
  rmSync(USED, { recursive: true, force: true });
  mkdirSync(USED);
  cpSync(join(MADE, isDisk ? "disk" : "journal"), folder, { recursive: true });
  for (const [name, content] of all) writeFileSync(join(folder, name), content);
  writeFileSync(join(USED, "victim"), SECRET);
  try {
    await use(isDisk);
  } catch (error) {
    if (!(error instanceof UrlmillError) || !REFUSALS.includes(error.code)) throw error;
  }
  const outside = readdirSync(USED).toSorted();
  if (outside.join() !== "set,victim" || readFileSync(join(USED, "victim"), "utf8") !== SECRET)
    throw new Error(`${outside.join()} are outside of the folder`);
}
