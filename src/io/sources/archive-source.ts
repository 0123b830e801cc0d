import { copyBytes } from "../../base/copy-bytes.ts";
import { type ArchiveFormat, archiveRecords } from "../../formats/archives/archive.ts";
import type { Cut, DamagedRecord, WarcRecords } from "../../formats/archives/warc-records.ts";
import type { Gap } from "../gaps.ts";
import { namedError, shownInput } from "../io-error.ts";
import type { Source } from "../source.ts";

/** Bytes of an archive to read at a time. */
const STEP = 1 << 18;
/** Characters of URLs to gather for one read. Most of an archive is not URLs. */
const GATHERED = 1 << 16;

/** Takes what of an archive cannot be read whole. */
export interface DamageHandler {
  record(record: DamagedRecord): void;
  gap(reason: string, cut: Cut): void;
}

/** Reads the URLs of a web archive, one on each line. Tells `damage` what cannot be read whole. */
export class ArchiveSource implements Source {
  readonly #source: Source;
  readonly #name: string;
  readonly #records: WarcRecords;
  readonly #damage: DamageHandler;
  readonly #gaps: readonly Gap[];
  /** Counts the gaps that were read past, and the bytes before the next read. */
  #gapsRead = 0;
  #position = 0;
  readonly #input = new Uint8Array(STEP);
  /** Lines that were found, as a byte string, and lines that are handed out next. */
  #found = "";
  #lines: Buffer = Buffer.alloc(0);
  #isDone = false;
  /** The error that ended the reading. It is thrown after the lines found before it. */
  #failure: { readonly error: unknown } | null = null;

  /** `name`: the name of the file, for errors. `gaps`: those of the content, if the source is a copy. */
  constructor(
    source: Source,
    name: string,
    format: ArchiveFormat,
    damage: DamageHandler,
    gaps = source.gaps,
  ) {
    this.#source = source;
    this.#name = name;
    this.#damage = damage;
    this.#gaps = gaps?.found ?? [];
    if (gaps) gaps.areTaken = true;
    this.#records = archiveRecords(format, {
      url: (url) => {
        this.#found += `${url}\n`;
      },
      damaged: (record) => damage.record(record),
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
      this.#push(this.#input.subarray(0, length));
      if (this.#isDone) this.#records.end();
    } catch (error) {
      this.#isDone = true;
      this.#failure = { error: namedError(shownInput(this.#name), error) };
    }
  }

  #push(bytes: Uint8Array): void {
    let from = 0;
    for (
      let gap = this.#gaps[this.#gapsRead];
      gap !== undefined;
      gap = this.#gaps[this.#gapsRead]
    ) {
      const end = gap.at - this.#position;
      if (end > bytes.length) break;
      this.#records.push(bytes.subarray(from, end));
      from = end;
      this.#gapsRead++;
      this.#damage.gap(gap.reason, this.#records.cut());
    }
    this.#records.push(bytes.subarray(from));
    this.#position += bytes.length;
  }

  close(): Promise<void> {
    return this.#source.close();
  }
}
