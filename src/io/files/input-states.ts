import { type BigIntStats, statSync } from "node:fs";
import type { Gaps } from "../gaps.ts";
import { IoError, shownInput } from "../io-error.ts";

/** Says which bytes of an input are read: the file that has them, and their number, if more may come. */
export interface InputPlace {
  readonly path: string;
  /** The bytes of the file that are read, before decompression. Undefined for all. */
  readonly length?: number | undefined;
  /** Says whether the file is a copy of an input in UTF-16. */
  readonly isUtf16?: boolean | undefined;
  /** What is missing in the file, which is a copy of the content of an input. */
  readonly gaps?: Gaps | undefined;
}

/** Notes what the regular files among inputs are before they are read, to tell later whether they are the same. */
export class InputStates {
  readonly #states: ReadonlyMap<string, BigIntStats>;

  constructor(files: readonly string[]) {
    const noted = files.map((file) => [file, file === "-" ? undefined : stateOf(file)] as const);
    this.#states = new Map(noted.filter((entry) => entry[1]?.isFile() === true) as never);
  }

  /** Returns the first length of a file; undefined if it is not a regular one. What is appended later is not part of it. */
  lengthOf(file: string): number | undefined {
    const size = this.#states.get(file)?.size;
    return size === undefined ? undefined : Number(size);
  }

  /**
   * Throws an IoError (INPUT_CHANGED) if a file was replaced, has other times at the same size, or fewer bytes. A file that
   * only grew is the same up to its first length. `written`: says what is written.
   */
  check(written: string): void {
    for (const [file, before] of this.#states) {
      const how = changeOf(before, stateOf(file));
      if (how !== null) throw inputChanged(`${shownInput(file)} ${how}`, written);
    }
  }

  /** Returns whether a file has more bytes than before, so that its times say nothing of its first bytes. */
  get haveGrown(): boolean {
    return [...this.#states].some(([file, { size }]) => (stateOf(file)?.size ?? size) > size);
  }
}

/** Returns the error of an input that is not the same in its second reading. */
export function inputChanged(what: string, written: string): IoError {
  return new IoError(
    `${what} between its two readings (INPUT_CHANGED): ${written}; run again once it no longer changes`,
  );
}

function changeOf(before: BigIntStats, now: BigIntStats | undefined): string | null {
  if (now === undefined) return "went away";
  if (now.dev !== before.dev || now.ino !== before.ino) return "was replaced";
  if (now.size < before.size) return "became shorter";
  return now.size === before.size && now.mtimeNs !== before.mtimeNs ? "was changed" : null;
}

function stateOf(file: string): BigIntStats | undefined {
  try {
    return statSync(file, { bigint: true });
  } catch {
    return undefined; // opening it reports the error
  }
}
