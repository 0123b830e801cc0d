import type { NormalizerOptions } from "../../options/catalog.generated.ts";
import { flagOf } from "../flags/option-flags.ts";

/** Returns the flags that set options on the command line. */
export function optionFlags(options: NormalizerOptions): string[] {
  return Object.entries(options).flatMap(([name, value]: [string, unknown]) =>
    textsOf(name, value).flatMap((text) => [`--${flagOf(name)}`, text]),
  );
}

/** Returns the values that the flag of an option takes, one for each time that it is given. */
function textsOf(name: string, value: unknown): string[] {
  if (name === "sites") return [JSON.stringify(value)];
  if (Array.isArray(value)) return [value.join(",")];
  if (typeof value !== "object" || value === null) return [String(value)];
  return Object.entries(value).map(([from, to]) => `${from}=${to}`);
}
