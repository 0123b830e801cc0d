import { formatOf } from "../formats/index.ts";
import type { PlainFile } from "../io/files/plain-file.ts";
import { takesDirectWrites } from "../io/sink.ts";
import type { LineOptions } from "./call/options.ts";
import { type FilePlaces, recordPlaces } from "./direct/records/record-places.ts";

/** Gives the reason for the chunked mode, or the files to read in the direct mode. */
export type Mode =
  | { readonly chunked: string }
  | {
      readonly files: readonly PlainFile[];
      /** How the chunks of each file are read, or null if whole lines pass in bulk. */
      readonly places: readonly FilePlaces[] | null;
    };

/**
 * Chooses the mode of a run. The direct mode reads and writes whole chunks in the memory of kernels, and no thread waits
 * for messages. The chunked mode accepts all other runs, and both write the same bytes. There, whole lines take a quarter
 * more. The README of this folder says why it stays. This function opens no file for writing.
 *
 * `isFast`: says whether whole lines pass in bulk (`ChunkProcessor.isFast`). `engine`: the engine that runs.
 */
export function chooseMode(options: LineOptions, isFast: boolean, engine: "wasm" | "js"): Mode {
  const { errors, map, out = "-" } = options;
  const outputs = [out, errors, map].filter((name) => name !== undefined);
  if (!outputs.every(takesDirectWrites)) {
    return { chunked: "a pipe or a compressor is written by a stream" };
  }
  return plainInputs(options, isFast, engine);
}

/** Does the same whatever the outputs are. */
export function plainInputs(options: LineOptions, isFast: boolean, engine: "wasm" | "js"): Mode {
  const {
    archive,
    isArray = false,
    base,
    map,
    report,
    shadow,
    seen,
    excludedSets,
    files,
    peek,
  } = options;
  if (engine === "js") return { chunked: "it keeps chunks in the memory of kernels" };
  if (archive !== null) return { chunked: "URLs are taken out of their archive first" };
  if (isArray) return { chunked: "JSON arrays are made lines first" };
  const format = formatOf(options.format, options.field);
  // With a base, a line of two bytes may become as long as the base, for which a kernel has no room. To list merged lines,
  // they are normalized again, and a kernel holds them only once.
  const passesInBulk = isFast && base === undefined && map === undefined;
  if (!isFast && format.hasPlainLines !== true && format.lastEnd === undefined) {
    return { chunked: "its records are not lines" };
  }
  if (options.onError === "fail") return { chunked: "it stops at the first error" };
  if (report !== undefined) return { chunked: "groups of merged lines are counted by one thread" };
  if (shadow !== undefined) return { chunked: "written lines are merged again, by one thread" };
  if (seen !== undefined) return { chunked: "keys are recorded after their lines are written" };
  if (excludedSets.length > 0) return { chunked: "sets are asked about keys by one thread" };
  const plain: PlainFile[] = [];
  for (const name of files) {
    const file = peek.plainFile(name);
    if (file === null) return { chunked: "an input cannot be read at any place" };
    plain.push(file);
  }
  const places = passesInBulk ? null : recordPlaces(plain, format, options);
  if (!passesInBulk && places === null)
    return { chunked: "a file does not begin with a whole record" };
  return { files: plain, places };
}
