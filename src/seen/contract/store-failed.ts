import { UrlmillError } from "../../base/errors.ts";
import { describeSystemError } from "../../io/io-error.ts";

/** Returns an error of urlmill as it is, and any other as `SEEN_FAILED` with the name of the set. */
export function storeFailed(where: string, error: unknown): UrlmillError {
  if (error instanceof UrlmillError) return error;
  return new UrlmillError("SEEN_FAILED", `${where}: ${describeSystemError(error)}`);
}
