import { UrlmillError } from "../../base/errors.ts";

/** Makes a `BAD_RULES` error that says why a rule is refused, without its place in the file. */
export function badRule(reason: string): UrlmillError {
  return new UrlmillError("BAD_RULES", reason);
}
