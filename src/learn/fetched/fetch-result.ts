import { badRule } from "../../site-rules/language/bad-rule.ts";

/** Says what fetching two URLs told. */
export interface FetchResult {
  /**
   * Says whether the two URLs lead to one page; unknown if one was not fetched, or with an error
   * that would not come again.
   */
  readonly result: "same" | "different" | "unknown";
  /** Names the page if the two URLs lead to the same one; null otherwise. */
  readonly page: string | null;
}

const RESULTS = ["same", "different", "unknown"] as const;

/**
 * Reads the columns after a pair. One, or one and an empty one: `same`, `different` or `unknown`. Two:
 * fingerprints of any form, equal where the pages are; unknown where one is empty or says `unknown`.
 * None is unknown. `made` names the page where nothing else does. Throws `BAD_RULES`.
 */
export function readFetchResult(columns: readonly string[], made: string): FetchResult {
  const [first = "", second = "", ...others] = columns;
  if (others.length > 0) {
    throw badRule(`after a pair stand ${columns.length} columns: one result or two fingerprints`);
  }
  const said = RESULTS.find((result) => result === first);
  if (second === "" && said !== undefined) {
    return { result: said, page: said === "same" ? made : null };
  }
  if (columns.length === 1 && first !== "") {
    throw badRule(`"${first}" is not a result: ${RESULTS.join(", ")}, or two fingerprints`);
  }
  const word = columns.find((column) => column === "same" || column === "different");
  if (word !== undefined) throw badRule(`"${word}" stands where a fingerprint is expected`);
  if (columns.length < 2 || columns.some((column) => column === "" || column === "unknown")) {
    return { result: "unknown", page: null };
  }
  return first === second ? { result: "same", page: first } : { result: "different", page: null };
}
