import { toByteString } from "../../url/bytes.ts";

/** The beginning of a record's first line, before its version. */
export const WARC_MAGIC = "WARC/";

const VERSION_LINE = /^WARC\/\d+\.\d+$/;
const LENGTH = /^\d{1,15}$/;

/** Returns whether bytes begin like a WARC file. */
export function beginsAsWarc(bytes: Uint8Array): boolean {
  return /^WARC\/\d/.test(toByteString(bytes.subarray(0, WARC_MAGIC.length + 1)));
}

/** Holds the named fields of one WARC record (ISO 28500), as byte strings. */
export class WarcHeader {
  readonly #fields: ReadonlyMap<string, string>;

  private constructor(fields: ReadonlyMap<string, string>) {
    this.#fields = fields;
  }

  /**
   * Reads a header up to its empty line. Returns null if it is not a header. A line that begins with a space
   * continues the field.
   */
  static parse(text: string): WarcHeader | null {
    const [version, ...lines] = text.trimEnd().split(/\r?\n/);
    if (!VERSION_LINE.test((version as string).trimEnd())) return null;
    const texts = new Map<string, string[]>();
    let last: string[] | null = null;
    for (const line of lines) {
      let text = line;
      if (!line.startsWith(" ") && !line.startsWith("\t")) {
        const colon = line.indexOf(":");
        if (colon <= 0) return null;
        last = [];
        texts.set(line.slice(0, colon).toLowerCase(), last);
        text = line.slice(colon + 1);
      }
      if (last === null) return null;
      text = trimBlanks(text);
      if (text !== "") last.push(text);
    }
    return new WarcHeader(new Map([...texts].map(([name, own]) => [name, own.join(" ")])));
  }

  /** Returns the value of a field by its name in lower case, or "" if the field is missing. */
  get(name: string): string {
    return this.#fields.get(name) ?? "";
  }

  /** Returns the length of the content in bytes, or null if the header does not give it. */
  get contentLength(): number | null {
    const length = this.get("content-length");
    return LENGTH.test(length) ? Number(length) : null;
  }

  /** Returns the target URI of the record, without the brackets that wget writes. */
  get targetUri(): string {
    const uri = this.get("warc-target-uri");
    return uri.startsWith("<") && uri.endsWith(">") ? uri.slice(1, -1) : uri;
  }

  /** Returns whether the record is the response of an HTTP server. A DNS response has another content type. */
  get isHttpResponse(): boolean {
    const type = this.get("content-type");
    return (
      this.get("warc-type") === "response" && (type === "" || /^application\/http\b/i.test(type))
    );
  }

  /** Returns whether the record is one of WAT: the JSON of what a record of WARC has. */
  get isWat(): boolean {
    const isMetadata = this.get("warc-type") === "metadata";
    return isMetadata && this.get("content-type").startsWith("application/json");
  }
}

/** Removes spaces and tabs around a value. `trim` would also remove bytes of UTF-8. */
export function trimBlanks(text: string): string {
  let from = 0;
  let to = text.length;
  while (from < to && isBlank(text.charCodeAt(from))) from++;
  while (to > from && isBlank(text.charCodeAt(to - 1))) to--;
  return text.slice(from, to);
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09;
}
