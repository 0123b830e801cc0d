import { utf8ByteString } from "../bytes.ts";
import { writeDomainHost } from "./host.ts";

/**
 * Writes a host as normalizing does; returns null for a text that is neither a host name nor an IP
 * address. An IPv6 address may lack its brackets.
 */
export function normalHost(host: string): string | null {
  const bytes = utf8ByteString(host);
  const text = /^[0-9a-f:.]*:[0-9a-f:.]*$/i.test(bytes) ? `[${bytes}]` : bytes;
  // `text` holds UTF-8 bytes: \s would also refuse the byte 0xA0, which stands in "à" and in "你".
  if (/[/\\?#@*\t-\r ]/.test(text) || text === "") return null;
  const written = writeDomainHost(text, 0, text.length);
  return typeof written === "string" ? written : null;
}
