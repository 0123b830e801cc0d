import { ByteBuilder } from "../../engine/byte-builder.ts";
import type { Column } from "../../engine/engine.ts";
import { type ChunkPlace, type FormatName, formatOf, type UrlField } from "../../formats/index.ts";
import { hasUrl, RecordReader } from "../../formats/records.ts";
import { encodeUtf8, toByteString } from "../../url/bytes.ts";
import { type DateOrder, sortableDate } from "../base/dates.ts";
import type { ValueField } from "../base/keep.ts";

/** What a format writes in a field without a value. */
const NOTHING: Partial<Record<FormatName, string>> = { cdx: "-" };

/** What the field `mime` of an index of captures has for a capture without a body, which another capture has. */
const REVISIT = Buffer.from("warc/revisit");
const MIME: UrlField = { field: { name: "mime" }, hasHeader: false };

/** Reads one field of records, by which they are chosen or compared: as the URL is read, only from another place. */
export class ValueReader {
  readonly #reader: RecordReader;
  readonly #nothing: Buffer;
  readonly #dates: DateOrder | undefined;
  /** Reads what tells revisits; null if there are none, or if they are as other records. */
  readonly #mimes: RecordReader | null;

  /** `scans`: says whether WebAssembly may run. `losesRevisits`: says whether a revisit has no value. */
  constructor(format: FormatName, field: ValueField, scans: boolean, losesRevisits = false) {
    this.#dates = field.dates;
    this.#reader = new RecordReader(formatOf(format, field), scans);
    this.#nothing = Buffer.from(NOTHING[format] ?? "");
    const hasRevisits = losesRevisits && (format === "cdx" || format === "cdxj");
    this.#mimes = hasRevisits ? new RecordReader(formatOf(format, MIME), scans) : null;
  }

  /** Returns the value of each record of a text that holds whole records. It is empty if the record has none. */
  read(text: Uint8Array, place: ChunkPlace): Column {
    const data = ByteBuilder.withRoom(text.length >> 3);
    const offsets: number[] = [0];
    const revisits = this.#revisits(text, place);
    for (const { rows, kinds, urls } of this.#reader.read(text, place)) {
      for (let row = 0; row < rows; row++) {
        const value = urls.data.subarray(urls.offsets[row], urls.offsets[row + 1]);
        const hasValue = hasUrl(kinds[row] as number) && !this.#nothing.equals(value);
        if (hasValue && !revisits.has(offsets.length - 1)) data.append(this.#comparable(value));
        offsets.push(data.length);
      }
    }
    return { data: data.bytes(), offsets: Int32Array.from(offsets) };
  }

  #comparable(value: Uint8Array): Uint8Array {
    if (this.#dates === undefined) return value;
    return encodeUtf8(sortableDate(toByteString(value), this.#dates));
  }

  /** Returns the numbers of the records that are revisits. */
  #revisits(text: Uint8Array, place: ChunkPlace): ReadonlySet<number> {
    const found = new Set<number>();
    if (this.#mimes === null) return found;
    let first = 0;
    for (const { rows, kinds, urls } of this.#mimes.read(text, place)) {
      for (let row = 0; row < rows; row++) {
        if (!hasUrl(kinds[row] as number)) continue;
        const mime = urls.data.subarray(urls.offsets[row], urls.offsets[row + 1]);
        if (REVISIT.equals(mime)) found.add(first + row);
      }
      first += rows;
    }
    return found;
  }
}
