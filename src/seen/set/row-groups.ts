import { ByteBuilder } from "../../engine/byte-builder.ts";
import { type AskedRows, keyedRows } from "../../fingerprints/fingerprint-rows.ts";

/** Holds the rows of a piece that waits for its answers. */
interface WaitingPiece {
  /** The rows that are asked about. */
  readonly rows: number;
  readonly spread: AskedRows["spread"];
}

/**
 * Asks about the pieces of a batch, and gathers their answers. Large sets answer many rows faster than a few at a time,
 * so pieces for them are joined to groups.
 */
export class RowGroups {
  readonly #width: number;
  readonly #most: () => number;
  readonly #ask: (fingerprints: Uint8Array) => Uint8Array;
  readonly #waiting: WaitingPiece[] = [];
  readonly #fingerprints = ByteBuilder.withRoom(0);
  readonly #answers = ByteBuilder.withRoom(1 << 14);

  /**
   * `width`: bytes of a fingerprint. `most`: the rows of a group at most, or 0 if each piece is asked about as it comes;
   * it is called before each piece. `ask` answers for fingerprints, and may change them.
   */
  constructor(width: number, most: () => number, ask: (fingerprints: Uint8Array) => Uint8Array) {
    this.#width = width;
    this.#most = most;
    this.#ask = ask;
  }

  /** Adds a piece, whose memory may be overwritten afterwards. */
  add(fingerprints: Uint8Array, status: Uint8Array): void {
    const most = this.#most();
    const isAlone = status.length > most;
    if (isAlone || this.#rows + status.length > most) this.#askWaiting();
    const keyed = keyedRows(fingerprints, isAlone ? status : status.slice(), this.#width);
    if (isAlone) {
      this.#answers.append(keyed.spread(this.#ask(keyed.fingerprints)));
      return;
    }
    this.#waiting.push({ rows: keyed.fingerprints.length / this.#width, spread: keyed.spread });
    this.#fingerprints.append(keyed.fingerprints);
  }

  /** Returns the answers for all pieces. Call it after the last one. */
  end(): Uint8Array {
    this.#askWaiting();
    return this.#answers.bytes();
  }

  /** Returns the answers so far: those for the first rows. */
  get answers(): Uint8Array {
    return this.#answers.bytes();
  }

  get #rows(): number {
    return this.#fingerprints.length / this.#width;
  }

  #askWaiting(): void {
    if (this.#waiting.length === 0) return;
    const answers = this.#ask(this.#fingerprints.bytes());
    let first = 0;
    for (const { rows, spread } of this.#waiting) {
      this.#answers.append(spread(answers.subarray(first, first + rows)));
      first += rows;
    }
    this.#waiting.length = 0;
    this.#fingerprints.clear();
  }
}
