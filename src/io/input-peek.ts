import { statSync } from "node:fs";
import { firstBytesOf, type PlainFile, plainFile } from "./files/plain-file.ts";
import type { Gaps } from "./gaps.ts";
import { openSource } from "./open-source.ts";
import type { Source } from "./source.ts";
import { standardStreams } from "./standard.ts";

/** The most bytes that are read of an input before its run. */
const MOST_BYTES = 1 << 16;
/** Answers by the first bytes of an input, or returns null to get more. It must answer if `isLast`: no more will come. */
export type Answer<T> = (bytes: Buffer, isWhole: boolean, isLast: boolean) => T | null;

/** Reads the beginning of inputs before their run, and keeps what cannot be read twice. */
export class InputPeek {
  readonly #kept = new Map<string, PeekedSource>();

  /**
   * Calls `answer` with more and more of an input until it answers. `isAtOnce`: how `openSource` opens a pipe, now and for the
   * run. Throws an IoError.
   */
  async ask<T>(name: string, isAtOnce: boolean, answer: Answer<T>): Promise<T> {
    const plain = this.plainFile(name);
    if (plain !== null) return askAtOnce(plain, answer);
    const source = this.#kept.get(name) ?? new PeekedSource(await openSource(name, isAtOnce));
    this.#kept.set(name, source);
    const answered = await source.ask(answer);
    if (isReadAgain(name)) await this.take(name)?.close();
    return answered;
  }

  /** Looks at a file, as `plainFile` does. Returns null also for an input of which a part was read: `take` gives it. */
  plainFile(name: string): PlainFile | null {
    return this.#kept.has(name) ? null : plainFile(name);
  }

  /** Returns an input from its beginning, if a part of it was read that cannot be read again. */
  take(name: string): Source | undefined {
    const source = this.#kept.get(name);
    this.#kept.delete(name);
    return source;
  }

  /** Closes what no run took. Otherwise the process would wait for the end of a pipe. */
  async close(): Promise<void> {
    for (const [name, source] of this.#kept) {
      await source.close();
      if (name === "-") standardStreams().stdin.destroy();
    }
  }
}

/** Gives the bytes again that were read for an answer. */
class PeekedSource implements Source {
  readonly #source: Source;
  #head = Buffer.alloc(0);
  #isWhole = false;

  constructor(source: Source) {
    this.#source = source;
  }

  get taken(): number {
    return this.#source.taken;
  }

  get gaps(): Gaps | undefined {
    return this.#source.gaps;
  }

  get isUtf16(): boolean | undefined {
    return this.#source.isUtf16;
  }

  async ask<T>(answer: Answer<T>): Promise<T> {
    if (this.gaps) this.gaps.areTaken = true;
    try {
      return await this.#ask(answer);
    } finally {
      if (this.gaps) this.gaps.areTaken = false; // the reader of the whole input says whether it takes them
    }
  }

  async #ask<T>(answer: Answer<T>): Promise<T> {
    const piece = Buffer.allocUnsafe(MOST_BYTES);
    for (;;) {
      const isLast = this.#isWhole || this.#head.length >= MOST_BYTES;
      const answered = answer(this.#head, this.#isWhole, isLast);
      if (answered !== null) return answered;
      const length = await this.#source.read(piece);
      this.#isWhole = length === 0;
      this.#head = Buffer.concat([this.#head, piece.subarray(0, length)]);
    }
  }

  async read(into: Uint8Array): Promise<number> {
    this.gaps?.check();
    if (this.#head.length === 0) return this.#isWhole ? 0 : this.#source.read(into);
    const taken = this.#head.subarray(0, into.length);
    into.set(taken);
    this.#head = this.#head.subarray(taken.length);
    return taken.length;
  }

  close(): Promise<void> {
    return this.#source.close();
  }
}

function askAtOnce<T>(file: PlainFile, answer: Answer<T>): T {
  const bytes = firstBytesOf(file, MOST_BYTES);
  return answer(bytes, file.begin + bytes.length >= file.end, true) as T;
}

/** Returns whether an input can be opened and read from its beginning once more. */
function isReadAgain(name: string): boolean {
  return name !== "-" && statSync(name).isFile();
}
