import { createNormalizer } from "../index.ts";
import { writeBytes } from "../io/files/write-text.ts";
import { say } from "../io/say.ts";
import { standardStreams } from "../io/standard.ts";
import { CommandFailure } from "../runs/failure.ts";
import { checkFiles } from "../runs/files.ts";
import { PLAN } from "./flags/commands.ts";
import { parseFlags } from "./flags/parse-flags.ts";
import { normalizerOptions, optionFiles } from "./normalizer-options.ts";

/**
 * Runs `urlmill plan`: writes the compiled options as bytes for the kernel in another runtime. Returns true if help
 * was requested.
 */
export async function runPlan(args: string[]): Promise<boolean> {
  const { values, positionals } = parseFlags(PLAN, args);
  if (values["help"] === true) return true;
  if (positionals.length > 0) {
    throw new CommandFailure("plan takes options alone; see urlmill plan --help", 2);
  }
  const flags = values as Record<string, string[]>;
  const out = (values["output"] as string | undefined) ?? "-";
  if (out === "-" && standardStreams().stdout.isTTY === true) {
    throw new CommandFailure("a plan is not text for a terminal; name a file with -o FILE", 2);
  }
  await checkFiles(optionFiles(flags), [out]);
  // The plan is the same for both engines, and JavaScript runs wherever this does.
  const normalizer = createNormalizer({ ...normalizerOptions(flags), engine: "js" });
  const { plan, profileId } = normalizer;
  await writeBytes(out, plan);
  say(`plan of ${plan.length} bytes, profileId ${profileId}`);
  return false;
}
