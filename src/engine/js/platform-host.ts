import { fromByteString } from "./bytes.ts";

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The text of a byte string, or null where it is not UTF-8. */
export function decodeUtf8(bytes: string): string | null {
  try {
    return decoder.decode(fromByteString(bytes));
  } catch {
    return null; // "fatal" has no other way to say that bytes are not UTF-8
  }
}

/**
 * "Domain to ASCII" of a domain with characters outside ASCII, IPv4 included, by the platform's URL
 * parser; null when that refuses it. Platforms differ here: their Unicode version
 * decides about new characters.
 */
export function platformDomainToAscii(domain: string): string | null {
  try {
    return new URL(`http://${encodeURIComponent(domain)}/`).hostname;
  } catch {
    return null; // not URL.canParse first: an international host costs microseconds to parse
  }
}
