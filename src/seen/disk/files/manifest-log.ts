import { UrlmillError } from "../../../base/errors.ts";
import { files, paths } from "../../../base/peer.ts";
import { syncDirectory } from "../../../io/files/directory.ts";
import { decodeIdentity, encodeIdentity, newIdentity, type SeenIdentity } from "../../identity.ts";
import { JournalFile, openFile } from "../../journal/journal-file.ts";
import { readBlocks, unfinishedBytes } from "../../journal/read-blocks.ts";
import type { SeenRequest } from "../../request.ts";
import { HEADS } from "../../stored/heads.ts";
import {
  changed,
  changeTo,
  type DiskState,
  EMPTY_STATE,
  type LogState,
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

const FORMAT = "urlmill set on disk";
const VERSION = 1;
/** The number in the blocks of a manifest. */
const NUMBER = 0x6d616e69;
/** Bytes of changes after which it is written anew. */
const LONG = 1 << 20;

/** What the first record of a manifest has. */
interface Beginning {
  readonly format: string;
  readonly version: number;
  /** Which set it is: its files have this number. */
  readonly set: number;
  readonly identity: string;
}

/** Keeps the state of a set, on disk too. */
export class ManifestLog {
  readonly identity: SeenIdentity;
  readonly set: number;
  readonly #directory: string;
  readonly #beginning: Beginning;
  #file: JournalFile;
  #state: DiskState;
  /** Its bytes when it was written anew. */
  #bytes = 0;
  /** Whether nothing was added since it was written anew. */
  #isComplete = false;

  private constructor(
    directory: string,
    file: JournalFile,
    beginning: Beginning,
    state: DiskState,
  ) {
    this.#directory = directory;
    this.#file = file;
    this.#beginning = beginning;
    this.set = beginning.set;
    this.identity = decodeIdentity(beginning.identity, file.name);
    this.#state = state;
  }

  get state(): DiskState {
    return this.#state;
  }

  /** Opens the manifest of a directory, or returns null if it has none. Throws `SEEN_CORRUPT` for a damaged one. */
  static async open(directory: string): Promise<ManifestLog | null> {
    const name = paths().join(directory, MANIFEST);
    const isThere = await files()
      .stat(name)
      .then(() => true)
      .catch((error: NodeJS.ErrnoException) => {
        if (error.code === "ENOENT") return false;
        throw error;
      });
    if (!isThere) return null;
    const records: unknown[] = [];
    // The beginning and the state are on disk for certain, for the file had another name before.
    const { file } = await JournalFile.open(name, NUMBER, 1, (bytes) => {
      records.push(parse(bytes));
    });
    try {
      const [beginning, ...changes] = records;
      const state = (changes as StateChange[]).reduce(changed, EMPTY_STATE);
      return new ManifestLog(directory, file, checkBeginning(beginning, changes, name), state);
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  /** Begins a manifest. If that is interrupted, the directory has none. */
  static async begin(directory: string, wanted: SeenRequest): Promise<ManifestLog> {
    const [set] = globalThis.crypto.getRandomValues(new Uint32Array(1));
    const identity = encodeIdentity(newIdentity(wanted));
    const beginning = { format: FORMAT, version: VERSION, set: set as number, identity };
    const file = await writeManifest(directory, beginning, EMPTY_STATE);
    return new ManifestLog(directory, file, beginning, EMPTY_STATE);
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
    const file = await writeManifest(this.#directory, this.#beginning, this.#state);
    const before = this.#file;
    this.#file = file;
    this.#bytes = file.bytes;
    this.#isComplete = true;
    await before.close();
  }
}

/** Writes a manifest beside the one that is there, and then in its place. */
async function writeManifest(
  directory: string,
  beginning: Beginning,
  state: DiskState,
): Promise<JournalFile> {
  const unfinished = paths().join(directory, UNFINISHED_MANIFEST);
  const file = await JournalFile.create(unfinished, NUMBER);
  try {
    await file.append(encode(beginning));
    await file.append(encode(changeTo(state)));
    await file.sync();
    await file.append(encode({}));
    await file.sync();
    await file.rename(paths().join(directory, MANIFEST));
    await syncDirectory(directory);
  } catch (error) {
    await file.close();
    throw error;
  }
  return file;
}

/** Holds what a manifest says. */
export interface ManifestContents {
  readonly identity: SeenIdentity;
  readonly set: number;
  readonly state: DiskState;
}

/** Reads the manifest of a directory, and changes nothing. Throws `SEEN_CORRUPT` if it is damaged or missing. */
export async function readManifest(directory: string): Promise<ManifestContents> {
  const name = paths().join(directory, MANIFEST);
  const handle = await openFile(name, "r");
  try {
    const records: unknown[] = [];
    const { bytes } = await readBlocks(handle, NUMBER, (block) => {
      records.push(parse(block));
    });
    await unfinishedBytes(handle, { name, journal: NUMBER, durableBytes: 1 }, bytes);
    const [beginning, ...changes] = records;
    const { set, identity } = checkBeginning(beginning, changes, name);
    const state = (changes as StateChange[]).reduce(changed, EMPTY_STATE);
    return { set, identity: decodeIdentity(identity, name), state };
  } finally {
    await handle.close();
  }
}

const encode = (record: Beginning | StateChange): Uint8Array => Buffer.from(JSON.stringify(record));

function parse(bytes: Uint8Array): unknown {
  return JSON.parse(Buffer.from(bytes).toString("utf8"));
}

function checkBeginning(record: unknown, changes: readonly unknown[], name: string): Beginning {
  const beginning = record as Beginning | undefined;
  if (beginning?.format !== FORMAT || changes.length === 0) {
    throw new UrlmillError("SEEN_CORRUPT", `${name} is damaged, or is not of a set on disk`);
  }
  if (beginning.version !== VERSION) {
    throw new UrlmillError(
      "SEEN_CORRUPT",
      `${name} is of version ${beginning.version}, not ${VERSION}`,
    );
  }
  return beginning;
}
