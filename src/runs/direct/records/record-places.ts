import { readSync } from "node:fs";
import type { ChunkPlace, Format } from "../../../formats/index.ts";
import { type PlainFile, withPlainFile } from "../../../io/files/plain-file.ts";
import { shownInput } from "../../../io/io-error.ts";
import { readError } from "../../../io/open-source.ts";
import { type HeadOptions, InputHeaders } from "../../call/input-headers.ts";

/** Says how the first chunk of a file is read, and how the others are. */
export interface FilePlaces {
  readonly first: ChunkPlace;
  readonly rest: ChunkPlace;
}

/** The bytes at the beginning of a file that must have its header, or its first record: no more than the first chunk. */
const HEAD = 1 << 16;

/**
 * Returns how the chunks of each file are read: which header they have. `options`: null if the run adds nothing to its
 * records or to an output. Returns null if a file does not show its header at its beginning. Throws what
 * `InputHeaders.placeOf` throws, and an IoError.
 */
export function recordPlaces(
  files: readonly PlainFile[],
  format: Format,
  options: HeadOptions | null = null,
): FilePlaces[] | null {
  const headers = new InputHeaders(format, null, options);
  const places: FilePlaces[] = [];
  for (const file of files) {
    headers.start(shownInput(file.name));
    const head = headOf(file);
    const isAll = file.begin + head.length === file.end;
    const whole = isAll ? head.length : format.boundary()(head, 0);
    if (whole < 0) return null;
    const first = headers.placeOf(head.subarray(0, whole));
    const rest = headers.placeOf(new Uint8Array(0));
    if (rest.isStart && head.length > 0) return null;
    places.push({ first, rest });
  }
  return places;
}

/** Returns the first bytes of a file. */
function headOf({ name, begin, end }: PlainFile): Uint8Array {
  const head = Buffer.alloc(Math.min(HEAD, end - begin));
  try {
    return withPlainFile(name, (fd) => head.subarray(0, readSync(fd, head, 0, head.length, begin)));
  } catch (error) {
    throw readError(name, error);
  }
}
