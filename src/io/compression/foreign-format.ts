import { shellWord } from "../../base/shell-word.ts";
import { toByteString } from "../../url/bytes.ts";
import type { Compression } from "./compression.ts";

/**
 * Counts the bytes at the beginning of a file that tell a format which cannot be read. The mark of a tar
 * archive is at 257.
 */
export const FOREIGN_LENGTH = 262;

/** A format of files that are not lists of lines. */
interface Form {
  /** Names the format, to follow "it is". */
  readonly is: string;
  readonly at: number;
  /** Holds the first bytes as a byte string; `?` is any byte. */
  readonly magic: string;
  /** Returns a command that writes a list from the named file, or from standard input if there is no name. */
  readonly command: (file: string) => string;
  /** Says whether the command can read only a file. */
  readonly needsFile?: true;
}

function form(is: string, magic: string, command: string): Form {
  return { is, at: 0, magic, command: (file) => `${command} ${file}`.trimEnd() };
}

function iconv(is: string, magic: string, from: string): Form {
  return form(is, magic, `iconv -f ${from} -t UTF-8`);
}

function workbook(magic: string, at: number): Form {
  return { ...form("an Excel workbook", magic, "xlsx2csv"), at, needsFile: true };
}

const ZIP: Form = { ...form("a zip archive", "PK\x03\x04", "unzip -p"), needsFile: true };
/** Matches the head of a file of a workbook in a zip archive. */
const IN_WORKBOOK = /PK\p{Cc}\p{Cc}.{26}xl\//su;
const IN_UTF16 = "text in UTF-16";

const FORMS: readonly Form[] = [
  form("compressed with bzip2", "BZh?1AY&SY", "bzip2 -dc"),
  form("compressed with xz", "\xfd7zXZ\0", "xz -dc"),
  form("compressed with lzip", "LZIP\x01", "lzip -dc"),
  form("compressed with lz4", "\x04\x22\x4d\x18", "lz4 -dc"),
  form("compressed with compress", "\x1f\x9d", "gzip -dc"),
  // The name of the first file in the archive.
  ...["[Content_Types].xml", "_rels/", "docProps/", "xl/"].map((magic) => workbook(magic, 30)),
  ZIP,
  { ...form("a 7z archive", "7z\xbc\xaf\x27\x1c", "7z x -so"), needsFile: true },
  { ...form("a rar archive", "Rar!\x1a\x07", "unrar p -inul"), needsFile: true },
  {
    ...form("a tar archive", "ustar", ""),
    at: 257,
    command: (file) => `tar -xOf ${file === "" ? "-" : file}`,
  },
  {
    // A Thrift field of type i32 follows the magic.
    ...form("a Parquet file", "PAR1\x15", ""),
    command: () => `duckdb -noheader -list -c "SELECT url FROM 'FILE.parquet'"`,
    needsFile: true,
  },
  iconv("text in UTF-32", "\xff\xfe\0\0", "UTF-32"),
  iconv("text in UTF-32", "\0\0\xfe\xff", "UTF-32"),
  iconv(IN_UTF16, "\xff\xfe", "UTF-16"),
  iconv(IN_UTF16, "\xfe\xff", "UTF-16"),
];

/** Matches UTF-16 without a byte order mark: up to four characters of ASCII. */
const UNMARKED_LE = iconv(IN_UTF16, "?\0?\0", "UTF-16LE");
const UNMARKED_BE = iconv(IN_UTF16, "\0?\0?", "UTF-16BE");

/** Reports a file, or the content of a compressed file, in a format that cannot be read. */
export class ForeignFormat extends Error {
  readonly #form: Form;
  readonly #outer: Compression | null;

  private constructor(form: Form, outer: Compression | null) {
    super(`it is ${form.is}`);
    this.#form = form;
    this.#outer = outer;
  }

  /**
   * Throws a ForeignFormat if the first bytes are those of a format that cannot be read. `outer`: the
   * compression of the file, if the bytes are its content.
   */
  static check(head: Uint8Array, outer: Compression | null): void {
    const found = formOf(toByteString(head));
    if (found !== null) throw new ForeignFormat(found, outer);
  }

  /** Returns the error of a file that was compressed twice. */
  static twice(inner: Compression, outer: Compression): ForeignFormat {
    const again = { is: `compressed with ${inner}`, at: 0, magic: "", command: () => "" };
    return new ForeignFormat(again, outer);
  }

  /** Says what the file is, and which command makes a list from it. `start`: its first bytes, if it can be read again. */
  describe(name: string, start: Uint8Array = new Uint8Array(0)): string {
    const isZip = this.#form === ZIP && this.#outer === null;
    const isWorkbook = isZip && (/\.xlsx$/i.test(name) || IN_WORKBOOK.test(toByteString(start)));
    const { is, command, needsFile } = isWorkbook ? workbook("", 0) : this.#form;
    const file = name === "-" ? "" : shellWord(name);
    if (this.#outer === null) {
      const isSaved = needsFile === true && file === "";
      const run = isSaved ? `save it and run: ${command("FILE")}` : `run: ${command(file)}`;
      return `it is ${is}; ${run} | urlmill …`;
    }
    const decompress = `${this.#outer} -dc ${file}`.trimEnd();
    const list = needsFile === true ? `> FILE && ${command("FILE")}` : `| ${command("")}`;
    const run = command("") === "" ? decompress : `${decompress} ${list}`;
    return `its ${this.#outer} data are ${is}; run: ${run} | urlmill …`;
  }
}

/** Returns whether more bytes after these could begin a format that cannot be read. */
export function mayBecomeForeign(head: Uint8Array): boolean {
  const text = toByteString(head);
  return FORMS.some(
    ({ at, magic }) =>
      at === 0 && text.length < magic.length && matches(text, magic.slice(0, text.length)),
  );
}

function formOf(text: string): Form | null {
  const found = FORMS.find(({ at, magic }) => matches(text.slice(at, at + magic.length), magic));
  if (found !== undefined) return found;
  if (/^(?:[\t\n\r -~]\0){2}/.test(text)) return UNMARKED_LE;
  return /^(?:\0[\t\n\r -~]){2}/.test(text) ? UNMARKED_BE : null;
}

function matches(text: string, magic: string): boolean {
  if (text.length !== magic.length) return false;
  for (let at = 0; at < magic.length; at++) {
    if (magic[at] !== "?" && magic[at] !== text[at]) return false;
  }
  return true;
}
