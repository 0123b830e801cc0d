import { writeWholeBytes } from "../../io/files/whole-file.ts";
import { CommandFailure } from "../../runs/base/failure.ts";
import { checkFiles } from "../../runs/base/files.ts";
import { fileInputs } from "../../runs/cdx/line-input.ts";
import { MergedFiles } from "../../runs/cdx/merged-files.ts";
import { sayLines } from "../../runs/cdx/say-lines.ts";
import { untilInterrupted } from "../until-interrupted.ts";
import { type CdxArguments, memoryOf } from "./options.ts";

/** Runs `urlmill cdx merge FILE…`. */
export async function runMerge(args: CdxArguments): Promise<void> {
  const { files, output = "-", quiet } = args;
  if (files.length === 0) {
    throw new CommandFailure("merge which files? see urlmill cdx merge --help", 2);
  }
  await checkFiles(files, [output]);
  const memory = memoryOf(args);
  await untilInterrupted(async (signal) => {
    const merged = new MergedFiles(fileInputs(files), { memory, signal });
    await writeWholeBytes(output, merged.pieces());
    if (!quiet) sayLines("merged", merged);
  });
}
