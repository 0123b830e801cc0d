import { UrlmillError } from "../../errors.ts";

/** Creates a `BAD_RULES` error that says what a rule cannot be, without the place it stands. */
export function badRule(reason: string): UrlmillError {
  return new UrlmillError("BAD_RULES", reason);
}
