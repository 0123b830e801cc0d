import { UrlmillError } from "../../../base/errors.ts";
import { allEnded } from "../../../base/handled.ts";
import type { SetFolder } from "../../folder/set-folder.ts";
import { JournalFile } from "../../journal/journal-file.ts";
import { KEY } from "../kernel/disk-kernel.ts";
import { BATCH } from "../kernel/memory-plan.ts";
import type { LogState } from "./state.ts";

/*
 * A frame of a log, at most BATCH rows. Numbers are little-endian, 32 bits.
 *
 *   0   rows
 *   4   keys      rows that are URLs
 *   8   the keys, 10 bytes each
 *       the status of each row, if some are not URLs
 */
const HEADER = 8;

/** Holds rows as they are in a log: the keys of those that are URLs, and the status of each. */
export interface Frame {
  readonly rows: number;
  readonly keys: Uint8Array;
  /** Null if all rows are URLs. */
  readonly status: Uint8Array | null;
}

/** Names the files of a log: its keys, its payloads, and the numbers of its new rows. */
export type LogPart = "log" | "payload" | "new";

export const PARTS: readonly LogPart[] = ["log", "payload", "new"];

export function logName(part: LogPart, number: number): string {
  return `${part}.${number}`;
}

/** Returns the number of a log by the name of one of its files; null for another file. */
export function logNumber(name: string): number | null {
  const [, number] = /^(?:log|payload|new)\.(\d+)$/.exec(name) ?? [];
  return number === undefined ? null : Number(number);
}

export class RowLog {
  readonly #files = new Map<LogPart, JournalFile>();
  readonly #folder: SetFolder;
  readonly #set: number;
  readonly number: number;

  constructor(folder: SetFolder, set: number, number: number) {
    this.#folder = folder;
    this.#set = set;
    this.number = number;
  }

  async create(...parts: readonly LogPart[]): Promise<void> {
    for (const part of parts) {
      const name = logName(part, this.number);
      this.#files.set(part, await JournalFile.create(this.#folder, name, this.#id(part)));
    }
    await this.#folder.sync();
  }

  /**
   * Opens a file of a log that was written before, and hands its blocks to `take`, which must copy what it keeps. Returns the
   * bytes of unfinished writes that were cut. Throws `SEEN_CORRUPT` for a file that is damaged.
   */
  async open(part: LogPart, state: LogState, take: (bytes: Uint8Array) => void): Promise<number> {
    const name = this.pathOf(part);
    const durable = state.durable[PARTS.indexOf(part)] as number;
    const { file, cut } = await JournalFile.open(name, this.#id(part), durable, take);
    this.#files.set(part, file);
    return cut;
  }

  /** Says how many bytes of each file are on disk for certain. */
  get durable(): [number, number, number] {
    const [log = 0, payload = 0, fresh = 0] = PARTS.map(
      (part) => this.#files.get(part)?.synced ?? 0,
    );
    return [log, payload, fresh];
  }

  get bytes(): number {
    return [...this.#files.values()].reduce((sum, file) => sum + file.bytes, 0);
  }

  has(part: LogPart): boolean {
    return this.#files.has(part);
  }

  pathOf(part: LogPart): string {
    return this.#folder.pathOf(logName(part, this.number));
  }

  append(part: LogPart, bytes: Uint8Array): Promise<void> {
    return this.#file(part).append(bytes);
  }

  async sync(): Promise<void> {
    await Promise.all(Array.from(this.#files.values(), (file) => file.sync()));
  }

  /** Reads one of the files from its beginning. The next step overwrites the memory of a block. */
  blocks(part: LogPart): AsyncGenerator<Uint8Array> {
    return this.#file(part).blocks();
  }

  close(): Promise<void> {
    return allEnded(Array.from(this.#files.values(), (file) => file.close()));
  }

  #file(part: LogPart): JournalFile {
    return this.#files.get(part) as JournalFile;
  }

  /** The number in the blocks of a file: those of another set, log or part do not pass. */
  #id(part: LogPart): number {
    return logId(this.#set, this.number, part);
  }
}

/** Returns the number in the blocks of a file of a log. */
export function logId(set: number, number: number, part: LogPart): number {
  return (set ^ Math.imul(3 * number + PARTS.indexOf(part) + 1, 0x9e3779b1)) >>> 0;
}

export function frameOf({ rows, keys, status }: Frame): Uint8Array {
  const header = Uint32Array.of(rows, keys.length / KEY);
  const parts = [new Uint8Array(header.buffer), keys];
  return Buffer.concat(status === null ? parts : [...parts, status]);
}

/** Reads a frame, which views the bytes. Throws `SEEN_CORRUPT` if they are not one; `name` is of their file. */
export function readFrame(bytes: Uint8Array, name: string): Frame {
  if (bytes.length < HEADER) throw noFrame(name);
  const view = new DataView(bytes.buffer, bytes.byteOffset, HEADER);
  const [rows, keys] = [view.getUint32(0, true), view.getUint32(4, true)];
  const end = HEADER + keys * KEY;
  const status = bytes.subarray(end);
  // Rows that were answered have no numbers.
  const rowsOfKeys = status.length === 0 ? rows === 0 || rows === keys : rows === status.length;
  if (!rowsOfKeys || Math.max(rows, keys) > BATCH || end > bytes.length) throw noFrame(name);
  return { rows, keys: bytes.subarray(HEADER, end), status: status.length === 0 ? null : status };
}

/** Makes the error of a block with a right checksum that holds something else than its file must. */
export function noFrame(name: string): UrlmillError {
  return new UrlmillError("SEEN_CORRUPT", `${name} is damaged: a block is not of a set on disk`);
}
