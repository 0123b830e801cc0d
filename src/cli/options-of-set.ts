import type { NormalizerOptions } from "../options/catalog.generated.ts";
import { CommandFailure } from "../runs/base/failure.ts";
import type { FilterFlags } from "../runs/call/options.ts";
import type { ComparableSet } from "../seen/stored/compatibility.ts";
import { identityOfAny } from "../seen/stored/open-stored.ts";

/** The options that a set keeps only a digest of, with the flags for their files. */
const FILE_FLAGS = { rules: "--rules", pageAliases: "--page-aliases" } as const;
/** The options that do not change keys, besides those with files. */
const OTHERS = ["engine"];

/** Returns the set that `--key-of` names, or undefined. Throws `SEEN_CORRUPT`, and a CommandFailure without `--seen`. */
export async function keyOfSet({
  seen,
  store,
  keyOf,
}: Pick<FilterFlags, "seen" | "store" | "keyOf">): Promise<ComparableSet | undefined> {
  if (seen === undefined && (store ?? keyOf) !== undefined) {
    throw new CommandFailure("--store and --key-of say how a set is made: give --seen DIR, too", 2);
  }
  return keyOf === undefined ? undefined : { where: keyOf, identity: await identityOfAny(keyOf) };
}

/**
 * Returns the options of a run with `--seen`: if the call gives no options, those of the set, or else of `--key-of`. Files
 * of rules and aliases must be given. Throws a CommandFailure that asks for them.
 */
export async function optionsOfSet(
  given: NormalizerOptions,
  directory: string,
  keyOf: ComparableSet | undefined,
): Promise<NormalizerOptions> {
  const isOwn = (name: string) => !Object.hasOwn(FILE_FLAGS, name) && !OTHERS.includes(name);
  if (Object.keys(given).some(isOwn)) return given;
  const set = (await setIn(directory)) ?? keyOf;
  if (set === undefined) return given;
  const { output: _, by: __, ...made } = set.identity.options as Record<string, unknown>;
  for (const [name, flag] of Object.entries(FILE_FLAGS)) {
    if (made[name] !== undefined && !Object.hasOwn(given, name)) {
      throw new CommandFailure(`${set.where} was made with ${flag}: give ${flag} FILE`, 2);
    }
    delete made[name];
  }
  return { ...made, ...given };
}

/** Returns null if there is no set. The run opens the set too, and reports the same error. */
async function setIn(directory: string): Promise<ComparableSet | null> {
  const identity = await identityOfAny(directory).catch(() => null);
  return identity && { where: directory, identity };
}
