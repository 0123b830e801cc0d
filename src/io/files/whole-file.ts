import { IoError } from "../io-error.ts";
import { ReplacedFile } from "./replaced-file.ts";
import { encoded, type Texts, writePieces } from "./write-text.ts";

/** Holds the files in progress that have not replaced their targets yet. */
const unfinished = new Set<ReplacedFile>();

/**
 * Writes texts to a file. The new file replaces an old one only when it is complete. Standard output, a device or a
 * pipe gets the texts directly.
 */
export function writeWhole(out: string, texts: Texts): Promise<void> {
  return writeWholeBytes(out, encoded(texts));
}

/** Does the same with bytes. A piece is written before the next one is asked for. */
export async function writeWholeBytes(
  out: string,
  pieces: AsyncIterable<Uint8Array>,
): Promise<void> {
  const file = await ReplacedFile.of(out);
  if (file === null) return writePieces(out, pieces);
  await writeTogether([{ out, file, pieces, isPlain: false }]);
}

export interface PlainWrite {
  readonly out: string;
  readonly pieces: AsyncIterable<Uint8Array>;
}

/**
 * Writes bytes to files, one after the other, as they are, whatever the names end with. They replace old ones when all are
 * complete. Throws an IoError, also for a pipe or a device.
 */
export async function writeWholeFiles(writes: readonly PlainWrite[]): Promise<void> {
  const all: WholeWrite[] = [];
  for (const write of writes) {
    const file = await ReplacedFile.of(write.out);
    if (file === null) throw new IoError(`cannot write ${write.out}: it is not a file`);
    all.push({ ...write, file, isPlain: true });
  }
  await writeTogether(all);
}

interface WholeWrite extends PlainWrite {
  readonly file: ReplacedFile;
  /** Says that nothing is compressed here. */
  readonly isPlain: boolean;
}

async function writeTogether(writes: readonly WholeWrite[]): Promise<void> {
  for (const { file } of writes) unfinished.add(file);
  try {
    for (const { file, pieces, isPlain } of writes) {
      const output = await file.open({ isPlain });
      try {
        for await (const piece of pieces) await output.write(piece);
      } finally {
        await output.finish();
      }
    }
    for (const { file } of writes) await file.commit(false);
  } finally {
    for (const { file } of writes) {
      await file.discard();
      unfinished.delete(file);
    }
  }
}

/** Deletes the files that are being written, without waiting. */
export function discardUnfinished(): void {
  for (const file of unfinished) file.discardSync();
}
