import type { Normalizer } from "../../normalizer/normalizer.ts";
import type { ParquetFile } from "../../parquet/input-file.ts";
import type { ParquetPeers } from "../../parquet/peers.ts";
import type { GroupOutput, WrittenGroup } from "../../parquet/write/group-output.ts";
import type { PageTools } from "../../parquet/write/page-tools.ts";
import { type ChunkError, mergedEntry } from "../base/error-list.ts";
import { keysTexts } from "../base/text-keys.ts";
import { type ChunkResult, lineOf } from "../call/job.ts";
import { keyForm } from "../call/key-form.ts";
import type { UrlFilter } from "../filter/url-filter.ts";
import type { PreparedRun } from "../frame/prepare.ts";
import type { Answers } from "../keys/row-decider.ts";
import { StepCounter } from "../rows/step-counter.ts";
import {
  firstRowsOf,
  type GroupRows,
  groupRows,
  type Lookups,
  lookupsOf,
  type NewRows,
  newRows,
} from "./new-rows.ts";
import { type ReplacedCodec, RowGroupWriter } from "./row-group-writer.ts";
import { byteString, UrlTexts, type UrlWork } from "./url-texts.ts";

/** Holds what is counted and listed of the rows of a row group. */
export interface GroupFacts
  extends Pick<ChunkResult, "rows" | "changed" | "errorsByCode" | "errors" | "steps" | "examples"> {
  /** The first row without a URL, or null if all rows have one. */
  readonly firstError: ChunkError | null;
}

/** Holds what is counted and listed of merged rows. */
export interface MergedRows {
  readonly count: number;
  /** Counts those without a URL; 0 if rows are not listed. */
  readonly errors: number;
  /** `key<TAB>URL<LF>` of each; empty if they are not listed. */
  readonly list: Uint8Array;
  /** The same of those with a URL, for a report. */
  readonly listOfUrls: Uint8Array;
}

/** Says what the work on row groups needs from its thread. */
export interface GroupWorkOptions {
  readonly job: PreparedRun["job"];
  readonly normalizer: Normalizer;
  readonly peers: ParquetPeers;
  /** Marks URLs that lists leave out; null if there are no lists. */
  readonly filter: UrlFilter | null;
  /** Is waited for before each page; a stop makes it throw. */
  readonly pause: () => Promise<void>;
  /** Is called once for each codec that cannot be used to compress here. */
  readonly onReplaced: (codec: ReplacedCodec) => void;
}

interface GroupInWork {
  readonly file: ParquetFile;
  readonly group: number;
  readonly urls: UrlTexts;
  /** The first row of each text; empty before the lookups. */
  firstRows: Int32Array;
  /** Null if all rows are written. */
  found: NewRows | null;
}

/** Does the work on one row group after the other, in steps: between them the set of keys is asked. */
export class GroupWork {
  readonly #job: PreparedRun["job"];
  readonly #work: UrlWork;
  readonly #writer: RowGroupWriter;
  readonly #pause: () => Promise<void>;
  #current: GroupInWork | null = null;

  constructor({ job, normalizer, peers, filter, pause, onReplaced }: GroupWorkOptions) {
    const explain = (url: string) => normalizer.explainBytes(url, job.base).steps;
    this.#job = job;
    this.#pause = pause;
    this.#work = {
      ...job,
      normalizer,
      filter,
      writesKeys: job.emit !== "original" || job.maps || job.shows,
      form: keyForm(job.form),
      steps: job.counts ? new StepCounter(explain, job.shows) : null,
    };
    this.#writer = new RowGroupWriter(peers, job, pause, onReplaced);
  }

  /** Reads and normalizes the URLs of a row group, which is the one that the other steps are about. */
  async read(file: ParquetFile, group: number): Promise<GroupFacts> {
    this.#current = null; // its memory is free while the next one is read
    const column = await this.#writer.readUrls(file, group);
    const urls = await UrlTexts.of(column, this.#work, this.#pause);
    this.#current = { file, group, urls, firstRows: new Int32Array(0), found: null };
    const { changed, errors, errorsByCode, firstError } = urls;
    const counts = this.#work.steps?.take() ?? { steps: {}, examples: {} };
    return { rows: column.rows.length, changed, errors, errorsByCode, firstError, ...counts };
  }

  /** Returns what to ask the set of keys. */
  async lookups(): Promise<Lookups> {
    const current = this.#current as GroupInWork;
    const failed = await this.#failedKeys();
    current.firstRows = firstRowsOf(current.urls);
    return lookupsOf(current.urls, current.firstRows, failed);
  }

  /** Chooses the rows to write by the answers to the lookups, and lists those that were merged. */
  choose(answers: Uint8Array): MergedRows {
    const current = this.#current as GroupInWork;
    const { urls, firstRows } = current;
    const { failed } = urls;
    const keepsFailed = keysTexts(this.#job);
    const found = newRows(urls, firstRows, answers, keepsFailed);
    current.found = found;
    const failedCount = failed.reduce((sum, byte) => sum + byte, 0);
    const leftOut = urls.blocked + (keepsFailed ? 0 : failedCount);
    const merged = failed.length - found.chosen - leftOut;
    return this.#list(
      urls,
      merged,
      (row) =>
        found.isChosen[row] !== 1 && (keepsFailed || failed[row] !== 1) && !urls.isBlocked(row),
    );
  }

  /** Returns what to ask about all rows. `column`: names the values by which rows are chosen, or is null. */
  async rows(column: string | null): Promise<GroupRows> {
    const { file, group, urls } = this.#current as GroupInWork;
    const values = column === null ? undefined : await this.#writer.readValues(file, group, column);
    return groupRows(urls, await this.#failedKeys(), values);
  }

  /** Chooses the rows to write by the answers about all rows, and lists those that were merged. */
  chooseRows({ rows, merged, counts }: Answers): MergedRows {
    const current = this.#current as GroupInWork;
    const isChosen = rows.map((answer) => (answer === 1 ? 1 : 0));
    const chosen = isChosen.reduce((sum, byte) => sum + byte, 0);
    current.found = { isChosen, chosen, counts };
    return this.#list(current.urls, merged, (row) => rows[row] === 0);
  }

  /** Returns the fingerprints of the rows without a URL, or null if these rows are left out. */
  async #failedKeys(): Promise<Uint8Array | null> {
    const { file, group, urls } = this.#current as GroupInWork;
    if (!keysTexts(this.#job)) return null;
    return this.#writer.readRows(file, group, urls.failed, this.#job.fingerprintKey as Uint8Array);
  }

  /** Writes the rows. Returns null if there is nothing to write. */
  async write(begin: (tools: PageTools) => Promise<GroupOutput>): Promise<WrittenGroup | null> {
    const { file, group, urls, found } = this.#current as GroupInWork;
    return this.#writer.write(file, group, urls, found, begin);
  }

  /** Returns the URLs of the rows to write, or their keys, in a line each. */
  lines(): Uint8Array {
    const { urls, found } = this.#current as GroupInWork;
    const { emit, onError } = this.#job;
    const lines: string[] = [];
    for (const [row, number] of urls.column.rows.entries()) {
      if (found !== null && found.isChosen[row] !== 1) continue;
      const text = urls.textOf(row);
      if (urls.codeOf(row) !== null) {
        if (onError === "empty") lines.push("\n");
        else if (text !== null) lines.push(lineOf(byteString(text)));
      } else if (emit === "url") lines.push(lineOf(byteString(text as Uint8Array)));
      else lines.push(lineOf(byteString(urls.keyOf(number))));
    }
    return Buffer.from(lines.join(""), "latin1");
  }

  /** Lists merged rows: `key<TAB>URL<LF>` each. The key of a whole row is not a text, so it is left empty. */
  #list(urls: UrlTexts, count: number, isMerged: (row: number) => boolean): MergedRows {
    const { failed } = urls;
    const nothing = new Uint8Array(0);
    if (!this.#job.maps) return { count, errors: 0, list: nothing, listOfUrls: nothing };
    const entries: string[] = [];
    const ofUrls: string[] = [];
    for (let row = 0; row < failed.length; row++) {
      if (!isMerged(row)) continue;
      const isFailed = failed[row] === 1;
      const text = byteString(urls.textOf(row) ?? nothing);
      const key = isFailed ? "" : byteString(urls.keyOf(urls.column.rows[row] as number));
      const entry = mergedEntry(key, text);
      entries.push(entry);
      if (!isFailed) ofUrls.push(entry);
    }
    return {
      count,
      errors: entries.length - ofUrls.length,
      list: Buffer.from(entries.join(""), "latin1"),
      listOfUrls: this.#job.shows ? Buffer.from(ofUrls.join(""), "latin1") : nothing,
    };
  }
}
