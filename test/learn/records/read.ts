import type { RecordFormat, RecordOptions } from "../../../src/learn/records/format.ts";
import { RecordReader } from "../../../src/learn/records/read-records.ts";
import type { LearnRecord } from "../../../src/learn/records/record.ts";

/** What a reader makes of a text in one chunk. */
export function read(format: RecordFormat, text: string, options: RecordOptions = {}) {
  return readChunks(format, [Buffer.from(text)], options);
}

/** What a reader makes of the chunks of an input; each is overwritten after its push. */
export function readChunks(
  format: RecordFormat,
  chunks: readonly Uint8Array[],
  options: RecordOptions = {},
) {
  const reader = new RecordReader(format, options);
  const records: LearnRecord[] = [];
  for (const chunk of chunks) {
    const bytes = Uint8Array.from(chunk);
    records.push(...reader.push(bytes, false));
    bytes.fill(0x21);
  }
  records.push(...reader.push(new Uint8Array(0), true));
  return { records, errors: reader.errors, failed: reader.failed, lines: reader.lines };
}

/** The reasons for which lines are malformed. */
export function reasons(format: RecordFormat, text: string, options: RecordOptions = {}): string[] {
  return read(format, text, options).errors.map(({ reason }) => reason);
}
