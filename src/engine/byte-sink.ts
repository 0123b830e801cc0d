/** Bytes appended to a buffer that doubles when it is full. */
export class ByteSink<B extends ArrayBufferLike = ArrayBuffer> {
  readonly #allocate: (bytes: number) => B;
  #bytes: Uint8Array<B>;
  length = 0;

  private constructor(memory: B, allocate: (bytes: number) => B) {
    this.#allocate = allocate;
    this.#bytes = new Uint8Array(memory);
  }

  /** A sink with room for `capacity` bytes. */
  static withRoom(capacity: number): ByteSink {
    return new ByteSink(new ArrayBuffer(capacity), (bytes) => new ArrayBuffer(bytes));
  }

  /** A sink in shared memory, and in other shared memory once that is full. */
  static inShared(memory: SharedArrayBuffer): ByteSink<SharedArrayBuffer> {
    return new ByteSink(memory, (bytes) => new SharedArrayBuffer(bytes));
  }

  append(bytes: Uint8Array): void {
    const length = this.length + bytes.length;
    if (length > this.#bytes.length) {
      const larger = new Uint8Array(this.#allocate(Math.max(length, 2 * this.#bytes.length)));
      larger.set(this.#bytes.subarray(0, this.length));
      this.#bytes = larger;
    }
    this.#bytes.set(bytes, this.length);
    this.length = length;
  }

  /** The memory it is in now. */
  get memory(): B {
    return this.#bytes.buffer;
  }

  /** All bytes so far, without a copy. */
  bytes(): Uint8Array<B> {
    return this.#bytes.subarray(0, this.length);
  }
}
