import { DOUBTFUL } from "../../../src/formats/scan/layout.ts";
import { sharedScanner } from "../../../src/formats/scan/scanner.ts";
import { type CsvDialect, csv } from "../../../src/formats/tables/csv.ts";
import { counted } from "../edges.ts";

export { PLACES, reached } from "../edges.ts";

const FIRST = { name: "1", isNeeded: false };
const SEPARATORS = [",", ";", "\t", "|"];

/** Returns where the records end that a reader finds which gets pieces of so many bytes. */
function endsOf(text: Buffer, dialect: CsvDialect, size: number, scans: boolean): number[] {
  const format = csv(FIRST, false, dialect);
  const newBoundary = () => format.boundary(scans ? sharedScanner() : null);
  let boundary = newBoundary();
  const ends: number[] = [];
  let begin = 0;
  let known = 0;
  for (let to = Math.min(size, text.length); known < text.length; ) {
    const bytes = text.subarray(begin, to);
    let end = boundary(bytes, known - begin);
    known = to;
    if (end === DOUBTFUL) {
      end = format.mend?.(bytes.toString("latin1"), false, size).end ?? 0;
      boundary = newBoundary();
      known = begin + end;
    } else to = Math.min(to + size, text.length);
    if (end === 0) continue;
    begin += end;
    ends.push(begin);
  }
  return ends;
}

/** A byte for the separator and the pieces, and CSV: in pieces of any size, records end where they end in the whole. */
export const fuzz = counted((data: Buffer): void => {
  const [first = 0] = data;
  const text = data.subarray(1);
  const dialect = {
    delimiter: SEPARATORS[first & 3],
    escapeChar: (first & 4) === 0 ? undefined : "\\",
  };
  const format = csv(FIRST, false, dialect);
  const place = { header: null, isStart: true };
  const spans = format.read(text.toString("latin1"), place);
  const ends = new Set(spans.map(({ end }) => end));
  for (const scans of [true, false]) {
    const found = endsOf(text, dialect, 1 + (first >> 3), scans);
    const wrong = found.find((end) => !ends.has(end));
    if (wrong !== undefined) throw new Error(`no record ends at ${wrong}`);
    // A last record may lack its line end, or the quote that closes a field.
    const [last = 0] = endsOf(text, dialect, Math.max(1, text.length), false).slice(-1);
    if ((found.at(-1) ?? 0) !== last) throw new Error(`the last record ends at ${last}`);
  }
});
