import type { FileHandle } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { type FileState, isRegular, stateNow, stateOf } from "../../../io/files/file-state.ts";
import { ReplacedFile } from "../../../io/files/replaced-file.ts";
import { freeBytes, megabytes } from "../../../io/files/temporary-file.ts";
import { IoError, showOutputAs } from "../../../io/io-error.ts";
import { readsTwice } from "../../base/keep.ts";
import type { CommandOptions } from "../../call/options.ts";

/** The options that name outputs, in the order in which files take their names: the main output is last. */
const OUTPUTS = ["errors", "map", "shadow", "report", "out"] as const;

/** Holds an output that is written beside its place. */
interface OutputBeside {
  readonly path: string;
  readonly replaced: ReplacedFile;
  readonly file: FileHandle;
  readonly forget: () => void;
}

/**
 * Writes the files of a run beside their places, which they take at its end: all of them, or none. A stream writes in place,
 * because its lines must stay if it is ended.
 */
export class RunOutputs<Options extends CommandOptions> {
  /** The options, with names of open files in the place of those that are written beside. */
  readonly options: Options;
  readonly #beside: readonly OutputBeside[];

  private constructor(options: Options, beside: readonly OutputBeside[]) {
    this.options = options;
    this.#beside = beside;
  }

  /**
   * Opens the files of a run. Writes nothing to them. `least`: the bytes that the main output has at least. Throws an IoError,
   * also if its folder has no room for them besides the old file.
   */
  static async open<Options extends CommandOptions>(
    options: Options,
    least: number,
  ): Promise<RunOutputs<Options>> {
    const { out = "-" } = options;
    // Where the main output is in its place from the beginning, all others are, too.
    const main = isBeside(options) ? await ReplacedFile.unlessBound(out) : null;
    if (main !== null) checkRoomBeside(out, least);
    const beside: OutputBeside[] = [];
    const names: Partial<Record<(typeof OUTPUTS)[number], string>> = {};
    try {
      for (const output of main === null ? [] : OUTPUTS) {
        const path = options[output];
        if (path === undefined) continue;
        const replaced = await ReplacedFile.unlessBound(path);
        if (replaced === null) continue;
        const { name, file } = await replaced.begin();
        beside.push({ path, replaced, file, forget: showOutputAs(name, path) });
        names[output] = name;
      }
    } catch (error) {
      for (const { replaced } of beside) await replaced.discard();
      throw error;
    }
    return new RunOutputs({ ...options, ...names }, beside);
  }

  /** Returns whether the main output is written beside its place. */
  get areBeside(): boolean {
    return this.#beside.length > 0;
  }

  /** Returns what the files will be in their places, the main one last. */
  async states(): Promise<FileState[]> {
    return Promise.all(
      this.#beside.map(async ({ path, file }) =>
        stateOf(resolve(path), await file.stat({ bigint: true })),
      ),
    );
  }

  /** Returns what is in the places of the files now, in the same order. */
  statesNow(): FileState[] {
    return this.#beside.map(({ path }) => stateNow(resolve(path)));
  }

  /** Gives the files their places. `isDurable`: whether they must then be on disk. Throws an IoError. */
  async commit(isDurable: boolean): Promise<void> {
    for (const { replaced } of this.#beside) await replaced.commit(isDurable);
  }

  /** Removes the files that do not have their places. */
  async discard(): Promise<void> {
    for (const { replaced, forget } of this.#beside) {
      await replaced.discard();
      forget();
    }
  }

  /** Does the same in a process that ends. */
  discardSync(): void {
    for (const { replaced } of this.#beside) replaced.discardSync();
  }
}

/**
 * Returns whether a run may write beside: it ends when its inputs do. Lines of a stream stay where they are, also if it is
 * ended by a signal, but not those of a run that reads all of it before it writes.
 */
function isBeside(options: CommandOptions): boolean {
  const { append, flush, files } = options;
  return append === undefined && !flush && (readsTwice(options) || files.every(isRegular));
}

function checkRoomBeside(
  out: string,
  least: number,
  free = freeBytes(dirname(resolve(out))),
): void {
  if (least <= free || /\.(?:gz|zst)$/.test(out)) return;
  throw new IoError(
    `${out} takes ${megabytes(least)} at least, and its folder has ${megabytes(free)} free: make room there, remove an old file of that name, or name another`,
  );
}
