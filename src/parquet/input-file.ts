import { type FileHandle, open } from "node:fs/promises";
import type { FileMetaData } from "hyparquet";
import { becameShorter, describeSystemError, IoError } from "../io/io-error.ts";
import { type Leaf, leavesOf } from "./leaf.ts";
import type { ParquetPeers } from "./peers.ts";
import type { RawChunk, RawChunkMeta, RawFooter } from "./raw-footer.ts";

const MAGIC = "PAR1";
const ENCRYPTED_MAGIC = "PARE";
/** Counts the last bytes of a file: the length of the footer, and the magic. */
const TAIL_BYTES = 8;

/** Reads a Parquet file at any place. */
export class ParquetFile {
  readonly name: string;
  /** The footer as it is stored. */
  readonly raw: RawFooter;
  readonly metadata: FileMetaData;
  /** The columns that hold values, in the order of a row group's chunks. */
  readonly leaves: readonly Leaf[];
  /** Counts the bytes of columns read so far. */
  bytesRead = 0;
  readonly #handle: FileHandle;
  /** Holds the offset of the footer. */
  readonly #dataEnd: number;

  private constructor(
    name: string,
    handle: FileHandle,
    dataEnd: number,
    footer: Pick<ParquetFile, "raw" | "metadata" | "leaves">,
  ) {
    this.name = name;
    this.#handle = handle;
    this.#dataEnd = dataEnd;
    this.raw = footer.raw;
    this.metadata = footer.metadata;
    this.leaves = footer.leaves;
  }

  /** Opens a file and reads its footer. Throws an IoError for what is not a whole Parquet file. */
  static async open(name: string, peers: ParquetPeers): Promise<ParquetFile> {
    let handle: FileHandle | undefined;
    try {
      handle = await open(name);
      const stats = await handle.stat();
      if (!stats.isFile()) {
        throw new Error("Parquet is read from its end, so it must be a file; save it to one first");
      }
      const { size } = stats;
      const head = (await readAt(handle, name, 0, Math.min(size, MAGIC.length))).toString("latin1");
      if (head === ENCRYPTED_MAGIC) throw new Error("it is encrypted; decrypt it first");
      if (head !== MAGIC)
        throw new Error("it is not a Parquet file; --format names another format");
      if (size < MAGIC.length + TAIL_BYTES) throw cutOff();
      const tail = await readAt(handle, name, size - TAIL_BYTES, TAIL_BYTES);
      if (tail.toString("latin1", 4) !== MAGIC) throw cutOff();
      const footerBytes = tail.readUInt32LE(0);
      const dataEnd = size - TAIL_BYTES - footerBytes;
      if (dataEnd < MAGIC.length) throw cutOff();
      const bytes = await readAt(handle, name, dataEnd, footerBytes + TAIL_BYTES);
      const view = new DataView(bytes.buffer, bytes.byteOffset, footerBytes);
      const raw = peers.deserializeTCompactProtocol({ view, offset: 0 }) as unknown as RawFooter;
      const metadata = peers.parquetMetadata(bytes, { geoparquet: false });
      const footer = { raw, metadata, leaves: leavesOf(metadata, peers) };
      return new ParquetFile(name, handle, dataEnd, footer);
    } catch (error) {
      await handle?.close();
      throw readError(name, error);
    }
  }

  /** Returns the metadata of a chunk. Throws an IoError if they are not in this file. */
  metaOf(chunk: RawChunk | undefined, leaf: Leaf): RawChunkMeta {
    const meta = chunk?.field_3;
    if (chunk?.field_1 !== undefined) {
      throw this.error(`its column ${leaf.name} is in another file`);
    }
    if (meta === undefined) throw this.error(`its column ${leaf.name} is encrypted or missing`);
    const path = meta.field_3.map((part) => Buffer.from(part).toString());
    if (path.join(".") !== leaf.name) {
      throw this.damaged(`column ${path.join(".")} stands where ${leaf.name} belongs`);
    }
    return meta;
  }

  /** Reads the bytes of a chunk: its dictionary page, if any, and its data pages. */
  async readChunk(meta: RawChunkMeta): Promise<Uint8Array<ArrayBuffer>> {
    const start = chunkStart(meta);
    const length = Number(meta.field_7);
    if (start < MAGIC.length || length < 0 || start + length > this.#dataEnd) {
      throw this.damaged("a column is outside the file");
    }
    this.bytesRead += length;
    try {
      return await readAt(this.#handle, this.name, start, length);
    } catch (error) {
      throw readError(this.name, error);
    }
  }

  /**
   * Calls `read`, which reads pages. Any error that a damaged page makes it throw becomes an
   * IoError.
   */
  reading<T>(leaf: Leaf, read: () => T): T {
    try {
      return read();
    } catch (error) {
      if (error instanceof IoError) throw error;
      throw this.damaged(`column ${leaf.name}: ${(error as Error).message}`);
    }
  }

  /**
   * Calls `work`, a part of the work on the file. Any error that damaged metadata make it throw
   * becomes an IoError.
   */
  async working<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      const isFault = error instanceof TypeError || error instanceof RangeError;
      throw isFault ? this.damaged(error.message) : error;
    }
  }

  /** Makes the error for a file that contradicts its footer. */
  damaged(reason: string): IoError {
    return this.error(`it is damaged (${reason})`);
  }

  /** Makes the error of a file that cannot be read. */
  error(reason: string): IoError {
    return readError(this.name, new Error(reason));
  }

  close(): Promise<void> {
    return this.#handle.close();
  }
}

/**
 * Returns the offset at which a chunk begins. Some writers leave out the offset of its dictionary,
 * or write 0.
 */
export function chunkStart({ field_9: data, field_11: dictionary }: RawChunkMeta): number {
  return Number(
    dictionary !== undefined && dictionary > 0n && dictionary < data ? dictionary : data,
  );
}

function cutOff(): Error {
  return new Error("its footer is missing, so its end was cut off; get the whole file");
}

/** Reads bytes that the file had when it was opened. */
async function readAt(
  handle: FileHandle,
  name: string,
  start: number,
  length: number,
): Promise<Buffer<ArrayBuffer>> {
  // A Buffer of the pool would not be aligned, and values are read in place.
  const bytes = Buffer.from(new ArrayBuffer(length));
  for (let at = 0; at < length; ) {
    const { bytesRead } = await handle.read(bytes, at, length - at, start + at);
    if (bytesRead === 0) throw becameShorter(name);
    at += bytesRead;
  }
  return bytes;
}

function readError(name: string, error: unknown): IoError {
  if (error instanceof IoError) return error;
  const reason =
    error instanceof RangeError || error instanceof TypeError
      ? `it is damaged (${error.message})`
      : describeSystemError(error);
  return new IoError(`cannot read ${name}: ${reason}`);
}
