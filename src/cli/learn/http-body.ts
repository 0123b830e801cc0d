import * as zlib from "node:zlib";
import { fromWindows1252 } from "../../formats/xml/xml-text.ts";
import { toByteString, utf8Text } from "../../url/bytes.ts";

/** Describes a member of newer Node versions that the types of the oldest version lack. */
const { zstdDecompressSync } = zlib as { zstdDecompressSync?: Decompress };

/** Limits the bytes of a page that is decoded, so that a few kilobytes cannot become gigabytes. */
const LONGEST = 1 << 26;
/** Counts the bytes of a page in which its own word for the encoding is looked for (HTML 13.2.3.2). */
const META = 1024;
const CHARSET = /charset\s*=\s*["']?([^\s"';>]+)/i;
const LIMIT = { maxOutputLength: LONGEST };

/** Returns the value of a header by its name in lower case, or "". `head` is a byte string. */
export function headerOf(head: string, name: string): string {
  for (const line of head.split(/\r?\n/).slice(1)) {
    const colon = line.indexOf(":");
    if (line.slice(0, colon).trim().toLowerCase() === name) return line.slice(colon + 1).trim();
  }
  return "";
}

/**
 * Returns the text of a page from the body of an HTTP response as a crawler stores it: perhaps still in chunks and
 * compressed. Throws an error for a body that is damaged, or that this version of Node cannot decompress.
 */
export function bodyText(head: string, body: Uint8Array): string {
  const isChunked = /\bchunked\b/i.test(headerOf(head, "transfer-encoding"));
  const whole = isChunked ? withoutChunks(body) : body;
  const bytes = decompressed(whole, headerOf(head, "content-encoding").toLowerCase());
  return decoded(head, bytes);
}

/** Joins chunks (RFC 9112 7.1). Many crawlers join them and keep the header: then the body is not in chunks. */
function withoutChunks(body: Uint8Array): Uint8Array {
  const parts: Uint8Array[] = [];
  for (let at = 0; at < body.length; ) {
    const end = body.indexOf(0x0a, at);
    const line = toByteString(body.subarray(at, end < 0 ? at : Math.min(end, at + 64)));
    const size = /^[\da-f]{1,8}[ \t]*(?:;.*)?\r?$/i.test(line) ? Number.parseInt(line, 16) : -1;
    if (size < 0) return parts.length === 0 ? body : Buffer.concat(parts);
    if (size === 0) break;
    parts.push(body.subarray(end + 1, end + 1 + size));
    at = end + 1 + size;
    while (body[at] === 0x0d || body[at] === 0x0a) at++;
  }
  return Buffer.concat(parts);
}

/** Undoes the compression that a header names. Many crawlers undo it and keep the header: then the body is a text. */
function decompressed(body: Uint8Array, encoding: string): Uint8Array {
  const decompress = decompressorOf(body, encoding);
  try {
    return decompress?.(body, LIMIT) ?? body;
  } catch (error) {
    if (utf8Text(body) === null) throw error;
    return body;
  }
}

type Decompress = (body: Uint8Array, options: typeof LIMIT) => Uint8Array;

function decompressorOf(body: Uint8Array, encoding: string): Decompress | null {
  if (encoding === "br") return zlib.brotliDecompressSync;
  if (body[0] === 0x1f && body[1] === 0x8b) return zlib.gunzipSync;
  if (encoding === "zstd") return zstdDecompressSync ?? noZstd;
  if (encoding !== "deflate" || body.length === 0) return null;
  return ((body[0] as number) & 0x0f) === 8 ? zlib.inflateSync : zlib.inflateRawSync;
}

function noZstd(): never {
  throw new Error("zstd takes Node 22.15 or newer");
}

const WINDOWS = "windows-1252";

/** Returns the text of a page by the encoding that its header or its `meta` names, else as UTF-8 if it is that. */
function decoded(head: string, bytes: Uint8Array): string {
  const start = toByteString(bytes.subarray(0, META));
  const labels = [headerOf(head, "content-type"), start].map(
    (text) => CHARSET.exec(text)?.[1] ?? "",
  );
  const label = labels.find(isLabel);
  const utf8 = label === undefined ? utf8Text(bytes) : null;
  if (utf8 !== null) return utf8;
  const decoder = new TextDecoder(label ?? WINDOWS);
  return decoder.encoding === WINDOWS
    ? fromWindows1252(toByteString(bytes))
    : decoder.decode(bytes);
}

function isLabel(label: string): boolean {
  try {
    return new TextDecoder(label).encoding !== "";
  } catch {
    return false; // pages name what is not an encoding, and browsers then guess
  }
}
