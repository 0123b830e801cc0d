import { markHandled } from "../../base/handled.ts";
import type { Output } from "../../io/output.ts";
import type { KeyStore } from "./row-decider.ts";

/** The bytes of fingerprints to record together. After RECORD_MS, fewer are recorded. */
const RECORD_BYTES = 1 << 22;
const RECORD_MS = 200;

/**
 * Records keys in their store after their lines are written. If the output is a file, the lines are on disk before that.
 * After a crash, a later run may repeat a line but does not lose one.
 */
export class KeyRecorder {
  readonly #store: KeyStore;
  readonly #output: Output;
  /** Fingerprints whose lines are written. */
  #ready: Uint8Array[] = [];
  #readyBytes = 0;
  #since = performance.now();
  /** The recording in progress. */
  #last: Promise<void> = Promise.resolve();

  constructor(store: KeyStore, output: Output) {
    this.#store = store;
    this.#output = output;
  }

  /** Adds fingerprints whose lines are written. The promise settles with the last recording. */
  async add(fingerprints: Uint8Array): Promise<void> {
    this.#ready.push(fingerprints);
    this.#readyBytes += fingerprints.length;
    const isDue = this.#readyBytes >= RECORD_BYTES || performance.now() - this.#since >= RECORD_MS;
    if (isDue && (this.#store.isHeld || this.#output.canSync))
      this.#record(() => this.#output.sync());
    await this.#last;
  }

  /**
   * Records the remaining keys before the output ends, if it is a file: its lines stay, also after a write that failed.
   * A reader of a pipe may have ended, and a compressed file cannot be read without its end.
   */
  async rescue(): Promise<void> {
    if (this.#output.isOpenFile) this.#record(() => this.#output.sync());
    await this.#last;
  }

  /** Records the remaining keys after the output has ended. */
  async finish(): Promise<void> {
    this.#record(async () => {});
    await this.#last;
  }

  #record(makeDurable: () => Promise<void>): void {
    const ready = this.#ready;
    this.#ready = [];
    this.#readyBytes = 0;
    this.#since = performance.now();
    const recorded = this.#last.then(async () => {
      await makeDurable();
      await this.#store.append(Buffer.concat(ready));
    });
    this.#last = markHandled(recorded); // the next `add` or `finish` throws the error
  }
}
