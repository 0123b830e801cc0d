import { shellWord } from "../../base/shell-word.ts";
import { visible } from "../../io/text/visible.ts";
import type { NormalizerOptions } from "../../options/catalog.generated.ts";
import { flagOf } from "../../runs/call/flags/flag.ts";

/** Returns the flags that set options on the command line. */
export function optionFlags(options: NormalizerOptions): string[] {
  return Object.entries(options).flatMap(([name, value]: [string, unknown]) =>
    textsOf(name, value).flatMap((text) => [`--${flagOf(name)}`, text]),
  );
}

/** Writes such flags for a shell. */
export function flagsText(flags: readonly string[]): string {
  return flags.map((text, at) => (at % 2 === 0 ? text : shellWord(visible(text)))).join(" ");
}

/** Returns the values that the flag of an option takes, one for each time that it is given. */
function textsOf(name: string, value: unknown): string[] {
  if (name === "sites") return [JSON.stringify(value)];
  if (Array.isArray(value)) return [value.join(",")];
  if (typeof value !== "object" || value === null) return [String(value)];
  return Object.entries(value).map(([from, to]) => `${from}=${to}`);
}
