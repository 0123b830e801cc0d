import { UrlmillError } from "../errors.ts";
import { type ArchiveFormat, archiveRecords } from "../formats/archive.ts";
import type { DamagedRecord, WarcRecords } from "../formats/warc-records.ts";
import { shownInput } from "./names.ts";
import type { Source } from "./source.ts";

/** Bytes of an archive to read at a time. */
const STEP = 1 << 18;
/** Characters of URLs to gather for one read: most of an archive is something else. */
const GATHERED = 1 << 16;

/** Reads the URLs of a web archive, one a line. `damaged` hears of each record that cannot be read whole. */
export class ArchiveSource implements Source {
  readonly #source: Source;
  readonly #name: string;
  readonly #records: WarcRecords;
  readonly #input = new Uint8Array(STEP);
  /** Lines that are found, as a byte string, and those that are to be handed out. */
  #found = "";
  #lines: Buffer = Buffer.alloc(0);
  #isDone = false;
  /** What ended the reading; it is thrown after the lines that were found before it. */
  #failure: { readonly error: unknown } | null = null;

  /** `name`: how the file was called, for errors. */
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
    into.set(lines);
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
      this.#failure = { error: this.#named(error) };
    }
  }

  #named(error: unknown): unknown {
    if (!(error instanceof UrlmillError)) return error;
    return new UrlmillError(error.code, `${shownInput(this.#name)}: ${error.message}`);
  }

  close(): Promise<void> {
    return this.#source.close();
  }
}
