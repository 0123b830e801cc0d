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
const ADBLOCK = /^(\|\||\||@@|!|\[adblock)|\^$|#@?#/i;

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
  if (text.startsWith("/*")) return endingEntry(text.slice(2));
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
