import { UrlmillError } from "../../base/errors.ts";
import { paths } from "../../base/peer.ts";
import { encodeIdentity, identityFrom, type SeenIdentity } from "../contract/identity.ts";
import { readOwn } from "../folder/own-file.ts";
import type { SetFolder } from "../folder/set-folder.ts";
import { fields, one, parseShape, whole } from "../folder/shape.ts";
import { HEADS } from "../folder/store-names.ts";
import { crcOf } from "./block.ts";

/** Names the file that describes the contents of a directory. */
export const MANIFEST = HEADS.journal;
/** Names the file that becomes the manifest when it is complete. */
export const UNFINISHED_MANIFEST = `${MANIFEST}.new`;

const FORMAT = "urlmill seen set";
const VERSION = 2;

/** Describes the contents of a directory: the identity of the set, and the current journal. */
export interface Manifest {
  readonly identity: SeenIdentity;
  /** Number of the journal. The name of its file ends with it, and its blocks begin with it. */
  readonly journal: number;
  /**
   * Bytes of the journal that are on disk for certain. If the file has fewer, it is damaged, not just
   * unfinished.
   */
  readonly durableBytes: number;
}

interface Written extends Omit<Manifest, "identity"> {
  readonly version: number;
  readonly identity: unknown;
  readonly checksum: number;
}

const WRITTEN = fields({
  format: one(FORMAT),
  version: whole(1),
  journal: whole(1, 2 ** 32 - 2),
  durableBytes: whole(0),
  checksum: whole(0, 2 ** 32 - 1),
});

/**
 * Returns the manifest of a directory, or null if it has none. Throws `SEEN_CORRUPT` for a file
 * that is not a manifest.
 */
export async function readManifest(directory: string): Promise<Manifest | null> {
  const file = paths().join(directory, MANIFEST);
  const text = await readOwn(file);
  if (text === null) return null;
  const { version, identity, journal, durableBytes, checksum } = parseShape<Written>(
    text,
    WRITTEN,
    file,
  );
  if (version !== VERSION) {
    throw new UrlmillError("SEEN_CORRUPT", `${file} is of version ${version}, not ${VERSION}`);
  }
  const manifest = { identity: identityFrom(identity, file), journal, durableBytes };
  if (checksum !== checksumOf(manifest)) {
    throw new UrlmillError(
      "SEEN_CORRUPT",
      `${file} is damaged: its checksum does not match its contents`,
    );
  }
  return manifest;
}

/** Writes a manifest. If it is interrupted, the folder has the old one or the new one. */
export async function writeManifest(folder: SetFolder, manifest: Manifest): Promise<void> {
  await prepareManifest(folder, manifest);
  await replaceManifest(folder);
}

/** Writes a manifest beside the current one. If that fails, it is removed again. */
export async function prepareManifest(folder: SetFolder, manifest: Manifest): Promise<void> {
  const { identity, ...rest } = manifest;
  const content = {
    format: FORMAT,
    version: VERSION,
    identity: JSON.parse(encodeIdentity(identity)),
    ...rest,
    checksum: checksumOf(manifest),
  };
  // The file holds the key, so nobody else may read it.
  const file = await folder.create(UNFINISHED_MANIFEST);
  try {
    try {
      await file.writeFile(`${JSON.stringify(content, null, 2)}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    await folder.sync();
  } catch (error) {
    await folder.remove(UNFINISHED_MANIFEST);
    throw error;
  }
}

/** Replaces the current manifest by the prepared one. If that fails, either may be there. */
export async function replaceManifest(folder: SetFolder): Promise<void> {
  await folder.rename(UNFINISHED_MANIFEST, MANIFEST);
  await folder.sync();
}

function checksumOf({ identity, journal, durableBytes }: Manifest): number {
  return crcOf(JSON.stringify([encodeIdentity(identity), journal, durableBytes]));
}
