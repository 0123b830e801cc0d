import type { FileHandle } from "node:fs/promises";
import { UrlmillError } from "../../base/errors.ts";
import { openOwn } from "../folder/own-file.ts";
import { damagedBlock, readFully } from "./files/partition-files.ts";
import type { PartitionState } from "./files/state.ts";
import { BLOCK, DiskKernel, KEY, LINE } from "./kernel/disk-kernel.ts";
import { ENTRY } from "./kernel/memory-plan.ts";
import { tailChecksum } from "./merge-partition.ts";

/** Blocks that are read at a time. */
const BLOCKS = 64;
/** The most keys of a block: a distance has at least one byte. */
const MOST_KEYS = BLOCK;
/** What blocks begin at a multiple of. */
const ALIGN = 4096;

export interface PartitionPlace {
  readonly name: string;
  readonly set: number;
  readonly partition: number;
  readonly state: PartitionState;
}

/** Reads files of partitions from their beginning to their end, in a kernel of its own. */
export class PartitionReader {
  readonly #kernel = new DiskKernel();
  readonly #blocks: number;
  readonly #keys: number;

  constructor() {
    const start = this.#kernel.calls.memoryStart();
    this.#blocks = Math.ceil(start / ALIGN) * ALIGN;
    this.#keys = this.#blocks + BLOCKS * BLOCK;
    this.#kernel.reserve(this.#keys + BLOCKS * MOST_KEYS * KEY);
  }

  /** Yields all keys of a file. The next step overwrites their memory. Throws `SEEN_CORRUPT` for a damaged one. */
  async *keys(place: PartitionPlace): AsyncGenerator<Uint8Array, void, undefined> {
    const { name, state } = place;
    const handle = await openOwn(name, "r");
    try {
      let keys = 0;
      for (let block = 0; block < state.blocks; block += BLOCKS) {
        const read = await this.#read(handle, place, block);
        keys += read.length / KEY;
        yield read;
      }
      if (keys !== state.keys) {
        throw new UrlmillError("SEEN_CORRUPT", `${name} has ${keys} keys, not ${state.keys}`);
      }
      await this.#checkTail(handle, place);
    } finally {
      await handle.close();
    }
  }

  /** Returns the keys of some blocks. */
  async #read(
    handle: FileHandle,
    { name, set, partition, state }: PartitionPlace,
    first: number,
  ): Promise<Uint8Array> {
    const { calls } = this.#kernel;
    const count = Math.min(BLOCKS, state.blocks - first);
    const bytes = this.#kernel.view(this.#blocks, count * BLOCK);
    await readFully(handle, name, bytes, first * BLOCK);
    calls.setFiles(set, partition, state.generation, 0);
    let end = this.#keys;
    for (let block = 0; block < count; block++) {
      const keys = calls.keysOfBlock(this.#blocks + block * BLOCK, first + block, end);
      if (keys === 0) throw damagedBlock(name, first + block);
      end += keys * KEY;
    }
    return this.#kernel.view(this.#keys, end - this.#keys);
  }

  /** Reads filter and index. Throws `SEEN_CORRUPT` if they are not as they were written. */
  async #checkTail(handle: FileHandle, { name, state }: PartitionPlace): Promise<void> {
    const filterBytes = state.lines * LINE;
    const indexBytes = state.blocks * ENTRY;
    const filter = this.#blocks;
    const index = filter + filterBytes;
    this.#kernel.reserve(index + indexBytes);
    const tail = this.#kernel.view(filter, filterBytes + indexBytes);
    await readFully(handle, name, tail, state.blocks * BLOCK);
    const checksum = tailChecksum(this.#kernel, filter, filterBytes, index, indexBytes);
    if (checksum === state.checksum) return;
    throw new UrlmillError("SEEN_CORRUPT", `${name} is damaged: its filter or its index`);
  }
}
