import { toByteString } from "../url/bytes.ts";

/** Bytes of the line that a record begins with, before its version. */
export const WARC_MAGIC = "WARC/";

const VERSION_LINE = /^WARC\/\d+\.\d+$/;
const LENGTH = /^\d{1,15}$/;

/** Returns whether bytes begin as a file of WARC does, and not as a list of URLs. */
export function beginsAsWarc(bytes: Uint8Array): boolean {
  return /^WARC\/\d/.test(toByteString(bytes.subarray(0, WARC_MAGIC.length + 1)));
}

/** Holds the named fields of one WARC record (ISO 28500), as byte strings. */
export class WarcHeader {
  readonly #fields: ReadonlyMap<string, string>;

  private constructor(fields: ReadonlyMap<string, string>) {
    this.#fields = fields;
  }

  /** Reads a header up to its empty line; returns null for what is not one. A line that begins with space goes on. */
  static parse(text: string): WarcHeader | null {
    const [version, ...lines] = text.trimEnd().split(/\r?\n/);
    if (!VERSION_LINE.test((version as string).trimEnd())) return null;
    const fields = new Map<string, string>();
    let last = "";
    for (const line of lines) {
      if (line.startsWith(" ") || line.startsWith("\t")) {
        if (last === "") return null;
        fields.set(last, trimBlanks(`${fields.get(last)} ${trimBlanks(line)}`));
        continue;
      }
      const colon = line.indexOf(":");
      if (colon <= 0) return null;
      last = line.slice(0, colon).toLowerCase();
      fields.set(last, trimBlanks(line.slice(colon + 1)));
    }
    return new WarcHeader(fields);
  }

  /** Returns the value of a field by its name in lower case; "" without one. */
  get(name: string): string {
    return this.#fields.get(name) ?? "";
  }

  /** Bytes of the content; null where the header does not say it. */
  get contentLength(): number | null {
    const length = this.get("content-length");
    return LENGTH.test(length) ? Number(length) : null;
  }

  /** The URI that the record is about; wget writes it in brackets. */
  get targetUri(): string {
    const uri = this.get("warc-target-uri");
    return uri.startsWith("<") && uri.endsWith(">") ? uri.slice(1, -1) : uri;
  }

  /** Whether the record is the response of an HTTP server; that of a DNS server is one of another type. */
  get isHttpResponse(): boolean {
    const type = this.get("content-type");
    return (
      this.get("warc-type") === "response" && (type === "" || /^application\/http\b/i.test(type))
    );
  }
}

/** Without spaces and tabs around it; `trim` would take bytes of UTF-8 too. */
function trimBlanks(text: string): string {
  let from = 0;
  let to = text.length;
  while (from < to && isBlank(text.charCodeAt(from))) from++;
  while (to > from && isBlank(text.charCodeAt(to - 1))) to--;
  return text.slice(from, to);
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09;
}
