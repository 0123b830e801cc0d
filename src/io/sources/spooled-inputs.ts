import { stat } from "node:fs/promises";
import { markHandled } from "../../base/handled.ts";
import type { InputPlace } from "../files/input-states.ts";
import { megabytes, TemporaryFile } from "../files/temporary-file.ts";
import type { InputPeek } from "../input-peek.ts";
import { shownInput } from "../io-error.ts";
import { openSource } from "../open-source.ts";
import type { Source } from "../source.ts";
import { standardStreams } from "../standard.ts";

/** The bytes to copy at a time. */
const PIECE = 1 << 18;

/** Copies inputs that can be read only once to files that can be read again: standard input, pipes and devices. */
export class SpooledInputs {
  readonly #folder: string | undefined;
  readonly #copies = new Map<string, TemporaryFile>();
  /** What is to say of copies. */
  readonly #facts = new Map<string, Pick<InputPlace, "gaps" | "isUtf16">>();

  /** `folder`: where the copies are, by default among the system's temporary files. */
  constructor(folder?: string) {
    this.#folder = folder;
  }

  /**
   * Copies those among some inputs that need it, decompressed. `peek`: has the inputs of which a part was read. `takesGaps`:
   * says whether a copy may have gaps. Throws an IoError, or the reason of `signal`. Call `remove` afterwards, also after
   * an error.
   */
  async take(
    files: readonly string[],
    peek: Pick<InputPeek, "take">,
    signal: AbortSignal,
    takesGaps = false,
  ): Promise<void> {
    const stopped = markHandled(untilAborted(signal));
    for (const file of files) {
      if (this.#copies.has(file) || !(await isReadOnce(file))) continue;
      const source = peek.take(file) ?? (await openSource(file));
      const gaps = takesGaps ? source.gaps : undefined;
      if (gaps) gaps.areTaken = true;
      try {
        await this.#copy(file, source, stopped);
        this.#facts.set(file, { gaps, isUtf16: source.isUtf16 });
      } finally {
        await source.close();
        if (file === "-") standardStreams().stdin.destroy();
      }
    }
  }

  /** Returns the file that has the bytes of an input: a copy, or the input itself. */
  placeOf(file: string): InputPlace {
    return { path: this.#copies.get(file)?.path ?? file, ...this.#facts.get(file) };
  }

  /** Returns inputs without those that were read before: a pipe that is named twice gives nothing the second time. */
  withoutRepeats(files: readonly string[]): string[] {
    return files.filter((file, at) => !this.#copies.has(file) || files.indexOf(file) === at);
  }

  remove(): void {
    for (const copy of this.#copies.values()) copy.close();
  }

  /** Copies an input to a file. `stopped`: rejects with the reason of a stop, also while a pipe is silent. */
  async #copy(file: string, source: Source, stopped: Promise<never>): Promise<void> {
    const copy = new TemporaryFile(this.#folder, true);
    this.#copies.set(file, copy);
    const piece = new Uint8Array(PIECE);
    const needed = (): string => `the copy of ${shownInput(file)} took ${megabytes(copy.size)}`;
    for (;;) {
      const length = await Promise.race([source.read(piece), stopped]);
      if (length === 0) return;
      copy.append(piece.subarray(0, length), needed);
    }
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
