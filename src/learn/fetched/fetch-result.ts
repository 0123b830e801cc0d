import { badRule } from "../../site-rules/data-lines.ts";

/** Says what fetching two URLs told. */
export interface FetchResult {
  /**
   * Says whether the two URLs lead to one page; unknown if one was not fetched, or with an error that would not come
   * again.
   */
  readonly result: "same" | "different" | "unknown";
  /** Names the page if the two URLs lead to the same one; null otherwise. */
  readonly page: string | null;
}

const RESULTS = ["same", "different", "unknown"] as const;

/**
 * Reads the columns after a pair. A single value is `same`, `different` or `unknown`. Two values are fingerprints of
 * any form, which are equal if the pages are equal. The result is unknown without a value, or if one of two is empty or
 * `unknown`. `made` names the page if both are the `same`. Throws `BAD_RULES` for anything else.
 */
export function readFetchResult(columns: readonly string[], made: string): FetchResult {
  const [first = "", second = "", ...others] = columns;
  if (others.length > 0) {
    throw badRule(
      `a pair has ${columns.length} columns after it, not one result or two fingerprints`,
    );
  }
  const said = RESULTS.find((result) => result === first);
  if (second === "" && said !== undefined) {
    return { result: said, page: said === "same" ? made : null };
  }
  if (columns.length === 1 && first !== "") {
    throw badRule(`"${first}" is not a result: ${RESULTS.join(", ")}, or two fingerprints`);
  }
  const word = columns.find((column) => column === "same" || column === "different");
  if (word !== undefined)
    throw badRule(`"${word}" is not a fingerprint, and the other column has one`);
  if (columns.length < 2 || columns.some((column) => column === "" || column === "unknown")) {
    return { result: "unknown", page: null };
  }
  return first === second ? { result: "same", page: first } : { result: "different", page: null };
}
