import { type FileHandle, open } from "node:fs/promises";
import { UrlmillError } from "../base/errors.ts";
import { becameShorter, describeSystemError, IoError } from "../io/io-error.ts";
import { checkFields, checkGroups } from "./footer-check.ts";
import { chunkStart, type Leaf, leavesOf, reasonOf } from "./leaf.ts";
import type { Arena } from "./memory/arena.ts";
import type { ParquetPeers } from "./peers.ts";
import type { RawChunk, RawChunkMeta, RawFooter } from "./raw-footer.ts";

const MAGIC = "PAR1";
const ENCRYPTED_MAGIC = "PARE";
/** Counts the last bytes of a file: the length of the footer, and the magic. */
const TAIL_BYTES = 8;
/** Limits the bytes of a read, which takes no more than 2 GiB. */
const READ_BYTES = 1 << 30;

/** Reads a Parquet file at any place. */
export class ParquetFile {
  readonly name: string;
  /** The footer as it is stored. */
  readonly raw: RawFooter;
  /** The columns that hold values, in the order of a row group's chunks. */
  readonly leaves: readonly Leaf[];
  #bytesRead = 0;
  #counted = new WeakSet<RawChunkMeta>();
  readonly #handle: FileHandle;

  private constructor(
    name: string,
    handle: FileHandle,
    footer: Pick<ParquetFile, "raw" | "leaves">,
  ) {
    this.name = name;
    this.#handle = handle;
    this.raw = footer.raw;
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
      return new ParquetFile(name, handle, readFooter(bytes, dataEnd, peers));
    } catch (error) {
      await handle?.close();
      throw readError(name, error);
    }
  }

  /** Throws an IoError that names the columns that are encrypted, if there are any. */
  checkPlain(): void {
    const isPlain = ({ index }: Leaf): boolean =>
      !this.raw.field_4.some(({ field_1: chunks }) => isEncrypted(chunks[index]));
    const names = this.leaves.filter((leaf) => !isPlain(leaf)).map(({ name }) => name);
    if (names.length > 0) throw this.#encrypted(names);
  }

  /** Returns the metadata of a chunk. Throws an IoError if they are not in this file. */
  metaOf(chunk: RawChunk | undefined, leaf: Leaf): RawChunkMeta {
    const meta = chunk?.field_3;
    if (chunk?.field_1 !== undefined) {
      throw this.error(`its column ${leaf.name} is in another file`);
    }
    if (isEncrypted(chunk)) throw this.#encrypted([leaf.name]);
    if (meta === undefined) throw this.error(`its column ${leaf.name} is missing`);
    const path = meta.field_3.map((part) => Buffer.from(part).toString());
    if (path.join(".") !== leaf.name) {
      throw this.damaged(`column ${path.join(".")} stands where ${leaf.name} belongs`);
    }
    return meta;
  }

  /** Returns the bytes of columns that were read since the last call; what is read again counts once. */
  takeBytesRead(): number {
    const bytes = this.#bytesRead;
    this.#bytesRead = 0;
    this.#counted = new WeakSet();
    return bytes;
  }

  /** Reads the bytes of a chunk, its dictionary page, if any, and its data pages, to memory of `arena`. */
  async readChunk(meta: RawChunkMeta, arena: Arena): Promise<Uint8Array<ArrayBuffer>> {
    const length = Number(meta.field_7);
    if (!this.#counted.has(meta)) this.#bytesRead += length;
    this.#counted.add(meta);
    try {
      return await readInto(arena.take(length), this.#handle, this.name, chunkStart(meta));
    } catch (error) {
      throw readError(this.name, error);
    }
  }

  /**
   * Calls `read`, which reads a part of the file with this name. Any error that damage makes it throw becomes an
   * IoError.
   */
  reading<T>(part: string, read: () => T): T {
    try {
      return read();
    } catch (error) {
      if (error instanceof IoError) throw error;
      if (error instanceof UrlmillError) throw this.error(`${part}: ${error.message}`);
      throw this.damaged(`${part}: ${reasonOf(error)}`);
    }
  }

  /**
   * Calls `work`, the work on the part of the file with this name. Any error that damaged metadata make it throw
   * becomes an IoError.
   */
  async working<T>(part: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      const isFault = error instanceof TypeError || error instanceof RangeError;
      throw isFault ? this.damaged(`${part}: ${reasonOf(error)}`) : error;
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

  #encrypted(names: readonly string[]): IoError {
    return this.error(`it has encrypted columns (${names.join(", ")}); decrypt it first`);
  }
}

function isEncrypted(chunk: RawChunk | undefined): boolean {
  return chunk?.field_8 !== undefined;
}

/** Reads a footer with its length and magic. Throws if its parts contradict each other. */
function readFooter(
  bytes: Buffer<ArrayBuffer>,
  dataEnd: number,
  peers: ParquetPeers,
): Pick<ParquetFile, "raw" | "leaves"> {
  try {
    const length = bytes.length - TAIL_BYTES;
    const reader = { view: new DataView(bytes.buffer, bytes.byteOffset, length), offset: 0 };
    const raw = peers.deserializeTCompactProtocol(reader) as unknown as RawFooter;
    checkFields(raw);
    // A signature may follow where columns are encrypted.
    if (reader.offset !== length && raw.field_8 === undefined) {
      throw new Error("its footer ends too early");
    }
    const leaves = leavesOf(peers.parquetMetadata(bytes, { geoparquet: false }), peers);
    const typeOf = ({ element }: Leaf): number =>
      peers.constants.ParquetTypes.indexOf(element.type as "INT32");
    checkGroups(raw, leaves, typeOf, dataEnd);
    return { raw, leaves };
  } catch (error) {
    const isFault = error instanceof TypeError || error instanceof RangeError;
    throw new Error(
      `it is damaged (${isFault ? "its footer cannot be decoded" : reasonOf(error)})`,
    );
  }
}

function cutOff(): Error {
  return new Error("its footer is missing, so its end was cut off; get the whole file");
}

/** Reads bytes that the file had when it was opened. */
function readAt(
  handle: FileHandle,
  name: string,
  start: number,
  length: number,
): Promise<Buffer<ArrayBuffer>> {
  // A Buffer of the pool would not be aligned, and values are read in place.
  return readInto(Buffer.from(new ArrayBuffer(length)), handle, name, start);
}

/** Fills memory with bytes that the file had when it was opened. */
async function readInto<Bytes extends Uint8Array>(
  bytes: Bytes,
  handle: FileHandle,
  name: string,
  start: number,
): Promise<Bytes> {
  const { length } = bytes;
  for (let at = 0; at < length; ) {
    const most = Math.min(length - at, READ_BYTES);
    const { bytesRead } = await handle.read(bytes, at, most, start + at);
    if (bytesRead === 0) throw becameShorter(name);
    at += bytesRead;
  }
  return bytes;
}

function readError(name: string, error: unknown): IoError {
  if (error instanceof IoError) return error;
  return new IoError(`cannot read ${name}: ${describeSystemError(error)}`);
}
