import { UrlmillError } from "../base/errors.ts";
import { hexOf } from "../base/sha256.ts";
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
 * Returns the options of a run with a set: if the call gives no options, those of `--seen`, or else of another set. Files
 * of rules and aliases must be given. Throws a CommandFailure that asks for them.
 */
export async function optionsOfSet(
  given: NormalizerOptions,
  directory: string | undefined,
  otherwise: ComparableSet | undefined,
): Promise<NormalizerOptions> {
  const isOwn = (name: string) => !Object.hasOwn(FILE_FLAGS, name) && !OTHERS.includes(name);
  if (Object.keys(given).some(isOwn)) return given;
  const set = (directory === undefined ? null : await setIn(directory)) ?? otherwise;
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

/**
 * Returns the first set of `--exclude`, whose key the run has, or undefined. Throws `SEEN_MISMATCH` if the set of `--seen` has
 * another key, `BAD_INPUT` if a set is named twice, and a CommandFailure if several records of a key are written.
 */
export async function firstExcluded(
  sets: readonly string[],
  { seen, perKey }: Pick<FilterFlags, "seen" | "perKey">,
): Promise<ComparableSet | undefined> {
  const [first] = sets;
  if (first === undefined) return undefined;
  if (perKey > 1) {
    throw new CommandFailure(
      "--per-key counts records, and a set of --exclude does not say how many a key has: exclude a list",
      2,
    );
  }
  const { checkDistinct } = await import("../seen/stored/merge.ts");
  await checkDistinct([...(seen === undefined ? [] : [seen]), ...sets]);
  const excluded = { where: first, identity: await identityOfAny(first) };
  const kept = seen === undefined ? null : await setIn(seen);
  if (kept !== null && hexOf(kept.identity.key) !== hexOf(excluded.identity.key)) {
    throw new UrlmillError(
      "SEEN_MISMATCH",
      `${seen} and ${first} have different keys, so that they cannot be compared: make a new set with --seen DIR --key-of ${first}`,
    );
  }
  return excluded;
}

/** Returns null if there is no set. The run opens the set too, and reports the same error. */
async function setIn(directory: string): Promise<ComparableSet | null> {
  const identity = await identityOfAny(directory).catch(() => null);
  return identity && { where: directory, identity };
}
