import { pipeline, Readable } from "node:stream";
import * as zlib from "node:zlib";
import { leaveSource } from "../../base/handled.ts";
import { installCommand } from "../install-command.ts";
import { damaged } from "../io-error.ts";
import { ZstdFrame } from "./zstd-frame.ts";

/** Bytes that the JavaScript decoder gets at a time. Four of them may become 128 KiB. */
const STEP = 1 << 10;

/** Decodes one frame. `pieces` has every byte of the frame, and nothing else. Throws for damaged content. */
export type FrameDecoder = (
  frame: ZstdFrame,
  pieces: AsyncIterable<Uint8Array>,
) => AsyncIterable<Uint8Array>;

/**
 * Decompresses any number of zstd frames, and verifies the checksum of each that has one. The window of a
 * frame, which is 128 MiB at most, bounds the memory. Frames are separated here, because `node:zlib` on Node
 * 22 and 24 silently stops after the first.
 */
export async function decompressZstd(
  chunks: AsyncIterable<Uint8Array>,
  decoder?: FrameDecoder,
): Promise<AsyncIterable<Uint8Array>> {
  return decodeFrames(chunks, decoder ?? nativeDecoder() ?? (await packageDecoder()));
}

async function* decodeFrames(
  chunks: AsyncIterable<Uint8Array>,
  decode: FrameDecoder,
): AsyncGenerator<Uint8Array> {
  const iterator = chunks[Symbol.asyncIterator]();
  let chunk: Uint8Array = new Uint8Array(0);
  let at = 0;
  /** Returns whether there are bytes at `at`. */
  const more = async (): Promise<boolean> => {
    while (at === chunk.length) {
      const next = await iterator.next();
      if (next.done === true) return false;
      chunk = next.value;
      at = 0;
    }
    return true;
  };
  /** Yields the bytes of a frame as they come. `frame` sees each byte before it is handed out. */
  async function* piecesOf(frame: ZstdFrame): AsyncGenerator<Uint8Array> {
    while (!frame.isDone) {
      if (!(await more())) throw cutOff();
      const from = at;
      at = frame.take(chunk, from);
      yield chunk.subarray(from, at);
    }
  }
  try {
    while (await more()) {
      const frame = new ZstdFrame();
      const pieces = piecesOf(frame);
      const first: Uint8Array[] = [];
      // Four bytes tell whether the frame is to be skipped.
      for (let length = 0; length < 4; ) {
        const piece = (await pieces.next()).value as Uint8Array;
        first.push(piece);
        length += piece.length;
      }
      if (!frame.isSkippable) yield* decode(frame, joined(first, pieces));
      else for await (const _ of pieces);
    }
  } finally {
    // A decoder that failed may still wait for bytes that never come.
    leaveSource(iterator);
  }
}

async function* joined(
  first: readonly Uint8Array[],
  rest: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  yield* first;
  yield* rest;
}

/** Returns the decoder of `node:zlib`, which verifies checksums itself; null before Node 22.15. */
export function nativeDecoder(): FrameDecoder | null {
  const { createZstdDecompress } = zlib as {
    createZstdDecompress?: (options: { chunkSize: number }) => zlib.Gunzip;
  };
  if (createZstdDecompress === undefined) return null;
  return async function* decode(_, pieces) {
    const decompress = createZstdDecompress({ chunkSize: 1 << 17 });
    pipeline(Readable.from(pieces, { objectMode: false }), decompress, () => {}); // the reader gets the error
    try {
      yield* decompress;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      throw code?.startsWith("ZSTD_error_") === true ? damaged((error as Error).message) : error;
    }
  };
}

const loadPackages = () => Promise.all([import("fzstd"), import("xxhash-wasm")]);

/**
 * Returns the decoder of the package fzstd, which verifies nothing, with the checksum of xxhash-wasm. Throws
 * an error that says what to install if `load` finds no package.
 */
export async function packageDecoder(load = loadPackages): Promise<FrameDecoder> {
  const [{ Decompress }, { default: xxhash }] = await load().catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND") throw error;
    throw new Error(
      `reading .zst takes Node 22.15 or newer, or two packages: ${installCommand(["fzstd", "xxhash-wasm"])}`,
    );
  });
  const { create64 } = await xxhash();
  return async function* decode(frame, pieces) {
    const hash = create64();
    let size = 0;
    let ready: Uint8Array[] = [];
    const decompress = new Decompress((bytes) => ready.push(bytes));
    const push = (bytes: Uint8Array, final: boolean): Uint8Array[] => {
      try {
        decompress.push(bytes, final);
      } catch (error) {
        throw damaged((error as Error).message);
      }
      const done = ready;
      ready = [];
      for (const output of done) {
        hash.update(output);
        size += output.length;
      }
      return done;
    };
    for await (const piece of pieces) {
      for (let at = 0; at < piece.length; at += STEP)
        yield* push(piece.subarray(at, at + STEP), false);
    }
    yield* push(new Uint8Array(0), true);
    const { checksum, contentSize } = frame;
    if (contentSize !== null && size !== contentSize) throw damaged("its length is wrong");
    if (checksum !== null && Number(hash.digest() & 0xffffffffn) !== checksum) {
      throw damaged("its checksum does not match");
    }
  };
}

function cutOff(): Error {
  return Object.assign(new Error("unexpected end"), { code: "Z_BUF_ERROR" });
}
