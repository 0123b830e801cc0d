import type { AnsweredRows } from "../../contract/store.ts";
import { BATCH } from "../kernel/memory-plan.ts";
import { type Frame, noFrame, type RowLog, readFrame } from "./row-log.ts";
import type { LogState } from "./state.ts";

/** Bytes of payloads that a piece has, about, at most. */
const PAYLOAD = 1 << 23;

/** Reads the answers of a log that is merged, from a row on. */
export async function* piecesOf(
  log: RowLog,
  state: LogState,
  from: number,
): AsyncGenerator<AnsweredRows> {
  const rows = state.rows as number;
  const isNew = await readNew(log, rows);
  const payloads = state.hasPayloads ? payloadsOf(log) : null;
  let piece = new PieceBuilder(state.firstRow);
  let next = 0;
  try {
    for await (const bytes of log.blocks("log")) {
      if (next === rows) break; // what comes after was not whole: it is not part of the log
      const frame = readFrame(bytes, log.pathOf("log"));
      const given = payloads === null ? null : ((await payloads.next()).value ?? []);
      if (given !== null && given.length !== frame.rows) throw noFrame(log.pathOf("payload"));
      const isBefore = state.firstRow + next + frame.rows <= from;
      if (isBefore) {
        next += frame.rows;
        piece = new PieceBuilder(state.firstRow + next);
        continue;
      }
      if (piece.rows > 0 && !piece.hasRoomFor(frame.rows)) {
        yield piece.end();
        piece = new PieceBuilder(state.firstRow + next);
      }
      piece.add(answersOf(frame, isNew, next), given);
      next += frame.rows;
    }
    if (piece.rows > 0) yield piece.end();
  } finally {
    await payloads?.return(undefined);
  }
}

class PieceBuilder {
  readonly #row: number;
  readonly #answers: Uint8Array[] = [];
  readonly #payloads: Uint8Array[] = [];
  #hasPayloads = false;
  #bytes = 0;
  rows = 0;

  constructor(row: number) {
    this.#row = row;
  }

  hasRoomFor(rows: number): boolean {
    return this.rows + rows <= BATCH && this.#bytes < PAYLOAD;
  }

  add(answers: Uint8Array, payloads: readonly Uint8Array[] | null): void {
    this.#answers.push(answers);
    this.rows += answers.length;
    if (payloads === null) return;
    this.#hasPayloads = true;
    for (const payload of payloads) {
      this.#payloads.push(payload);
      this.#bytes += payload.length;
    }
  }

  end(): AnsweredRows {
    const answers = new Uint8Array(Buffer.concat(this.#answers));
    return { row: this.#row, answers, payloads: this.#hasPayloads ? this.#payloads : null };
  }
}

/** Returns the answers of a frame. `first`: its first row in the log. */
function answersOf({ rows, status }: Frame, isNew: Uint8Array, first: number): Uint8Array {
  const answers = new Uint8Array(rows);
  for (let row = 0; row < rows; row++) {
    const code = status?.[row] ?? 0;
    const at = first + row;
    answers[row] = code < 2 ? ((isNew[at >> 3] as number) >> (at & 7)) & 1 : code;
  }
  return answers;
}

/** Returns how many rows from `row` on a frame takes: BATCH at most, and no more payloads than a piece has. */
export function rowsOfFrame(payloads: readonly Uint8Array[] | null, row: number): number {
  if (payloads === null) return BATCH;
  let bytes = 0;
  let end = row;
  while (end < payloads.length && end < row + BATCH && bytes < PAYLOAD) {
    bytes += (payloads[end++] as Uint8Array).length;
  }
  return end - row;
}

/** Returns a bit for each row of a log: whether it is new. */
async function readNew(log: RowLog, rows: number): Promise<Uint8Array> {
  const bits = new Uint8Array((rows + 7) >> 3);
  for await (const bytes of log.blocks("new")) {
    if (bytes.length % 4 !== 0) throw noFrame(log.pathOf("new"));
    const numbers = new Uint32Array(bytes.slice().buffer);
    for (const row of numbers) bits[row >> 3] = (bits[row >> 3] as number) | (1 << (row & 7));
  }
  return bits;
}

/**
 * Returns the bytes of a frame's payloads: the length of each (32 bits), and what it is. The frames of a log's payloads are
 * those of its rows; a frame begins with its length and its rows.
 */
export function payloadFrame(payloads: readonly Uint8Array[]): Uint8Array {
  const lengths = Uint32Array.from(payloads, ({ length }) => length);
  const bytes = payloads.reduce((sum, { length }) => sum + length, 0);
  const header = Uint32Array.of(lengths.byteLength + bytes, lengths.length);
  return Buffer.concat([
    new Uint8Array(header.buffer),
    new Uint8Array(lengths.buffer),
    ...payloads,
  ]);
}

/** Counts whole frames of payloads. A frame begins a block of its file. */
export class FrameCounter {
  readonly #name: string;
  frames = 0;
  /** Bytes of the frame that are missing. */
  #left = 0;

  /** `name`: of the file, for the error. */
  constructor(name: string) {
    this.#name = name;
  }

  /** Takes the next block. Returns whether it ends a frame. Throws `SEEN_CORRUPT` if it goes on after its end. */
  add(block: Uint8Array): boolean {
    if (this.#left === 0) {
      if (block.length < 8) throw noFrame(this.#name);
      this.#left = 8 + new DataView(block.buffer, block.byteOffset, 8).getUint32(0, true);
    }
    this.#left -= block.length;
    if (this.#left < 0) throw noFrame(this.#name);
    if (this.#left > 0) return false;
    this.frames++;
    return true;
  }
}

/** Reads the payloads of one frame after the other. */
async function* payloadsOf(log: RowLog): AsyncGenerator<Uint8Array[], void, undefined> {
  const name = log.pathOf("payload");
  const counter = new FrameCounter(name);
  let blocks: Uint8Array[] = [];
  for await (const bytes of log.blocks("payload")) {
    blocks.push(bytes.slice());
    if (!counter.add(bytes)) continue;
    yield split(Buffer.concat(blocks), name);
    blocks = [];
  }
}

function split(frame: Buffer, name: string): Uint8Array[] {
  const rows = frame.readUInt32LE(4);
  let at = 8 + 4 * rows;
  if (at > frame.length) throw noFrame(name);
  const payloads = Array.from({ length: rows }, (_, row) => {
    const length = frame.readUInt32LE(8 + 4 * row);
    const payload = new Uint8Array(frame.subarray(at, at + length));
    at += length;
    return payload;
  });
  if (at !== frame.length) throw noFrame(name);
  return payloads;
}
