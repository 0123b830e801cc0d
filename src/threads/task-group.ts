import { type Envelope, openReply, type Reply } from "./reply.ts";
import { WorkerDeath } from "./retry.ts";
import { startPool, type WorkersOptions } from "./start-pool.ts";
import { dropTask, newTaskState } from "./task-state.ts";

/** Describes a group of long tasks. */
export interface TaskGroup<T, R> {
  /**
   * Does the task of the calling thread, number 0, while the others start and work. It lets events through. Once it has ended,
   * a task that no thread has begun has nothing left to do.
   */
  readonly here: () => Promise<R>;
  /** Returns the task of another thread: 1 and so on. */
  readonly taskOf: (thread: number) => T;
  /** Makes all tasks return soon. It is called as soon as one fails. */
  readonly stop: () => void;
}

/**
 * Runs one long task on the calling thread and on each of the others, all at once, and ends the others. Returns the results of
 * the tasks that were begun. Throws what the first to fail threw. That is a `WorkerDeath` if a thread ended before its task: the
 * results of the others are useless without it.
 */
export async function runTaskGroup<T, R>(
  options: WorkersOptions,
  { here, taskOf, stop }: TaskGroup<T, R>,
): Promise<R[]> {
  // With more than one, a task would wait for another task of its group.
  const pool = await startPool<Envelope<T>, Reply<R>>(options, 1);
  const failures: unknown[] = [];
  const fail = (error: unknown): undefined => {
    failures.push(error);
    stop();
  };
  pool.on("error", (error: Error) => fail(new WorkerDeath(error, true)));
  const attempt = (task: () => Promise<R>): Promise<R | undefined> => task().catch(fail);
  const send = (thread: number) => {
    const envelope = { task: taskOf(thread), state: newTaskState() };
    const reply = pool.run(envelope).then(openReply, (error: Error) => {
      throw new WorkerDeath(error, true);
    });
    return { state: envelope.state, result: attempt(() => reply) };
  };
  try {
    const sent = Array.from({ length: options.threads }, (_, at) => send(at + 1));
    const own = await attempt(here);
    const begun = sent.flatMap(({ state, result }) => (dropTask(state) ? [] : result));
    const results = [own, ...(await Promise.all(begun))];
    if (failures.length > 0) throw failures[0];
    return results as R[];
  } finally {
    await pool.destroy();
  }
}
