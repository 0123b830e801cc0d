import { UrlmillError } from "../../../base/errors.ts";
import { decodeIdentity, type SeenIdentity } from "../../contract/identity.ts";
import {
  fields,
  list,
  one,
  orNull,
  parseShape,
  type Shape,
  text,
  tuple,
  whole,
} from "../../folder/shape.ts";
import { PARTITIONS } from "../kernel/disk-kernel.ts";
import { MOST_BLOCKS, MOST_LINES } from "../kernel/memory-plan.ts";

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
  readonly firstRow: number;
  /** Counts the rows; null while more are added. */
  readonly rows: number | null;
  /** Bytes of the files that are on disk for certain: keys, payloads, numbers of new rows. */
  readonly durable: readonly [number, number, number];
  readonly hasPayloads: boolean;
  /** Lists the partitions that the rows of the log are merged into; null if all are. */
  readonly merged: readonly number[] | null;
}

/** Describes what a directory holds besides the identity of the set. */
export interface DiskState {
  readonly partitions: readonly PartitionState[];
  /** The oldest first. */
  readonly logs: readonly LogState[];
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

export function keysOf({ partitions }: DiskState): number {
  return partitions.reduce((sum, { keys }) => sum + keys, 0);
}

/*
 * The records of a manifest: the beginning, then changes of the state. python/src/urlmill/_disk/records.py checks the same.
 */

const FORMAT = "urlmill set on disk";
const VERSION = 1;
/** The most that fits in 32 bits, as the kernel and blocks have numbers. */
const MOST = 2 ** 32 - 1;

/** What the first record of a manifest has. */
export interface Beginning {
  readonly format: string;
  readonly version: number;
  /** Which set it is: its files have this number. */
  readonly set: number;
  readonly identity: string;
}

/** Returns the first record of a new set. */
export function beginningOf(set: number, identity: string): Beginning {
  return { format: FORMAT, version: VERSION, set, identity };
}

const BEGINNING = fields({
  format: one(FORMAT),
  version: whole(1),
  set: whole(0, MOST),
  identity: text(/^/),
});

const PARTITION = fields({
  generation: whole(1, MOST),
  keys: whole(1),
  blocks: whole(1, MOST_BLOCKS),
  lines: whole(0, MOST_LINES),
  checksum: text(/^[0-9a-f]{32}$/),
});

const number = whole(0, PARTITIONS - 1);
const LOG = fields({
  number: whole(1, MOST),
  kind: one("added", "waiting"),
  firstRow: whole(0),
  rows: orNull(whole(0)),
  durable: tuple(whole(0), whole(0), whole(0)),
  hasPayloads: one(true, false),
  merged: orNull(list(number)),
});

const CHANGE: Shape = fields(
  {},
  {
    partitions: list(tuple(number, PARTITION)),
    logs: list(LOG),
    logsMade: whole(0, MOST),
    settled: whole(0),
  },
);

export interface ManifestContents {
  readonly beginning: Beginning;
  readonly identity: SeenIdentity;
  readonly state: DiskState;
}

/** Reads the records of a manifest. Throws `SEEN_CORRUPT` if they are not what a set on disk writes. */
export function readRecords(records: readonly string[], name: string): ManifestContents {
  const [first, ...rest] = records;
  if (first === undefined || rest.length === 0) {
    throw new UrlmillError("SEEN_CORRUPT", `${name} is damaged, or is not of a set on disk`);
  }
  const beginning = parseShape<Beginning>(first, BEGINNING, name);
  if (beginning.version !== VERSION) {
    const message = `${name} is of version ${beginning.version}, not ${VERSION}`;
    throw new UrlmillError("SEEN_CORRUPT", message);
  }
  const identity = decodeIdentity(beginning.identity, name);
  const state = rest
    .map((record) => parseShape<StateChange>(record, CHANGE, name))
    .reduce(changed, EMPTY_STATE);
  checkLogs(state, name);
  return { beginning, identity, state };
}

/** Throws `SEEN_CORRUPT` for logs that no set has at a time: two of one number, or fields that contradict each other. */
function checkLogs({ logs, logsMade }: DiskState, name: string): void {
  const numbers = new Set(logs.map((log) => log.number));
  const isRight = logs.every(({ number, kind, rows, hasPayloads, merged }) => {
    const fits =
      kind === "added"
        ? rows === null && merged !== null && !hasPayloads
        : rows !== null || merged !== null;
    return fits && number <= logsMade;
  });
  if (isRight && numbers.size === logs.length) return;
  throw new UrlmillError("SEEN_CORRUPT", `${name} is damaged: its logs contradict each other`);
}
