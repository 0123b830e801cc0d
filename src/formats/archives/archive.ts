import type { WarcHeader } from "./warc-header.ts";
import { BadContent, type DamagedRecord, type WarcHandler, WarcRecords } from "./warc-records.ts";
import { WatLinks } from "./wat-links.ts";

/** Lists the formats of web archives. Their records are read as the URLs that they contain. */
export const ARCHIVE_FORMATS = ["warc", "wat"] as const;
export type ArchiveFormat = (typeof ARCHIVE_FORMATS)[number];

/** Bytes of the longest WAT record that is read. */
const LONGEST_CONTENT = 1 << 26;

export function isArchive(format: string): format is ArchiveFormat {
  return ARCHIVE_FORMATS.some((name) => name === format);
}

/** Takes the contents of an archive, in order. */
export interface ArchiveHandler {
  /** Takes a URL as a byte string without line ends. */
  url(url: string): void;
  damaged(record: DamagedRecord): void;
}

/**
 * Returns a reader for the decompressed bytes of one web archive. From WARC it reads the target URIs of HTTP
 * responses, from WAT the links of pages.
 */
export function archiveRecords(format: ArchiveFormat, handler: ArchiveHandler): WarcRecords {
  return new WarcRecords(format === "warc" ? new Targets(handler) : new Links(handler));
}

/** Finds the target URIs of HTTP responses. */
class Targets implements WarcHandler {
  readonly #handler: ArchiveHandler;

  constructor(handler: ArchiveHandler) {
    this.#handler = handler;
  }

  header(header: WarcHeader): number {
    if (header.isHttpResponse) {
      if (header.targetUri === "") throw new BadContent("a response without WARC-Target-URI");
      this.#handler.url(header.targetUri);
    }
    return 0;
  }

  content(): void {}

  damaged(record: DamagedRecord): void {
    this.#handler.damaged(record);
  }
}

/** Finds the links of pages in WAT. */
class Links implements WarcHandler {
  readonly #handler: ArchiveHandler;
  readonly #links = new WatLinks();

  constructor(handler: ArchiveHandler) {
    this.#handler = handler;
  }

  header(header: WarcHeader): number {
    if (!header.isWat) return 0;
    if ((header.contentLength as number) > LONGEST_CONTENT) {
      throw new BadContent("JSON of more than 64 MiB");
    }
    return LONGEST_CONTENT;
  }

  content(header: WarcHeader, content: Uint8Array): void {
    for (const url of this.#links.read(content, header.targetUri)) this.#handler.url(url);
  }

  damaged(record: DamagedRecord): void {
    this.#handler.damaged(record);
  }
}

/** Reports a damaged record and the reason. */
export function describeDamage({ number, at, id, reason }: DamagedRecord): string {
  return `record ${number}${id === "" ? "" : ` ${id}`} at byte ${at}: ${reason}`;
}
