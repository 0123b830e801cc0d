import { UrlmillError } from "../../errors.ts";

/** What a rule cannot be, said without the place it stands. */
export function badRule(reason: string): UrlmillError {
  return new UrlmillError("BAD_RULES", reason);
}
