/** Returns whether a view is of shared memory. */
export function isShared({ buffer }: ArrayBufferView): boolean {
  return globalThis.SharedArrayBuffer !== undefined && buffer instanceof SharedArrayBuffer;
}
