/** The state of a task that was sent. The first thread to change it decides. */
const WAITING = 0;
const BEGUN = 1;
const DROPPED = 2;

/** Makes the state of a task that waits for its worker. Both threads share it. */
export function newTaskState(): SharedArrayBuffer {
  return new SharedArrayBuffer(4);
}

/** Takes the task for the worker. Returns false if it was dropped; then its memory must not be touched. */
export function beginTask(state: SharedArrayBuffer): boolean {
  return Atomics.compareExchange(new Int32Array(state), 0, WAITING, BEGUN) === WAITING;
}

/** Drops a task that no worker has begun. Returns false if a worker has begun it. */
export function dropTask(state: SharedArrayBuffer): boolean {
  return Atomics.compareExchange(new Int32Array(state), 0, WAITING, DROPPED) === WAITING;
}

/** Returns whether a worker has begun the task. */
export function hasBegun(state: SharedArrayBuffer): boolean {
  return Atomics.load(new Int32Array(state), 0) === BEGUN;
}
