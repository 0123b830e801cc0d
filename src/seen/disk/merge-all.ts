import type { FileHandle } from "node:fs/promises";
import { markHandled } from "../../base/handled.ts";
import type { LogStack } from "./files/log-stack.ts";
import { partitionName } from "./files/partition-files.ts";
import type { PartitionState } from "./files/state.ts";
import { PARTITIONS } from "./kernel/disk-kernel.ts";
import type { Lookups } from "./lookups.ts";
import { type Merged, mergePartition } from "./merge-partition.ts";
import type { DiskParts } from "./parts.ts";
import type { Pending } from "./pending.ts";

/** How many partitions are made durable together. So many more files than in rest are on disk. */
const TOGETHER = 8;

/** A new file of a partition that is being made durable. */
interface NewFile {
  readonly partition: number;
  readonly state: PartitionState;
  readonly old: PartitionState;
  readonly durable: Promise<void>;
}

/**
 * Merges all rows in memory into new files of their partitions. The manifest takes some partitions at a time, when their
 * files and the numbers of their new rows are durable: whenever it ends, a partition is old or new. Merging again what is
 * merged changes nothing.
 */
export async function mergeAll(
  parts: DiskParts,
  pending: Pending,
  logs: LogStack,
  lookups: Lookups,
): Promise<void> {
  const { folder, manifest, isImmediate } = parts;
  await logs.completeWaiting();
  pending.close();
  let made: NewFile[] = [];
  try {
    for (let partition = 0; partition < PARTITIONS; partition++) {
      const merged = await mergeTurns(parts, partition, pending, logs);
      if (merged !== null) {
        const { state, handle } = merged;
        const old = manifest.state.partitions[partition] as PartitionState;
        const durable = markHandled(syncAndClose(handle)); // `commit` throws its error
        made.push({ partition, state, old, durable });
        if (isImmediate) await lookups.replace(partition, state);
      }
      if (made.length === TOGETHER) made = await commit(made);
    }
    await commit(made);
  } finally {
    await Promise.allSettled(made.map(({ durable }) => durable));
  }
  await manifest.change({ logs: await logs.statesAfter(null) });
  await logs.dropAdded();

  async function commit(some: readonly NewFile[]): Promise<NewFile[]> {
    await Promise.all(some.map(({ durable }) => durable));
    await folder.sync();
    const merged = some.map(({ partition }) => partition);
    await manifest.change({
      partitions: some.map(({ partition, state }) => [partition, state]),
      logs: await logs.statesAfter(merged),
    });
    for (const { partition, old } of some) {
      if (old.generation === 0) continue;
      await folder.remove(partitionName(partition, old.generation));
    }
    return [];
  }
}

/**
 * Merges the rows of a partition into a new file, in as many turns as they take: each merges some rows into the file of the
 * turn before, which it then removes. Returns the last file, or null if there are no rows.
 */
async function mergeTurns(
  { folder, manifest, kernel, plan, generation: after }: DiskParts,
  partition: number,
  pending: Pending,
  logs: LogStack,
): Promise<Merged | null> {
  let old = manifest.state.partitions[partition] as PartitionState;
  let last: Merged | null = null;
  try {
    for (const rows of pending.gather(partition)) {
      await last?.handle.close();
      const place = { folder, set: manifest.set, partition, old, after, rows };
      const isFirst = last === null;
      last = await mergePartition(kernel, plan, place);
      const { generation } = old;
      old = last.state;
      if (!isFirst) await folder.remove(partitionName(partition, generation));
      await logs.appendNew(last.fresh);
    }
    return last;
  } catch (error) {
    await last?.handle.close();
    throw error;
  }
}

async function syncAndClose(handle: FileHandle): Promise<void> {
  try {
    await handle.datasync();
  } finally {
    await handle.close();
  }
}
