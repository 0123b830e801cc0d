import { isSetFull, UrlmillError } from "../../base/errors.ts";
import { shellWord } from "../../base/shell-word.ts";

/**
 * Returns the error of a set that does not fit in memory with what a user can do. Returns any other error as it is. `flag`: the
 * one that names the set.
 */
export function withWayOut(error: unknown, flag: string, directory: string): unknown {
  if (!isSetFull(error)) return error;
  return new UrlmillError(
    "SET_FULL",
    `the set of ${flag} ${directory} does not fit in memory (${error.message}): give the run more memory, or make it a set on disk: urlmill seen convert ${shellWord(directory)} --store disk`,
  );
}
