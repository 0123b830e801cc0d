import { address, KernelInstance, unavailable } from "./instance.ts";

/** Runs an instance of the kernel that only divides fingerprints among the tables of a set. */
export class ShardKernel {
  readonly #instance: KernelInstance;
  readonly #bits: 128 | 64;
  readonly #shards: number;
  /** Holds the whole memory, which never grows. */
  readonly #bytes: Uint8Array<ArrayBuffer>;
  readonly #ends: Int32Array<ArrayBuffer>;
  #rows = 0;

  /**
   * Makes room to divide `rows` fingerprints of `bits` bits among `shards` tables, as many as a power of two. Throws
   * `ENGINE_UNAVAILABLE` if the platform has no memory for it.
   */
  constructor(bits: 128 | 64, shards: number, rows: number, module: WebAssembly.Module) {
    this.#instance = new KernelInstance(module);
    this.#bits = bits;
    this.#shards = shards;
    const { exports } = this.#instance;
    if (this.#instance.run(() => exports.reserveSet(rows, 1)) === 0) {
      throw unavailable(`no memory to divide ${rows} fingerprints`);
    }
    const { buffer } = exports.memory;
    this.#bytes = new Uint8Array(buffer as ArrayBuffer);
    this.#ends = new Int32Array(buffer as ArrayBuffer, address(exports.partitionEnds), shards);
  }

  /** Counts the bytes of its memory. */
  get bytes(): number {
    return this.#bytes.length;
  }

  /** Divides fingerprints, at most as many as there is room for. They keep their order within a table. */
  split(fingerprints: Uint8Array): void {
    const { exports } = this.#instance;
    this.#rows = fingerprints.length / (this.#bits >> 3);
    this.#bytes.set(fingerprints, address(exports.fingerprints));
    this.#instance.run(() => exports.splitByShard(this.#rows, this.#shards, this.#bits));
  }

  /** Returns a view of the fingerprints of a table. It is valid until the next table is answered. */
  rowsOf(shard: number): Uint8Array {
    const width = this.#bits >> 3;
    const start = address(this.#instance.exports.outputStart);
    return this.#bytes.subarray(
      start + this.#begin(shard) * width,
      start + (this.#ends[shard] as number) * width,
    );
  }

  /**
   * Takes the answers of a table, one byte for each of its fingerprints. They overwrite fingerprints of that table and
   * of those before it, so answer for the tables in their order.
   */
  answer(shard: number, answers: Uint8Array): void {
    const start = address(this.#instance.exports.outputStart);
    this.#bytes.set(answers, start + this.#begin(shard));
  }

  /**
   * Returns a view of the answers for all fingerprints, in the order in which they came. Call it once, after all tables
   * are answered.
   */
  answers(): Uint8Array {
    const { exports } = this.#instance;
    this.#instance.run(() => exports.joinAnswers(this.#rows, this.#shards));
    const start = address(exports.marks);
    return this.#bytes.subarray(start, start + this.#rows);
  }

  #begin(shard: number): number {
    return shard === 0 ? 0 : (this.#ends[shard - 1] as number);
  }
}
