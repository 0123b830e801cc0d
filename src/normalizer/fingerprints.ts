/** Returns the first 8 of each 16 bytes. */
export function firstHalves({ buffer, byteOffset, length }: Uint8Array): Uint8Array {
  const words = new Uint32Array(buffer, byteOffset, length >> 2);
  const halves = new Uint32Array(words.length >> 1);
  for (let from = 0, to = 0; from < words.length; from += 4) {
    halves[to++] = words[from] as number;
    halves[to++] = words[from + 1] as number;
  }
  return new Uint8Array(halves.buffer);
}
