import { UrlmillError } from "../../base/errors.ts";
import { files, paths } from "../../base/peer.ts";
import { renameOver, syncDirectory } from "../../io/files/directory.ts";
import { decodeIdentity, encodeIdentity, type SeenIdentity } from "../identity.ts";
import { HEADS } from "../stored/heads.ts";
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

/**
 * Returns the manifest of a directory, or null if it has none. Throws `SEEN_CORRUPT` for a file
 * that is not a manifest.
 */
export async function readManifest(directory: string): Promise<Manifest | null> {
  const file = paths().join(directory, MANIFEST);
  const text = await files()
    .readFile(file, "utf8")
    .catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return null;
      throw error;
    });
  if (text === null) return null;
  const { format, version, identity, journal, durableBytes, checksum } = parse(text);
  if (format !== FORMAT) throw new UrlmillError("SEEN_CORRUPT", `${file} is not of a seen set`);
  if (version !== VERSION) {
    throw new UrlmillError("SEEN_CORRUPT", `${file} is of version ${version}, not ${VERSION}`);
  }
  const manifest = {
    identity: decodeIdentity(JSON.stringify(identity), file),
    journal: Number(journal),
    durableBytes: Number(durableBytes),
  };
  if (checksum !== checksumOf(manifest)) {
    throw new UrlmillError(
      "SEEN_CORRUPT",
      `${file} is damaged: its checksum does not match its contents`,
    );
  }
  return manifest;
}

/** Writes a manifest. If it is interrupted, the directory has the old one or the new one. */
export async function writeManifest(directory: string, manifest: Manifest): Promise<void> {
  await prepareManifest(directory, manifest);
  await replaceManifest(directory);
}

/** Writes a manifest beside the current one. If that fails, it is removed again. */
export async function prepareManifest(directory: string, manifest: Manifest): Promise<void> {
  const { identity, ...rest } = manifest;
  const content = {
    format: FORMAT,
    version: VERSION,
    identity: JSON.parse(encodeIdentity(identity)),
    ...rest,
    checksum: checksumOf(manifest),
  };
  const unfinished = paths().join(directory, UNFINISHED_MANIFEST);
  try {
    // The file holds the key, so nobody else may read it.
    const file = await files().open(unfinished, "w", 0o600);
    try {
      await file.writeFile(`${JSON.stringify(content, null, 2)}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    await syncDirectory(directory);
  } catch (error) {
    await files().rm(unfinished, { force: true });
    throw error;
  }
}

/** Replaces the current manifest by the prepared one. If that fails, either may be there. */
export async function replaceManifest(directory: string): Promise<void> {
  await renameOver(paths().join(directory, UNFINISHED_MANIFEST), paths().join(directory, MANIFEST));
  await syncDirectory(directory);
}

function parse(text: string): Record<string, unknown> {
  try {
    const content: unknown = JSON.parse(text);
    return typeof content === "object" && content !== null ? { ...content } : {};
  } catch {
    return {}; // no manifest, as the caller will find
  }
}

function checksumOf({ identity, journal, durableBytes }: Manifest): number {
  return crcOf(JSON.stringify([encodeIdentity(identity), journal, durableBytes]));
}
