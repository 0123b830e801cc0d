/** Waits until the threads of a pool have written their first byte to the memory that a call gave for its result. */
export async function hasBegun(output: SharedArrayBuffer): Promise<void> {
  const written = new Uint8Array(output);
  while (written[0] === 0) await new Promise((next) => setImmediate(next));
}
