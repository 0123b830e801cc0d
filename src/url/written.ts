import { utf8ByteString } from "./bytes.ts";
import { PATH, SPECIAL_QUERY } from "./chars.ts";
import { writeComponent } from "./component.ts";
import { writeDomainHost } from "./host/host.ts";

/** Returns a text as normalizing writes it in a path. */
export function writtenInPath(text: string): string {
  const bytes = utf8ByteString(text);
  return writeComponent(bytes, 0, bytes.length, PATH);
}

/** Returns a text as normalizing writes it in the query of a special scheme. */
export function writtenInQuery(text: string): string {
  const bytes = utf8ByteString(text);
  return writeComponent(bytes, 0, bytes.length, SPECIAL_QUERY);
}

/**
 * Writes a host as normalizing does; returns null for a text that is neither a host name nor an IP
 * address. An IPv6 address may lack its brackets.
 */
export function normalHost(host: string): string | null {
  const bytes = utf8ByteString(host);
  const isIpv6 = bytes.includes(":") && /^[0-9a-f:.]*$/i.test(bytes);
  const text = isIpv6 ? `[${bytes}]` : bytes;
  // `text` holds UTF-8 bytes: \s would also refuse the byte 0xA0, which stands in "à" and in "你".
  if (/[/\\?#@*\t-\r ]/.test(text) || text === "") return null;
  const written = writeDomainHost(text, 0, text.length);
  return typeof written === "string" ? written : null;
}
