import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { UrlmillError } from "../errors.ts";

const MAGIC = 0xbeefc0de;
/** Bytes before the magic number: a page's header, as LMDB 1.0 and 0.9 have it. */
const HEADERS = [24, 16];
/** Of what follows it, where the page size, the last page and the transaction are. */
const PAGE_SIZE = 24;
const LAST_PAGE = 120;
const TRANSACTION = 128;
const META = 136;

/** How often, and how many milliseconds apart, a file is read that another process may be making. */
const TRIES = 5;
const APART_MS = 50;

/**
 * Throws `SEEN_CORRUPT` where the data file of an LMDB environment is none, or shorter than it says:
 * LMDB maps what it is given, and ends the process where that is something else. A file that is missing
 * or empty is a new one.
 */
export async function checkData(directory: string): Promise<void> {
  const name = join(directory, "data.mdb");
  const file = await open(name, "r").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
  if (file === null) return;
  try {
    for (let tries = 1; ; tries++) {
      const problem = await problemOf(file);
      if (problem === null) return;
      if (tries === TRIES) throw new UrlmillError("SEEN_CORRUPT", `${name} ${problem}`);
      await setTimeout(APART_MS);
    }
  } finally {
    await file.close();
  }
}

async function problemOf(file: FileHandle): Promise<string | null> {
  const start = Buffer.alloc(1 << 17);
  const { bytesRead } = await file.read(start, 0, start.length, 0);
  if (bytesRead === 0) return null;
  const pages = metaPages(start.subarray(0, bytesRead));
  if (pages === null) return "is no LMDB environment";
  // Two take turns; the later transaction counts.
  const [newest] = pages.toSorted((a, b) => b.transaction - a.transaction);
  const bytes = newest === undefined ? 0 : newest.pageSize * (newest.lastPage + 1);
  // After the pages: meanwhile others may have made the file longer.
  const { size } = await file.stat();
  return size < bytes ? `is damaged: it has ${size} bytes of ${bytes}` : null;
}

interface MetaPage {
  readonly pageSize: number;
  readonly lastPage: number;
  readonly transaction: number;
}

function metaPages(start: Buffer): MetaPage[] | null {
  for (const header of HEADERS) {
    const first = metaPage(start, header);
    const second = first === null ? null : metaPage(start, first.pageSize + header);
    if (first !== null && second !== null) return [first, second];
  }
  return null;
}

function metaPage(start: Buffer, at: number): MetaPage | null {
  if (at + META > start.length || start.readUInt32LE(at) !== MAGIC) return null;
  return {
    pageSize: start.readUInt32LE(at + PAGE_SIZE),
    lastPage: Number(start.readBigUInt64LE(at + LAST_PAGE)),
    transaction: Number(start.readBigUInt64LE(at + TRANSACTION)),
  };
}
