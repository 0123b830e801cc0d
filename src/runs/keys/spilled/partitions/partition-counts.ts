import { TemporaryFile } from "../../../../io/files/temporary-file.ts";
import { PARTITIONS } from "./partitions.ts";

/** The counts of a partition that are read at a time. */
const AT_ONCE = 128;

/**
 * Keeps a count for each written row of partitions in a temporary file, and tells those of each partition again in their order.
 */
export class PartitionCounts {
  readonly #file: TemporaryFile;
  /** Where the next count of each partition is in the file, and where its last one ends. */
  readonly #next = new Float64Array(PARTITIONS);
  readonly #ends = new Float64Array(PARTITIONS);
  /** The counts of each partition that were read and not told yet. */
  readonly #read: Float64Array<ArrayBuffer>[] = Array.from(
    { length: PARTITIONS },
    () => new Float64Array(0),
  );

  /** Throws an IoError. Call `close` afterwards. */
  constructor(folder: string | undefined) {
    this.#file = new TemporaryFile(folder);
  }

  /** Takes all counts of a partition. Throws an IoError. */
  put(partition: number, counts: Float64Array, needed: () => string): void {
    this.#next[partition] = this.#file.size;
    this.#file.append(new Uint8Array(counts.buffer, 0, counts.byteLength), needed);
    this.#ends[partition] = this.#file.size;
  }

  /** Returns the next count of a partition. Throws an IoError. */
  next(partition: number): number {
    const left = this.#read[partition] as Float64Array<ArrayBuffer>;
    const counts = left.length > 0 ? left : this.#more(partition);
    this.#read[partition] = counts.subarray(1);
    return counts[0] as number;
  }

  #more(partition: number): Float64Array<ArrayBuffer> {
    const at = this.#next[partition] as number;
    const bytes = Math.min(8 * AT_ONCE, (this.#ends[partition] as number) - at);
    const counts = new Float64Array(bytes / 8);
    this.#file.read(at, new Uint8Array(counts.buffer));
    this.#next[partition] = at + bytes;
    return counts;
  }

  /** Removes the file. */
  close(): void {
    this.#file.close();
  }
}
