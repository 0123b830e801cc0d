import { copyBytes } from "../../base/copy-bytes.ts";
import { type ArchiveFormat, archiveRecords } from "../../formats/archives/archive.ts";
import type { DamagedRecord, WarcRecords } from "../../formats/archives/warc-records.ts";
import { namedError, shownInput } from "../io-error.ts";
import type { Source } from "../source.ts";

/** Bytes of an archive to read at a time. */
const STEP = 1 << 18;
/** Characters of URLs to gather for one read. Most of an archive is not URLs. */
const GATHERED = 1 << 16;

/**
 * Reads the URLs of a web archive, one on each line. Calls `damaged` for each record that cannot be read
 * completely.
 */
export class ArchiveSource implements Source {
  readonly #source: Source;
  readonly #name: string;
  readonly #records: WarcRecords;
  readonly #input = new Uint8Array(STEP);
  /** Lines that were found, as a byte string, and lines that are handed out next. */
  #found = "";
  #lines: Buffer = Buffer.alloc(0);
  #isDone = false;
  /** The error that ended the reading. It is thrown after the lines found before it. */
  #failure: { readonly error: unknown } | null = null;

  /** `name`: the name of the file, for errors. */
  constructor(
    source: Source,
    name: string,
    format: ArchiveFormat,
    damaged: (record: DamagedRecord) => void,
  ) {
    this.#source = source;
    this.#name = name;
    this.#records = archiveRecords(format, {
      url: (url) => {
        this.#found += `${url}\n`;
      },
      damaged,
    });
  }

  get taken(): number {
    return this.#source.taken;
  }

  /** Throws `BAD_OPTION` for a file that is not WARC. */
  async read(into: Uint8Array): Promise<number> {
    if (this.#lines.length === 0) {
      while (!this.#isDone && this.#found.length < GATHERED) await this.#readMore();
      this.#lines = Buffer.from(this.#found, "latin1");
      this.#found = "";
      if (this.#lines.length === 0 && this.#failure !== null) throw this.#failure.error;
    }
    const lines = this.#lines.subarray(0, into.length);
    copyBytes(into, lines, 0);
    this.#lines = this.#lines.subarray(lines.length);
    return lines.length;
  }

  async #readMore(): Promise<void> {
    try {
      const length = await this.#source.read(this.#input);
      this.#isDone = length === 0;
      if (this.#isDone) this.#records.end();
      else this.#records.push(this.#input.subarray(0, length));
    } catch (error) {
      this.#isDone = true;
      this.#failure = { error: namedError(shownInput(this.#name), error) };
    }
  }

  close(): Promise<void> {
    return this.#source.close();
  }
}
