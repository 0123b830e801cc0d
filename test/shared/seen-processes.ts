import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { RedisServer } from "./redis-server.ts";

/** The script of a writer, for a Node of its own. */
export const WRITER = fileURLToPath(new URL("seen-writer.mjs", import.meta.url));

/** What a writer does: `count` batches of `size` URLs each from batch `first` on; URLs are numbered. */
export interface WriterTask {
  readonly journal?: string;
  readonly diskPath?: string;
  readonly lmdbPath?: string;
  readonly redisSocket?: string;
  readonly first: number;
  readonly count: number;
  readonly size: number;
  /** Says whether it holds each batch and commits it after its answer is printed. */
  readonly holds?: boolean;
  /** Says whether it compacts the set again and again after it has added its batches. */
  readonly compacts?: boolean;
  /** Says whether it ends without closing the set. */
  readonly crashes?: boolean;
}

/** A process that writes to a set, and what it has said so far. */
export class Writer {
  readonly #process: ChildProcess;
  #said = "";
  #complaints = "";

  /** `node`: the program that runs it. */
  constructor(task: WriterTask, node = process.execPath) {
    this.#process = spawn(node, [WRITER, JSON.stringify(task)]);
    this.#process.stdout?.on("data", (text) => {
      this.#said += text;
    });
    this.#process.stderr?.on("data", (text) => {
      this.#complaints += text;
    });
  }

  /** Returns once it has the set open. */
  opened(): Promise<void> {
    return this.#until(() => this.#said.includes("open\n"));
  }

  /** Returns once it has said the answers of so many batches, however slow the machine is. */
  answeredBatches(count: number): Promise<void> {
    return this.#until(() => this.answered.size >= count);
  }

  async #until(isSo: () => boolean): Promise<void> {
    while (!isSo()) {
      if (this.#process.exitCode !== null) throw new Error(this.#complaints);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  async kill(): Promise<void> {
    this.#process.kill("SIGKILL");
    await this.#ended();
  }

  /** Waits for its end by a crash. */
  async crash(): Promise<void> {
    await this.#ended();
    if (this.#process.signalCode !== "SIGKILL") throw new Error(this.#complaints);
  }

  /** Waits for its end. Throws the error that it printed. */
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
export function runTogether(tasks: readonly WriterTask[]): Promise<number> {
  return finish(tasks.map((task) => new Writer(task)));
}

async function finish(writers: readonly Writer[]): Promise<number> {
  await Promise.all(writers.map((writer) => writer.finish()));
  let fresh = 0;
  for (const writer of writers) for (const count of writer.answered.values()) fresh += count;
  return fresh;
}

/**
 * Runs writers on one Redis, whose server crashes and starts again when each writer has a tenth of
 * its answers. Returns what `runTogether` returns.
 */
export async function shareWhileItCrashes(
  server: RedisServer,
  { stretches }: ReturnType<typeof overlapping>,
  size: number,
): Promise<number> {
  const writers = stretches.map(
    (stretch) => new Writer({ ...stretch, redisSocket: server.socket, size }),
  );
  for (const [number, writer] of writers.entries()) {
    const tenth = (stretches[number]?.count ?? 0) / 10;
    while (writer.answered.size < tenth) await new Promise((resolve) => setTimeout(resolve, 1));
  }
  await server.kill();
  const done = writers.map(({ answered }) => answered.size);
  if (done.every((answered, writer) => answered === stretches[writer]?.count)) {
    throw new Error("all was done before the server crashed");
  }
  await server.start();
  return finish(writers);
}

/**
 * Gives each writer a range of batches that overlaps the next range by half. Returns the ranges and
 * the number of all batches.
 */
export function overlapping(
  writers: number,
  count: number,
): { stretches: { first: number; count: number }[]; all: number } {
  const step = count >> 1;
  const stretches = Array.from({ length: writers }, (_, writer) => ({
    first: writer * step,
    count,
  }));
  return { stretches, all: step * (writers - 1) + count };
}
