import { paths } from "../../base/peer.ts";
import type { SeenIdentity } from "../contract/identity.ts";
import { countByReading, type StoredReader } from "../contract/reader.ts";
import { storeFailed } from "../contract/store-failed.ts";
import { openOwn, statOwn } from "../folder/own-file.ts";
import { HEADER } from "../journal/block.ts";
import { blocksOf, unfinishedBytes } from "../journal/read-blocks.ts";
import { readManifest } from "./files/manifest-log.ts";
import { allFileBytes, checkFiles, partitionName } from "./files/partition-files.ts";
import { type LogPart, logId, logName, PARTS, readFrame } from "./files/row-log.ts";
import type { LogState, ManifestContents } from "./files/state.ts";
import { KEY } from "./kernel/disk-kernel.ts";
import { PartitionReader } from "./partition-reader.ts";

/** Counts the bits of a key. */
const BITS = 8 * KEY;
/** The place of a key's partition. */
const PARTITION = KEY - 1;

/** Opens a set on disk to read it. Whoever calls this has its lock. Throws `SEEN_CORRUPT` and `SEEN_FAILED`. */
export async function readDisk(directory: string): Promise<StoredReader> {
  try {
    const contents = await readManifest(directory);
    await checkFiles(directory, contents.state);
    let logBytes = 0;
    for (const name of contents.state.logs.flatMap((log) => filesOf(directory, log))) {
      logBytes += (await statOwn(name))?.size ?? 0; // reading it reports that it is missing
    }
    return new DiskReader(directory, contents, allFileBytes(contents.state) + logBytes);
  } catch (error) {
    throw storeFailed(directory, error);
  }
}

/** Returns what a set on disk was made with. Throws `SEEN_CORRUPT` and `SEEN_FAILED`. */
export async function diskIdentity(directory: string): Promise<SeenIdentity> {
  try {
    return (await readManifest(directory)).identity;
  } catch (error) {
    throw storeFailed(directory, error);
  }
}

function partsOf({ hasPayloads, kind, rows }: LogState): LogPart[] {
  const has = { log: true, payload: hasPayloads, new: kind === "waiting" && rows !== null };
  return PARTS.filter((part) => has[part]);
}

function filesOf(directory: string, log: LogState): string[] {
  return partsOf(log).map((part) => paths().join(directory, logName(part, log.number)));
}

class DiskReader implements StoredReader {
  readonly where: string;
  readonly store = "disk";
  readonly bits = BITS;
  readonly hasChecksums = true;
  readonly storedBytes: number;
  left: string | null = null;
  readonly #contents: ManifestContents;
  #unfinished = 0;

  constructor(where: string, contents: ManifestContents, storedBytes: number) {
    this.where = where;
    this.#contents = contents;
    this.storedBytes = storedBytes;
  }

  get identity(): SeenIdentity {
    return this.#contents.identity;
  }

  size(): Promise<number> {
    return countByReading(this);
  }

  async *fingerprints(): AsyncGenerator<Uint8Array, void, undefined> {
    try {
      const { beginning, state } = this.#contents;
      const { set } = beginning;
      const reader = new PartitionReader();
      for (const [partition, of] of state.partitions.entries()) {
        if (of.generation === 0) continue;
        const name = paths().join(this.where, partitionName(partition, of.generation));
        yield* reader.keys({ name, set, partition, state: of });
      }
      yield* this.#keysOfLogs();
    } catch (error) {
      throw storeFailed(this.where, error);
    }
  }

  /** Yields the keys of logs that are answered and not in partitions, and reads all else of the logs. */
  async *#keysOfLogs(): AsyncGenerator<Uint8Array, void, undefined> {
    let waiting = 0;
    this.#unfinished = 0;
    for (const log of this.#contents.state.logs) {
      const name = paths().join(this.where, logName("log", log.number));
      const isWaiting = log.kind === "waiting" && log.merged !== null;
      for (const part of partsOf(log)) {
        for await (const block of this.#blocks(log, part)) {
          if (part !== "log") continue;
          if (log.kind === "added") yield keysNotIn(readFrame(block, name).keys, log.merged ?? []);
          else if (isWaiting) waiting += readFrame(block, name).rows;
        }
      }
    }
    this.left = leftOf(waiting, this.#unfinished);
  }

  /** Yields the blocks of a file of a log, and adds up the bytes of unfinished writes. */
  async *#blocks(log: LogState, part: LogPart): AsyncGenerator<Uint8Array, void, undefined> {
    const name = paths().join(this.where, logName(part, log.number));
    const journal = logId(this.#contents.beginning.set, log.number, part);
    const durableBytes = log.durable[PARTS.indexOf(part)] as number;
    const handle = await openOwn(name, "r");
    try {
      let bytes = 0;
      for await (const { fingerprints } of blocksOf(handle, journal)) {
        yield fingerprints;
        bytes += HEADER + fingerprints.length;
      }
      this.#unfinished += await unfinishedBytes(handle, { name, journal, durableBytes }, bytes);
    } finally {
      await handle.close();
    }
  }

  async close(): Promise<void> {}
}

/** Returns the keys whose partitions do not have them yet: after a crash, some have. */
function keysNotIn(keys: Uint8Array, merged: readonly number[]): Uint8Array {
  if (merged.length === 0) return keys;
  const rows: Uint8Array[] = [];
  for (let at = 0; at < keys.length; at += KEY) {
    if (!merged.includes(keys[at + PARTITION] as number)) rows.push(keys.subarray(at, at + KEY));
  }
  return Buffer.concat(rows);
}

function leftOf(waiting: number, unfinished: number): string | null {
  const parts: string[] = [];
  if (waiting > 0) parts.push(`${waiting} rows that wait for an answer`);
  if (unfinished > 0) parts.push(`${unfinished} bytes of an unfinished write`);
  return parts.length === 0 ? null : parts.join(", ");
}
