import { joinParts, splitParts } from "../../url/parts.ts";

/** Holds what is looked up in lists of a normalized URL, as byte strings. */
export interface PlainUrl {
  /** The host without a dot at its end. */
  readonly host: string;
  /** The URL without userinfo and without that dot. */
  readonly url: string;
}

/** Returns what is looked up of a normalized URL, or null if it has no host. */
export function plainUrl(url: string): PlainUrl | null {
  const parts = splitParts(url);
  if (parts.host === "") return null;
  const host = parts.host.endsWith(".") ? parts.host.slice(0, -1) : parts.host;
  return { host, url: joinParts({ ...parts, host, userinfo: "" }) };
}
