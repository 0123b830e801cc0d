/**
 * The choices of docs/spec.md 4 that one site can make for itself; the first value is
 * what preset `safe` does.
 */
export const CHOICES = {
  scheme: ["keep", "http", "https"],
  trailingDot: ["keep", "remove"],
  explicitPort: ["keep", "remove"],
  www: ["keep", "remove", "add"],
  wwwDigits: [false, true],
  userinfo: ["keep", "remove"],
  sessionIds: ["keep", "remove"],
  case: ["keep", "lower-path", "lower-path-query"],
  duplicateSlashes: ["keep", "collapse"],
  trailingSlash: ["keep", "add", "remove"],
  paramCase: ["keep", "ignore"],
  trackingParams: ["keep", "remove"],
  emptyParams: ["keep", "remove"],
  emptyValues: ["keep", "remove"],
  repeatedParams: ["keep", "first", "last"],
  valuelessParams: ["keep", "add-equals"],
  sortQuery: ["keep", "name", "name-value"],
  emptyQuery: ["keep", "remove"],
  fragment: ["keep", "remove", "keep-route", "remove-empty", "remove-text"],
} as const;

export type ChoiceName = keyof typeof CHOICES;
export type Choices = { [Name in ChoiceName]: (typeof CHOICES)[Name][number] };

/** Everything that can be set for one site, resolved: what the engines act on. */
export interface Profile extends Choices {
  /** File names, in lower case, to remove as the last path segment; compared without ASCII case. */
  readonly directoryIndex: readonly string[];
  /** Names that alone stay, or null for all; patterns as in `dropParams`. */
  readonly keepParams: readonly string[] | null;
  /** Names to drop: `name`, `prefix*` or `*suffix`; lower-case where `paramCase` is `ignore`. */
  readonly dropParams: readonly string[];
  /** Parameters to drop where they have the value. */
  readonly defaultParams: Readonly<Record<string, string>>;
}
