import { readFileSync } from "node:fs";
import { withoutMark } from "../base/byte-order-mark.ts";
import { FOREIGN_LENGTH, ForeignFormat } from "../io/foreign-format.ts";
import { describeSystemError } from "../io/io-error.ts";
import type { NormalizerOptions } from "../options/catalog.generated.ts";
import type { Kind, OptionEntry } from "../options/catalog.ts";
import { DESCRIBED } from "../options/described.generated.ts";

import { CommandFailure } from "../runs/failure.ts";
import { flagOf } from "./flags/option-flags.ts";
import { parseHosts } from "./hosts/hosts-file.ts";

/** Converts the text of a flag to the value of an option. */
type Read = (texts: readonly string[], flag: string) => unknown;

const last: Read = (texts) => texts.at(-1);
const truth: Read = (texts) => {
  const text = texts.at(-1);
  return text === "true" ? true : text === "false" ? false : text;
};
const number: Read = (texts) => {
  const text = texts.at(-1);
  return Number.isNaN(Number(text)) ? text : Number(text);
};
const list: Read = (texts) => texts.flatMap((text) => text.split(","));
const record: Read = (texts, flag) =>
  Object.fromEntries(
    texts.map((text) => {
      const equals = text.indexOf("=");
      if (equals < 0) throw new CommandFailure(`--${flag} takes name=value, not "${text}"`, 2);
      return [text.slice(0, equals), text.slice(equals + 1)];
    }),
  );
const fileNames: Read = (texts, flag) => {
  const text = texts.at(-1);
  if (text === "default") throw new CommandFailure(`--${flag} default is --${flag} true now`, 2);
  return text === "keep" ? text : text === "true" ? true : list(texts, flag);
};

/** Reads the values of options that do not take one of a few. */
const READERS: Readonly<Record<Kind, Read>> = {
  bytes: number,
  names: list,
  fileNames,
  pairs: record,
  sites: (texts, flag) => parseJson(texts.at(-1) as string, `--${flag}`),
  text: (texts) => readText(texts.at(-1) as string),
  module: last,
};

/** Flags that name a file to read. */
const OPTION_FILES = ["config", "hosts-file", "rules", "page-aliases"];

/** Lists the files that `normalizerOptions` reads. */
export function optionFiles(
  values: Readonly<Record<string, readonly string[] | undefined>>,
): string[] {
  return OPTION_FILES.flatMap((flag) => values[flag] ?? []);
}

/**
 * Returns the options from the flags and the configuration file. Flags have priority. The API checks the values.
 */
export function normalizerOptions(
  values: Readonly<Record<string, readonly string[] | undefined>>,
): NormalizerOptions {
  let options: Record<string, unknown> = {};
  // A spread keeps "__proto__" as a member, which is then refused by its name.
  for (const file of values["config"] ?? []) options = { ...options, ...readConfig(file) };
  for (const { name, option } of DESCRIBED) {
    const texts = values[flagOf(name)];
    if (texts !== undefined) options[name] = readerOf(option.values)(texts, flagOf(name));
  }
  for (const file of values["hosts-file"] ?? []) {
    const aliases = parseHosts(readText(file), file);
    options["hostAliases"] = { ...aliases, ...(options["hostAliases"] as object | undefined) };
  }
  return options as NormalizerOptions;
}

function readerOf(values: OptionEntry["values"]): Read {
  if (typeof values === "string") return READERS[values];
  return values.includes(true) ? truth : last;
}

function readConfig(file: string): object {
  const config = parseJson(readText(file), file);
  if (typeof config !== "object" || config === null || Array.isArray(config)) {
    throw new CommandFailure(`${file} is not an object of options`, 2);
  }
  const { $schema: _, ...options } = config as Record<string, unknown>;
  return options;
}

/** Returns the text of a file in UTF-8, without a byte order mark. */
export function readText(file: string): string {
  try {
    const bytes = readFileSync(file);
    ForeignFormat.check(bytes.subarray(0, FOREIGN_LENGTH), null);
    return withoutMark(bytes.toString());
  } catch (error) {
    if (error instanceof ForeignFormat) {
      throw new CommandFailure(
        `cannot read ${file}: ${error.message}; it must be text in UTF-8`,
        1,
      );
    }
    throw new CommandFailure(`cannot read ${file}: ${describeSystemError(error)}`, 1);
  }
}

function parseJson(text: string, where: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new CommandFailure(`${where} is not JSON: ${(error as Error).message}`, 2);
  }
}
