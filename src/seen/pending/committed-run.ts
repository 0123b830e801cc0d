import { files, paths } from "../../base/peer.ts";
import { hexOf, sha256 } from "../../base/sha256.ts";
import { renameOver, syncDirectory } from "../../io/files/directory.ts";
import type { FileState } from "../../io/files/file-state.ts";
import { readOwn, statOwn } from "../folder/own-file.ts";
import { fields, list, one, parseShape, text, whole } from "../folder/shape.ts";

/** Names the file of keys of a run, with the number of its bytes and their CRC-32. */
interface KeysOfRun {
  readonly name: string;
  readonly bytes: number;
  readonly checksum: number;
}

/**
 * Records a run whose output is in its place. While the file of its keys is there, they are still to be added to the set. After
 * that, the record tells that the same run need not be done again.
 */
export interface CommittedRun {
  /** The `profileId` and the bits of the set. */
  readonly profileId: string;
  readonly bits: number;
  readonly keys: KeysOfRun;
  /** A digest of the options, and of the states of what was read. */
  readonly call: string;
  /** The states of what was written, the main output last. */
  readonly outputs: readonly FileState[];
}

const VERSION = 1;
/** The most records that are kept: one for each file that runs have written. */
const MOST_RECORDS = 1000;

const NAME = /^run-[0-9a-f]{32}\.json$/;
const KEYS_NAME = /^run-\d+-[0-9a-f]{8}\.keys$/;

export function isKeysName(name: string): boolean {
  return KEYS_NAME.test(name);
}

const STATE = list(text(/^/));
const RECORD = fields({
  version: one(VERSION),
  profileId: text(/^/),
  bits: one(64, 128),
  // A name with a slash would lead to another directory.
  keys: fields({ name: text(KEYS_NAME), bytes: whole(0), checksum: whole(0, 2 ** 32 - 1) }),
  call: text(/^/),
  outputs: list(STATE),
});

/**
 * Returns the record of the run whose keys have a name, or null if no run has. Throws `SEEN_CORRUPT` and the system's error.
 */
export async function runOfKeys(directory: string, keys: string): Promise<CommittedRun | null> {
  for (const name of await files().readdir(directory)) {
    const run = NAME.test(name) ? await readRun(directory, name) : null;
    if (run?.keys.name === keys) return run;
  }
  return null;
}

/** Returns the record of the run that wrote a file; null if there is none. */
export async function runOf(directory: string, output: string): Promise<CommittedRun | null> {
  return readRun(directory, nameFor(output));
}

async function readRun(directory: string, name: string): Promise<CommittedRun | null> {
  const path = paths().join(directory, name);
  const json = await readOwn(path);
  return json === null ? null : parseShape<CommittedRun>(json, RECORD, path);
}

/** Writes a record. It is on disk when this returns. */
export async function writeRun(directory: string, run: CommittedRun): Promise<void> {
  const name = nameFor((run.outputs.at(-1) as FileState)[0] as string);
  const path = paths().join(directory, name);
  const json = `${JSON.stringify({ version: VERSION, ...run })}\n`;
  await files().rm(`${path}.new`, { force: true });
  const file = await files().open(`${path}.new`, "wx", 0o600);
  try {
    await file.writeFile(json);
    await file.sync();
  } finally {
    await file.close();
  }
  await renameOver(`${path}.new`, path);
  await syncDirectory(directory);
}

/** Removes the oldest records if there are more than `most`. Those whose keys are still to be added stay. */
export async function removeOldRuns(directory: string, most = MOST_RECORDS): Promise<void> {
  const names = await files().readdir(directory);
  const records = names.filter((name) => NAME.test(name));
  if (records.length <= most) return;
  const dated: { name: string; time: number }[] = [];
  for (const name of records) {
    const run = await readRun(directory, name);
    const found = await statOwn(paths().join(directory, name));
    if (run === null || found === null || names.includes(run.keys.name)) continue;
    dated.push({ name, time: found.mtimeMs });
  }
  const old = dated.toSorted((one, other) => other.time - one.time).slice(most);
  for (const { name } of old) await files().rm(paths().join(directory, name), { force: true });
}

/** Returns the name of the record of a file: a set has one for each. */
function nameFor(output: string): string {
  return `run-${hexOf(sha256(output)).slice(0, 32)}.json`;
}
