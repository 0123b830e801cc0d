export {
  checkIdentity,
  decodeIdentity,
  encodeIdentity,
  newIdentity,
  type SeenIdentity,
  type SeenRequest,
} from "./contract/identity.ts";
export type {
  AnsweredRows,
  OpenSeenStore,
  QueuedRows,
  SeenStore,
  SeenStoreStats,
} from "./contract/store.ts";
export { type DiskOptions, disk } from "./disk/disk.ts";
export type { Fsync } from "./journal/journal.ts";
export { type JournalOptions, journal } from "./journal/journal-store.ts";
export type { DrainedPiece, EnqueueOptions } from "./set/enqueued.ts";
export type { SeenCallOptions, UrlStream } from "./set/fingerprinter.ts";
export type { HeldBatch } from "./set/held-batches.ts";
export type { SeenOptions } from "./set/seen-options.ts";
export {
  type HoldOptions,
  SeenSet,
  type SeenStats,
} from "./set/seen-set.ts";
