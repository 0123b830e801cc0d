import { writeWholeBytes } from "../../io/files/whole-file.ts";
import { checkFiles } from "../../runs/base/files.ts";
import { fileInputs } from "../../runs/cdx/line-input.ts";
import { sayLines } from "../../runs/cdx/say-lines.ts";
import { SortedLines } from "../../runs/cdx/sorted-lines.ts";
import { untilInterrupted } from "../until-interrupted.ts";
import { type CdxArguments, memoryOf } from "./options.ts";

/** Runs `urlmill cdx sort [FILE…]`. */
export async function runSort(args: CdxArguments): Promise<void> {
  const { output = "-", tmp, quiet } = args;
  const files = args.files.length === 0 ? ["-"] : args.files;
  await checkFiles(files, [output]);
  const memory = memoryOf(args);
  await untilInterrupted(async (signal) => {
    const sorted = new SortedLines({ memory, tmp, signal });
    try {
      await sorted.take(fileInputs(files));
      await writeWholeBytes(output, sorted.pieces());
      if (!quiet) sayLines("sorted", sorted);
    } finally {
      sorted.close();
    }
  });
}
