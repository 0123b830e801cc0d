import { Status, statusName } from "../../base/status.ts";

/** Marks a record that lacks its URL, in place of an error code of a URL. */
export const NO_FIELD = "NO_FIELD";

/** Marks a URL that a list leaves out, in place of a status. The kernel knows it, too (assembly/status.ts). */
export const BLOCKED = 253;
/** Marks a row that is not a URL and whose text is its key, in place of a status. */
export const KEYED = Status.UNCHANGED;
/** Marks a row without a key that is written, in place of a status. */
export const WRITTEN = 254;
/** Marks a row without a key that is not written, in place of a status. */
export const LEFT_OUT = 255;

/** The code of a URL that a list leaves out, in place of an error code of a URL. */
export const BLOCKED_CODE = "BLOCKED";

/** Returns the code of a row with an error: that of its status, or BLOCKED. */
export function codeOfStatus(status: number): string {
  return status === BLOCKED ? BLOCKED_CODE : statusName(status);
}
