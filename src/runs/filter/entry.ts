import { isIP } from "node:net";

export type Entry =
  /** A host, and with `isAlone` not the hosts below it. */
  | { readonly host: string; readonly isAlone: boolean }
  /** The URLs that begin with this one; `schemes` are http and https if it has none. */
  | { readonly prefix: string; readonly hasScheme: boolean }
  /** The URLs whose path ends with this text. */
  | { readonly ending: string };

const PLAIN = /^[a-z0-9][a-z0-9.-]*$/;
const SCHEME = /^[a-z][a-z0-9+.-]*:\/\//i;
/** The beginnings and ends of lines that are filters of AdBlock, not hosts. */
const ADBLOCK = /^(?:\||@@)|\^$|\^\$|#@?#/;
/** Matches a filter of AdBlock that blocks a host and those below it. */
const ADBLOCK_HOST = /^\|\|([^/|*^$]+)\^$/;
/** Matches comments of AdBlock and of zones. */
const COMMENT = /^(?:!|;|\[adblock)/i;
/** Addresses that a hosts file gives to what it blocks. */
const NOWHERE = /^(?:0\.0\.0\.0|127(?:\.\d+){3}|::1?|0)$/;
/** Names of the machine itself, which hosts files have besides what they block. */
const OWN_NAMES =
  /^(?:localhost|localhost\.localdomain|local|broadcasthost|ip6-[a-z]+|0\.0\.0\.0)$/i;
/** Matches a record that blocks in a response policy zone, and other records of such a file. */
const ZONE_NAME = /^(\S+?)\.?\s+(?:\d+\s+)?(?:IN\s+)?CNAME\s+(?:\*?\.|rpz-drop\.)$/i;
const ZONE_OTHER = /^(?:\$(?:TTL|ORIGIN)\s|(?:@\s+)?(?:\d+\s+)?(?:IN\s+)?(?:SOA|NS)\s)/i;

/** Types of files that are not top-level domains, unlike zip, mov, app, py, pl, sh, rs, md, ai, ps and so. */
const FILE_TYPES = new Set(
  (
    "7z apk atom avi avif bmp bz2 class css csv dmg doc docx eot eps epub exe flac flv gif gz ico iso jar jpeg jpg js json " +
    "jsp jsonl m4a m4v mid mkv mp3 mp4 mpeg mpg msi odp ods odt ogg ogv otf parquet pdf php png ppt pptx psd rar rpm rss " +
    "rtf svg swf tar tgz tif tiff tsv ttf txt warc wasm wav webm webp wma wmv woff woff2 xls xlsx xml xz zst"
  ).split(" "),
);

/** Returns the type of files that a text such as `*.png` ends with. Returns null if its ending may be of hosts. */
export function fileTypeOf(text: string): string | null {
  const type = text.slice(text.lastIndexOf(".") + 1).toLowerCase();
  return FILE_TYPES.has(type) ? type : null;
}

/**
 * Reads a line of a list. Returns null for a blank one or a comment, and the reason as a text if it is wrong. Lines of hosts
 * files, of AdBlock and of response policy zones are read as far as they name hosts to block.
 */
export function readEntry(line: string): Entry | string | null {
  // Most lines of long lists.
  if (PLAIN.test(line)) return { host: line, isAlone: false };
  const text = line.replace(/(^|\s)#.*$/s, "").trim();
  if (text === "" || COMMENT.test(text)) return null;
  const words = text.split(/\s+/);
  if (words.length > 1) {
    const read = isIP(words[0] as string) > 0 ? hostsLine(words) : zoneLine(text);
    return read === undefined ? "has a space; write one entry per line" : read;
  }
  if (ADBLOCK.test(text)) return adblockLine(text);
  if (text.startsWith("/*")) return endingEntry(text.slice(2));
  if (text.startsWith("=")) return hostEntry(text.slice(1), true);
  if (text.startsWith("*.")) return hostEntry(text.slice(2), false);
  return prefixEntry(text) ?? hostEntry(text, false);
}

/** Returns the entry of a line of a hosts file. */
function hostsLine([address = "", ...names]: string[]): Entry | string | null {
  if (names.every((name) => OWN_NAMES.test(name))) return null;
  if (!NOWHERE.test(address)) {
    return `gives a host the address ${address}, which blocks nothing; leave the line out`;
  }
  const [name = "", another] = names;
  if (another !== undefined) {
    return `has ${names.length} hosts; write each in a line: awk '{ sub(/#.*/, ""); for (i = 2; i <= NF; i++) print "=" $i }' FILE`;
  }
  return hostEntry(name, true);
}

/** Returns the entry of a record of a response policy zone; undefined for other lines. */
function zoneLine(text: string): Entry | string | null | undefined {
  if (ZONE_OTHER.test(text)) return null;
  const name = ZONE_NAME.exec(text)?.[1];
  if (name === undefined) return undefined;
  return name.startsWith("*.") ? hostEntry(name.slice(2), false) : hostEntry(name, true);
}

function adblockLine(text: string): Entry | string {
  const host = ADBLOCK_HOST.exec(text)?.[1];
  if (host !== undefined) return hostEntry(host, false);
  if (text.startsWith("@@")) {
    return "is an exception of AdBlock, which cannot be listed; to leave all out: sed '/^@@/d' FILE";
  }
  if (/^\|\|[^/|*^$]+\^\$/.test(text)) {
    return "has options of AdBlock; to block the hosts of all such lines whatever is asked for: sed 's/\\^\\$.*/^/' FILE";
  }
  return "is a filter of AdBlock that names more than a host; to keep those of hosts: grep -E '^\\|\\|[^/|*^$]+\\^$' FILE";
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

function endingEntry(ending: string): Entry | string {
  if (ending === "") return "means every URL; write an ending of paths after it, as in /*.png";
  if (ending.includes("*")) return "has a second *; only the beginning of a path may be left open";
  if (/[?#]/.test(ending)) return "has a query or a fragment; an ending is one of paths";
  if (ending.endsWith("$")) return `has a $, which ends no entry; write /*${ending.slice(0, -1)}`;
  return { ending };
}

function hostEntry(text: string, isAlone: boolean): Entry | string {
  if (text.includes("*")) return "has a * that is not at the beginning, before a dot";
  if (SCHEME.test(text) || /[/?#@\\]/.test(text)) return "is not a host";
  if (text.startsWith(".")) {
    const type = fileTypeOf(text);
    return `begins with a dot; write ${type === null ? text.replace(/^\.+/, "") : `/*${text}`}`;
  }
  if (isIP(text) === 6) return `needs brackets: [${text}]`;
  if (/^[^[]*:|\]:/.test(text)) {
    return `has a port; a host is listed with all ports, and ${text}/ means the URLs of one`;
  }
  return { host: text, isAlone };
}
