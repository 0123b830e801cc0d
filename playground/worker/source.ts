/** Bytes that are read and handled before the worker looks for messages. */
export const PIECE_BYTES = 1 << 20;

/** Returns a source that can be read from anywhere: what has the first bytes of gzip is unpacked. */
export async function readableSource(source: Blob): Promise<Blob> {
  const [first, second] = await bytesOf(source, 0, 2);
  if (first !== 0x1f || second !== 0x8b) return source;
  const stream = source.stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).blob();
}

/** Returns the bytes of a part of a source. */
export async function bytesOf(
  source: Blob,
  from: number,
  to: number,
): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await source.slice(from, to).arrayBuffer());
}

/** Returns two pieces of bytes as one. */
export function joined(a: Uint8Array, b: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  if (a.length === 0) return b;
  const bytes = new Uint8Array(a.length + b.length);
  bytes.set(a);
  bytes.set(b, a.length);
  return bytes;
}
