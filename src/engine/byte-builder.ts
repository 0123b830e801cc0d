import { copyBytes, memoryLike } from "../base/copy-bytes.ts";
import { UrlmillError } from "../base/errors.ts";
import { type StringMemory, stringMemory, writeByteString } from "./strings.ts";

/**
 * Appends bytes to a buffer that doubles when it is full. Throws `BATCH_TOO_LARGE` if the platform
 * has no memory for more.
 */
export class ByteBuilder<B extends ArrayBufferLike = ArrayBuffer> {
  readonly #allocate: (bytes: number) => B;
  #bytes: Uint8Array<B>;
  #memory: StringMemory | null = null;
  length = 0;

  private constructor(memory: Uint8Array<B>, allocate: (bytes: number) => B) {
    this.#allocate = allocate;
    this.#bytes = memory;
  }

  /** Returns a builder with room for `capacity` bytes. */
  static withRoom(capacity: number): ByteBuilder {
    return new ByteBuilder(new Uint8Array(allocated(capacity, unfilled)), unfilled);
  }

  /** Returns a builder in this memory, or one with room for `capacity` bytes. When it is full, it moves to other memory. */
  static inside<B extends ArrayBufferLike>(
    memory: Uint8Array<B> | undefined,
    capacity: number,
  ): ByteBuilder<B | ArrayBuffer> {
    return memory === undefined
      ? ByteBuilder.withRoom(capacity)
      : new ByteBuilder<B | ArrayBuffer>(memory, unfilled);
  }

  /** Returns a builder in this memory. When that is full, it moves to other memory, which is shared if this is. */
  static over<B extends ArrayBufferLike>(memory: B): ByteBuilder<B> {
    return new ByteBuilder(new Uint8Array(memory), (bytes) => memoryLike(memory, bytes));
  }

  /** Empties the builder, which keeps its memory: views that `bytes` returned are overwritten. */
  clear(): void {
    this.length = 0;
  }

  append(bytes: Uint8Array): void {
    this.reserve(bytes.length);
    copyBytes(this.#bytes, bytes, this.length);
    this.length += bytes.length;
  }

  /** Appends a byte string without a buffer for its bytes. On platforms without Buffer it must be ASCII. */
  appendByteString(text: string): void {
    this.reserve(text.length);
    this.#memory ??= stringMemory(this.#bytes);
    writeByteString(this.#memory, text, this.length);
    this.length += text.length;
  }

  /** Returns the memory that the builder is in now. */
  get memory(): B {
    return this.#bytes.buffer;
  }

  /** Returns all bytes so far, without a copy. */
  bytes(): Uint8Array<B> {
    return this.#bytes.subarray(0, this.length);
  }

  /** Returns the memory after the bytes so far. Whoever writes there adds to `length`. */
  get free(): Uint8Array<B> {
    return this.#bytes.subarray(this.length);
  }

  /** Makes sure that there is room for so many more bytes. */
  reserve(more: number): void {
    const length = this.length + more;
    if (length <= this.#bytes.length) return;
    const twice = Math.max(length, 2 * this.#bytes.length);
    const larger = new Uint8Array(allocated(twice, this.#allocate));
    larger.set(this.#bytes.subarray(0, this.length));
    this.#bytes = larger;
    this.#memory = null;
  }
}

/**
 * Returns memory that is not filled with zeros first, if the platform can. Write all of it, or cut off the
 * rest.
 */
export function unfilled(bytes: number): ArrayBuffer {
  return globalThis.Buffer === undefined
    ? new ArrayBuffer(bytes)
    : Buffer.allocUnsafeSlow(bytes).buffer;
}

function allocated<B>(bytes: number, allocate: (bytes: number) => B): B {
  try {
    return allocate(bytes);
  } catch (error) {
    const message = `no memory for a result of ${bytes} bytes (${error}): use smaller batches`;
    throw new UrlmillError("BATCH_TOO_LARGE", message);
  }
}
