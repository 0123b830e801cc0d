import { addKey, type ChunkPlace, type Format } from "../../formats/format.ts";
import { RecordKind, RecordReader, type Records } from "../../formats/records.ts";
import type { Addition } from "../../formats/scan/layout.ts";
import { toByteString } from "../../url/bytes.ts";
import type { Job } from "../call/job.ts";

/** The width of a count before a line, as in `uniq -c`. */
const WIDTH = 7;

/** Returns what stands before a line that is written with the number of its lines. */
export function countBefore(count: number): string {
  return `${String(count).padStart(WIDTH)} `;
}

/** Writes records with the number of the records of their key: before a line, after the other columns or members. */
export class CountedRecords {
  readonly #format: Format;
  readonly #job: Pick<Job, "format" | "emit">;
  readonly #reader: RecordReader;

  /** `scans`: says whether WebAssembly may run. */
  constructor(format: Format, job: Pick<Job, "format" | "emit">, scans: boolean) {
    this.#format = format;
    this.#job = job;
    this.#reader = new RecordReader(format, scans);
  }

  /** Returns the header of records as they are before the counts are added. */
  headerOf(header: string): string {
    return this.#job.emit === "both"
      ? this.#format.appendToHeader(header, "normalized_url")
      : header;
  }

  /** Returns records with their counts, of which there is one for each. A header gets none, and 0 says the same of a row. */
  of(text: Uint8Array, counts: Float64Array, place: ChunkPlace): Uint8Array {
    if (this.#job.format === "lines") return countedLines(text, counts, "\n");
    if (this.#job.format === "lines0") return countedLines(text, counts, "\0");
    const pieces: string[] = [];
    for (const records of this.#reader.read(text, place)) this.#add(pieces, text, records, counts);
    return Buffer.from(pieces.join(""), "latin1");
  }

  #add(pieces: string[], text: Uint8Array, { rows, starts, kinds }: Records, counts: Float64Array) {
    const first = pieces.length;
    for (let row = 0; row < rows; row++) {
      const record = toByteString(text.subarray(starts[row], starts[row + 1]));
      pieces.push(this.#counted(record, kinds[row] as number, counts[first + row] as number));
    }
  }

  #counted(record: string, kind: number, count: number): string {
    if (kind === RecordKind.HEADER) return this.#format.appendToHeader(record, "count");
    const { addition } = this.#format;
    if (addition === undefined || kind === RecordKind.MALFORMED || count === 0) return record;
    return addKey(record, { ...addition, before: beforeCount(addition) }, String(count));
  }
}

function countedLines(text: Uint8Array, counts: Float64Array, lineEnd: string): Uint8Array {
  const lines = toByteString(text).split(lineEnd);
  lines.pop(); // the text ends with a line end
  const counted = lines.map(
    (line, row) => `${countBefore(counts[row] as number)}${line}${lineEnd}`,
  );
  return Buffer.from(counted.join(""), "latin1");
}

/** Returns what stands before a count: as before a key, with another name. */
function beforeCount({ place, before }: Addition): string {
  return place === "brace" ? ',"count":' : before;
}
