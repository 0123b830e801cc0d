import { paths } from "../../../base/peer.ts";
import {
  encodeIdentity,
  newIdentity,
  type SeenIdentity,
  type SeenRequest,
} from "../../contract/identity.ts";
import { openOwn, statOwn } from "../../folder/own-file.ts";
import type { SetFolder } from "../../folder/set-folder.ts";
import { HEADS } from "../../folder/store-names.ts";
import { JournalFile } from "../../journal/journal-file.ts";
import { readBlocks, unfinishedBytes } from "../../journal/read-blocks.ts";
import {
  type Beginning,
  beginningOf,
  changed,
  changeTo,
  type DiskState,
  EMPTY_STATE,
  type LogState,
  type ManifestContents,
  readRecords,
  type StateChange,
} from "./state.ts";

/*
 * The manifest is a file of blocks, one for each record: the beginning, the state, and what changes it. When it has become
 * long, and when the set is closed, it is written anew beside the one that is there, and ends with a record that changes
 * nothing. Each record says that those before it were on disk, so damage is found in all of them but the last.
 */

/** Names the file that says what a set on disk holds. */
export const MANIFEST = HEADS.disk;
/** Names the file that becomes the manifest when it is complete. */
export const UNFINISHED_MANIFEST = `${MANIFEST}.new`;

/** The number in the blocks of a manifest. */
const NUMBER = 0x6d616e69;
/** Bytes of changes after which it is written anew. */
const LONG = 1 << 20;

/** Keeps the state of a set, on disk too. */
export class ManifestLog {
  readonly identity: SeenIdentity;
  readonly set: number;
  readonly #folder: SetFolder;
  readonly #beginning: Beginning;
  #file: JournalFile;
  #state: DiskState;
  /** Its bytes when it was written anew. */
  #bytes = 0;
  /** Whether nothing was added since it was written anew. */
  #isComplete = false;

  private constructor(
    folder: SetFolder,
    file: JournalFile,
    { beginning, identity, state }: ManifestContents,
  ) {
    this.#folder = folder;
    this.#file = file;
    this.#beginning = beginning;
    this.set = beginning.set;
    this.identity = identity;
    this.#state = state;
  }

  get state(): DiskState {
    return this.#state;
  }

  /** Opens the manifest of a directory, or returns null if it has none. Throws `SEEN_CORRUPT` for a damaged one. */
  static async open(folder: SetFolder): Promise<ManifestLog | null> {
    const name = folder.pathOf(MANIFEST);
    if ((await statOwn(name)) === null) return null;
    const records: string[] = [];
    // The beginning and the state are on disk for certain, for the file had another name before.
    const { file } = await JournalFile.open(name, NUMBER, 1, (bytes) => {
      records.push(textOf(bytes));
    });
    try {
      return new ManifestLog(folder, file, readRecords(records, name));
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  /**
   * Begins a manifest. If that is interrupted, the directory has none. `replaced`: the set whose place it is to take; its
   * number stays, and those of logs and rows go on.
   */
  static async begin(
    folder: SetFolder,
    wanted: SeenRequest,
    replaced: ManifestContents | null,
  ): Promise<ManifestLog> {
    const [random] = globalThis.crypto.getRandomValues(new Uint32Array(1));
    const identity = newIdentity(wanted);
    const set = replaced?.beginning.set ?? (random as number);
    const { logsMade, settled } = replaced?.state ?? EMPTY_STATE;
    const beginning = beginningOf(set, encodeIdentity(identity));
    const state = { ...EMPTY_STATE, logsMade, settled };
    const file = await writeManifest(folder, beginning, state);
    return new ManifestLog(folder, file, { beginning, identity, state });
  }

  /** Changes the state. When it returns, that is durable. */
  async change(change: StateChange): Promise<void> {
    await this.#file.append(encode(change));
    await this.#file.sync();
    this.#state = changed(this.#state, change);
    this.#isComplete = false;
    if (this.#file.bytes > this.#bytes + LONG) await this.#rewrite();
  }

  /** Changes the logs and writes the manifest anew: then damage is found wherever it is. */
  async complete(logs: readonly LogState[]): Promise<void> {
    const isSame = JSON.stringify(logs) === JSON.stringify(this.#state.logs);
    if (isSame && this.#isComplete) return;
    this.#state = changed(this.#state, { logs });
    await this.#rewrite();
  }

  close(): Promise<void> {
    return this.#file.close();
  }

  async #rewrite(): Promise<void> {
    const file = await writeManifest(this.#folder, this.#beginning, this.#state);
    const before = this.#file;
    this.#file = file;
    this.#bytes = file.bytes;
    this.#isComplete = true;
    await before.close();
  }
}

/** Writes the manifest of a set that nobody has open. */
export async function rewriteManifest(
  folder: SetFolder,
  { beginning, state }: Pick<ManifestContents, "beginning" | "state">,
): Promise<void> {
  await (await writeManifest(folder, beginning, state)).close();
}

/** Writes a manifest beside the one that is there, and then in its place. */
async function writeManifest(
  folder: SetFolder,
  beginning: Beginning,
  state: DiskState,
): Promise<JournalFile> {
  const file = await JournalFile.create(folder, UNFINISHED_MANIFEST, NUMBER);
  try {
    await file.append(encode(beginning));
    await file.append(encode(changeTo(state)));
    await file.sync();
    await file.append(encode({}));
    await file.sync();
    await file.rename(folder, MANIFEST);
    await folder.sync();
  } catch (error) {
    await file.close();
    throw error;
  }
  return file;
}

/** Reads the manifest of a directory, and changes nothing. Throws `SEEN_CORRUPT` if it is damaged or missing. */
export async function readManifest(directory: string): Promise<ManifestContents> {
  const name = paths().join(directory, MANIFEST);
  const handle = await openOwn(name, "r");
  try {
    const records: string[] = [];
    const { bytes } = await readBlocks(handle, NUMBER, (block) => {
      records.push(textOf(block));
    });
    await unfinishedBytes(handle, { name, journal: NUMBER, durableBytes: 1 }, bytes);
    return readRecords(records, name);
  } finally {
    await handle.close();
  }
}

const encode = (record: Beginning | StateChange): Uint8Array => Buffer.from(JSON.stringify(record));

/** Copies the text of a block. */
const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString("utf8");
