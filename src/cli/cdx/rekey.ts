import { counted } from "../../base/counted.ts";
import { writeWholeBytes } from "../../io/files/whole-file.ts";
import { say } from "../../io/say.ts";
import { toSurt } from "../../normalizer/surt.ts";
import { fromSetup, prepare } from "../../normalizers.ts";
import { planOfForm } from "../../plan/layout.ts";
import { checkFiles } from "../../runs/base/files.ts";
import { fileInputs } from "../../runs/cdx/line-input.ts";
import { Rekeying } from "../../runs/cdx/rekeyed-input.ts";
import type { NewKeys } from "../../runs/cdx/rekeyed-lines.ts";
import { SortedLines } from "../../runs/cdx/sorted-lines.ts";
import { sayUnappliedRules } from "../../runs/frame/unapplied.ts";
import { normalizerOptions, optionFiles, withFileNames } from "../normalizer-options.ts";
import { untilInterrupted } from "../until-interrupted.ts";
import { type CdxArguments, memoryOf } from "./options.ts";

/** Runs `urlmill cdx rekey [FILE…]`. */
export async function runRekey(args: CdxArguments): Promise<void> {
  const { output = "-", tmp, quiet } = args;
  const files = args.files.length === 0 ? ["-"] : args.files;
  await checkFiles([...files, ...optionFiles(args.values)], [output]);
  const keys = await withFileNames(args.values, () => newKeys(args));
  const memory = memoryOf(args);
  await untilInterrupted(async (signal) => {
    const rekeying = new Rekeying(keys);
    const sorted = new SortedLines({ memory, tmp, signal });
    try {
      await sorted.take(fileInputs(files).map((input) => rekeying.input(input)));
      rekeying.sayRest();
      await writeWholeBytes(output, sorted.pieces());
    } finally {
      sorted.close();
    }
    if (quiet) return;
    const kept = rekeying.kept === 0 ? "" : `, ${rekeying.kept} of them with the key as it was`;
    say(`${counted(sorted.lines, "line")} keyed and sorted${kept}`);
  });
}

/** Returns how keys are made. Throws `BAD_OPTION` for options that are not known. */
function newKeys({ form, values }: CdxArguments): NewKeys {
  const options = normalizerOptions(values);
  const { normalizer, setup } = prepare(options);
  sayUnappliedRules(options);
  if (form === "url") return { normalizer, write: null };
  if (form === "surt") return { normalizer, write: toSurt };
  return {
    normalizer: fromSetup({ ...setup, plan: planOfForm(setup.plan, form) }),
    write: null,
  };
}
