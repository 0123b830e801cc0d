import { counted } from "../../base/counted.ts";
import type { WarcHeader } from "../../formats/archives/warc-header.ts";
import { type DamagedRecord, WarcRecords } from "../../formats/archives/warc-records.ts";
import { Malformed } from "../../formats/row.ts";
import { writeWhole } from "../../io/files/whole-file.ts";
import { shownInput } from "../../io/names.ts";
import { openSource } from "../../io/open-source.ts";
import { say } from "../../io/say.ts";
import { HEAD_END, readResponse } from "../../learn/records/archive-records.ts";
import type { LearnRecord } from "../../learn/records/record.ts";
import { hasPayload, isPage } from "../../learn/records/values.ts";
import { declarations, pageFingerprints } from "../../learn/text/index.ts";
import { CommandFailure } from "../../runs/failure.ts";
import { checkFiles } from "../../runs/files.ts";
import { toByteString } from "../../url/bytes.ts";
import { bodyText, headerOf } from "./http-body.ts";
import type { LearnArguments } from "./options.ts";

const CHUNK = 1 << 18;
/** Limits the bytes of a response that is read. Its text can be longer. */
const LONGEST = 1 << 26;
/** Limits the bytes of a head that is read. */
const LONGEST_HEAD = 1 << 16;
const HTML = /^(?:text\/html|application\/xhtml\+xml)\b/i;

/** Holds a response as it is in a WARC file. */
interface Response {
  readonly header: WarcHeader;
  readonly content: Uint8Array;
}

/** Runs `urlmill learn fingerprint [FILE…]`. */
export async function runFingerprint(args: LearnArguments): Promise<void> {
  await checkFiles(args.files, [args.out]);
  let [pages, others] = [0, 0];
  async function* lines(): AsyncGenerator<string> {
    for (const file of args.files) {
      for await (const response of responsesOf(file)) {
        const record = await recordOf(response, file);
        if (record === null) continue;
        if ("text" in record) pages++;
        else others++;
        yield `${JSON.stringify(record)}\n`;
      }
    }
  }
  await writeWhole(args.out, lines());
  say(`${counted(pages, "page")} with fingerprints, ${counted(others, "other response")}`);
}

/** Yields the HTTP responses of a WARC file, and says which records cannot be read. */
async function* responsesOf(file: string): AsyncGenerator<Response> {
  const source = await openSource(file);
  const chunk = Buffer.alloc(CHUNK);
  let found: Response[] = [];
  const records = new WarcRecords({
    header: (header) => {
      if (!header.isHttpResponse) return 0;
      if (header.contentLength === 0) found.push({ header, content: new Uint8Array(0) });
      return LONGEST;
    },
    content: (header, content) => found.push({ header, content: content.slice() }),
    damaged: ({ number, reason }: DamagedRecord) =>
      say(`${shownInput(file)}: record ${number} could not be read: ${reason}`),
  });
  try {
    for (;;) {
      const length = await source.read(chunk);
      if (length === 0) records.end();
      else records.push(chunk.subarray(0, length));
      yield* found;
      found = [];
      if (length === 0) break;
    }
  } finally {
    await source.close();
  }
  if (records.records === 0)
    throw new CommandFailure(`${shownInput(file)} has no record of WARC`, 1);
}

/** Returns a response as a record; its fingerprints are members of their own. Null for what is not a record. */
async function recordOf({ header, content }: Response, file: string): Promise<object | null> {
  const bytes = toByteString(content.subarray(0, LONGEST_HEAD));
  const { index: end, 0: gap } = HEAD_END.exec(bytes) ?? { index: bytes.length, 0: "" };
  const head = bytes.slice(0, end);
  const reading = readResponse(header, head);
  if (reading === null) return null;
  if (reading instanceof Malformed) {
    say(`${shownInput(file)}: ${header.targetUri}: ${reading.reason}`);
    return null;
  }
  const { fp, ...record } = reading;
  const raw = fp === undefined ? {} : { raw: fp.slice("raw:".length) };
  const isWhole = header.get("warc-truncated") === "" && content.length < LONGEST;
  const isHtml = HTML.test(headerOf(head, "content-type"));
  const { status } = record;
  if (!isWhole || !isHtml || !isPage(status) || !hasPayload(status)) return { ...record, ...raw };
  const body = content.subarray(end + gap.length);
  return { ...record, size: body.length, ...raw, ...(await pageOf(record, head, body, file)) };
}

/** Returns what a page shows and says; nothing for one whose body cannot be decoded. */
async function pageOf(
  { url }: LearnRecord,
  head: string,
  body: Uint8Array,
  file: string,
): Promise<object> {
  let html: string;
  try {
    html = bodyText(head, body);
  } catch (error) {
    say(`${shownInput(file)}: ${url}: its body could not be decoded: ${(error as Error).message}`);
    return {};
  }
  const { sim, text } = await pageFingerprints(html);
  const said = isWebUrl(url) ? await declarations(html, url, { link: headerOf(head, "link") }) : {};
  const value = (fp: string) => fp.slice(fp.indexOf(":") + 1);
  return { sim: value(sim), text: value(text), ...said };
}

function isWebUrl(url: string): boolean {
  return /^https?:/i.test(url) && URL.canParse(url);
}
