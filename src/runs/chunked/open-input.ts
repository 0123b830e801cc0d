import { ArchiveSource } from "../../io/archive-source.ts";
import { openSource } from "../../io/open-source.ts";
import type { Source } from "../../io/source.ts";
import type { CommandOptions } from "../options.ts";
import type { DamagedRecords } from "./damaged-records.ts";

/** The bytes to gather if each line is answered at once. */
export const AT_ONCE = 1;

/**
 * Opens an input of a run, to read `batchBytes` at a time. From a web archive, it reads the URLs inside. `path`: the file that
 * has its bytes.
 */
export async function openInput(
  file: string,
  { archive, flush, heads }: Pick<CommandOptions, "archive" | "flush" | "heads">,
  batchBytes: number,
  damaged: DamagedRecords,
  path = file,
): Promise<Source> {
  const source = heads.take(file) ?? (await openSource(file, flush ? AT_ONCE : batchBytes, path));
  if (archive === null) return source;
  return new ArchiveSource(source, file, archive, (record) => damaged.take(file, record));
}
