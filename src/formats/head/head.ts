import { lineEnd, type RecordEnd } from "../format.ts";

/** Holds the beginning of a list, as far as it was read. */
export interface Head {
  /** Holds its bytes as a byte string, without a byte order mark. */
  readonly text: string;
  /** Says whether the list ends there. */
  readonly isWhole: boolean;
  /** Says whether no more of the list will be read before an answer. */
  readonly isLast: boolean;
}

/** Returns the first line of a list without its line end, or null if it is not whole. */
export function firstLine({ text, isWhole }: Head): string | null {
  const end = lineEnd(text, 0);
  return text[end - 1] === "\n" || (isWhole && end > 0) ? withoutLineEnd(text.slice(0, end)) : null;
}

function withoutLineEnd(line: string): string {
  return line.replace(/\r?\n$/, "");
}

/** Returns the first records of a list that are whole and not blank, without their line ends, at most `count`. */
export function firstRecords(
  { text, isWhole }: Head,
  count: number,
  recordEnd: RecordEnd = lineEnd,
): string[] {
  const records: string[] = [];
  for (let from = 0; from < text.length && records.length < count; ) {
    const end = recordEnd(text, from, isWhole);
    if (!isWhole && (end < 0 || text[end - 1] !== "\n")) break;
    const record = withoutLineEnd(text.slice(from, end));
    if (record.trim() !== "") records.push(record);
    from = end;
  }
  return records;
}
