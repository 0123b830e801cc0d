import { type PlainFile, plainFile } from "../../io/plain-file.ts";
import { takesDirectWrites } from "../../io/sink.ts";
import type { CommandOptions } from "../options.ts";

/** Says why a run goes the general way, or which files it reads where it goes the direct one. */
export type Way = { readonly general: string } | { readonly files: readonly PlainFile[] };

/**
 * Chooses the way of a run. The direct way reads and writes whole chunks in the memory of kernels, and no thread
 * waits for messages; both ways write the same bytes. The general way takes everything else. Two threads
 * take twice the time there, and three times to read a pipe; one takes 1.2 times. Nothing is opened for writing here.
 *
 * `isFast`: whether whole lines pass in bulk (`ChunkProcessor.isFast`). `engine`: the one that runs.
 */
export function chooseWay(
  { archive, base, errors, map, report, shadow, seen, out = "-", files }: CommandOptions,
  isFast: boolean,
  engine: "wasm" | "js",
): Way {
  if (engine === "js") return { general: "it keeps chunks in the memory of kernels" };
  if (archive !== null) return { general: "URLs are taken out of their archive first" };
  if (!isFast) return { general: "each record is taken apart and put together again" };
  if (base !== undefined) return { general: "a line of two bytes may become as long as the base" };
  const needsMerged = [map, report, shadow].some((name) => name !== undefined);
  if (needsMerged) return { general: "merged lines are listed or counted with their keys" };
  if (seen !== undefined) return { general: "keys are recorded after their lines are written" };
  const outputs = errors === undefined ? [out] : [out, errors];
  if (!outputs.every(takesDirectWrites)) {
    return { general: "a pipe or a compressor is written by a stream" };
  }
  const plain: PlainFile[] = [];
  for (const name of files) {
    const file = name === "-" ? null : plainFile(name);
    if (file === null) return { general: "an input cannot be read at any place" };
    plain.push(file);
  }
  return { files: plain };
}
