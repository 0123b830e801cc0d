import { UrlmillError } from "../../base/errors.ts";

const BUCKETS = 1 << 16;

/**
 * Counts how many fingerprints of a file begin alike. Those of a keyed hash are spread evenly; in a file from a stranger they
 * may lie together, and a table would take time by the square of their number.
 */
export class Spread {
  readonly #counts = new Uint32Array(BUCKETS);
  readonly #most: number;
  readonly #name: string;

  /** `rows`: of the whole file, `name`, which has each fingerprint once. */
  constructor(rows: number, name: string) {
    const part = rows / BUCKETS;
    // Twelve standard deviations more than their part.
    this.#most = part + 12 * Math.sqrt(part) + 64;
    this.#name = name;
  }

  /** Takes rows of `width` bytes. Those from `at` on, two, are the first that choose a place. Throws `SEEN_CORRUPT`. */
  add(rows: Uint8Array, width: number, at: number): void {
    for (let row = at; row < rows.length; row += width) {
      const bucket = ((rows[row + 1] as number) << 8) | (rows[row] as number);
      const count = (this.#counts[bucket] as number) + 1;
      this.#counts[bucket] = count;
      if (count > this.#most) {
        const message = `${this.#name} is damaged: too many of its fingerprints begin alike`;
        throw new UrlmillError("SEEN_CORRUPT", message);
      }
    }
  }
}
