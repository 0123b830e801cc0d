import type { SetFolder } from "../folder/set-folder.ts";
import type { Fsync } from "../journal/journal.ts";
import type { ManifestLog } from "./files/manifest-log.ts";
import type { DiskKernel } from "./kernel/disk-kernel.ts";
import type { MemoryPlan } from "./kernel/memory-plan.ts";

export interface DiskParts {
  readonly folder: SetFolder;
  readonly manifest: ManifestLog;
  readonly kernel: DiskKernel;
  readonly plan: MemoryPlan;
  /** The generation that new files of partitions come after: those of a set that this one replaces have names up to it. */
  readonly generation: number;
  readonly isImmediate: boolean;
  readonly fsync: Fsync;
}
