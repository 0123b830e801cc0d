import type { NormalizerOptions } from "../options/catalog.generated.ts";
import { CommandFailure } from "../runs/failure.ts";
import { readManifest } from "../seen/journal/manifest.ts";

/** The options that a set keeps only a digest of, with the flags for their files. */
const FILE_FLAGS = { rules: "--rules", pageAliases: "--page-aliases" } as const;
/** The options that do not change keys, besides those with files. */
const OTHERS = ["engine"];

/**
 * Returns the options of a run with `--seen`: those of the set if the call gives no options. Files of rules and aliases
 * must be given. Throws a CommandFailure that asks for them.
 */
export async function optionsOfSet(
  given: NormalizerOptions,
  directory: string,
): Promise<NormalizerOptions> {
  const isOwn = (name: string) => !Object.hasOwn(FILE_FLAGS, name) && !OTHERS.includes(name);
  if (Object.keys(given).some(isOwn)) return given;
  // The run opens the set too, and reports the same error.
  const manifest = await readManifest(directory).catch(() => null);
  if (manifest === null) return given;
  const { output: _, ...made } = manifest.identity.options as Record<string, unknown>;
  for (const [name, flag] of Object.entries(FILE_FLAGS)) {
    if (made[name] !== undefined && !Object.hasOwn(given, name)) {
      throw new CommandFailure(`${directory} was made with ${flag}: give ${flag} FILE`, 2);
    }
    delete made[name];
  }
  return { ...made, ...given };
}
