import { UrlmillError } from "../../../base/errors.ts";
import { allEnded } from "../../../base/handled.ts";
import { statOwn } from "../../folder/own-file.ts";
import type { SetFolder } from "../../folder/set-folder.ts";
import { Spread } from "../../folder/spread.ts";
import { KEY } from "../kernel/disk-kernel.ts";
import type { LoggedRows } from "../pending.ts";
import type { ManifestLog } from "./manifest-log.ts";
import { FrameCounter } from "./pieces.ts";
import { type Frame, frameOf, logName, PARTS, RowLog, readFrame } from "./row-log.ts";
import type { LogState } from "./state.ts";

/** The bytes of a key that choose its table and its place there, the first two of them. */
const HOME = 8;

/** A log of the state whose files are open. */
export interface OpenLog {
  readonly log: RowLog;
  readonly state: LogState;
}

type TakeRows = (rows: LoggedRows) => void;

/** Says which logs of keys that were answered fit in memory. */
export interface LogRoom {
  /** The most keys of a log that fits in empty memory. */
  readonly mostKeys: number;
  /** Makes room for a log of so many keys. Returns false if they do not all fit in empty memory. */
  make(keys: number): Promise<boolean>;
}

const isAdded = ({ kind }: LogState): boolean => kind === "added";

/** Keeps the logs of a set: one of rows that were answered at once, and those of rows that wait for an answer. */
export class LogStack {
  readonly #folder: SetFolder;
  readonly #manifest: ManifestLog;
  readonly #logs = new Map<number, RowLog>();
  /** The log that takes more rows, of each kind. */
  readonly #current: Record<LogState["kind"], RowLog | null> = { added: null, waiting: null };
  /** The number that the next row gets, and the first that is not durable. */
  #nextRow: number;
  #durableRow: number;
  #cutBytes = 0;

  constructor(folder: SetFolder, manifest: ManifestLog) {
    this.#folder = folder;
    this.#manifest = manifest;
    this.#nextRow = this.#durableRow = manifest.state.settled;
  }

  get nextRow(): number {
    return this.#nextRow;
  }

  get durableRow(): number {
    return this.#durableRow;
  }

  get cutBytes(): number {
    return this.#cutBytes;
  }

  get bytes(): number {
    return [...this.#logs.values()].reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** Counts the rows that wait for an answer. */
  get waiting(): number {
    return this.#nextRow - this.firstWaiting;
  }

  /** The first row of the logs that are not merged: the numbers of rows in memory begin there. */
  get firstWaiting(): number {
    return this.#unmerged()[0]?.state.firstRow ?? this.#nextRow;
  }

  /**
   * Reads the logs that are there. Logs of rows that wait take no more rows: what was not durable may be missing. Nor do those
   * that a merge began with: new rows are in none of its partitions. Keys that were answered come before all rows that wait;
   * `room` merges those that were read so far where memory is full.
   */
  async load(take: TakeRows, room: LogRoom): Promise<void> {
    const { logs, settled } = this.#manifest.state;
    this.#nextRow = settled;
    const base = this.firstWaiting;
    for (const state of logs.filter(isAdded)) await this.#loadAdded(state, take, room);
    const loaded: LogState[] = [];
    for (const state of logs.filter((each) => !isAdded(each))) {
      loaded.push(await this.#loadWaiting(this.#logOf(state), state, base, take));
    }
    const added = this.#manifest.state.logs.filter(isAdded);
    const isSame = loaded.every((state) => logs.includes(state));
    if (!isSame) await this.#manifest.change({ logs: [...added, ...loaded] });
    this.#durableRow = this.#nextRow;
  }

  #logOf({ number }: LogState): RowLog {
    const log = new RowLog(this.#folder, this.#manifest.set, number);
    this.#logs.set(number, log);
    return log;
  }

  async #loadAdded(state: LogState, take: TakeRows, room: LogRoom): Promise<void> {
    const merged = state.merged ?? [];
    const name = this.#folder.pathOf(logName("log", state.number));
    const keys = ((await statOwn(name))?.size ?? 0) / KEY;
    if (!(await room.make(keys))) {
      for (const part of await this.#divide(state, room.mostKeys * KEY)) {
        await this.#loadAdded(part, take, room);
      }
      return;
    }
    const log = this.#logOf(state);
    const spread = new Spread(keys, name);
    this.#cutBytes += await log.open("log", state, (bytes) => {
      const frame = readFrame(bytes, name);
      spread.add(frame.keys, KEY, HOME);
      take({ ...frame, first: null, merged });
    });
    if (merged.length === 0) this.#current.added = log;
  }

  /** Puts logs of at most so many bytes, or of one frame, in the place of one that was written with more memory. */
  async #divide(state: LogState, most: number): Promise<LogState[]> {
    const whole = this.#logOf(state);
    this.#cutBytes += await whole.open("log", state, () => {});
    const { logs, logsMade } = this.#manifest.state;
    const parts: RowLog[] = [];
    try {
      for await (const frame of whole.blocks("log")) {
        let part = parts.at(-1);
        if (part === undefined || part.bytes + frame.length > most) {
          part = new RowLog(this.#folder, this.#manifest.set, logsMade + parts.length + 1);
          parts.push(part);
          await part.create("log");
        }
        await part.append("log", frame);
      }
      for (const part of parts) await part.sync();
    } finally {
      await allEnded(parts.map((part) => part.close()));
    }
    const divided = parts.map(({ number, durable }) => ({ ...state, number, durable }));
    await this.#manifest.change({
      logs: logs.flatMap((other) => (other === state ? divided : [other])),
      logsMade: logsMade + parts.length,
    });
    await this.#dropOthers();
    return divided;
  }

  /** Loads rows that wait, as many as have their payloads. Returns the state of the log, which takes no more rows. */
  async #loadWaiting(
    log: RowLog,
    state: LogState,
    base: number,
    take: TakeRows,
  ): Promise<LogState> {
    const payloads = new FrameCounter(log.pathOf("payload"));
    if (state.hasPayloads) {
      this.#cutBytes += await log.open("payload", state, (bytes) => payloads.add(bytes));
    }
    let rows = 0;
    let frames = 0;
    this.#cutBytes += await log.open("log", state, (bytes) => {
      const frame = readFrame(bytes, log.pathOf("log"));
      const isComplete =
        state.rows === null ? !state.hasPayloads || frames < payloads.frames : rows < state.rows;
      frames++;
      if (!isComplete) return;
      const { merged } = state;
      if (merged !== null) take({ ...frame, first: state.firstRow + rows - base, merged });
      rows += frame.rows;
    });
    this.#nextRow = state.firstRow + rows;
    if (state.rows === null) return this.#complete(log, state, rows);
    await log.open("new", state, () => {});
    if (state.rows === rows) return state;
    const name = log.pathOf("log");
    throw new UrlmillError("SEEN_CORRUPT", `${name} has ${rows} rows, not ${state.rows}`);
  }

  /** Returns the state of a log that takes no more rows. */
  async #complete(log: RowLog, state: LogState, rows: number): Promise<LogState> {
    await log.create("new");
    return { ...state, rows, durable: log.durable };
  }

  /** Appends keys that were answered as new. */
  async appendAdded(keys: Uint8Array): Promise<void> {
    if (keys.length === 0) return;
    this.#current.added ??= await this.#begin("added", false);
    await this.#current.added.append("log", frameOf({ rows: 0, keys, status: null }));
  }

  /** Makes sure that a log takes rows that wait, with payloads or without. Returns the number of the next row. */
  async prepareWaiting(hasPayloads: boolean): Promise<number> {
    const current = this.#current.waiting;
    if (current !== null && current.has("payload") !== hasPayloads) await this.completeWaiting();
    this.#current.waiting ??= await this.#begin("waiting", hasPayloads);
    return this.#nextRow;
  }

  /** Appends rows that wait, their payloads first: rows that are there have theirs. */
  async appendWaiting(frame: Frame, payloads: Uint8Array | null): Promise<void> {
    const log = this.#current.waiting as RowLog;
    if (payloads !== null) await log.append("payload", payloads);
    await log.append("log", frameOf(frame));
    this.#nextRow += frame.rows;
  }

  /** Completes the log that takes rows that wait. */
  async completeWaiting(): Promise<void> {
    const log = this.#current.waiting;
    if (log === null) return;
    await this.sync();
    const logs: LogState[] = [];
    for (const state of this.#manifest.state.logs) {
      const isIt = state.number === log.number;
      logs.push(isIt ? await this.#complete(log, state, this.#nextRow - state.firstRow) : state);
    }
    await this.#manifest.change({ logs });
    this.#current.waiting = null;
  }

  /** Makes durable what was appended. */
  async sync(): Promise<void> {
    const rows = this.#nextRow;
    // Begins all at once: a log may be closed while another is synced.
    await Promise.all(Object.values(this.#current).map((log) => log?.sync()));
    this.#durableRow = Math.max(this.#durableRow, rows);
  }

  /** Makes all durable and completes the manifest, so that a later reader knows what is missing. */
  async complete(): Promise<void> {
    await this.sync();
    const { logs } = this.#manifest.state;
    await this.#manifest.complete(
      logs.map((state) => ({ ...state, durable: this.#durableOf(state) })),
    );
  }

  #durableOf({ number, durable }: LogState): LogState["durable"] {
    return this.#logs.get(number)?.durable ?? durable;
  }

  /** Returns the logs of waiting rows that are not merged into all partitions. */
  #unmerged(): OpenLog[] {
    return this.#manifest.state.logs
      .filter(({ kind, merged }) => kind === "waiting" && merged !== null)
      .map((state) => ({ state, log: this.#logs.get(state.number) as RowLog }));
  }

  /** Notes which of the rows that wait are new. `numbers`: from the first that waits on. */
  async appendNew(numbers: Uint8Array): Promise<void> {
    if (numbers.length === 0) return;
    const unmerged = this.#unmerged();
    if (unmerged.length === 1) return this.#appendNewTo(unmerged[0] as OpenLog, numbers);
    const rows = new Uint32Array(numbers.slice().buffer);
    const base = this.firstWaiting;
    for (const open of unmerged) {
      const first = open.state.firstRow - base;
      const own = rows.filter((row) => row >= first && row < first + (open.state.rows as number));
      await this.#appendNewTo(open, new Uint8Array(own.map((row) => row - first).buffer));
    }
  }

  async #appendNewTo({ log }: OpenLog, numbers: Uint8Array): Promise<void> {
    await log.append("new", numbers);
  }

  /** Returns the states of the logs after some partitions are merged, or all. What was appended becomes durable. */
  async statesAfter(partitions: readonly number[] | null): Promise<LogState[]> {
    const { logs } = this.#manifest.state;
    // Logs that are not loaded yet stay as they are.
    const isMerging = ({ number, merged }: LogState): boolean =>
      merged !== null && this.#logs.has(number);
    await Promise.all(logs.filter(isMerging).map(({ number }) => this.#logs.get(number)?.sync()));
    return logs
      .filter((state) => partitions !== null || !isAdded(state) || !isMerging(state))
      .map((state) => {
        if (!isMerging(state)) return state;
        const merged =
          partitions === null ? null : [...new Set([...(state.merged ?? []), ...partitions])];
        return { ...state, merged, durable: this.#durableOf(state) };
      });
  }

  /** Removes the logs of rows that were answered at once: all of them are in the partitions. */
  async dropAdded(): Promise<void> {
    this.#current.added = null;
    await this.#dropOthers();
  }

  /** Returns the log with the answer of a row, or of the next one that has an answer; null after the last. */
  answeredFrom(row: number): OpenLog | null {
    const state = this.#manifest.state.logs.find(
      ({ kind, merged, firstRow, rows }) =>
        kind === "waiting" && merged === null && firstRow + (rows as number) > row,
    );
    return state === undefined ? null : { state, log: this.#logs.get(state.number) as RowLog };
  }

  /** Notes that the consumer has all rows before one. Removes logs that nobody needs. */
  async settle(row: number): Promise<void> {
    const settled = Math.max(row, this.#manifest.state.settled);
    const isDone = ({ kind, merged, firstRow, rows }: LogState): boolean =>
      kind === "waiting" && merged === null && firstRow + (rows as number) <= settled;
    const { logs } = this.#manifest.state;
    const done = logs.filter(isDone);
    const change = { settled };
    if (done.length === 0) return this.#manifest.change(change);
    await this.#manifest.change({ ...change, logs: logs.filter((state) => !isDone(state)) });
    await this.#dropOthers();
  }

  close(): Promise<void> {
    return allEnded(Array.from(this.#logs.values(), (log) => log.close()));
  }

  async #begin(kind: LogState["kind"], hasPayloads: boolean): Promise<RowLog> {
    const { logs, logsMade } = this.#manifest.state;
    const log = new RowLog(this.#folder, this.#manifest.set, logsMade + 1);
    this.#logs.set(log.number, log); // `close` closes its files also if what follows fails
    if (hasPayloads) await log.create("log", "payload");
    else await log.create("log");
    const state: LogState = {
      number: log.number,
      kind,
      firstRow: this.#nextRow,
      rows: null,
      durable: [0, 0, 0],
      hasPayloads,
      merged: [],
    };
    await this.#manifest.change({ logs: [...logs, state], logsMade: log.number });
    return log;
  }

  /** Closes and removes the files of the logs that the manifest no longer has. */
  async #dropOthers(): Promise<void> {
    const kept = new Set(this.#manifest.state.logs.map(({ number }) => number));
    for (const log of [...this.#logs.values()].filter(({ number }) => !kept.has(number))) {
      this.#logs.delete(log.number);
      await log.close();
      for (const part of PARTS) await this.#folder.remove(logName(part, log.number));
    }
  }
}
