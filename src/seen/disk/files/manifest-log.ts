import { UrlmillError } from "../../../base/errors.ts";
import { files, paths } from "../../../base/peer.ts";
import { syncDirectory } from "../../../io/files/directory.ts";
import { decodeIdentity, encodeIdentity, newIdentity, type SeenIdentity } from "../../identity.ts";
import { JournalFile } from "../../journal/journal-file.ts";
import type { SeenRequest } from "../../request.ts";
import { changed, changeTo, type DiskState, EMPTY_STATE, type StateChange } from "./state.ts";

/** Names the file that says what a set on disk holds. It only grows; when it is opened, it is written anew if it is long. */
export const MANIFEST = "manifest";
/** Names the file that becomes the manifest when it is complete. */
export const UNFINISHED_MANIFEST = "manifest.new";

const FORMAT = "urlmill set on disk";
const VERSION = 1;
/** The number in the blocks of a manifest. */
const NUMBER = 0x6d616e69;
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
  #file: JournalFile;
  #state: DiskState;

  private constructor(file: JournalFile, { set, identity }: Beginning, state: DiskState) {
    this.#file = file;
    this.set = set;
    this.identity = decodeIdentity(identity, file.name);
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
      .then(({ size }) => size > 0)
      .catch((error: NodeJS.ErrnoException) => {
        if (error.code === "ENOENT") return false;
        throw error;
      });
    if (!isThere) return null;
    const records: unknown[] = [];
    const { file } = await JournalFile.open(name, NUMBER, 0, (bytes) => {
      records.push(parse(bytes));
    });
    try {
      const beginning = checkBeginning(records.shift(), name);
      const state = (records as StateChange[]).reduce(changed, EMPTY_STATE);
      const opened = new ManifestLog(file, beginning, state);
      if (file.bytes > LONG) await opened.#rewrite(directory);
      return opened;
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
    return new ManifestLog(file, beginning, EMPTY_STATE);
  }

  /** Changes the state. When it returns, that is durable. */
  async change(change: StateChange): Promise<void> {
    await this.#file.append(encode(change));
    await this.#file.sync();
    this.#state = changed(this.#state, change);
  }

  close(): Promise<void> {
    return this.#file.close();
  }

  async #rewrite(directory: string): Promise<void> {
    const identity = encodeIdentity(this.identity);
    const beginning = { format: FORMAT, version: VERSION, set: this.set, identity };
    const file = await writeManifest(directory, beginning, this.#state);
    await this.#file.close();
    this.#file = file;
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
    await syncDirectory(directory);
    await files().rename(unfinished, paths().join(directory, MANIFEST));
    await syncDirectory(directory);
  } catch (error) {
    await file.close();
    throw error;
  }
  return file;
}

const encode = (record: Beginning | StateChange): Uint8Array => Buffer.from(JSON.stringify(record));

function parse(bytes: Uint8Array): unknown {
  return JSON.parse(Buffer.from(bytes).toString("utf8"));
}

function checkBeginning(record: unknown, name: string): Beginning {
  const beginning = record as Beginning | undefined;
  if (beginning?.format !== FORMAT) {
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
