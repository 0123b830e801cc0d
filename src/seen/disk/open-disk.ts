import { UrlmillError } from "../../base/errors.ts";
import { checkIdentity, type SeenRequest } from "../contract/identity.ts";
import { SetFolder } from "../folder/set-folder.ts";
import { isBesideSet, refuseOtherStores } from "../folder/store-names.ts";
import type { Fsync } from "../journal/journal.ts";
import { DiskStore, failed } from "./disk-store.ts";
import { MANIFEST, ManifestLog, UNFINISHED_MANIFEST } from "./files/manifest-log.ts";
import { checkFiles, removeOthers } from "./files/partition-files.ts";
import type { ManifestContents, PartitionState } from "./files/state.ts";
import { DiskKernel } from "./kernel/disk-kernel.ts";
import { planMemory } from "./kernel/memory-plan.ts";

export interface DiskSettings {
  readonly memory: number;
  readonly fsync: Fsync;
  readonly isImmediate: boolean;
  /** The set that a new one replaces. */
  readonly replaced?: ManifestContents;
}

/** Opens a set on disk, or begins one. Throws `SEEN_MISMATCH`, `SEEN_CORRUPT`, `SEEN_LOCKED` and `SEEN_FAILED`. */
export async function openDisk(
  directory: string,
  wanted: SeenRequest,
  { memory, fsync, isImmediate, replaced }: DiskSettings,
): Promise<DiskStore> {
  try {
    const folder = await SetFolder.take(directory);
    try {
      await refuseOtherStores(directory, "disk");
      const manifest =
        (await ManifestLog.open(folder)) ?? (await begin(folder, wanted, replaced ?? null));
      try {
        checkIdentity(manifest.identity, wanted, directory);
        await checkFiles(directory, manifest.state);
        await removeOthers(folder, manifest.state);
        const kernel = new DiskKernel();
        const blocks = Math.max(...manifest.state.partitions.map((each) => each.blocks));
        const plan = planMemory(kernel.calls.memoryStart(), memory, isImmediate, blocks);
        return new DiskStore({
          folder,
          manifest,
          kernel,
          plan,
          isImmediate,
          fsync,
          generation: Math.max(0, ...(replaced?.state.partitions ?? []).map(generationOf)),
        });
      } catch (error) {
        await manifest.close();
        throw error;
      }
    } catch (error) {
      await folder.release();
      throw error;
    }
  } catch (error) {
    throw failed(directory, error);
  }
}

const generationOf = ({ generation }: PartitionState): number => generation;

/** Begins a set in a folder without other files. */
async function begin(
  folder: SetFolder,
  wanted: SeenRequest,
  replaced: ManifestContents | null,
): Promise<ManifestLog> {
  for (const name of await folder.names()) {
    if (isBesideSet(name) || name === UNFINISHED_MANIFEST) continue;
    throw new UrlmillError(
      "SEEN_CORRUPT",
      `${folder.path} holds ${name} and no ${MANIFEST}: give a directory of the set's own`,
    );
  }
  if (wanted.bits === 64) {
    throw new UrlmillError("BAD_OPTION", "bits: a set on disk keeps 80 bits; leave the option out");
  }
  return ManifestLog.begin(folder, wanted, replaced);
}
