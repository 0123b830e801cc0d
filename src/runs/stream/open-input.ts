import type { InputPlace } from "../../io/files/input-states.ts";
import { shownInput } from "../../io/io-error.ts";
import { openSource } from "../../io/open-source.ts";
import type { Source } from "../../io/source.ts";
import { ArchiveSource, type DamageHandler } from "../../io/sources/archive-source.ts";
import { ArraySource } from "../../io/sources/array-source.ts";
import type { CommandOptions } from "../call/options.ts";
import type { DamagedRecords } from "./damaged-records.ts";

type InputOptions = Pick<
  CommandOptions,
  "archive" | "format" | "isArray" | "flush" | "peek" | "quiet"
>;

/**
 * Opens an input of a run. From a web archive, it reads the URLs inside. `place`: says
 * which bytes are read.
 */
export async function openInput(
  file: string,
  { archive, format, isArray = false, flush, peek, quiet }: InputOptions,
  damaged: DamagedRecords,
  place: InputPlace = { path: file },
): Promise<Source> {
  const source = peek.take(file) ?? (await openSource(file, flush, place));
  if (isArray) {
    const ofTexts = format === "lines";
    const how = ofTexts ? "of texts; read as lines" : "; read as JSON lines";
    if (!quiet) damaged.say(`${shownInput(file)} is a JSON array${ofTexts ? " " : ""}${how}`);
    return new ArraySource(source, file, ofTexts);
  }
  if (archive === null) return source;
  const damage: DamageHandler = {
    record: (record) => damaged.take(file, record),
    gap: (reason, cut) => damaged.takeGap(file, reason, cut),
  };
  return new ArchiveSource(source, file, archive, damage, place.gaps);
}
