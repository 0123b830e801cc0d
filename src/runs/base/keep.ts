import type { UrlField } from "../../formats/index.ts";
import type { DateOrder } from "./dates.ts";

/** Says where the value is by which records are chosen. */
export interface ValueField extends UrlField {
  /** How values are dates that compare wrongly byte by byte. */
  readonly dates?: DateOrder | undefined;
}

/** Says which record of each key is written: the first, the last, or the first with the greatest or least value of a field. */
export type Keep =
  | { readonly which: "first" | "last" }
  | { readonly which: "max" | "min"; readonly field: ValueField };

/** Says what a run writes of the records of a key. */
export interface KeepOptions {
  readonly keep: Keep;
  /** Says whether records are written with the number of the records of their key. */
  readonly count: boolean;
  /** Says whether only keys are written that several records have. */
  readonly repeated: boolean;
  readonly seen: string | undefined;
  /** The files whose keys are left out. */
  readonly exclude: readonly unknown[];
  /** The sets whose keys are left out. */
  readonly excludedSets: readonly string[];
}

/** Returns the field by whose values records are chosen, or null. */
export function valueFieldOf(keep: Keep): ValueField | null {
  return "field" in keep ? keep.field : null;
}

/** Returns whether the inputs must be read twice, because only the last record tells which ones are written. */
export function readsTwice({
  keep: { which },
  count,
  repeated,
}: Pick<KeepOptions, "keep" | "count" | "repeated">): boolean {
  return which !== "first" || count || repeated;
}

/** Returns whether there are keys to leave out, besides those of the records that were written. */
export function leavesOut({
  seen,
  exclude,
  excludedSets,
}: Pick<KeepOptions, "seen" | "exclude" | "excludedSets">): boolean {
  return seen !== undefined || exclude.length + excludedSets.length > 0;
}
