/** What becomes of a task that was sent: written once, by whichever thread comes first. */
const WAITING = 0;
const BEGUN = 1;
const DROPPED = 2;

/** Makes the mark of a task that waits for its worker. Both threads share it. */
export function makeClaim(): SharedArrayBuffer {
  return new SharedArrayBuffer(4);
}

/** Takes the task for the worker. Returns false where it was dropped: its memory must not be touched. */
export function beginTask(claim: SharedArrayBuffer): boolean {
  return Atomics.compareExchange(new Int32Array(claim), 0, WAITING, BEGUN) === WAITING;
}

/** Drops a task that no worker has begun. Returns false where one has. */
export function dropTask(claim: SharedArrayBuffer): boolean {
  return Atomics.compareExchange(new Int32Array(claim), 0, WAITING, DROPPED) === WAITING;
}

/** Says whether a worker has begun the task. */
export function hasBegun(claim: SharedArrayBuffer): boolean {
  return Atomics.load(new Int32Array(claim), 0) === BEGUN;
}
