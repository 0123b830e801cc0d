import { createNormalizer } from "../../index.ts";
import type { Normalizer } from "../../normalizer/normalizer.ts";
import { decodeUtf8, utf8ByteString } from "../../url/bytes.ts";
import { LONGEST_BASE } from "../format.ts";
import { parseObject } from "../json/json-object.ts";
import { unescapeAttribute } from "../xml/xml-text.ts";
import { BadContent } from "./warc-records.ts";

/** Holds the members of a WAT record that are read. Each may be missing or have another type. */
export interface WatRecord {
  readonly Envelope?: {
    readonly "WARC-Header-Metadata"?: Readonly<Record<string, unknown>> | null;
    readonly "Payload-Metadata"?: {
      readonly "HTTP-Response-Metadata"?: {
        readonly Headers?: Readonly<Record<string, unknown>> | null;
        readonly "Response-Message"?: { readonly Status?: unknown } | null;
        readonly "HTML-Metadata"?: {
          readonly Head?: WatHead | null;
          readonly Links?: unknown;
        } | null;
      } | null;
    } | null;
  } | null;
}

/** Holds what WAT has of the head of a page. */
export interface WatHead {
  readonly Base?: unknown;
  /** Lists objects with `url` and `rel`. */
  readonly Link?: unknown;
  /** Lists objects with `property` and `content`. */
  readonly Metas?: unknown;
}

const decoder = new TextDecoder("utf-8", { fatal: true });
/** Matches the characters that the URL parser removes anywhere in a URL. */
const REMOVED = /[\t\n\r]/g;
const IS_PAGE = /^https?:/;

/** Reads the links of pages from WAT records, the JSON that Common Crawl writes for each capture. */
export class WatLinks {
  readonly #normalizer: Normalizer = createNormalizer();

  /**
   * Returns the links of a page as byte strings, in absolute and normal form. The URL of the page is a byte string.
   * WAT has links as attributes are written, so their character references are decoded. Links that are not http or
   * https are left out. Links are resolved against `Head.Base`, which is resolved against the page. A link that is
   * not a URL stays as it is. Throws `BadContent` if the text is not the JSON of a WAT record, or if its base is too
   * long.
   */
  read(content: Uint8Array, page: string): string[] {
    const metadata = readWatRecord(content).Envelope?.["Payload-Metadata"];
    const html = metadata?.["HTTP-Response-Metadata"]?.["HTML-Metadata"];
    const links = html?.Links;
    if (!Array.isArray(links)) return [];
    const urls = links
      .map((link: { url?: unknown } | null) => link?.url)
      .filter((url) => typeof url === "string")
      .map(unescapeAttribute);
    const base = this.#baseOf(page, html?.Head?.Base);
    if (base !== undefined && base.length > LONGEST_BASE)
      throw new BadContent("a base of more than 8 KiB");
    return this.#resolve(urls, base);
  }

  /** Returns the URL that links are resolved against, or undefined if the page has none. */
  #baseOf(page: string, base: unknown): string | undefined {
    const pageUrl = this.#normalizer.tryNormalize(decodeUtf8(page) ?? page).url ?? undefined;
    if (typeof base !== "string") return pageUrl;
    return this.#normalizer.tryNormalize(unescapeAttribute(base), pageUrl).url ?? pageUrl;
  }

  #resolve(links: readonly string[], base: string | undefined): string[] {
    const { urls } = this.#normalizer.normalizeBatch(links, base === undefined ? {} : { base });
    const resolved: string[] = [];
    for (const [index, link] of links.entries()) {
      const url = urls[index] ?? null;
      if (url === null) resolved.push(utf8ByteString(link.replaceAll(REMOVED, "")));
      else if (IS_PAGE.test(url)) resolved.push(url);
    }
    return resolved;
  }
}

/** Returns the content of a record of WAT. Throws `BadContent` if it is not JSON, or not an object. */
export function readWatRecord(content: Uint8Array): WatRecord {
  const object = parseObject(decode(content));
  if (typeof object === "string") throw new BadContent(`its content is ${object}`);
  return object;
}

function decode(content: Uint8Array): string {
  try {
    return decoder.decode(content);
  } catch {
    throw new BadContent("its JSON is not UTF-8");
  }
}
