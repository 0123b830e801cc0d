import { rmSync } from "node:fs";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { markHandled } from "../../base/handled.ts";
import type { Heads } from "../heads.ts";
import { describeSystemError, IoError } from "../io-error.ts";
import { shownInput } from "../names.ts";
import { openSource } from "../open-source.ts";
import { Output } from "../output.ts";
import type { Source } from "../source.ts";
import { standardStreams } from "../standard.ts";

/** The bytes to copy at a time. */
const PIECE = 1 << 18;

/**
 * Copies inputs that can be read only once to files that can be read again: standard input, pipes and devices. They are in a
 * folder of their own.
 */
export class SpooledInputs {
  readonly #parent: string;
  #folder: string | null = null;
  readonly #paths = new Map<string, string>();

  /** `parent`: where the folder is, by default among the system's temporary files. */
  constructor(parent = tmpdir()) {
    this.#parent = parent;
  }

  /**
   * Copies those among some inputs that need it, decompressed. `heads`: has the inputs of which a part was read. Throws an
   * IoError, or the reason of `signal`. Call `remove` afterwards, also after an error.
   */
  async take(
    files: readonly string[],
    heads: Pick<Heads, "take">,
    signal: AbortSignal,
  ): Promise<void> {
    const stopped = markHandled(untilAborted(signal));
    for (const file of files) {
      if (this.#paths.has(file) || !(await isReadOnce(file))) continue;
      const source = heads.take(file) ?? (await openSource(file));
      try {
        await this.#copy(file, source, stopped);
      } finally {
        await source.close();
        if (file === "-") standardStreams().stdin.destroy();
      }
    }
  }

  /** Returns the file that has the bytes of an input: a copy, or the input itself. */
  readonly pathOf = (file: string): string => this.#paths.get(file) ?? file;

  /** Returns inputs without those that were read before: a pipe that is named twice gives nothing the second time. */
  withoutRepeats(files: readonly string[]): string[] {
    return files.filter((file, at) => !this.#paths.has(file) || files.indexOf(file) === at);
  }

  async remove(): Promise<void> {
    if (this.#folder !== null) await rm(this.#folder, { recursive: true, force: true });
  }

  /** Removes all copies at once, in a process that ends. */
  removeSync(): void {
    if (this.#folder !== null) rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Copies an input to a file. `stopped`: rejects with the reason of a stop, also while a pipe is silent. */
  async #copy(file: string, source: Source, stopped: Promise<never>): Promise<void> {
    this.#folder ??= await makeFolder(this.#parent);
    const path = join(this.#folder, String(this.#paths.size));
    const output = await Output.toFile(path, false, `the copy of ${shownInput(file)}, ${path}`);
    const piece = new Uint8Array(PIECE);
    try {
      for (;;) {
        const length = await Promise.race([source.read(piece), stopped]);
        if (length === 0) break;
        await output.write(piece.subarray(0, length));
      }
    } finally {
      await output.finish();
    }
    this.#paths.set(file, path);
  }
}

async function makeFolder(parent: string): Promise<string> {
  const beside = join(parent, "urlmill-");
  try {
    return await mkdtemp(beside);
  } catch (error) {
    throw new IoError(
      `cannot make a temporary folder ${beside}…, to read a pipe twice: ${describeSystemError(error)}; name a file, set TMPDIR, or give --tmp`,
    );
  }
}

/** Returns a promise that rejects with the reason of an abort. */
function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.throwIfAborted();
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

/** A missing file is not read once: opening it will report that. */
async function isReadOnce(file: string): Promise<boolean> {
  if (file === "-") return true;
  const found = await stat(file).catch(() => null);
  return found !== null && !found.isFile() && !found.isDirectory();
}
