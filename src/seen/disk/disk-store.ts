import { UrlmillError } from "../../base/errors.ts";
import { allEnded, markHandled } from "../../base/handled.ts";
import type { AnsweredRows, QueuedRows, SeenStore, SeenStoreStats } from "../contract/store.ts";
import { storeFailed } from "../contract/store-failed.ts";
import { LogStack, type OpenLog } from "./files/log-stack.ts";
import type { ManifestLog } from "./files/manifest-log.ts";
import { allFileBytes } from "./files/partition-files.ts";
import { payloadFrame, piecesOf, rowsOfFrame } from "./files/pieces.ts";
import { keysOf } from "./files/state.ts";
import { KEY } from "./kernel/disk-kernel.ts";
import { BATCH } from "./kernel/memory-plan.ts";
import { Lookups } from "./lookups.ts";
import { mergeAll } from "./merge-all.ts";
import type { DiskParts } from "./parts.ts";
import { type LoggedRows, Pending } from "./pending.ts";

/** Counts the bits of a key. */
const BITS = 80;

/**
 * Keeps keys of fingerprints in sorted files, one for each partition, and what came since the last merge in logs and in
 * memory. After a call of the system fails, all later calls throw the same error; opened again, the set has all that was
 * answered.
 */
export class DiskStore implements SeenStore, QueuedRows {
  readonly identity: ManifestLog["identity"];
  readonly rowsPerCall = BATCH;
  readonly #parts: DiskParts;
  readonly #pending: Pending;
  readonly #lookups: Lookups;
  readonly #logs: LogStack;
  /** Keys that were new since the last merge. */
  #newKeys = 0;
  #isLoaded = false;
  #timer: NodeJS.Timeout | undefined;
  #failure: UrlmillError | null = null;

  constructor(parts: DiskParts) {
    const { kernel, plan, folder, manifest } = parts;
    this.#parts = parts;
    this.identity = manifest.identity;
    this.#pending = new Pending(kernel, plan, this.identity.bits);
    this.#lookups = new Lookups(kernel, plan, folder, manifest.set);
    this.#logs = new LogStack(folder, manifest);
  }

  get #settled(): number {
    return this.#parts.manifest.state.settled;
  }

  get queued(): QueuedRows {
    return this;
  }

  add(fingerprints: Uint8Array): Promise<Uint8Array> {
    return this.#attempt(async () => {
      await this.#readyToAnswer();
      const count = this.#pending.cut(fingerprints);
      if (!this.#pending.hasTableRoomFor(count)) {
        await this.#merge();
        this.#pending.cut(fingerprints);
      }
      this.#pending.addToTables(count);
      await this.#lookups.find(count, this.#parts.manifest.state);
      const answers = this.#pending.answers(count).slice();
      await this.#logs.appendAdded(this.#pending.newKeys(count));
      for (const answer of answers) this.#newKeys += answer;
      await this.#syncAsAsked();
      return answers;
    });
  }

  has(fingerprints: Uint8Array): Promise<Uint8Array> {
    return this.#attempt(async () => {
      await this.#readyToAnswer();
      const count = this.#pending.cut(fingerprints);
      this.#pending.askTables(count);
      await this.#lookups.find(count, this.#parts.manifest.state);
      return this.#pending.answers(count).map((isNew) => 1 - isNew);
    });
  }

  /** Adds rows to answer later. Returns the number of the first. */
  enqueue(
    fingerprints: Uint8Array,
    status: Uint8Array,
    payloads: readonly Uint8Array[] | null,
  ): Promise<number> {
    return this.#attempt(async () => {
      await this.#load();
      if (status.length === 0) return this.#logs.nextRow;
      const first = await this.#logs.prepareWaiting(payloads !== null);
      let keyed = 0;
      const width = this.identity.bits / 8;
      for (let row = 0; row < status.length; ) {
        const end = row + rowsOfFrame(payloads, row);
        const codes = status.subarray(row, end);
        const count = countUrls(codes);
        const part = fingerprints.subarray(keyed * width, (keyed + count) * width);
        await this.#enqueueSome(part, codes, payloads?.slice(row, end) ?? null);
        keyed += count;
        row = end;
      }
      await this.#syncAsAsked();
      return first;
    });
  }

  /** Finds the answers of all rows that wait. Returns the number after the last. */
  answer(): Promise<number> {
    return this.#attempt(async () => {
      await this.#load();
      await this.#answerWaiting();
      return this.#logs.nextRow;
    });
  }

  /** Yields answered rows that are not settled and before `end`, in the order in which they came. */
  async *pieces(end: number): AsyncGenerator<AnsweredRows> {
    for (let row = this.#settled; ; ) {
      const next = this.#logs.answeredFrom(row);
      if (next === null || next.state.firstRow >= end) return;
      yield* this.#piecesOfLog(next, row);
      row = next.state.firstRow + (next.state.rows as number);
    }
  }

  /** Yields the pieces of a log from a row on. Ends when all are settled, for then the log is gone. */
  async *#piecesOfLog({ log, state }: OpenLog, row: number): AsyncGenerator<AnsweredRows> {
    const end = state.firstRow + (state.rows as number);
    const pieces = piecesOf(log, state, row);
    try {
      while (this.#settled < end) {
        const next = await this.#attempt(() => pieces.next());
        if (next.done === true) return;
        yield next.value;
      }
    } finally {
      await pieces.return(undefined);
    }
  }

  /** Settles all rows before `row`: they do not come again. */
  settle(row: number): Promise<void> {
    return this.#attempt(() => this.#logs.settle(row));
  }

  /** Makes all durable that was added. */
  sync(): Promise<void> {
    return this.#attempt(() => this.#logs.sync());
  }

  size(): Promise<number> {
    return this.#attempt(async () => {
      await this.#load();
      return keysOf(this.#parts.manifest.state) + this.#newKeys;
    });
  }

  async stats(): Promise<SeenStoreStats> {
    await this.#attempt(() => this.#load());
    const { manifest, kernel } = this.#parts;
    const storedBytes = allFileBytes(manifest.state) + this.#logs.bytes;
    const { cutBytes, nextRow, durableRow } = this.#logs;
    return {
      store: "disk",
      bits: BITS,
      memoryBytes: kernel.calls.memory.buffer.byteLength,
      storedBytes,
      cutBytes,
      nextRow,
      durableRow,
      settledRow: this.#settled,
    };
  }

  close(): Promise<void> {
    clearTimeout(this.#timer);
    return this.#attempt(() => this.#logs.complete()).finally(() => this.#closeFiles());
  }

  async #closeFiles(): Promise<void> {
    const { folder, manifest } = this.#parts;
    try {
      await allEnded([this.#lookups.close(), this.#logs.close(), manifest.close()]).finally(() =>
        folder.release(),
      );
    } catch (error) {
      throw failed(folder.path, error);
    }
  }

  async #enqueueSome(
    fingerprints: Uint8Array,
    status: Uint8Array,
    payloads: readonly Uint8Array[] | null,
  ): Promise<void> {
    if (!this.#pending.hasRoomFor(status.length)) {
      await this.#merge();
      await this.#logs.prepareWaiting(payloads !== null);
    }
    const count = this.#pending.cut(fingerprints);
    const keys = this.#pending.keys(count).slice();
    const codes = count === status.length ? null : status;
    const frame = { rows: status.length, keys, status: codes };
    const first = this.#logs.nextRow - this.#logs.firstWaiting;
    await this.#logs.appendWaiting(frame, payloads === null ? null : payloadFrame(payloads));
    this.#pending.numberRows(count, codes, first);
    this.#pending.addToGroups(count);
  }

  /** Makes ready for `add` and `has`: no row waits. Throws `BAD_OPTION` if the set does not answer at once. */
  async #readyToAnswer(): Promise<void> {
    if (!this.#parts.isImmediate) {
      throw new UrlmillError(
        "BAD_OPTION",
        "add and has need a set that was opened with disk(path, { immediate: true }): enqueueBatch and drain answer later",
      );
    }
    await this.#load();
    await this.#answerWaiting();
  }

  /** Merges what only a merge can answer: rows that wait, and keys in groups, where lookups do not find them. */
  async #answerWaiting(): Promise<void> {
    if (this.#logs.waiting > 0 || this.#pending.groupRows > 0) await this.#merge();
  }

  /** Reads the logs that an earlier process left, once. The next merge goes on with one that it began. */
  async #load(): Promise<void> {
    if (this.#isLoaded) return;
    this.#isLoaded = true;
    await this.#logs.load((rows) => this.#takeLogged(rows), {
      mostKeys: this.#pending.mostKeysOfLog,
      make: (keys) => this.#makeRoomFor(keys),
    });
  }

  /** Makes room for a log of keys that were answered. Returns false if they do not all fit in empty memory. */
  async #makeRoomFor(keys: number): Promise<boolean> {
    const { isImmediate } = this.#parts;
    if (this.#pending.hasRoomForLog(keys, isImmediate)) return true;
    if (this.#pending.isEmpty) return false;
    await this.#merge();
    return this.#pending.hasRoomForLog(keys, isImmediate);
  }

  #takeLogged(rows: LoggedRows): void {
    const count = this.#pending.take(rows);
    const isAnswered = rows.first === null;
    if (isAnswered) this.#newKeys += count;
    const taken = rows.keys.length / KEY;
    const isForTables = isAnswered && this.#parts.isImmediate;
    if (isForTables && this.#pending.hasTableRoomFor(count, taken)) {
      this.#pending.addToTables(count, taken);
      return;
    }
    if (!this.#pending.hasRoomFor(count)) {
      throw new UrlmillError(
        "SET_FULL",
        `${this.#parts.folder.path} has more rows that wait than fit in memory: open it with the memory that it had, and immediate: false, and drain it`,
      );
    }
    this.#pending.addToGroups(count);
  }

  /** Merges all that is in memory into the partitions. */
  async #merge(): Promise<void> {
    await mergeAll(this.#parts, this.#pending, this.#logs, this.#lookups);
    this.#pending.clear();
    this.#newKeys = 0;
  }

  async #syncAsAsked(): Promise<void> {
    const { fsync } = this.#parts;
    if (fsync === "batch") await this.#logs.sync();
    if (fsync === "second") this.#syncSoon();
  }

  #syncSoon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      markHandled(this.#attempt(() => this.#logs.sync())); // the next call throws the error
    }, 1000).unref();
  }

  /** Runs a call. After one that failed in the system, or found damage, all throw its error. */
  async #attempt<T>(call: () => Promise<T>): Promise<T> {
    if (this.#failure !== null) throw this.#failure;
    try {
      return await call();
    } catch (error) {
      if (error instanceof UrlmillError && error.code === "BAD_OPTION") throw error;
      this.#failure = failed(this.#parts.folder.path, error);
      throw this.#failure;
    }
  }
}

/** Returns the error of a call for a set in a directory. */
export function failed(directory: string, error: unknown): UrlmillError {
  // The kernel stops at keys that no fingerprints have, such as thousands that begin alike.
  if (error instanceof WebAssembly.RuntimeError) {
    return new UrlmillError("SEEN_CORRUPT", `${directory} holds keys that are not of fingerprints`);
  }
  return storeFailed(directory, error);
}

function countUrls(status: Uint8Array): number {
  let count = 0;
  for (const code of status) if (code < 2) count++;
  return count;
}
