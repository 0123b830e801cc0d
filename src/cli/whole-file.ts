import { shownOutput } from "../io/names.ts";
import { Output } from "../io/output.ts";
import { ReplacedFile } from "./replaced-file.ts";
import { encoded, writeText } from "./write-text.ts";

/** Holds the files that are being written and are not in their places yet. */
const unfinished = new Set<ReplacedFile>();

/**
 * Writes texts to a file, which takes its place when it is whole: until then a file of that name stays as it
 * was. Standard output, a device or a pipe gets them as they come.
 */
export async function writeWhole(out: string, texts: Iterable<string>): Promise<void> {
  const file = await ReplacedFile.of(out);
  if (file === null) return writeText(out, texts);
  unfinished.add(file);
  try {
    const output = await Output.toFile(file.path, false, shownOutput(out));
    for (const piece of encoded(texts)) await output.write(piece);
    await output.finish();
    // After an interrupt it is discarded already.
    if (unfinished.has(file)) await file.commit(false);
  } finally {
    await file.discard();
    unfinished.delete(file);
  }
}

/** Deletes the files that are being written, without waiting. */
export function discardUnfinished(): void {
  for (const file of unfinished) file.discardSync();
  unfinished.clear();
}
