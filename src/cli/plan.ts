import { createNormalizer } from "../index.ts";
import { writeBytes } from "../io/files/write-text.ts";
import { say } from "../io/say.ts";
import { standardStreams } from "../io/standard.ts";
import { CommandFailure } from "../runs/base/failure.ts";
import { checkFiles } from "../runs/base/files.ts";
import { readFlags } from "../runs/call/flags/flag.ts";
import { PLAN, PLAN_FLAGS } from "./flags/commands.ts";
import { parseFlags } from "./flags/parse-flags.ts";
import { normalizerOptions, optionFiles, withFileNames } from "./normalizer-options.ts";

/**
 * Runs `urlmill plan`: writes the compiled options as bytes for the kernel in another runtime. Returns true if help
 * was requested.
 */
export async function runPlan(args: string[]): Promise<boolean> {
  const { values, positionals } = parseFlags(PLAN, args);
  const { output: out = "-", help } = readFlags(PLAN_FLAGS, values);
  if (help) return true;
  if (positionals.length > 0) {
    throw new CommandFailure("plan takes options alone; see urlmill plan --help", 2);
  }
  if (out === "-" && standardStreams().stdout.isTTY === true) {
    throw new CommandFailure("a plan is not text for a terminal; name a file with -o FILE", 2);
  }
  await checkFiles(optionFiles(values), [out]);
  // The plan is the same for both engines, and JavaScript runs wherever this does.
  const normalizer = await withFileNames(values, () =>
    createNormalizer({ ...normalizerOptions(values), engine: "js" }),
  );
  const { plan, profileId } = normalizer;
  await writeBytes(out, plan);
  say(`plan of ${plan.length} bytes, profileId ${profileId}`);
  return false;
}
