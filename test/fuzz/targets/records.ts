import { isDeepStrictEqual } from "node:util";
import { FORMATS } from "../../../src/formats/catalog.ts";
import { formatOf, urlField } from "../../../src/formats/index.ts";
import { hasUrl, RecordReader } from "../../../src/formats/records.ts";
import { unlessRefused } from "../compare.ts";
import { counted } from "../edges.ts";

export { PLACES, reached } from "../edges.ts";

const PLACE = { header: null, isStart: true } as const;
const readers = FORMATS.flatMap((name) => {
  const format = unlessRefused(() => formatOf(name, urlField(name, {})));
  if (format === null) return [];
  return [[new RecordReader(format, true), new RecordReader(format, false)] as const];
});

/** Returns the rows of a text: their places and kinds, and the URLs. */
function rowsOf(reader: RecordReader, text: Buffer): unknown {
  return unlessRefused(() =>
    Array.from(reader.read(text, PLACE), ({ rows, starts, froms, tos, kinds, urls }) =>
      Array.from({ length: rows }, (_, row) => {
        const kind = kinds[row] as number;
        if (!hasUrl(kind)) return [starts[row], kind];
        const url = urls.data.slice(urls.offsets[row], urls.offsets[row + 1]);
        return [starts[row], froms[row], tos[row], Buffer.from(url).toString("latin1")];
      }),
    ).flat(),
  );
}

/** A byte that chooses the format, and records: the scanner finds what the plain reader finds. */
export const fuzz = counted((data: Buffer): void => {
  const [first = 0] = data;
  const [scanned, read] = readers[first % readers.length] as (typeof readers)[0];
  const text = data.subarray(1);
  const [found, expected] = [rowsOf(scanned, text), rowsOf(read, text)];
  if (!isDeepStrictEqual(found, expected)) {
    throw new Error(`${JSON.stringify(found)} is not ${JSON.stringify(expected)}`);
  }
});
