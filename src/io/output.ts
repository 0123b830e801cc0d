import { fstatSync } from "node:fs";
import { markHandled } from "../base/handled.ts";
import { cutLines } from "../threads/chunks.ts";
import { LF } from "../url/chars.ts";
import { describeSystemError, IoError, shownOutput } from "./io-error.ts";
import { checkSink, nowhere, openSink, type Sink, WHOLE_IN_PIPE } from "./sink.ts";

/** How long the current write may go on after a stop, and when it is given up, in milliseconds. */
const FINISH_MS = 300;
const GIVE_UP_MS = 500;

/** Reports that the reader of the output has closed it. The run then ends without a complaint. */
export class ClosedPipe extends Error {}

/**
 * Writes bytes in order, to a file or to standard output. Compresses if the file's name ends with `.gz` or
 * `.zst`. One write runs at a time, so a slow reader slows the run.
 */
export class Output {
  readonly #sink: Sink;
  readonly #name: string;
  #last: Promise<void> = Promise.resolve();
  #ended: Promise<void> | null = null;
  #hasBegun = false;
  /** The error that a stop makes later writes throw. */
  #stopped: Error | null = null;
  #isLate = false;
  #lineEnd = LF;
  #endsLine = true;
  #isCut = false;
  /** The next bytes that are not written, because the output has them already. */
  #there = 0;
  /** Is called with all bytes in order, just before they are written. The write waits for it. */
  onWrite: (bytes: Uint8Array) => void | Promise<void> = () => {};

  private constructor(sink: Sink, name: string) {
    this.#sink = sink;
    this.#name = name;
  }

  /**
   * `isDurable`: whether what is written to a file must be on disk when it ends, and on `sync`. `shown`: how errors call
   * it. `ending`: the name whose ending says how to compress, by default the shown one.
   */
  static async toFile(
    name: string,
    isDurable = false,
    shown = shownOutput(name),
    ending = shown,
  ): Promise<Output> {
    try {
      return new Output(await openSink(name, isDurable, ending), shown);
    } catch (error) {
      throw writeError(shown, error);
    }
  }

  /** Returns an output that keeps nothing of what is written. */
  static toNowhere(): Output {
    return new Output(nowhere(), "nowhere");
  }

  /**
   * Writes bytes after all earlier ones. Is fulfilled when the bytes are handed over and their memory may be
   * used again. Throws the first error of any write.
   */
  write(bytes: Uint8Array): Promise<void> {
    return bytes.length === 0 ? this.#last : this.writeLater(Promise.resolve(bytes));
  }

  /**
   * Says how many of the next bytes the output has already, from a run that this one goes on with. They are not written again.
   */
  goOnAfter(bytes: number): void {
    this.#there = bytes;
  }

  /** Says that lines end at another byte than LF. Call it before the first write. */
  endLinesBy(byte: number): void {
    this.#lineEnd = byte;
    if (this.#sink.lineEnd !== undefined) this.#sink.lineEnd = byte;
  }

  /** Writes bytes that are not ready yet. Later bytes wait for them. */
  writeLater(coming: Promise<Uint8Array>): Promise<void> {
    markHandled(coming); // the write throws the error in its turn
    const written = this.#last.then(async () => {
      const bytes = this.missing(await coming);
      if (this.#stopped !== null) throw this.#stopped;
      await this.onWrite(bytes);
      for (const piece of cutLines(bytes, this.#sink.pieceBytes)) await this.#put(piece);
    });
    this.#last = markHandled(written); // the next call or `finish` throws the error
    return this.#last;
  }

  /** Returns those of the next bytes that the output does not have yet. `write` leaves out the others by itself. */
  missing(bytes: Uint8Array): Uint8Array {
    const there = Math.min(this.#there, bytes.length);
    this.#there -= there;
    return there === 0 ? bytes : bytes.subarray(there);
  }

  async #put(piece: Uint8Array): Promise<void> {
    if (this.#isLate) throw this.#stopped;
    const endsLine = piece.at(-1) === this.#lineEnd;
    this.#hasBegun = true;
    try {
      await this.#sink.write(piece);
    } catch (error) {
      if (error !== this.#stopped) throw writeError(this.#name, error);
      // A pipe has taken a piece of this size as a whole or not at all.
      if (piece.length > WHOLE_IN_PIPE) this.#isCut = true;
      throw error;
    }
    this.#endsLine = endsLine;
  }

  /**
   * Ends the writing after a whole line, within half a second. The current write may go on for a moment, and
   * later ones throw `reason`. Then call `finish` as usual.
   */
  stop(reason: Error): void {
    this.#stopped ??= reason;
    setTimeout(() => {
      this.#isLate = true;
    }, FINISH_MS).unref();
    setTimeout(() => {
      this.#sink.giveUp?.(reason);
    }, GIVE_UP_MS).unref();
  }

  /** Returns whether a stop may have left a line without its end. */
  get isCut(): boolean {
    return this.#isCut;
  }

  /** Ends a line whose rest was not written, so that a reader does not join it with the next line. */
  async #endLine(): Promise<void> {
    this.#isCut = true;
    await this.#sink.write(Uint8Array.of(this.#lineEnd)).catch((error: unknown) => {
      if (error !== this.#stopped) throw error;
    });
  }

  /** Waits for all writes. Throws the first error of any, but not the reason of a stop. */
  async #written(): Promise<void> {
    try {
      await this.#last;
    } catch (error) {
      if (error !== this.#stopped) throw error;
    }
  }

  /**
   * Returns the descriptor of a file, for others who write to it in turn; undefined if the output has none.
   */
  get descriptor(): number | undefined {
    return this.#sink.descriptor;
  }

  /** Returns whether `sync` covers all that was written. A compressor keeps back some of it until the end. */
  get canSync(): boolean {
    return this.#sink.sync !== undefined;
  }

  /** Returns whether the output is an open file that keeps the bytes of each write, also if a later one fails. */
  get isOpenFile(): boolean {
    const descriptor = this.#ended === null ? this.#sink.descriptor : undefined;
    return descriptor !== undefined && fstatSync(descriptor).isFile();
  }

  /** Returns when all bytes whose write is done are on disk. Later writes may still be in progress, or fail. */
  async sync(): Promise<void> {
    try {
      await this.#sink.sync?.();
    } catch (error) {
      throw writeError(this.#name, error);
    }
  }

  /** Empties a file before others write to its descriptor. */
  async begin(): Promise<void> {
    this.#hasBegun = true;
    await this.#sink.begin?.();
  }

  /** Waits until all is written, and closes a file. A second call waits for the same end. */
  finish(): Promise<void> {
    this.#ended ??= this.#end();
    return this.#ended;
  }

  /** Does the same for a run that may have failed: if it has written nothing, a file is as it was before. */
  async close(): Promise<void> {
    if (this.#ended === null) await Promise.allSettled([this.#last]); // `finish` throws the error
    if (this.#ended !== null || this.#hasBegun || this.#sink.discard === undefined) {
      return this.finish();
    }
    this.#ended = this.#sink.discard();
    return this.#ended;
  }

  async #end(): Promise<void> {
    try {
      await this.#written();
      if (!this.#endsLine && this.#stopped !== null) await this.#endLine();
    } finally {
      await this.#sink.end().catch((error: unknown) => {
        throw writeError(this.#name, error);
      });
    }
  }
}

/** Throws an IoError if an output cannot be opened. Leaves a file as it is. */
export async function checkOutput(name: string): Promise<void> {
  try {
    await checkSink(name);
  } catch (error) {
    throw writeError(shownOutput(name), error);
  }
}

/** Returns the error of an output that cannot be written, or a ClosedPipe. */
export function writeError(name: string, error: unknown): Error {
  if (error instanceof IoError || error instanceof ClosedPipe) return error;
  const { code } = error as NodeJS.ErrnoException;
  if (code === "EPIPE") return new ClosedPipe();
  const reason = code === "ENOENT" ? "there is no such folder" : describeSystemError(error);
  return new IoError(`cannot write ${name}: ${reason}`);
}
