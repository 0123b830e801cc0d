/** Waits until the threads of a pool have written their first byte to the memory that a call gave for its result. */
export async function hasBegun(into: Uint8Array): Promise<void> {
  while (into[0] === 0) await new Promise((next) => setImmediate(next));
}
