import { UrlmillError } from "../base/errors.ts";

/** Holds the options of learning. */
export interface LearnOptions {
  /**
   * Limits the share of a site's pages, of its files and of large page types that rules may lose.
   *
   * @default 0.001
   */
  readonly maxPageLoss?: number | undefined;
}

/** Returns the option, or its default. Throws `BAD_OPTION` for a value that cannot be. */
export function maxPageLossOf({ maxPageLoss = 0.001 }: LearnOptions): number {
  if (maxPageLoss >= 0 && maxPageLoss <= 1) return maxPageLoss;
  throw new UrlmillError(
    "BAD_OPTION",
    `option maxPageLoss cannot be ${maxPageLoss}: expected 0 to 1`,
  );
}
