import type { WarcHeader } from "../../formats/archives/warc-header.ts";
import {
  BadContent,
  type DamagedRecord,
  WarcRecords,
} from "../../formats/archives/warc-records.ts";
import { readWatRecord, type WatHead, type WatRecord } from "../../formats/archives/wat-links.ts";
import { Malformed } from "../../formats/row.ts";
import { unescapeAttribute } from "../../formats/xml/xml-text.ts";
import { shownInput } from "../../io/io-error.ts";
import { say } from "../../io/say.ts";
import { HEAD_END, readFields, readResponse } from "../../learn/records/archive-records.ts";
import type { LearnRecord, Reading } from "../../learn/records/record.ts";
import { hasPayload, isPage } from "../../learn/records/values.ts";
import { type HeadLink, refreshUrl } from "../../learn/text/declaration-handler.ts";
import { declarations, headDeclarations } from "../../learn/text/declarations.ts";
import { pageFingerprints } from "../../learn/text/fingerprint.ts";
import { headerValue } from "../../learn/text/link-header.ts";
import { robotsSaid } from "../../learn/text/robots.ts";
import { CommandFailure } from "../../runs/base/failure.ts";
import { toByteString, utf8ByteString } from "../../url/bytes.ts";
import { bodyText, headerOf } from "./http-body.ts";

/** Limits the bytes of a response, or of a record of WAT, that is read. The text of a response can be longer. */
const LONGEST = 1 << 26;
/** Limits the bytes of a head that is read. */
const LONGEST_HEAD = 1 << 16;
/** Lists the headers that say something of the URL of an answer. */
const STATED = ["link", "content-location", "no-vary-search", "x-robots-tag"];
const HTML = /^(?:text\/html|application\/xhtml\+xml)\b/i;

/** Holds a response of a web archive, with its fingerprints by kind, without the kind before them. */
export interface PageRecord {
  /** The response, with what its page says. It has no fingerprint. */
  readonly record: LearnRecord;
  readonly sim?: string;
  readonly text?: string;
  /** The digest of the archive. */
  readonly raw?: string;
}

/** Holds a record of a file as it is there: an HTTP response of WARC, or what WAT says of one. */
interface Found {
  readonly header: WarcHeader;
  readonly content: Uint8Array;
}

/**
 * Yields the responses of a WARC or WAT file, and says which cannot be read. Those of WARC have fingerprints and
 * statements if they are HTML pages; those of WAT what the heads of pages say. Throws a CommandFailure for a file
 * without records. `chunks`: the bytes of the file, whose memory may be used again.
 */
export async function* pageRecords(
  file: string,
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<PageRecord> {
  for await (const { header, content } of foundIn(file, chunks)) {
    const said = (reason: string) => say(`${shownInput(file)}: ${header.targetUri}: ${reason}`);
    const record = header.isHttpResponse
      ? await ofResponse(header, content, said)
      : ofWat(content, said);
    if (record !== null) yield record;
  }
}

/** Yields the records of a file that have a response, and says which cannot be read. */
async function* foundIn(file: string, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Found> {
  let found: Found[] = [];
  const records = new WarcRecords({
    header: (header) => {
      if (header.isHttpResponse && header.contentLength === 0) {
        found.push({ header, content: new Uint8Array(0) });
      }
      return header.isHttpResponse || header.isWat ? LONGEST : 0;
    },
    content: (header, content) => found.push({ header, content: content.slice() }),
    damaged: ({ number, reason }: DamagedRecord) =>
      say(`${shownInput(file)}: record ${number} could not be read: ${reason}`),
  });
  for await (const chunk of chunks) {
    records.push(chunk);
    yield* found;
    found = [];
  }
  records.end();
  yield* found;
  if (records.records === 0)
    throw new CommandFailure(`${shownInput(file)} has no record of WARC`, 1);
}

/** Returns a response of WARC. Null for what is not a record. */
async function ofResponse(
  header: WarcHeader,
  content: Uint8Array,
  said: (reason: string) => void,
): Promise<PageRecord | null> {
  const bytes = toByteString(content.subarray(0, LONGEST_HEAD));
  const { index: end, 0: gap } = HEAD_END.exec(bytes) ?? { index: bytes.length, 0: "" };
  const head = bytes.slice(0, end);
  const found = withDigest(readResponse(header, head), said);
  if (found === null) return null;
  const { record } = found;
  const isWhole = header.get("warc-truncated") === "" && content.length < LONGEST;
  const isHtml = HTML.test(headerOf(head, "content-type"));
  if (!isWhole || !isHtml || !hasPage(record)) {
    const robots = robotsSaid("", headerOf(head, "x-robots-tag"));
    return robots === undefined ? found : { ...found, record: { ...record, robots } };
  }
  const body = content.subarray(end + gap.length);
  const { prints, statements } = await ofPage(record.url, head, body, said);
  return { ...found, ...prints, record: { ...record, size: body.length, ...statements } };
}

/** Returns what a page shows and says; nothing for one whose body cannot be decoded. */
async function ofPage(
  url: string,
  head: string,
  body: Uint8Array,
  said: (reason: string) => void,
): Promise<{ prints?: Pick<PageRecord, "sim" | "text">; statements?: object }> {
  let html: string;
  try {
    html = bodyText(head, body);
  } catch (error) {
    said(`its body could not be decoded: ${(error as Error).message}`);
    return {};
  }
  const { sim, text } = await pageFingerprints(html);
  const headers = Object.fromEntries(STATED.map((name) => [name, headerOf(head, name)]));
  const value = (fp: string) => fp.slice(fp.indexOf(":") + 1);
  return {
    prints: { sim: value(sim), text: value(text) },
    statements: isWebUrl(url) ? await declarations(html, url, headers) : {},
  };
}

/** Returns the response that a record of WAT describes. Null for a record of something else. */
function ofWat(content: Uint8Array, said: (reason: string) => void): PageRecord | null {
  let wat: WatRecord;
  try {
    wat = readWatRecord(content);
  } catch (error) {
    if (!(error instanceof BadContent)) throw error;
    said(error.message);
    return null;
  }
  const { "WARC-Header-Metadata": warc, "Payload-Metadata": payload } = wat.Envelope ?? {};
  const http = payload?.["HTTP-Response-Metadata"];
  if (warc?.["WARC-Type"] !== "response" || !http) return null;
  const headers = (http.Headers ?? {}) as Readonly<Record<string, string>>;
  const isCut = warc["WARC-Truncated"] !== undefined;
  const found = withDigest(
    readFields({
      url: bytesOf(warc["WARC-Target-URI"]),
      timestamp: bytesOf(warc["WARC-Date"]),
      status: bytesOf(http["Response-Message"]?.Status),
      digest: isCut ? undefined : bytesOf(warc["WARC-Payload-Digest"]),
      redirect: bytesOf(headerValue("location", headers)),
    }),
    said,
  );
  const head = http["HTML-Metadata"]?.Head;
  if (found === null || !head || !hasPage(found.record) || !isWebUrl(found.record.url))
    return found;
  const base = typeof head.Base === "string" ? unescapeAttribute(head.Base) : "";
  const statements = headDeclarations(found.record.url, { base, head: headLinksOf(head), headers });
  return { ...found, record: { ...found.record, ...statements } };
}

/** Returns what the head of a page says of its URL, not resolved; of several of a kind the first. */
function headLinksOf({ Link, Metas }: WatHead): Map<HeadLink, string> {
  const found = new Map<HeadLink, string>();
  const add = (kind: HeadLink, value: unknown): void => {
    if (typeof value === "string" && value.trim() !== "" && !found.has(kind)) {
      found.set(kind, unescapeAttribute(value));
    }
  };
  for (const { rel, url } of objectsOf(Link)) {
    const words = typeof rel === "string" ? rel.toLowerCase().split(/\s+/) : [];
    for (const kind of ["canonical", "shortlink"] as const) {
      if (words.includes(kind)) add(kind, url);
    }
  }
  const robots: string[] = [];
  for (const { name, property, content, "http-equiv": equivalent } of objectsOf(Metas)) {
    const isRobots = typeof name === "string" && name.trim().toLowerCase() === "robots";
    if (isRobots && typeof content === "string") robots.push(content);
    if (typeof equivalent === "string" && equivalent.toLowerCase() === "refresh") {
      add("refresh", refreshUrl(typeof content === "string" ? unescapeAttribute(content) : ""));
    }
    if (typeof property === "string" && property.trim().toLowerCase() === "og:url") {
      add("og", content);
    }
  }
  add("robots", robots.join(", "));
  return found;
}

function objectsOf(list: unknown): Readonly<Record<string, unknown>>[] {
  if (!Array.isArray(list)) return [];
  return list.filter((member) => typeof member === "object" && member !== null);
}

function bytesOf(text: unknown): string | undefined {
  return typeof text === "string" ? utf8ByteString(text) : undefined;
}

/** Returns a record with the digest beside it, or null for what is not one. */
function withDigest(reading: Reading, said: (reason: string) => void): PageRecord | null {
  if (reading instanceof Malformed) said(reading.reason);
  if (reading === null || reading instanceof Malformed) return null;
  const { fp, ...record } = reading;
  return fp === undefined ? { record } : { record, raw: fp.slice("raw:".length) };
}

function hasPage({ status }: LearnRecord): boolean {
  return isPage(status) && hasPayload(status);
}

function isWebUrl(url: string): boolean {
  return /^https?:/i.test(url) && URL.canParse(url);
}
