import type { ArchiveFormat, FormatName, UrlField } from "../formats/index.ts";
import type { NormalizerOptions } from "../options/catalog.generated.ts";

import type { FingerprintBits } from "../seen/memory/table.ts";
import type { Emit, Form, OnError } from "./job.ts";

/** Holds the values of the flags of `normalize` and `dedupe`. */
export interface CommandOptions {
  /** FILE…, `-` for standard input. */
  readonly files: readonly string[];
  readonly normalizer: NormalizerOptions;
  /** The files that options were read from. */
  readonly optionFiles: readonly string[];
  readonly base: string | undefined;
  readonly onError: OnError;
  readonly errors: string | undefined;
  /** The format of records. It is "lines" for a web archive, because URLs are written. */
  readonly format: FormatName | "parquet";
  /** The format of web archives to take URLs from. It is null if the inputs have `format`. */
  readonly archive: ArchiveFormat | null;
  /** The position of the URL in a record. */
  readonly field: UrlField;
  readonly emit: Emit;
  readonly form: Form;
  /** The file to write instead of standard output. */
  readonly out: string | undefined;
  readonly threads: number | undefined;
  /** Says whether each line of a stream is answered without waiting for more lines. */
  readonly flush: boolean;
  /** `dedupe` only: a file for the lines that were merged. */
  readonly map: string | undefined;
  /** `dedupe` only: a file for the lines that rules would merge. These lines stay in the output. */
  readonly shadow: string | undefined;
  /** `dedupe` only: a directory with the keys of earlier runs. */
  readonly seen: string | undefined;
  /** `dedupe` only: the bits of a key; absent if not given. */
  readonly bits: FingerprintBits | undefined;
  readonly stats: boolean;
  /** A file for a page that shows what the run did. */
  readonly report: string | undefined;
  readonly progress: boolean | undefined;
  readonly help: boolean;
}

/** Holds the options for text input. */
export interface LineOptions extends CommandOptions {
  readonly format: FormatName;
}

/** The most threads that a run may have. */
export const MAX_THREADS = 9999;
