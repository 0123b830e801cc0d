import { unescapeLine } from "../../io/text/line-escape.ts";
import { type ChunkError, eachError } from "../base/error-list.ts";
import type { ChunkResult } from "../call/job.ts";
import { EXAMPLES } from "../rows/step-counter.ts";
import { MergedGroups } from "./merged-groups.ts";

/** The bytes of a text that are kept: more than a page shows. */
const LONGEST_TEXT = 4096;

export interface Change {
  readonly before: string;
  readonly after: string;
}

/** Holds a record without a URL, and its number from 1 on. */
export interface ErrorLine {
  readonly line: number;
  readonly text: string;
}

/** Collects the contents of a report, in memory that does not grow with the input. Texts are byte strings. */
export class ReportCollector {
  readonly examplesByStep = new Map<string, Change[]>();
  readonly errorsByCode = new Map<string, ErrorLine[]>();
  readonly groups = new MergedGroups();
  /** The number of merged records that are not URLs. */
  mergedErrors = 0;

  /** Adds a chunk. `line` is the number of its first record. */
  addResult({ examples, errors }: Pick<ChunkResult, "examples" | "errors">, line: number): void {
    for (const [step, changes] of Object.entries(examples)) {
      this.#addSome(this.examplesByStep, step, changes);
    }
    eachError(errors, (row, text) => {
      const tab = text.indexOf("\t");
      const errorText = unescapeLine(text.slice(tab + 1, -1));
      this.addError({ code: text.slice(0, tab), text: errorText }, line + row);
    });
  }

  addError({ code, text }: Pick<ChunkError, "code" | "text">, line: number): void {
    this.#addSome(this.errorsByCode, code, [{ line, text: text.slice(0, LONGEST_TEXT) }]);
  }

  /** Counts the errors among merged records. `isMerged` has a byte for each record: 1 if it was merged. */
  addMergedErrors(errors: Iterable<number>, isMerged: Uint8Array): void {
    for (const row of errors) this.mergedErrors += isMerged[row] as number;
  }

  #addSome<T>(lists: Map<string, T[]>, name: string, items: readonly T[]): void {
    const list = lists.get(name) ?? [];
    lists.set(name, list);
    list.push(...items.slice(0, EXAMPLES - list.length));
  }
}
