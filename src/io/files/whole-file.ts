import { shownOutput } from "../names.ts";
import { Output } from "../output.ts";
import { ReplacedFile } from "./replaced-file.ts";
import { encoded, type Texts, writeText } from "./write-text.ts";

/** Holds the files in progress that have not replaced their targets yet. */
const unfinished = new Set<ReplacedFile>();

/**
 * Writes texts to a file. The new file replaces an old one only when it is complete. Standard output, a device or a
 * pipe gets the texts directly.
 */
export async function writeWhole(out: string, texts: Texts): Promise<void> {
  const file = await ReplacedFile.of(out);
  if (file === null) return writeText(out, texts);
  unfinished.add(file);
  try {
    const output = await Output.toFile(file.path, false, shownOutput(out));
    try {
      for await (const piece of encoded(texts)) await output.write(piece);
    } finally {
      await output.finish();
    }
    // After an interrupt, it is already discarded.
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
