export type { DrainedPiece, EnqueueOptions } from "./answers/enqueued.ts";
export type { HeldBatch } from "./answers/held-batches.ts";
export {
  checkIdentity,
  decodeIdentity,
  encodeIdentity,
  newIdentity,
  type SeenIdentity,
} from "./contract/identity.ts";
export type { SeenRequest } from "./contract/request.ts";
export type {
  AnsweredRows,
  OpenSeenStore,
  QueuedRows,
  SeenStore,
  SeenStoreStats,
} from "./contract/store.ts";
export { type DiskOptions, disk } from "./disk/disk.ts";
export type { SeenCallOptions, UrlStream } from "./fingerprinter.ts";
export type { Fsync } from "./journal/journal.ts";
export { type JournalOptions, journal } from "./journal/journal-store.ts";
export type { SeenOptions } from "./seen-options.ts";
export {
  type HoldOptions,
  SeenSet,
  type SeenStats,
} from "./seen-set.ts";
