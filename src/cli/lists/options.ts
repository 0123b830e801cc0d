import type { ValuesOf } from "../../runs/call/flags/flag.ts";
import type { LISTS_FLAGS } from "./commands.ts";

/** Holds the arguments of a part of `urlmill lists`. */
export interface ListsArguments extends ValuesOf<typeof LISTS_FLAGS> {
  readonly files: readonly string[];
}
