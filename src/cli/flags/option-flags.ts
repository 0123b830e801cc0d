import type { DescribedOption, Group, Kind, OptionEntry } from "../../options/catalog.ts";
import { DESCRIBED } from "../../options/described.generated.ts";
import { CommandFailure } from "../../runs/base/failure.ts";
import { type Flag, flagOf, listFlag, textsOf } from "../../runs/call/flags/flag.ts";
import { parseJson, readText } from "../read-text.ts";
import type { FlagGroup } from "./command.ts";

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
const list: Read = (texts) => texts.flatMap((text) => text.split(",").map((name) => name.trim()));
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

function readerOf(values: OptionEntry["values"]): Read {
  if (typeof values === "string") return READERS[values];
  return values.includes(true) ? truth : last;
}

/** Makes the flag of an option. It gives the option's value, unchecked, or undefined. */
function flagOfOption({ name: option, summary, option: entry }: DescribedOption): Flag {
  const { values, flag, formerly } = entry;
  const name = flagOf(option);
  return {
    name,
    ...(flag?.short === undefined ? {} : { short: flag.short }),
    isList: true,
    text: flag?.text ?? summary,
    ...(typeof values === "string"
      ? { value: flag?.value ?? "FILE" }
      : { choices: values.map(String) }),
    ...(formerly === undefined ? {} : { formerly: flagOf(formerly) }),
    read(given) {
      const texts = textsOf({ name }, given);
      return texts.length === 0 ? undefined : readerOf(values)(texts, name);
    },
  };
}

export const OPTION_FLAGS: ReadonlyMap<string, Flag> = new Map(
  DESCRIBED.map((described) => [described.name, flagOfOption(described)]),
);

function flagsOf(group: Group): Flag[] {
  return DESCRIBED.filter(({ option }) => option.group === group).map(({ name }) => named(name));
}

function named(option: string): Flag {
  return OPTION_FLAGS.get(option) as Flag;
}

/** Names files of options. */
export const CONFIG_FLAG = listFlag({
  name: "config",
  value: "FILE",
  text: "read options as JSON; flags override it",
});

/** Names files of aliases. */
export const HOSTS_FLAG = listFlag({
  name: "hosts-file",
  formerly: "hosts",
  value: "FILE",
  text: "read host aliases from a hosts file",
});

export const PRESET_FLAG = named("preset");

/** Names a file of rules for sites. */
export const RULES_FLAG = named("rules");

/** Names a file of pairs of URLs that have one page. */
export const PAGE_ALIASES_FLAG = named("pageAliases");

/** Chooses the engine. It changes no result. */
export const ENGINE_FLAG = named("engine");

/** Holds the flags for options that change results, grouped by what they change. */
export const OPTION_GROUPS: readonly FlagGroup[] = [
  { title: "Options; the first value is preset safe's", flags: [CONFIG_FLAG, ...flagsOf("from")] },
  { title: "Reading", flags: flagsOf("reading") },
  { title: "Scheme, user and host", flags: [...flagsOf("host"), HOSTS_FLAG] },
  { title: "Path", flags: flagsOf("path") },
  { title: "Query and fragment", flags: flagsOf("query") },
];
