import type { FileHandle } from "node:fs/promises";
import { UrlmillError } from "../../base/errors.ts";
import { builtin } from "../../base/peer.ts";
import { openOwn } from "../folder/own-file.ts";

const MAGIC = 0xbeefc0de;
/** The data format that the package `lmdb` 3.5 reads and writes. */
const FORMAT = 2;
/** Bytes of a page's header. In a meta page, the magic number follows it. */
const HEADER = 24;
/** Counts the bytes of a page's header in LMDB 0.9, whose data format is 1. */
const OLD_HEADER = 16;
/** The offset of the flags in a page's header, and the flag of a meta page. */
const PAGE_FLAGS = 18;
const META_PAGE = 0x08;
/** The offsets of the fields of a meta page from its magic number. */
const VERSION = 4;
const PAGE_SIZE = 24;
const FLAGS = 28;
const LAST_PAGE = 120;
const TRANSACTION = 128;
const META_BYTES = 144;
/** The flag that each environment has, and the flags that `open` of the package may add. */
const INTEGER_KEYS = 0x08;
const KNOWN_FLAGS = INTEGER_KEYS | 0x400 | 0x800 | 0x1000 | 0x4000;
const SMALLEST_PAGE = 256;
const LARGEST_PAGE = 1 << 16;

/** How often to read a file that another process may be making, and how many milliseconds apart. */
const TRIES = 3;
const APART_MS = 20;

/** Says how `open` must open the data file of an environment. */
export interface LmdbData {
  /**
   * Says whether pages of the last transactions are missing, as after a crash of the machine. LMDB must then
   * go back to the transaction that it last made durable.
   */
  readonly isCutShort: boolean;
}

/**
 * Checks the data file of an LMDB environment, by its name. Throws `SEEN_CORRUPT` if it is another kind of
 * file, of another version of LMDB, or shorter than its durable part. LMDB would map such a file and end the
 * process. An empty file is a new environment.
 */
export async function checkData(name: string): Promise<LmdbData> {
  const file = await openOwn(name, "r");
  try {
    for (let tries = 1; ; tries++) {
      const found = await examine(file);
      if (typeof found !== "string") return found;
      if (tries === TRIES) throw new UrlmillError("SEEN_CORRUPT", `${name} ${found}`);
      await builtin("node:timers/promises").setTimeout(APART_MS);
    }
  } finally {
    await file.close();
  }
}

/** Returns what is wrong with the file, in words, or how to open it. */
async function examine(file: FileHandle): Promise<LmdbData | string> {
  const start = Buffer.alloc(2 * LARGEST_PAGE);
  const { bytesRead } = await file.read(start, 0, start.length, 0);
  if (bytesRead === 0) return { isCutShort: false };
  const metas = metaPages(start.subarray(0, bytesRead));
  if (typeof metas === "string") return metas;
  // After the pages were read, because others may meanwhile have made the file longer.
  const { size } = await file.stat();
  const { newest, durable } = metas;
  const isCutShort = size < bytesOf(newest);
  const goesBack = durable !== null && durable.transaction < newest.transaction;
  const needed = bytesOf(goesBack ? durable : newest);
  return size < needed ? `is damaged: it has ${size} bytes of ${needed}` : { isCutShort };
}

interface MetaPage {
  readonly pageSize: number;
  readonly lastPage: number;
  readonly transaction: number;
}

interface MetaPages {
  /** Holds the meta page of the later transaction; transactions use the two pages in turns. */
  readonly newest: MetaPage;
  /** Holds the last transaction that is on disk for certain, or null if LMDB has not noted one. */
  readonly durable: MetaPage | null;
}

/** Reads the meta pages at the start of a file, or returns what is wrong with them. */
function metaPages(start: Buffer): MetaPages | string {
  const first = metaPage(start, 0);
  if (typeof first === "string") return first;
  const { pageSize } = first;
  const isPageSize = pageSize >= SMALLEST_PAGE && pageSize <= LARGEST_PAGE;
  if (!isPageSize || (pageSize & (pageSize - 1)) !== 0) {
    return `is damaged: its pages cannot have ${pageSize} bytes`;
  }
  const second = metaPage(start, pageSize);
  if (typeof second === "string") return second;
  // The third meta page has no header of its own: it is in the middle of the first page.
  const noted = fieldsAt(start, pageSize / 2 + HEADER);
  const durable = noted.transaction === 0 ? null : noted;
  const [newest, older] =
    first.transaction > second.transaction ? [first, second] : [second, first];
  // After a crash of the machine, the transactions can be any number apart, because the system decides when
  // it writes each page to disk.
  const areInTurn = first.transaction % 2 === 0 && (second.transaction || 1) % 2 === 1;
  if (!areInTurn || !precedes(older, newest)) return CONTRADICTION;
  return durable === null || precedes(durable, newest) ? { newest, durable } : CONTRADICTION;
}

/**
 * Returns whether a meta page can be of the same transaction as a later one, or of one before. Files only
 * grow.
 */
function precedes(page: MetaPage, later: MetaPage): boolean {
  if (page.pageSize !== later.pageSize) return false;
  return page.transaction === later.transaction
    ? page.lastPage === later.lastPage
    : page.transaction < later.transaction && page.lastPage <= later.lastPage;
}

function metaPage(start: Buffer, page: number): MetaPage | string {
  const at = page + HEADER;
  const isWhole = at + META_BYTES <= start.length;
  if (!isWhole || start.readUInt32LE(at) !== MAGIC) {
    const isOld = isWhole && start.readUInt32LE(page + OLD_HEADER) === MAGIC;
    return isOld ? otherFormat(start.readUInt32LE(page + OLD_HEADER + VERSION)) : NOT_LMDB;
  }
  const version = start.readUInt32LE(at + VERSION) & 0xffff;
  if (version !== FORMAT) return otherFormat(version);
  const flags = start.readUInt16LE(at + FLAGS);
  if ((flags & INTEGER_KEYS) === 0 || (flags & ~KNOWN_FLAGS) !== 0) {
    return `has flags that urlmill does not set (0x${flags.toString(16)}): open it with the program that made it`;
  }
  if ((start.readUInt16LE(page + PAGE_FLAGS) & META_PAGE) === 0) return NOT_LMDB;
  return fieldsAt(start, at);
}

const CONTRADICTION = "is damaged: its meta pages contradict each other";
const NOT_LMDB = "is not an LMDB environment: give a directory of the set's own";

function otherFormat(version: number): string {
  return `is of another version of LMDB (data format ${version}, not ${FORMAT}): give another directory`;
}

function fieldsAt(start: Buffer, at: number): MetaPage {
  return {
    pageSize: start.readUInt32LE(at + PAGE_SIZE),
    lastPage: Number(start.readBigUInt64LE(at + LAST_PAGE)),
    transaction: Number(start.readBigUInt64LE(at + TRANSACTION)),
  };
}

function bytesOf({ pageSize, lastPage }: MetaPage): number {
  return pageSize * (lastPage + 1);
}
