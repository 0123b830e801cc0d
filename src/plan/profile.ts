/**
 * Lists the values of each option (`urlmill help options`) that is a plain choice. The first value is that of preset
 * `safe`.
 */
export const CHOICES = {
  /**
   * Writes http and https as this scheme. Removes a port that is the default of the old or the new scheme.
   *
   * @default "keep"; "https" in preset `aggressive`
   */
  scheme: ["keep", "http", "https"],
  /**
   * Removes the dot at the end of a host.
   *
   * @default "keep"; "remove" in presets `crawl` and `aggressive`
   */
  trailingDot: ["keep", "remove"],
  /**
   * Removes the port, even one that is not the default of the scheme.
   *
   * @default "keep"
   */
  explicitPort: ["keep", "remove"],
  /**
   * Removes or adds the first label `www` of a host. It removes `www` only if two labels remain, and never
   * adds it to an IP address or a host of one label.
   *
   * @default "keep"; "remove" in preset `aggressive`
   */
  www: ["keep", "remove", "add"],
  /**
   * Takes `www` and one to three digits for `www`, if `www` is `"remove"`.
   *
   * @default false
   */
  wwwDigits: [false, true],
  /**
   * Removes user name and password.
   *
   * @default "keep"; "remove" in preset `aggressive`
   */
  userinfo: ["keep", "remove"],
  /**
   * Removes session ids in forms that cannot name content: `;jsessionid=` in path and query,
   * `PHPSESSID`, `ASPSESSIONID*`, `CFID` with `CFTOKEN`, `_sessionid`, `Bv_SessionID`,
   * `/(S(...))/`; never `sid`.
   *
   * @default "keep"; "remove" in presets `crawl` and `aggressive`
   */
  sessionIds: ["keep", "remove"],
  /**
   * Writes ASCII letters of the path, or of path and query, in lower case, but not those of a
   * triplet.
   *
   * @default "keep"
   */
  case: ["keep", "lower-path", "lower-path-query"],
  /**
   * Writes several slashes in a path as one. The `//` after a scheme inside a path stays.
   *
   * @default "keep"; "collapse" in presets `c14n` and `aggressive`
   */
  duplicateSlashes: ["keep", "collapse"],
  /**
   * Adds or removes the slash at the end of a path. It adds none if the last segment holds a dot, and the
   * root keeps its slash.
   *
   * @default "keep"; "remove" in preset `aggressive`
   */
  trailingSlash: ["keep", "add", "remove"],
  /**
   * Compares names of query parameters without ASCII case.
   *
   * @default "keep"
   */
  paramCase: ["keep", "ignore"],
  /**
   * Removes query parameters that only ever mark a click or a campaign, such as `utm_*`, `gclid`
   * and `fbclid`; also `#utm_...` and `#xtor=...` that hold nothing else.
   *
   * @default "keep"; "remove" in presets `crawl` and `aggressive`
   */
  trackingParams: ["keep", "remove"],
  /**
   * Removes the empty pieces of a query, as in `a&&b`.
   *
   * @default "keep"; "remove" in presets `crawl`, `c14n` and `aggressive`
   */
  emptyParams: ["keep", "remove"],
  /**
   * Removes query parameters with an empty value, as in `a=`.
   *
   * @default "keep"
   */
  emptyValues: ["keep", "remove"],
  /**
   * Keeps only the first or the last query parameter of those with one name.
   *
   * @default "keep"
   */
  repeatedParams: ["keep", "first", "last"],
  /**
   * Writes `?a` as `?a=`.
   *
   * @default "keep"; "add-equals" in presets `c14n` and `aggressive`
   */
  valuelessParams: ["keep", "add-equals"],
  /**
   * Sorts query parameters by their bytes. `name` keeps the order of equal names; `name-value` sorts them by
   * value (RFC 5849 3.4.1.3.2).
   *
   * @default "keep"; "name" in presets `crawl` and `aggressive`, "name-value" in `c14n`
   */
  sortQuery: ["keep", "name", "name-value"],
  /**
   * Removes the `?` of an empty query.
   *
   * @default "keep"; "remove" in presets `crawl`, `c14n` and `aggressive`
   */
  emptyQuery: ["keep", "remove"],
  /**
   * Removes the fragment. `keep-route` keeps `#!...` and `#/...`, `remove-empty` removes a lone
   * `#`, `remove-text` removes `:~:...` directives.
   *
   * @default "keep"; "remove" in presets `crawl` and `aggressive`
   */
  fragment: ["keep", "remove", "keep-route", "remove-empty", "remove-text"],
} as const;

/** Names an option that is a plain choice. */
export type ChoiceName = keyof typeof CHOICES;
/** Holds a value for each option that is a plain choice. */
export type Choices = { [Name in keyof typeof CHOICES]: (typeof CHOICES)[Name][number] };

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
