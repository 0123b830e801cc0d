import { workerCode } from "virtual:values";
import type { Progress, Reply, Request, TaskName, Tasks } from "./messages.ts";

interface Waiting {
  resolve(result: unknown): void;
  reject(error: Error): void;
  report(progress: Progress): void;
}

/** Runs tasks in the worker, whose program is part of the page. */
export class WorkerClient {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  #lastId = 0;

  constructor() {
    const program = new Blob([workerCode], { type: "text/javascript" });
    this.#worker = new Worker(URL.createObjectURL(program));
    this.#worker.addEventListener("message", ({ data }: MessageEvent<Reply>) => this.#take(data));
    this.#worker.addEventListener("error", ({ message }) => this.#fail(message));
  }

  /** Runs a task. Rejects with a message for people if it fails. */
  run<Name extends TaskName>(
    task: Name,
    args: Tasks[Name][0],
    report: (progress: Progress) => void = () => {},
  ): Promise<Tasks[Name][1]> {
    const id = ++this.#lastId;
    const request: Request = { id, task, args };
    return new Promise<unknown>((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject, report });
      this.#worker.postMessage(request);
    }) as Promise<Tasks[Name][1]>;
  }

  #take(reply: Reply): void {
    const waiting = this.#waiting.get(reply.id);
    if (waiting === undefined) return; // it failed together with the worker
    if ("progress" in reply) {
      waiting.report(reply.progress);
      return;
    }
    this.#waiting.delete(reply.id);
    if ("error" in reply) waiting.reject(new Error(reply.error));
    else waiting.resolve(reply.result);
  }

  /** Fails all tasks: an error that no task answered for ends the worker's work. */
  #fail(message: string): void {
    const error = new Error(`The worker stopped: ${message}. Load the page again.`);
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}
