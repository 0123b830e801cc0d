import { type Envelope, openReply, type Reply } from "./reply.ts";
import { WorkerDeath } from "./retry.ts";
import { startPool, type WorkersOptions } from "./start-pool.ts";
import { newTaskState } from "./task-state.ts";

/**
 * Runs one long task on each of several threads, all at once, and ends the threads. As soon as one fails, it
 * calls `stop`, which must make the others return soon. Throws what the first to fail threw. That is a `WorkerDeath` if
 * a thread ended before its task: the results of the others are useless without it.
 */
export async function runTaskGroup<T, R>(
  options: WorkersOptions,
  taskOf: (thread: number) => T,
  stop: () => void,
): Promise<R[]> {
  // With more than one, a task would wait for another task of its group.
  const pool = await startPool<Envelope<T>, Reply<R>>(options, 1);
  pool.on("error", stop); // the task of that thread fails too
  const failures: unknown[] = [];
  const run = async (thread: number): Promise<R | undefined> => {
    try {
      const envelope = { task: taskOf(thread), state: newTaskState() };
      const reply = await pool.run(envelope).catch((error: Error) => {
        throw new WorkerDeath(error, true);
      });
      return openReply(reply);
    } catch (error) {
      failures.push(error);
      stop();
      return undefined;
    }
  };
  try {
    const results = await Promise.all(Array.from({ length: options.threads }, (_, at) => run(at)));
    if (failures.length > 0) throw failures[0];
    return results as R[];
  } finally {
    await pool.destroy();
  }
}
