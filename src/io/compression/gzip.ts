import { pipeline } from "node:stream/promises";
import { createGunzip, type Gunzip, type ZlibOptions } from "node:zlib";
import { markHandled } from "../../base/handled.ts";
import { damaged } from "../io-error.ts";

/**
 * Takes one piece at a time, so that what the decoder left of it is known before the next piece. Decompresses some
 * megabytes ahead of the reader, which gets them as pieces: a stream of bytes would copy those that wait to one.
 */
const OPTIONS: ZlibOptions & {
  readonly writableHighWaterMark: number;
  readonly readableHighWaterMark: number;
  readonly readableObjectMode: boolean;
} = {
  chunkSize: 1 << 18,
  writableHighWaterMark: 1,
  readableHighWaterMark: 16,
  readableObjectMode: true,
};

/** Describes zeros that are followed by something else. */
export const PADDING_WITHIN = "zeros are in the place of a member";

/**
 * Decompresses any number of gzip members, and verifies their checksums. Zeros from the end of a member to the end
 * of the file are padding. Throws for anything after them: `node:zlib` ends without an error there, and loses the
 * rest. Returns whether there is padding.
 */
export async function* gunzip(
  stream: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, boolean, undefined> {
  const decoder = createGunzip(OPTIONS);
  let isPadded = false;
  const members = membersOf(stream, decoder, () => {
    isPadded = true;
  });
  // The reader gets the error.
  const given = markHandled(pipeline(members, decoder));
  try {
    yield* decoder.iterator({ destroyOnReturn: false });
    // The decoder ends at padding; what follows is checked after that.
    await given;
    return isPadded;
  } finally {
    decoder.destroy();
  }
}

/**
 * Yields the pieces of a file, without the padding at its end, of which `padded` hears. Throws if something comes after
 * zeros.
 */
async function* membersOf(
  stream: AsyncIterable<Uint8Array>,
  decoder: Gunzip,
  padded: () => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  let given = 0;
  let isPadding = false;
  for await (const bytes of stream) {
    let rest = bytes;
    if (!isPadding) {
      yield bytes;
      given += bytes.length;
      // The decoder stops at a zero in the place of a member.
      rest = bytes.subarray(bytes.length - (given - decoder.bytesWritten));
      isPadding = rest.length > 0;
      if (isPadding) padded();
    }
    if (rest.some((byte) => byte !== 0)) throw damaged(PADDING_WITHIN);
  }
}
