import { UrlmillError } from "../../base/errors.ts";
import { builtin, files, paths } from "../../base/peer.ts";
import { makeDirectory } from "../../io/files/directory.ts";
import { type Access, statOwn } from "../folder/own-file.ts";
import { HEADS } from "../folder/store-names.ts";
import { checkData, type LmdbData } from "./lmdb-data.ts";

/** Lets only the owner read and write: `data.mdb` holds the key of the set. */
export const PRIVATE_MODE = 0o600;
/** Bytes that LMDB writes before its first transaction ends, with a margin. */
const FIRST_BYTES = 1 << 16;

/**
 * Gets a directory ready for LMDB, which ends the process if it cannot open its files, and follows links. So this tries first
 * what could fail. It throws the system's error, or `SEEN_CORRUPT` if something else has the name of a file. To read (`r`), it
 * changes nothing. To write, files that other users can read become private to the owner.
 *
 * The lock file is not opened: closing it would end the locks that this process has on it.
 */
export async function prepareFiles(directory: string, access: Access): Promise<LmdbData> {
  if (access === "r+") await makeDirectory(directory);
  const data = paths().join(directory, HEADS.lmdb);
  const dataBytes = await prepareFile(data, access);
  const lockBytes = await prepareFile(paths().join(directory, "lock.mdb"), access);
  if (access === "r+" && (dataBytes === 0 || lockBytes === 0)) await tryToWrite(directory);
  return dataBytes === 0 ? { isCutShort: false } : checkData(data);
}

/** Returns the size of a file in bytes, or 0 if it is missing. To write, makes it private. */
async function prepareFile(name: string, access: Access): Promise<number> {
  const found = await statOwn(name, access);
  if (found === null) return 0;
  const { R_OK, W_OK } = files().constants;
  if (access === "r+" && (found.mode & 0o077) !== 0) await makePrivate(name);
  await files().access(name, access === "r" ? R_OK : R_OK | W_OK);
  return found.size;
}

async function makePrivate(name: string): Promise<void> {
  await files()
    .chmod(name, PRIVATE_MODE)
    .catch(({ code }: NodeJS.ErrnoException) => {
      throw new UrlmillError(
        "SEEN_FAILED",
        `${name} is open to other users, who could read the set's key, and cannot be closed to them (${code}): its owner must run chmod 600`,
      );
    });
}

/** Throws the system's error if the directory takes no new file, or the disk no more bytes. */
async function tryToWrite(directory: string): Promise<void> {
  const name = paths().join(
    directory,
    `room-${builtin("node:crypto").randomBytes(8).toString("hex")}`,
  );
  const file = await files().open(name, "wx", PRIVATE_MODE);
  try {
    await file.writeFile(new Uint8Array(FIRST_BYTES));
  } finally {
    await file.close();
    await files().rm(name);
  }
}
