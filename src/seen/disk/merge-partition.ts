import type { FileHandle } from "node:fs/promises";
import { UrlmillError } from "../../base/errors.ts";
import { markHandled } from "../../base/handled.ts";
import type { SetFolder } from "../folder/set-folder.ts";
import {
  damagedBlock,
  distanceBytes,
  linesFor,
  partitionName,
  readFully,
  writeFully,
} from "./files/partition-files.ts";
import type { PartitionState } from "./files/state.ts";
import { BLOCK, type DiskKernel, LINE, ROW } from "./kernel/disk-kernel.ts";
import { ENTRY, type MemoryPlan, MOST_BLOCKS, WINDOW } from "./kernel/memory-plan.ts";

/** What `merge` of the kernel answers, as in assembly/disk/merge.ts. */
const [NEEDS_INPUT, NEEDS_OUTPUT, , DAMAGED] = [0, 1, 2, 3];

export interface MergePlace {
  readonly folder: SetFolder;
  readonly set: number;
  readonly partition: number;
  readonly old: PartitionState;
  /** The generation that the new file comes after, if the old one is not of a later one. */
  readonly after: number;
  /** Rows of the partition from `plan.rows` on, in the order in which they came. */
  readonly rows: number;
}

/** What a merge made: a file that is written and not durable yet, and the numbers of the rows that were new. */
export interface Merged {
  readonly state: PartitionState;
  readonly handle: FileHandle;
  /** A view of memory that the next merge overwrites. */
  readonly fresh: Uint8Array;
}

/** Merges rows into a new file of their partition. Throws `SEEN_CORRUPT` for a damaged block of the old file. */
export async function mergePartition(
  kernel: DiskKernel,
  plan: MemoryPlan,
  place: MergePlace,
): Promise<Merged> {
  const { calls } = kernel;
  const { old, partition, folder } = place;
  const end = plan.rows + place.rows * ROW;
  calls.sortRows(plan.rows, end, plan.sorted, plan.counters);
  const lines = linesFor(old.keys + place.rows, plan.filterBytes);
  const filter = plan.filters + partition * plan.filterBytes;
  const generation = Math.max(old.generation, place.after) + 1;
  calls.setFiles(place.set, partition, old.generation, generation);
  const sortedEnd = plan.sorted + place.rows * ROW;
  const width = distanceBytes(old.keys + place.rows);
  calls.beginMerge(plan.sorted, sortedEnd, width, plan.index, filter, lines, plan.fresh);
  const handle = await folder.create(partitionName(partition, generation));
  try {
    const input = await Input.open(kernel, plan, place);
    try {
      await run(kernel, plan, input, handle);
    } finally {
      await input.close();
    }
    const { value: blocks } = calls.blocksWritten;
    const written = { generation, keys: calls.keysWritten.value, blocks, lines, checksum: "" };
    const checksum = await writeTail(kernel, plan, handle, written, filter);
    const fresh = kernel.view(plan.fresh, calls.freshEnd() - plan.fresh);
    return { state: { ...written, checksum }, handle, fresh };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Merges blocks: while one window is merged, the next is read and the last is written. */
async function run(
  kernel: DiskKernel,
  plan: MemoryPlan,
  input: Input,
  handle: FileHandle,
): Promise<void> {
  const { calls } = kernel;
  let [window, position] = [0, 0];
  let writing: Promise<void> = Promise.resolve();
  const begin = (): number => plan.output[window & 1] as number;
  const give = (): void => {
    if (calls.blocksWritten.value + WINDOW / BLOCK > MOST_BLOCKS) throw input.full();
    calls.setOutput(begin(), begin() + WINDOW);
  };
  const write = async (): Promise<void> => {
    const view = kernel.view(begin(), calls.outputWritten() - begin());
    const at = position;
    position += view.length;
    await writing;
    writing = markHandled(writeFully(handle, view, at)); // the next `write` throws its error, or the end
    window++;
  };
  give();
  try {
    for (;;) {
      const state = calls.merge();
      if (state === NEEDS_INPUT) await input.give();
      else if (state === DAMAGED) throw input.damage();
      else {
        await write();
        if (state !== NEEDS_OUTPUT) return;
        give();
      }
    }
  } finally {
    await writing;
  }
}

/** Writes filter and index after the blocks. Returns their checksum. */
async function writeTail(
  kernel: DiskKernel,
  plan: MemoryPlan,
  handle: FileHandle,
  state: PartitionState,
  filter: number,
): Promise<string> {
  const at = state.blocks * BLOCK;
  const filterBytes = state.lines * LINE;
  const indexBytes = state.blocks * ENTRY;
  await writeFully(handle, kernel.view(filter, filterBytes), at);
  await writeFully(handle, kernel.view(plan.index, indexBytes), at + filterBytes);
  return tailChecksum(kernel, filter, filterBytes, plan.index, indexBytes);
}

/** Returns the checksums of a filter and of an index. */
export function tailChecksum(
  kernel: DiskKernel,
  filter: number,
  filterBytes: number,
  index: number,
  indexBytes: number,
): string {
  return `${kernel.checksum(filter, filterBytes)}${kernel.checksum(index, indexBytes)}`;
}

/** Reads the blocks of a file, a window ahead of the merge. */
class Input {
  readonly #kernel: DiskKernel;
  readonly #plan: MemoryPlan;
  readonly #place: MergePlace;
  readonly #handle: FileHandle | null;
  readonly #name: string;
  readonly #bytes: number;
  #window = 0;
  #read: Promise<number>;

  private constructor(
    kernel: DiskKernel,
    plan: MemoryPlan,
    place: MergePlace,
    name: string,
    handle: FileHandle | null,
  ) {
    this.#kernel = kernel;
    this.#plan = plan;
    this.#place = place;
    this.#name = name;
    this.#handle = handle;
    this.#bytes = place.old.blocks * BLOCK;
    this.#read = this.#next();
  }

  static async open(kernel: DiskKernel, plan: MemoryPlan, place: MergePlace): Promise<Input> {
    const { folder, partition, old } = place;
    const name = partitionName(partition, old.generation);
    const handle = old.generation === 0 ? null : await folder.open(name, "r");
    return new Input(kernel, plan, place, folder.pathOf(name), handle);
  }

  /** Gives the next window to the kernel, and begins to read the one after it. */
  async give(): Promise<void> {
    const length = await this.#read;
    const at = this.#plan.input[this.#window & 1] as number;
    this.#window++;
    const isLast = this.#window * WINDOW >= this.#bytes;
    this.#kernel.calls.setInput(at, at + length, isLast);
    this.#read = this.#next();
  }

  /** Makes the error of a file whose index has no room for more blocks. */
  full(): Error {
    return new UrlmillError(
      "SET_FULL",
      `${this.#name} cannot have more than ${MOST_BLOCKS} blocks`,
    );
  }

  /** Makes the error of the block at which the kernel stopped. */
  damage(): Error {
    const first = ((this.#window - 1) * WINDOW) / BLOCK;
    const at = this.#plan.input[(this.#window - 1) & 1] as number;
    const { partition, set, old } = this.#place;
    this.#kernel.calls.setFiles(set, partition, old.generation, 0);
    const blocks = Math.min(WINDOW, this.#bytes - (this.#window - 1) * WINDOW) / BLOCK;
    for (let block = 0; block < blocks; block++) {
      const count = this.#kernel.calls.keysOfBlock(
        at + block * BLOCK,
        first + block,
        this.#plan.keys,
      );
      if (count === 0) return damagedBlock(this.#name, first + block);
    }
    return damagedBlock(this.#name, first);
  }

  async close(): Promise<void> {
    await Promise.allSettled([this.#read]);
    await this.#handle?.close();
  }

  /** Reads the next window; returns its bytes. `give` throws its error. */
  #next(): Promise<number> {
    return markHandled(this.#readNext());
  }

  async #readNext(): Promise<number> {
    const position = this.#window * WINDOW;
    const length = Math.max(0, Math.min(WINDOW, this.#bytes - position));
    if (length === 0 || this.#handle === null) return 0;
    const at = this.#plan.input[this.#window & 1] as number;
    await readFully(this.#handle, this.#name, this.#kernel.view(at, length), position);
    return length;
  }
}
