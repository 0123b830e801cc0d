import { counted } from "../../base/counted.ts";
import { writeWholeFiles } from "../../io/files/whole-file.ts";
import { say } from "../../io/say.ts";
import { CommandFailure } from "../../runs/base/failure.ts";
import { checkFiles } from "../../runs/base/files.ts";
import { fileInputs } from "../../runs/cdx/line-input.ts";
import { MergedFiles } from "../../runs/cdx/merged-files.ts";
import { ZipNum } from "../../runs/cdx/zip-num.ts";
import { untilInterrupted } from "../until-interrupted.ts";
import { type CdxArguments, memoryOf } from "./options.ts";

/** Runs `urlmill cdx zipnum [FILE…] -o NAME`. */
export async function runZipnum(args: CdxArguments): Promise<void> {
  const { output, quiet } = args;
  if (output === undefined || output === "-") {
    throw new CommandFailure("-o NAME is missing; see urlmill cdx zipnum --help", 2);
  }
  const files = args.files.length === 0 ? ["-"] : args.files;
  const [members, index, locations] = [".gz", ".idx", ".loc"].map((end) => output + end) as [
    string,
    string,
    string,
  ];
  await checkFiles(files, [members, index, locations]);
  const memory = memoryOf(args);
  await untilInterrupted(async (signal) => {
    const merged = new MergedFiles(fileInputs(files), { memory, signal });
    const zipped = new ZipNum(members);
    await writeWholeFiles([
      { out: members, pieces: zipped.members(merged.records(), () => merged.headerLine) },
      { out: index, pieces: zipped.index() },
      { out: locations, pieces: zipped.locations() },
    ]);
    if (quiet) return;
    say(
      `${members}: ${counted(merged.lines, "line")} in ${counted(zipped.count, "member")}; ${index} has their keys`,
    );
  });
}
