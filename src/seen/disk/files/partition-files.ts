import type { FileHandle } from "node:fs/promises";
import { UrlmillError } from "../../../base/errors.ts";
import { paths } from "../../../base/peer.ts";
import { statOwn } from "../../folder/own-file.ts";
import type { SetFolder } from "../../folder/set-folder.ts";
import { BLOCK, LINE } from "../kernel/disk-kernel.ts";
import { ENTRY } from "../kernel/memory-plan.ts";
import { UNFINISHED_MANIFEST } from "./manifest-log.ts";
import { logNumber } from "./row-log.ts";
import type { DiskState, PartitionState } from "./state.ts";

/*
 * The file of a partition: its blocks, the lines of its filter, the index. Its state in the manifest says how many there are.
 */

export function partitionName(partition: number, generation: number): string {
  return `p${String(partition).padStart(3, "0")}.${generation}`;
}

/** Returns partition and generation by the name of a file; null for another file. */
export function partitionOf(name: string): readonly [number, number] | null {
  const [, partition, generation] = /^p(\d{3})\.(\d+)$/.exec(name) ?? [];
  return partition === undefined ? null : [Number(partition), Number(generation)];
}

/** Returns how many bytes follow the blocks of a file. */
export function tailBytes({ blocks, lines }: PartitionState): number {
  return lines * LINE + blocks * ENTRY;
}

export function fileBytes(state: PartitionState): number {
  return state.blocks * BLOCK + tailBytes(state);
}

export function allFileBytes({ partitions }: DiskState): number {
  return partitions.reduce((sum, partition) => sum + fileBytes(partition), 0);
}

/** Throws `SEEN_CORRUPT` if a file is missing, or is not as long as it was written. */
export async function checkFiles(directory: string, { partitions }: DiskState): Promise<void> {
  await Promise.all(
    partitions.map(async (state, partition) => {
      if (state.generation === 0) return;
      const name = paths().join(directory, partitionName(partition, state.generation));
      const size = (await statOwn(name))?.size;
      const bytes = fileBytes(state);
      if (size === bytes) return;
      const what = size === undefined ? "is missing" : `has ${size} bytes, not ${bytes}`;
      throw new UrlmillError("SEEN_CORRUPT", `${name} ${what}`);
    }),
  );
}

/** Reads a part of a file into memory. Throws `SEEN_CORRUPT` if it ends before. */
export async function readFully(
  handle: FileHandle,
  name: string,
  into: Uint8Array,
  position: number,
): Promise<void> {
  for (let done = 0; done < into.length; ) {
    const { bytesRead } = await handle.read(into, done, into.length - done, position + done);
    if (bytesRead === 0) {
      throw new UrlmillError("SEEN_CORRUPT", `${name} ends at byte ${position + done}`);
    }
    done += bytesRead;
  }
}

/** Writes all bytes at a place of a file. */
export async function writeFully(
  handle: FileHandle,
  bytes: Uint8Array,
  position: number,
): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, position + done);
    done += bytesWritten;
  }
}

export function damagedBlock(name: string, block: number): UrlmillError {
  return new UrlmillError(
    "SEEN_CORRUPT",
    `${name} is damaged: block ${block}, at byte ${block * BLOCK}`,
  );
}

/** Returns the bytes that a distance takes, so that nearly all of `keys` fit. */
export function distanceBytes(keys: number): number {
  const bits = 72 - Math.log2(Math.max(keys, 1)) + 3.5;
  return Math.min(9, Math.max(1, Math.ceil(bits / 8)));
}

/** Returns how many lines the filter of a partition has: ten bits a key, or fewer; none if that is less than four. */
export function linesFor(keys: number, filterBytes: number): number {
  const lines = Math.ceil((keys * 10) / (8 * LINE));
  const most = Math.floor(filterBytes / LINE);
  if (lines <= most) return lines;
  return (most * LINE * 8) / keys < 4 ? 0 : most;
}

/** Removes files of a set that are not of its state: a run that ended left them. */
export async function removeOthers(folder: SetFolder, state: DiskState): Promise<void> {
  for (const name of await folder.names()) {
    if (isLeftOver(name, state)) await folder.remove(name);
  }
}

function isLeftOver(name: string, { partitions, logs }: DiskState): boolean {
  const partition = partitionOf(name);
  if (partition !== null) return partitions[partition[0]]?.generation !== partition[1];
  const log = logNumber(name);
  if (log !== null) return logs.every(({ number }) => number !== log);
  return name === UNFINISHED_MANIFEST;
}
