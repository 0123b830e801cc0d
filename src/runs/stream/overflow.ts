import { checkRoom } from "../../io/files/temporary-file.ts";
import type { Slots } from "../../threads/slots.ts";
import { type ChunkResult, SILENT } from "../call/job.ts";
import type { LineOptions } from "../call/options.ts";
import { Tally } from "../call/tally.ts";
import type { PreparedRun } from "../frame/prepare.ts";
import { sayOverflow, spillSetup } from "../frame/spill.ts";
import type { RunKeys } from "../keys/run-keys.ts";
import { SpilledKeys } from "../keys/spilled/spilled-keys.ts";
import type { HeldKeys } from "../keys/stored-keys.ts";
import type { ChosenRows } from "../keys/winners/chosen-rows.ts";
import { ChunkProcessor } from "../rows/chunk-processor.ts";
import { ResultWriter, type ResultWriterSetup } from "./result-writer.ts";
import { type PlacedChunk, SpooledChunks } from "./spooled-chunks.ts";

/**
 * Takes the rest of an input when the set of keys is full. The keys of the set are left out from then on. Chunks and their keys
 * go to temporary files, and the chunks are given again to be written.
 */
export class Overflow {
  readonly #keys: SpilledKeys;
  readonly #chunks: SpooledChunks;
  readonly #processor: ChunkProcessor;
  /** Asks about the rows of chunks, and writes nothing. */
  readonly #asking: ResultWriter;
  readonly #prepared: PreparedRun<LineOptions>;

  private constructor(
    prepared: PreparedRun<LineOptions>,
    keys: SpilledKeys,
    chunks: SpooledChunks,
    asking: ResultWriter,
  ) {
    this.#prepared = prepared;
    this.#keys = keys;
    this.#chunks = chunks;
    this.#asking = asking;
    this.#processor = new ChunkProcessor(prepared.setup, { ...prepared.job, ...SILENT });
  }

  /**
   * Takes the place of a set. `rest`: the bytes of the input that were not read, or 0 if that is not known. Throws an IoError,
   * and `SET_FULL` if the set cannot say what it has.
   */
  static async begin(
    prepared: PreparedRun<LineOptions>,
    full: HeldKeys,
    setup: Omit<ResultWriterSetup, "keys">,
    rest: number,
  ): Promise<Overflow> {
    const { options, memory } = prepared;
    const runKeys = prepared.keys as RunKeys;
    checkRoom(options.tmp, rest, "the rest of the input needs at least");
    if (!options.quiet) sayOverflow(full.size, options);
    const keys = new SpilledKeys(runKeys, spillSetup(options, memory));
    keys.leaveOut(full);
    keys.beginInputs();
    const asking = await ResultWriter.open({
      ...setup,
      keys,
      options: { ...options, out: undefined, errors: undefined, map: undefined },
      tally: new Tally(),
      collector: null,
      shadow: null,
      lists: false,
      counts: false,
      writes: false,
    });
    return new Overflow(prepared, keys, new SpooledChunks(options.tmp), asking);
  }

  /** Takes a chunk, with its result if there is one. Throws a StoppedAtLine after a chunk in which the run is to end. */
  async take(placed: PlacedChunk, outcome: ChunkResult | null): Promise<void> {
    const { chunk, place } = placed;
    this.#chunks.add(placed);
    if (chunk.kind === "long") return this.#asking.passLong(chunk.bytes, chunk.end);
    const { slot, length } = chunk;
    const result = outcome ?? this.#processor.run({ ...slot, length, place });
    slot.output = result.output;
    await this.#asking.take(chunk, place, result, 0);
  }

  /**
   * Returns what answers for the rows of all chunks when they are given again. Throws the reason of `signal`, and an IoError.
   */
  async chosen(signal: AbortSignal): Promise<ChosenRows> {
    const { store } = this.#prepared.keys as RunKeys;
    await this.#asking.close();
    this.#prepared.tally.temporaryBytes += this.#keys.bytesOnDisk + this.#chunks.bytesOnDisk;
    return this.#keys.chosen(store, signal);
  }

  /** Yields the chunks again. */
  chunks(slots: Slots<ArrayBufferLike>): Generator<PlacedChunk, void, undefined> {
    return this.#chunks.chunks(slots);
  }

  /** Removes the temporary files. */
  close(): void {
    this.#keys.close();
    this.#chunks.close();
  }
}
