import type { InputPlace } from "../../io/files/input-states.ts";
import { openSource } from "../../io/open-source.ts";
import type { Source } from "../../io/source.ts";
import { ArchiveSource } from "../../io/sources/archive-source.ts";
import type { CommandOptions } from "../call/options.ts";
import type { DamagedRecords } from "./damaged-records.ts";

/**
 * Opens an input of a run. From a web archive, it reads the URLs inside. `place`: says
 * which bytes are read.
 */
export async function openInput(
  file: string,
  { archive, flush, peek }: Pick<CommandOptions, "archive" | "flush" | "peek">,
  damaged: DamagedRecords,
  place: InputPlace = { path: file },
): Promise<Source> {
  const source = peek.take(file) ?? (await openSource(file, flush, place));
  if (archive === null) return source;
  return new ArchiveSource(source, file, archive, (record) => damaged.take(file, record));
}
