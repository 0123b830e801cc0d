/**
 * Decompresses zstd, any number of frames, by fzstd: `node:zlib` has none before Node 22.15, and stops
 * behind the first frame, silently, in 22 and 24.
 */
export async function decompressZstd(
  chunks: AsyncIterable<Uint8Array>,
): Promise<AsyncIterable<Uint8Array>> {
  const { Decompress } = await import("fzstd").catch(() => {
    throw new Error("reading .zst takes the package fzstd: npm install fzstd");
  });
  async function* decompress(): AsyncGenerator<Uint8Array> {
    let ready: Uint8Array[] = [];
    const stream = new Decompress((bytes) => ready.push(bytes));
    const push = (bytes: Uint8Array, final: boolean): Uint8Array[] => {
      try {
        stream.push(bytes, final);
      } catch (error) {
        throw new Error(`its compressed data are damaged (${(error as Error).message})`);
      }
      const done = ready;
      ready = [];
      return done;
    };
    for await (const bytes of chunks) yield* push(bytes, false);
    yield* push(new Uint8Array(0), true);
  }
  return decompress();
}
