/** Bytes at which what is handed out begins, so that numbers can be read in place. */
const ALIGNMENT = 8;
/** The most bytes that are kept. A row group that takes more gets memory of its own for the rest. */
const MAX_KEPT = 1 << 28;

/**
 * Hands out memory for the pages of a row group or a column, and uses it again for the next: new memory costs more than filling
 * it.
 */
export class Arena {
  #buffer = new ArrayBuffer(0);
  /** Counts the bytes that were handed out since the last `reset`, those without room too. */
  #used = 0;

  /** Returns memory for so many bytes, whatever they are. It is void after `reset`. */
  take(length: number): Uint8Array<ArrayBuffer> {
    const from = this.#used;
    const end = from + length;
    this.#used = Math.ceil(end / ALIGNMENT) * ALIGNMENT;
    if (end <= this.#buffer.byteLength) return new Uint8Array(this.#buffer, from, length);
    return new Uint8Array(length);
  }

  /** Takes all memory back. Next time there is room for as much. */
  reset(): void {
    const wanted = Math.min(this.#used, MAX_KEPT);
    if (wanted > this.#buffer.byteLength) this.#buffer = new ArrayBuffer(wanted + (wanted >> 3));
    this.#used = 0;
  }
}
