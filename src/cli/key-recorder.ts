import type { Output } from "../io/output.ts";
import type { Journal } from "../seen/journal/journal.ts";

/** Bytes of fingerprints that are recorded together, or all that came within RECORD_MS. */
const RECORD_BYTES = 1 << 22;
const RECORD_MS = 200;

/**
 * Records keys in a journal once the lines they are of are written, and as far as a file goes on disk:
 * what ends a run in its middle may repeat a line and loses none.
 */
export class KeyRecorder {
  readonly #journal: Journal;
  readonly #output: Output;
  /** Fingerprints whose lines are written. */
  #ready: Uint8Array[] = [];
  #readyBytes = 0;
  #since = performance.now();
  /** The recording under way. */
  #last: Promise<void> = Promise.resolve();

  constructor(journal: Journal, output: Output) {
    this.#journal = journal;
    this.#output = output;
  }

  /** Fingerprints whose lines are written. Fulfilled, or not, with the last recording. */
  async add(fingerprints: Uint8Array): Promise<void> {
    this.#ready.push(fingerprints);
    this.#readyBytes += fingerprints.length;
    const isDue = this.#readyBytes >= RECORD_BYTES || performance.now() - this.#since >= RECORD_MS;
    if (isDue && this.#output.canSync) this.#record(() => this.#output.sync());
    await this.#last;
  }

  /** Records what is left, once the output has ended. */
  async finish(): Promise<void> {
    this.#record(async () => {});
    await this.#last;
  }

  #record(makeDurable: () => Promise<void>): void {
    const ready = this.#ready;
    this.#ready = [];
    this.#readyBytes = 0;
    this.#since = performance.now();
    this.#last = this.#last.then(async () => {
      await makeDurable();
      await this.#journal.append(Buffer.concat(ready));
    });
    this.#last.catch(() => {}); // whoever adds or finishes hears of it
  }
}
