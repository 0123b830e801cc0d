import { compressorsOf, type PageCompressors } from "../codecs.ts";
import type { ParquetPeers } from "../peers.ts";

type ByteWriter = InstanceType<ParquetPeers["ByteWriter"]>;

/**
 * Holds what one row group after the other is written with. Writers keep their memory: new memory costs more than filling it.
 */
export class PageTools {
  readonly peers: ParquetPeers;
  readonly compressors: PageCompressors = compressorsOf();
  readonly #pages: ByteWriter;
  readonly #values: ByteWriter;

  constructor(peers: ParquetPeers) {
    this.peers = peers;
    this.#pages = new peers.ByteWriter();
    this.#values = new peers.ByteWriter();
  }

  /** Returns the writer of pages of a row group that begins at an offset of its file. Voids the last one. */
  pagesFrom(offset: number): ByteWriter {
    this.#pages.index = 0;
    this.#pages.offset = offset;
    return this.#pages;
  }

  /** Returns an empty writer for the values of a page. Voids the last one. */
  values(): ByteWriter {
    this.#values.index = 0;
    return this.#values;
  }
}
