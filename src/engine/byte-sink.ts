import { UrlmillError } from "../errors.ts";
import { copyBytes } from "./copy-bytes.ts";
import { type StringMemory, stringMemory, writeAscii } from "./strings.ts";

/**
 * Appends bytes to a buffer that doubles when it is full. Throws `BATCH_TOO_LARGE` if the platform
 * has no memory for more.
 */
export class ByteSink<B extends ArrayBufferLike = ArrayBuffer> {
  readonly #allocate: (bytes: number) => B;
  #bytes: Uint8Array<B>;
  #memory: StringMemory | null = null;
  length = 0;

  private constructor(memory: B, allocate: (bytes: number) => B) {
    this.#allocate = allocate;
    this.#bytes = new Uint8Array(memory);
  }

  /** A sink with room for `capacity` bytes. */
  static withRoom(capacity: number): ByteSink {
    return new ByteSink(allocated(capacity, unfilled), unfilled);
  }

  /** A sink in shared memory, and in other shared memory once that is full. */
  static inShared(memory: SharedArrayBuffer): ByteSink<SharedArrayBuffer> {
    return new ByteSink(memory, (bytes) => new SharedArrayBuffer(bytes));
  }

  /** Begins anew in the same memory: views that `bytes` gave are written over. */
  clear(): void {
    this.length = 0;
  }

  append(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    copyBytes(this.#bytes, bytes, this.length);
    this.length += bytes.length;
  }

  /** Appends a text of ASCII, which is not turned into bytes of its own first. */
  appendAscii(text: string): void {
    this.#reserve(text.length);
    this.#memory ??= stringMemory(this.#bytes);
    writeAscii(this.#memory, text, this.length);
    this.length += text.length;
  }

  /** The memory it is in now. */
  get memory(): B {
    return this.#bytes.buffer;
  }

  /** All bytes so far, without a copy. */
  bytes(): Uint8Array<B> {
    return this.#bytes.subarray(0, this.length);
  }

  #reserve(more: number): void {
    const length = this.length + more;
    if (length <= this.#bytes.length) return;
    const twice = Math.max(length, 2 * this.#bytes.length);
    const larger = new Uint8Array(allocated(twice, this.#allocate));
    larger.set(this.#bytes.subarray(0, this.length));
    this.#bytes = larger;
    this.#memory = null;
  }
}

/** Returns memory that is not filled with zeros first, where the platform has it: it must all be written, or cut off. */
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
