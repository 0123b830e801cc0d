import { isIP } from "node:net";

export type Entry =
  /** A host, and with `isAlone` not the hosts below it. */
  | { readonly host: string; readonly isAlone: boolean }
  /** The URLs that begin with this one; `schemes` are http and https if it has none. */
  | { readonly prefix: string; readonly hasScheme: boolean };

const PLAIN = /^[a-z0-9][a-z0-9.-]*$/;
const SCHEME = /^[a-z][a-z0-9+.-]*:\/\//i;
/** The beginnings and ends of lines that are filters of AdBlock, not hosts. */
const ADBLOCK = /^(\|\||\||@@|!|\[adblock)|\^$|#@?#/i;

/** Reads a line of a list. Returns null for a blank one or a comment, and the reason as a text if it is wrong. */
export function readEntry(line: string): Entry | string | null {
  // Most lines of long lists.
  if (PLAIN.test(line)) return { host: line, isAlone: false };
  const text = line.replace(/(^|\s)#.*$/s, "").trim();
  if (text === "") return null;
  const [first = "", second] = text.split(/\s+/, 2);
  if (second !== undefined) {
    return isIP(first) > 0
      ? "looks like a line of a hosts file; write the host alone"
      : "has a space; write one entry per line";
  }
  if (ADBLOCK.test(text)) return "looks like a filter of AdBlock; write the host alone";
  if (text.startsWith("=")) return hostEntry(text.slice(1), true);
  if (text.startsWith("*.")) return hostEntry(text.slice(2), false);
  return prefixEntry(text) ?? hostEntry(text, false);
}

/** Returns null for a text without a path. */
function prefixEntry(text: string): Entry | string | null {
  const hasScheme = SCHEME.test(text);
  if (!hasScheme && !text.includes("/")) return null;
  if (/^[\d.]+\/\d+$/.test(text)) return "looks like a network; networks cannot be listed";
  if (text.startsWith("/")) return "has no host";
  const authority = /^[^/?#]*/.exec(text.replace(SCHEME, ""))?.[0] ?? "";
  if (authority.includes("*")) return "has a * in the host; a prefix is of one host";
  if (authority.includes("@")) return "has a user name; it is not compared, so leave it out";
  return { prefix: text, hasScheme };
}

function hostEntry(text: string, isAlone: boolean): Entry | string {
  if (text.includes("*")) return "has a * that is not at the beginning, before a dot";
  if (SCHEME.test(text) || /[/?#@\\]/.test(text)) return "is not a host";
  if (text.startsWith(".")) return `begins with a dot; write ${text.replace(/^\.+/, "")}`;
  if (isIP(text) === 6) return `needs brackets: [${text}]`;
  if (/^[^[]*:|\]:/.test(text)) {
    return `has a port; a host is listed with all ports, and ${text}/ means the URLs of one`;
  }
  return { host: text, isAlone };
}
