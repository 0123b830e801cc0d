import type { NormalizerOptions } from "../options/catalog.generated.ts";
import { CommandFailure } from "../runs/failure.ts";
import { textsOf, type Values } from "../runs/flags/flag.ts";
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

function readConfig(file: string): object {
  const config = parseJson(readText(file), file);
  if (typeof config !== "object" || config === null || Array.isArray(config)) {
    throw new CommandFailure(`${file} is not an object of options`, 2);
  }
  const { $schema: _, ...options } = config as Record<string, unknown>;
  return options;
}
