import type { FileHandle } from "node:fs/promises";
import { UrlmillError } from "../../base/errors.ts";
import { allEnded } from "../../base/handled.ts";
import { builtin } from "../../base/peer.ts";
import type { SetFolder } from "../folder/set-folder.ts";
import {
  damagedBlock,
  linesFor,
  partitionName,
  readFully,
  tailBytes,
} from "./files/partition-files.ts";
import type { DiskState, PartitionState } from "./files/state.ts";
import { BLOCK, type DiskKernel, KEY, LINE, PARTITIONS } from "./kernel/disk-kernel.ts";
import { ENTRY, type MemoryPlan, WINDOW } from "./kernel/memory-plan.ts";
import { tailChecksum } from "./merge-partition.ts";

/** What `findInRead` of the kernel answers, as in assembly/disk/find.ts. */
const [PRESENT, BEFORE, DAMAGED] = [1, 2, 3];
/** Blocks that lie this near to each other are read at once. */
const NEAR = 8;
const MOST_BLOCKS = WINDOW / BLOCK;
/** How many blocks are read at a time if the disk has to be asked. */
const AT_A_TIME = 64;
/** How long it may take to read a block, in milliseconds, if it is in the system's memory. */
const CACHED_MS = 0.05;
/** After so many reads at a time, it is tried again whether blocks are in the system's memory. */
const TRY_AGAIN = 32;

/** A key to look for: its row, and the block in which it would be. */
interface Wanted {
  readonly row: number;
  readonly partition: number;
  readonly block: number;
}

/** Blocks of a file that are read at once, and the keys to look for in them. */
interface BlockRange {
  readonly partition: number;
  readonly first: number;
  blocks: number;
  readonly wanted: Wanted[];
}

/** The open file of a partition, whose index is in memory. */
interface OpenPartition {
  readonly state: PartitionState;
  readonly name: string;
  readonly handle: FileHandle;
}

/** Looks for keys in the files of a set: asks filters and indexes in memory, and reads few blocks. */
export class Lookups {
  readonly #kernel: DiskKernel;
  readonly #plan: MemoryPlan;
  readonly #folder: SetFolder;
  readonly #set: number;
  readonly #open: (OpenPartition | null)[] = new Array(PARTITIONS).fill(null);
  /** Whether blocks come from the system's memory; then it takes longer to ask another thread than to read. */
  #isCached = true;
  #readsApart = 0;

  constructor(kernel: DiskKernel, plan: MemoryPlan, folder: SetFolder, set: number) {
    this.#kernel = kernel;
    this.#plan = plan;
    this.#folder = folder;
    this.#set = set;
  }

  /** Sets the answer of each key in the batch to 0 that is in a file, of those whose answer is 1. */
  async find(count: number, state: DiskState): Promise<void> {
    await this.#openTouched(count, state);
    const { calls } = this.#kernel;
    const { keys, answers, finders, found } = this.#plan;
    const maybe = calls.findBlocks(keys, count, answers, finders, found);
    const runs = runsOf(this.#wanted(maybe));
    for (let next = 0; next < runs.length; ) next = await this.#lookInSome(runs, next);
  }

  /** Takes what a merge made of a partition: its index is at `plan.index`, its filter in its place. */
  async replace(partition: number, state: PartitionState): Promise<void> {
    await this.#close(partition);
    const { index } = this.#plan;
    const at = this.#indexAt(partition, state);
    this.#kernel.bytes.copyWithin(at, index, index + state.blocks * ENTRY);
    await this.#setOpen(partition, state, state.lines);
  }

  close(): Promise<void> {
    return allEnded(this.#open.map((_, partition) => this.#close(partition)));
  }

  async #close(partition: number): Promise<void> {
    const open = this.#open[partition];
    this.#open[partition] = null;
    await open?.handle.close();
  }

  /** Opens the files that keys of the batch may be in. */
  async #openTouched(count: number, { partitions }: DiskState): Promise<void> {
    const keys = this.#kernel.view(this.#plan.keys, count * KEY);
    const answers = this.#kernel.view(this.#plan.answers, count);
    const touched = new Set<number>();
    for (let row = 0; row < count; row++) {
      if (answers[row] === 1) touched.add(keys[row * KEY + KEY - 1] as number);
      if (touched.size === PARTITIONS) break;
    }
    for (const partition of touched) {
      const state = partitions[partition] as PartitionState;
      if (this.#open[partition]?.state === state) continue;
      await this.#close(partition);
      if (state.generation > 0) await this.#openFile(partition, state);
    }
  }

  /** Opens a file, and loads its index and its filter. A file that was written without a filter gets one. */
  async #openFile(partition: number, state: PartitionState): Promise<void> {
    const handle = await this.#openToRead(partition, state);
    const name = this.#nameOf(partition, state);
    try {
      const { bytes } = this.#kernel;
      const filter = this.#filterAt(partition);
      const index = this.#indexAt(partition, state);
      const filterBytes = state.lines * LINE;
      const fits = filterBytes <= this.#plan.filterBytes;
      const tail = new Uint8Array(tailBytes(state));
      await readFully(handle, name, tail, state.blocks * BLOCK);
      bytes.set(tail.subarray(filterBytes), index);
      if (fits) bytes.set(tail.subarray(0, filterBytes), filter);
      const indexBytes = state.blocks * ENTRY;
      const checksum = tailChecksum(this.#kernel, filter, filterBytes, index, indexBytes);
      const isWhole = fits
        ? checksum === state.checksum
        : checksum.slice(16) === state.checksum.slice(16);
      if (!isWhole) {
        throw new UrlmillError("SEEN_CORRUPT", `${name} is damaged after its blocks`);
      }
      const lines =
        fits && state.lines > 0
          ? state.lines
          : await this.#makeFilter(partition, state, handle, name);
      await this.#setOpen(partition, state, lines, handle);
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  /** Makes the filter of a file that has none, or one that is too large. Returns its lines. */
  async #makeFilter(
    partition: number,
    state: PartitionState,
    handle: FileHandle,
    name: string,
  ): Promise<number> {
    const lines = linesFor(state.keys, this.#plan.filterBytes);
    if (lines === 0) return 0;
    const filter = this.#filterAt(partition);
    this.#kernel.view(filter, lines * LINE).fill(0);
    const { calls } = this.#kernel;
    const [at] = this.#plan.input;
    calls.setFiles(this.#set, partition, state.generation, 0);
    for (let first = 0; first < state.blocks; first += MOST_BLOCKS) {
      const blocks = Math.min(MOST_BLOCKS, state.blocks - first);
      await readFully(handle, name, this.#kernel.view(at, blocks * BLOCK), first * BLOCK);
      for (let block = 0; block < blocks; block++) {
        if (calls.addBlockToFilter(at + block * BLOCK, first + block, filter, lines) !== 0)
          continue;
        throw damagedBlock(name, first + block);
      }
    }
    return lines;
  }

  async #setOpen(
    partition: number,
    state: PartitionState,
    lines: number,
    opened?: FileHandle,
  ): Promise<void> {
    const name = this.#nameOf(partition, state);
    const handle = opened ?? (await this.#openToRead(partition, state));
    const finder = new Uint32Array(
      this.#kernel.bytes.buffer,
      this.#plan.finders + 16 * partition,
      4,
    );
    finder.set([this.#indexAt(partition, state), state.blocks, this.#filterAt(partition), lines]);
    this.#open[partition] = { state, name, handle };
  }

  #openToRead(partition: number, { generation }: PartitionState): Promise<FileHandle> {
    return this.#folder.open(partitionName(partition, generation), "r");
  }

  #nameOf(partition: number, { generation }: PartitionState): string {
    return this.#folder.pathOf(partitionName(partition, generation));
  }

  #filterAt(partition: number): number {
    return this.#plan.filters + partition * this.#plan.filterBytes;
  }

  #indexAt(partition: number, { blocks }: PartitionState): number {
    const bytes = Math.floor(this.#plan.indexBytes / PARTITIONS / ENTRY) * ENTRY;
    if (blocks * ENTRY <= bytes) return this.#plan.indexes + partition * bytes;
    throw new UrlmillError(
      "SET_FULL",
      `${this.#folder.path} needs more memory to look for URLs at once: set memory, or immediate: false`,
    );
  }

  /** Returns the keys that may be in a file, in the order of files and blocks. */
  #wanted(count: number): Wanted[] {
    const pairs = new Uint32Array(this.#kernel.bytes.buffer, this.#plan.found, 2 * count);
    // Block and row in one number of 48 bits.
    const sorted = Float64Array.from({ length: count }, (_, at) => {
      return (pairs[2 * at] as number) * 0x10000 + (pairs[2 * at + 1] as number);
    }).sort();
    return Array.from(sorted, (number) => {
      const place = Math.floor(number / 0x10000);
      return { row: number % 0x10000, partition: place >>> 24, block: place & 0xffffff };
    });
  }

  /** Looks in the blocks of some runs, from `next` on. Returns which comes after them. */
  async #lookInSome(runs: readonly BlockRange[], next: number): Promise<number> {
    if (this.#isCached) {
      const started = performance.now();
      const run = runs[next] as BlockRange;
      const [at] = this.#plan.input;
      this.#readNow(run, at);
      this.#isCached = performance.now() - started < CACHED_MS * (1 + run.blocks / NEAR);
      await this.#lookIn(run, at);
      return next + 1;
    }
    const some: BlockRange[] = [];
    const places: number[] = [];
    let [at] = this.#plan.input;
    const end = this.#plan.output[0];
    for (
      let run = runs[next];
      run !== undefined && some.length < AT_A_TIME;
      run = runs[next + some.length]
    ) {
      if (at + run.blocks * BLOCK > end) break;
      some.push(run);
      places.push(at);
      at += run.blocks * BLOCK;
    }
    await Promise.all(some.map((run, index) => this.#read(run, places[index] as number)));
    for (const [index, run] of some.entries()) await this.#lookIn(run, places[index] as number);
    this.#readsApart = (this.#readsApart + 1) % TRY_AGAIN;
    this.#isCached = this.#readsApart === 0;
    return next + some.length;
  }

  #readNow({ partition, first, blocks }: BlockRange, at: number): void {
    const { name, handle } = this.#open[partition] as OpenPartition;
    const into = this.#kernel.view(at, blocks * BLOCK);
    const fs = builtin("node:fs");
    for (let done = 0; done < into.length; ) {
      const read = fs.readSync(handle.fd, into, done, into.length - done, first * BLOCK + done);
      if (read === 0)
        throw new UrlmillError("SEEN_CORRUPT", `${name} ends at byte ${first * BLOCK + done}`);
      done += read;
    }
  }

  #read({ partition, first, blocks }: BlockRange, at: number): Promise<void> {
    const { name, handle } = this.#open[partition] as OpenPartition;
    return readFully(handle, name, this.#kernel.view(at, blocks * BLOCK), first * BLOCK);
  }

  async #lookIn({ partition, first, wanted }: BlockRange, at: number): Promise<void> {
    const { state, name } = this.#open[partition] as OpenPartition;
    const { calls } = this.#kernel;
    const { keys, answers } = this.#plan;
    calls.setFiles(this.#set, partition, state.generation, 0);
    for (const { row, block } of wanted) {
      const key = keys + row * KEY;
      const found = calls.findInRead(key, at + (block - first) * BLOCK, block);
      if (found === DAMAGED) throw damagedBlock(name, block);
      if (found === PRESENT) this.#kernel.bytes[answers + row] = 0;
      // The index has 64 of 72 bits of the first key: the block before may have it.
      if (found === BEFORE && block > 0)
        await this.#lookBefore({ row, partition, block: block - 1 });
    }
  }

  /** Looks in the block before one whose first key is greater. It is rare. */
  async #lookBefore(wanted: Wanted): Promise<void> {
    const run = { partition: wanted.partition, first: wanted.block, blocks: 1, wanted: [wanted] };
    const [, at] = this.#plan.output;
    await this.#read(run, at);
    await this.#lookIn(run, at);
  }
}

/** Joins keys whose blocks are near each other. */
function runsOf(wanted: readonly Wanted[]): BlockRange[] {
  const runs: BlockRange[] = [];
  for (const one of wanted) {
    const run = runs.at(-1);
    const blocks = one.block + 1 - (run?.first ?? 0);
    const isNear = run?.partition === one.partition && blocks - run.blocks <= NEAR;
    if (isNear && run !== undefined && blocks <= MOST_BLOCKS) {
      run.blocks = Math.max(run.blocks, blocks);
      run.wanted.push(one);
    } else {
      runs.push({ partition: one.partition, first: one.block, blocks: 1, wanted: [one] });
    }
  }
  return runs;
}
