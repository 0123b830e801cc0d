import { suggestion } from "../../../base/nearest.ts";
import { CommandFailure } from "../../base/failure.ts";

/** Holds what a call gives for its flags, by the names of the flags. A flag that is not given is absent. */
export type Values = Readonly<Record<string, Given | undefined>>;

type Given = string | boolean | readonly (string | boolean)[];

/** Describes one flag: the parser, help, completion, the manual page and the value that a command gets are made from it. */
export interface Flag<T = unknown> {
  /** The name without its two dashes. */
  readonly name: string;
  /** The letter for the flag after one dash. */
  readonly short?: string;
  /** Names the value of the flag, such as `FILE`. A flag with neither a value nor choices takes nothing. */
  readonly value?: string;
  /** Lists the allowed values, the default first. */
  readonly choices?: readonly string[];
  /** Says whether every value counts if the flag is repeated. Otherwise the last value is used. */
  readonly isList?: boolean;
  /** Gives the name that the flag had, so that it is refused with the new one. */
  readonly formerly?: string;
  /** Describes the flag. The help shows this after the choices. */
  readonly text: string;
  /** Returns the value of the flag, or its default. Throws a CommandFailure that names the flag for a wrong value. */
  read(values: Values): T;
}

type Described = Pick<Flag, "name" | "short" | "formerly" | "text">;
type DescribedValue = Described & Required<Pick<Flag, "value">>;

/** Makes a flag that is given or not. */
export function switchFlag(flag: Described): Flag<boolean> {
  return { ...flag, read: (values) => values[flag.name] === true };
}

/** Makes a flag that is given, denied by `--no-` before its name, or left open. */
export function openSwitchFlag(flag: Described): Flag<boolean | undefined> {
  return {
    ...flag,
    read(values) {
      const given = values[flag.name];
      return typeof given === "boolean" ? given : undefined;
    },
  };
}

/** Makes a flag that takes a text. `check`: returns the value that the text means, or throws. */
export function checkedFlag<T>(
  flag: DescribedValue,
  check: (text: string) => T,
): Flag<T | undefined> {
  return {
    ...flag,
    read(values) {
      const text = textsOf(flag, values).at(-1);
      return text === undefined ? undefined : check(text);
    },
  };
}

/** Makes a flag that takes any text, such as the name of a file. */
export function textFlag(flag: DescribedValue): Flag<string | undefined> {
  return checkedFlag(flag, (text) => text);
}

/** Makes a flag of which every value counts. */
export function listFlag(
  flag: DescribedValue,
  check: (text: string) => string = (text) => text,
): Flag<readonly string[]> {
  return { ...flag, isList: true, read: (values) => textsOf(flag, values).map(check) };
}

/** Makes a flag that takes one of a few values. */
export function choiceFlag<const T extends string, const D extends NoInfer<T> | undefined>({
  default: otherwise,
  ...flag
}: Described & { readonly choices: readonly T[]; readonly default: D }): Flag<T | D> {
  return {
    ...flag,
    read(values) {
      const text = textsOf(flag, values).at(-1);
      return text === undefined ? otherwise : choose(flag, text);
    },
  };
}

function choose<T extends string>(
  { name, choices }: { readonly name: string; readonly choices: readonly T[] },
  text: string,
): T {
  const found = choices.find((choice) => choice === text);
  if (found !== undefined) return found;
  const hint = suggestion(text, choices);
  throw new CommandFailure(`--${name} is one of ${choices.join(", ")}, not "${text}"${hint}`, 2);
}

/** Makes a flag that takes a whole number from 1 to `max`. Its text ends with its default. */
export function wholeNumberFlag<D extends number | undefined>({
  default: otherwise,
  max = Number.MAX_SAFE_INTEGER,
  ...flag
}: DescribedValue & { readonly default: D; readonly max?: number }): Flag<number | D> {
  return {
    ...flag,
    text: otherwise === undefined ? flag.text : `${flag.text} (default ${otherwise})`,
    read(values) {
      const text = textsOf(flag, values).at(-1);
      return text === undefined ? otherwise : wholeNumber(flag.name, text, max);
    },
  };
}

function wholeNumber(name: string, text: string, max: number): number {
  const number = /^\d+$/.test(text) ? Number(text) : 0;
  if (number > 0 && number <= max) return number;
  const range = max === Number.MAX_SAFE_INTEGER ? "from 1 on" : `from 1 to ${max}`;
  throw new CommandFailure(`--${name} is a whole number ${range}, not "${text}"`, 2);
}

/** Returns the texts that a call gives for a flag, in their order. */
export function textsOf({ name }: Pick<Flag, "name">, values: Values): string[] {
  return [values[name] ?? []].flat().filter((given) => typeof given === "string");
}

/** Holds the values of some flags, by the names that the flags have in the code. */
export type ValuesOf<Flags extends Readonly<Record<string, Flag>>> = {
  readonly [Name in keyof Flags]: ReturnType<Flags[Name]["read"]>;
};

/** Reads some flags. Throws a CommandFailure for the first wrong value. */
export function readFlags<const Flags extends Readonly<Record<string, Flag>>>(
  flags: Flags,
  values: Values,
): ValuesOf<Flags> {
  const read = Object.entries(flags).map(([name, flag]) => [name, flag.read(values)]);
  return Object.fromEntries(read) as ValuesOf<Flags>;
}

/** Returns the flag of an option of the API: the same name in kebab-case. */
export function flagOf(option: string): string {
  return option.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
