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
import { changed, type DiskState, EMPTY_STATE, type StateChange } from "./state.ts";

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

/** Holds what a manifest says. */
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
