import type { Choices } from "./catalog.generated.ts";

/** Holds everything that can be set for one site, with presets and defaults filled in. */
export interface Profile extends Choices {
  /**
   * Lists the file names, in lower case, to remove as the last path segment; they are compared
   * without ASCII case.
   */
  readonly directoryIndex: readonly string[];
  /** Lists the only names to keep, or is null for all; patterns are as in `dropParams`. */
  readonly keepParams: readonly string[] | null;
  /**
   * Lists the names to drop: `name`, `prefix*` or `*suffix`, in lower case if `paramCase` is
   * `ignore`.
   */
  readonly dropParams: readonly string[];
  /** Maps names to values: a parameter with that value is dropped. */
  readonly defaultParams: Readonly<Record<string, string>>;
}
