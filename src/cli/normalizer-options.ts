import { UrlmillError } from "../base/errors.ts";
import { createNormalizer } from "../index.ts";
import type { NormalizerOptions } from "../options/catalog.generated.ts";
import { resolveOptions } from "../options/options.ts";
import { CommandFailure } from "../runs/base/failure.ts";
import { type Flag, textsOf, type Values } from "../runs/call/flags/flag.ts";
import {
  CONFIG_FLAG,
  HOSTS_FLAG,
  OPTION_FLAGS,
  PAGE_ALIASES_FLAG,
  RULES_FLAG,
} from "./flags/option-flags.ts";
import { parseHosts } from "./hosts/hosts-file.ts";
import { parseJson, readText } from "./read-text.ts";

/** Lists the files that `normalizerOptions` reads. */
export function optionFiles(values: Values): string[] {
  const flags = [CONFIG_FLAG, HOSTS_FLAG, RULES_FLAG, PAGE_ALIASES_FLAG];
  return flags.flatMap((flag) => textsOf(flag, values));
}

/**
 * Returns the options from the flags and the configuration file. Flags have priority. The API checks the values.
 */
export function normalizerOptions(values: Values): NormalizerOptions {
  let options: Record<string, unknown> = {};
  // A spread keeps "__proto__" as a member, which is then refused by its name.
  for (const file of CONFIG_FLAG.read(values)) options = { ...options, ...readConfig(file) };
  for (const [name, flag] of OPTION_FLAGS) {
    const value = flag.read(values);
    if (value !== undefined) options[name] = value;
  }
  for (const file of HOSTS_FLAG.read(values)) {
    const aliases = parseHosts(readText(file), file);
    options["hostAliases"] = { ...aliases, ...(options["hostAliases"] as object | undefined) };
  }
  return options as NormalizerOptions;
}

/**
 * Does a part of a command that uses its options. Names the file that an error is about: a wrong line of rules, or a wrong
 * option in a configuration file.
 */
export async function withFileNames<T>(values: Values, part: () => T | Promise<T>): Promise<T> {
  try {
    return await part();
  } catch (error) {
    const isAboutOptions =
      error instanceof UrlmillError && ["BAD_OPTION", "BAD_RULES"].includes(error.code);
    if (isAboutOptions) checkFilesAlone(values);
    throw error;
  }
}

/** Throws a CommandFailure that names the first file that no call can take its options from. */
function checkFilesAlone(values: Values): void {
  for (const file of CONFIG_FLAG.read(values))
    checkFile(file, () => resolveOptions(readConfig(file)));
  for (const flag of [RULES_FLAG, PAGE_ALIASES_FLAG]) {
    const [option] = [...OPTION_FLAGS].find(([, each]) => each === flag) as [string, Flag];
    for (const file of textsOf(flag, values).slice(-1)) {
      checkFile(file, () => createNormalizer({ [option]: readText(file), engine: "js" }));
    }
  }
}

function checkFile(file: string, use: () => unknown): void {
  try {
    use();
  } catch (error) {
    if (!(error instanceof UrlmillError)) throw error;
    throw new CommandFailure(`${file}: ${error.message}`, 2);
  }
}

function readConfig(file: string): object {
  const config = parseJson(readText(file), file);
  if (typeof config !== "object" || config === null || Array.isArray(config)) {
    throw new CommandFailure(`${file} is not an object of options`, 2);
  }
  const { $schema: _, ...options } = config as Record<string, unknown>;
  return options;
}
