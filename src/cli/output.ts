import { createWriteStream } from "node:fs";
import type { Writable } from "node:stream";
import { CommandFailure, describeSystemError } from "./failure.ts";

/** The reader went away: no reason to complain, none to go on. */
export class ClosedPipe extends Error {}

/** Writes bytes to a file or to standard output, no faster than they are taken. */
export class Output {
  readonly #stream: Writable;
  readonly #name: string;
  #failure: Error | null = null;
  #waiting: (() => void) | null = null;

  constructor(stream: Writable, name: string) {
    this.#stream = stream;
    this.#name = name;
    stream.on("drain", () => this.#wake());
    stream.on("error", (error: NodeJS.ErrnoException) => {
      this.#failure =
        error.code === "EPIPE"
          ? new ClosedPipe()
          : new CommandFailure(`cannot write ${name}: ${describeSystemError(error)}`, 1);
      this.#wake();
    });
  }

  static toFile(file: string): Output {
    return new Output(createWriteStream(file), file);
  }

  static toStandardOutput(): Output {
    return new Output(process.stdout, "standard output");
  }

  /** Writes; `bytes` must not change afterwards. */
  async write(bytes: Uint8Array | string): Promise<void> {
    if (this.#failure !== null) throw this.#failure;
    if (bytes.length === 0 || this.#stream.write(bytes)) return;
    await new Promise<void>((resolve) => {
      this.#waiting = resolve;
    });
    if (this.#failure !== null) throw this.#failure;
  }

  /** Waits until all is written. A file is closed; standard output stays open. */
  async finish(): Promise<void> {
    if (this.#name !== "standard output") {
      await new Promise<void>((resolve) => {
        this.#waiting = resolve;
        this.#stream.end(resolve);
      });
    } else {
      await new Promise<void>((resolve) => {
        this.#waiting = resolve;
        this.#stream.write("", () => resolve());
      });
    }
    if (this.#failure !== null) throw this.#failure;
  }

  #wake(): void {
    this.#waiting?.();
    this.#waiting = null;
  }
}
