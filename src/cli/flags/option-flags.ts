import type { DescribedOption, Group } from "../../options/catalog.ts";
import { DESCRIBED } from "../../options/described.generated.ts";
import type { Flag, FlagGroup } from "./flag.ts";

/** Returns the flag of an option of the API: the same name in kebab-case. */
export function flagOf(option: string): string {
  return option.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** Returns the flags of the options of a group. */
function flagsOf(group: Group): Flag[] {
  return DESCRIBED.filter(({ option }) => option.group === group).map(flagOfOption);
}

function flagOfOption({ name, summary, option }: DescribedOption): Flag {
  const { values, flag, formerly } = option;
  return {
    name: flagOf(name),
    isList: true,
    text: flag?.text ?? summary,
    ...(typeof values === "string"
      ? { value: flag?.value ?? "FILE" }
      : { choices: values.map(String) }),
    ...(formerly === undefined ? {} : { formerly: flagOf(formerly) }),
  };
}

const CONFIG: Flag = {
  name: "config",
  value: "FILE",
  isList: true,
  text: "read options as JSON; flags win over it",
};

const HOSTS: Flag = {
  name: "hosts-file",
  formerly: "hosts",
  value: "FILE",
  isList: true,
  text: "read host aliases from a hosts file",
};

/** Chooses the engine. It changes no result. */
export const [ENGINE_FLAG] = flagsOf("run") as [Flag];

/** Resolves relative references. */
export const BASE_FLAG: Flag = {
  name: "base",
  value: "URL",
  text: "resolve relative references against URL",
};

/** Holds the flags for options that change results, grouped by what they change. */
export const OPTION_GROUPS: readonly FlagGroup[] = [
  { title: "Options; the first value is preset safe's", flags: [CONFIG, ...flagsOf("from")] },
  { title: "Reading", flags: flagsOf("reading") },
  { title: "Scheme, user and host", flags: [...flagsOf("host"), HOSTS] },
  { title: "Path", flags: flagsOf("path") },
  { title: "Query and fragment", flags: flagsOf("query") },
];
