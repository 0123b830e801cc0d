import { type ArchiveFormat, archiveRecords } from "../../formats/archives/archive.ts";
import { trimBlanks, type WarcHeader } from "../../formats/archives/warc-header.ts";
import {
  type DamagedRecord,
  type WarcHandler,
  WarcRecords,
} from "../../formats/archives/warc-records.ts";
import { Malformed } from "../../formats/row.ts";
import { decodeUtf8, toByteString } from "../../url/bytes.ts";
import { type CaptureTexts, captureOf } from "./capture.ts";
import type { Reading, TakeReading } from "./record.ts";

/** Counts the first bytes of a response, in which its status line and its Location are looked for. */
const HEAD = 1 << 13;
/** Matches the empty line that ends the head of a response. */
export const HEAD_END = /\r?\n\r?\n/;
const STATUS_LINE = /^HTTP\/\d(?:\.\d)? (\d{3})(?: |\r?\n|$)/;
const LOCATION = /^location:(.*)$/im;

/** Reads the records of a web archive: in WARC each HTTP response as a capture, in WAT each link of a page. */
export class ArchiveReadings {
  readonly #records: WarcRecords;

  constructor(format: ArchiveFormat, take: TakeReading) {
    const read = (reading: Reading): void => take(reading, this.#records.records);
    const damaged = ({ number, reason }: DamagedRecord): void =>
      take(new Malformed(reason), number);
    this.#records =
      format === "warc"
        ? new WarcRecords(new Captures(read, damaged))
        : archiveRecords(format, { url: (url) => read(linkOf(url)), damaged });
  }

  /** Counts the records so far, of which a page may have many links. */
  get lines(): number {
    return this.#records.records;
  }

  /** Takes the next bytes, whose memory may be used again after the call. */
  push(chunk: Uint8Array, final: boolean): void {
    this.#records.push(chunk);
    if (final) this.#records.end();
  }
}

function linkOf(bytes: string): Reading {
  const url = decodeUtf8(bytes);
  if (url === null) return new Malformed("not UTF-8");
  return url === "" ? new Malformed("the url is empty") : { url };
}

/** Reads HTTP responses as captures, of which the header has the digest and the response its status. */
class Captures implements WarcHandler {
  readonly #take: (reading: Reading) => void;
  readonly damaged: (record: DamagedRecord) => void;

  constructor(take: (reading: Reading) => void, damaged: (record: DamagedRecord) => void) {
    this.#take = take;
    this.damaged = damaged;
  }

  header(header: WarcHeader): number {
    if (!header.isHttpResponse) return 0;
    if (header.contentLength === 0) this.content(header, new Uint8Array(0));
    return HEAD;
  }

  content(header: WarcHeader, content: Uint8Array): void {
    const [head = ""] = toByteString(content).split(HEAD_END, 1);
    this.#take(readResponse(header, head));
  }
}

/** Reads an HTTP response in WARC as a capture. `head` has its status line and headers, as a byte string. */
export function readResponse(header: WarcHeader, head: string): Reading {
  const isCut = header.get("warc-truncated") !== "";
  return readFields({
    url: header.targetUri,
    timestamp: header.get("warc-date"),
    status: STATUS_LINE.exec(head)?.[1],
    // The digest of a part does not tell pages apart.
    digest: isCut ? undefined : header.get("warc-payload-digest"),
    redirect: trimBlanks(LOCATION.exec(head)?.[1] ?? ""),
  });
}

/** Reads the fields of a capture, which are byte strings. */
export function readFields(fields: CaptureTexts): Reading {
  const entries = Object.entries(fields).map(([name, bytes]) => [name, bytes && decodeUtf8(bytes)]);
  if (entries.some(([, text]) => text === null)) return new Malformed("not UTF-8");
  return captureOf(Object.fromEntries(entries));
}
