import { PARTITIONS } from "../kernel/disk-kernel.ts";

/** Describes the file of a partition. */
export interface PartitionState {
  /** Counts the files that the partition has had: the name of the file ends with it. 0: there is no file. */
  readonly generation: number;
  readonly keys: number;
  readonly blocks: number;
  /** Counts the lines of the filter after the blocks; 0 if it has none. */
  readonly lines: number;
  /** The XXH64 of what follows the blocks: filter and index. */
  readonly checksum: string;
}

/**
 * Describes a log: rows that are not in the partitions yet, or whose answers nobody has taken. Rows that were `added` are
 * answered when they come; rows that are `waiting`, when the log is merged.
 */
export interface LogState {
  readonly number: number;
  readonly kind: "added" | "waiting";
  /** The number of the first row. */
  readonly firstRow: number;
  /** Counts the rows; null while more are added. */
  readonly rows: number | null;
  /** Bytes of the files that are on disk for certain: keys, payloads, numbers of new rows. */
  readonly durable: readonly [number, number, number];
  /** Whether the log has payloads. */
  readonly hasPayloads: boolean;
  /** Lists the partitions that the rows of the log are merged into; null if all are. */
  readonly merged: readonly number[] | null;
}

/** Describes what a directory holds besides the identity of the set. */
export interface DiskState {
  readonly partitions: readonly PartitionState[];
  /** The oldest first. */
  readonly logs: readonly LogState[];
  /** Counts the logs that there have been. */
  readonly logsMade: number;
  /** The number of the first row that is not settled. */
  readonly settled: number;
}

/** What a record of the manifest changes. */
export interface StateChange {
  readonly partitions?: readonly (readonly [number, PartitionState])[];
  readonly logs?: readonly LogState[];
  readonly logsMade?: number;
  readonly settled?: number;
}

export const EMPTY_PARTITION: PartitionState = {
  generation: 0,
  keys: 0,
  blocks: 0,
  lines: 0,
  checksum: "",
};

export const EMPTY_STATE: DiskState = {
  partitions: Array.from({ length: PARTITIONS }, () => EMPTY_PARTITION),
  logs: [],
  logsMade: 0,
  settled: 0,
};

/** Returns a state after a change. */
export function changed(state: DiskState, { partitions = [], ...rest }: StateChange): DiskState {
  if (partitions.length === 0) return { ...state, ...rest };
  const next = [...state.partitions];
  for (const [partition, of] of partitions) next[partition] = of;
  return { ...state, ...rest, partitions: next };
}

/** Returns the change that makes a state of the empty one. */
export function changeTo({ partitions, ...rest }: DiskState): StateChange {
  const there = [...partitions.entries()].filter(([, { generation }]) => generation > 0);
  return { ...rest, partitions: there };
}

/** Counts the keys of all partitions. */
export function keysOf({ partitions }: DiskState): number {
  return partitions.reduce((sum, { keys }) => sum + keys, 0);
}
