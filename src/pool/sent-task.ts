import type { BatchTask } from "./batch-task.ts";

/** The memory of a batch, as views of a task. */
type Memory = "input" | "offsets" | "output" | "status" | "places";

/**
 * A task of a batch as a message carries it. Each view is a DataView: Deno reads every element of an array that it
 * receives, which takes 50 times as long as normalizing.
 */
export type SentTask = Omit<BatchTask, Memory> & {
  readonly [Name in Memory]: DataView | Extract<BatchTask[Name], null>;
};

/** Returns a task that can be sent. It has the same memory. */
export function toSend(task: BatchTask): SentTask {
  const { input, offsets, output, status, places } = task;
  return {
    ...task,
    input: viewOf(input),
    offsets: offsets && viewOf(offsets),
    output: viewOf(output),
    status: viewOf(status),
    places: viewOf(places),
  };
}

/** Returns the task that was sent. */
export function received(task: SentTask): BatchTask {
  const { input, offsets, output, status, places } = task;
  return {
    ...task,
    input: bytesOf(input),
    offsets: offsets && wordsOf(offsets),
    output: bytesOf(output),
    status: bytesOf(status),
    places: wordsOf(places),
  };
}

function viewOf({ buffer, byteOffset, byteLength }: ArrayBufferView): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}

function bytesOf({ buffer, byteOffset, byteLength }: DataView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

function wordsOf({ buffer, byteOffset, byteLength }: DataView): Int32Array {
  return new Int32Array(buffer, byteOffset, byteLength / 4);
}
