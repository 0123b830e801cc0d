import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const WRITER = fileURLToPath(new URL("seen-writer.mjs", import.meta.url));

/** What a writer does: `batches` of `size` URLs each, named by number. */
export interface WriterTask {
  readonly journal?: string;
  readonly lmdbPath?: string;
  readonly redisSocket?: string;
  readonly name?: string;
  readonly options?: object;
  readonly batches: readonly number[];
  readonly size: number;
}

/** A process that writes to a set, and what it has said so far. */
export class Writer {
  readonly #process: ChildProcess;
  #said = "";
  #complaints = "";

  constructor(task: WriterTask) {
    this.#process = spawn(process.execPath, [WRITER, JSON.stringify(task)]);
    this.#process.stdout?.on("data", (text) => {
      this.#said += text;
    });
    this.#process.stderr?.on("data", (text) => {
      this.#complaints += text;
    });
  }

  /** Returns once it has the set open. */
  async opened(): Promise<void> {
    while (!this.#said.includes("open\n")) {
      if (this.#process.exitCode !== null) throw new Error(this.#complaints);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  async kill(): Promise<void> {
    this.#process.kill("SIGKILL");
    await this.#ended();
  }

  /** Waits for its end; throws what it complained of. */
  async finish(): Promise<void> {
    await this.#ended();
    if (!this.#said.endsWith("done\n")) throw new Error(this.#complaints);
  }

  async #ended(): Promise<void> {
    if (this.#process.exitCode === null && this.#process.signalCode === null) {
      await once(this.#process, "close");
    }
  }

  /** The batches that were answered, and how many URLs of each were new. */
  get answered(): Map<number, number> {
    const lines = this.#said.split("\n").slice(0, -1);
    const numbers = lines.filter((line) => /^\d/.test(line)).map((line) => line.split(" "));
    return new Map(numbers.map(([batch, fresh]) => [Number(batch), Number(fresh)]));
  }
}

/** Runs writers at the same time; returns how many URLs they were told are new, together. */
export async function runTogether(tasks: readonly WriterTask[]): Promise<number> {
  const writers = tasks.map((task) => new Writer(task));
  await Promise.all(writers.map((writer) => writer.finish()));
  let fresh = 0;
  for (const writer of writers) for (const count of writer.answered.values()) fresh += count;
  return fresh;
}

/** Overlapping stretches of batches, each its own but the halves it shares; how many there are in all. */
export function overlapping(writers: number, batches: number): { lists: number[][]; all: number } {
  const step = batches >> 1;
  const lists = Array.from({ length: writers }, (_, writer) =>
    Array.from({ length: batches }, (_, batch) => writer * step + batch),
  );
  return { lists, all: step * (writers - 1) + batches };
}
