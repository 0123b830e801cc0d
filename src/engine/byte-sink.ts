/** Bytes appended to a buffer that doubles when it is full. */
export class ByteSink {
  #buffer: Uint8Array;
  length = 0;

  constructor(capacity: number) {
    this.#buffer = new Uint8Array(capacity);
  }

  append(bytes: Uint8Array): void {
    const length = this.length + bytes.length;
    if (length > this.#buffer.length) {
      const larger = new Uint8Array(Math.max(length, 2 * this.#buffer.length));
      larger.set(this.#buffer.subarray(0, this.length));
      this.#buffer = larger;
    }
    this.#buffer.set(bytes, this.length);
    this.length = length;
  }

  /** All bytes so far, without a copy. */
  bytes(): Uint8Array {
    return this.#buffer.subarray(0, this.length);
  }
}
