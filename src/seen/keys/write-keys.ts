import { UrlmillError } from "../../base/errors.ts";
import { files } from "../../base/peer.ts";
import { IoError } from "../../io/io-error.ts";
import { Output, writeError } from "../../io/output.ts";
import type { StoredReader } from "../contract/reader.ts";
import { Checksum, headerText } from "./key-file.ts";

/**
 * Writes all fingerprints of a set to a new file that only its owner can read, for it has the key. Returns their number.
 * Throws an IoError if the file exists or cannot be written, and `SEEN_CORRUPT` if the set is damaged. Then there is no
 * new file.
 */
export async function writeKeys(name: string, set: StoredReader): Promise<number> {
  const count = await set.size();
  await makePrivate(name);
  try {
    if ((await write(name, set, count)) === count) return count;
    throw new UrlmillError(
      "SEEN_LOCKED",
      `${set.where} was written to while it was read: end the processes that use it, then try again`,
    );
  } catch (error) {
    await files().rm(name, { force: true });
    throw error;
  }
}

async function makePrivate(name: string): Promise<void> {
  try {
    await (await files().open(name, "wx", 0o600)).close();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw writeError(name, error);
    throw new IoError(`${name} exists, and is not overwritten: name another file`);
  }
}

/** Returns the number of fingerprints that were written. */
async function write(name: string, set: StoredReader, count: number): Promise<number> {
  const { identity, bits } = set;
  const output = await Output.toFile(name, true);
  const checksum = new Checksum();
  let length = 0;
  try {
    await output.write(checksum.take(Buffer.from(headerText({ identity, bits, count }))));
    for await (const rows of set.fingerprints()) {
      await output.write(checksum.take(rows));
      length += rows.length;
    }
    await output.write(checksum.bytes());
  } finally {
    await output.finish();
  }
  return length / (bits / 8);
}
