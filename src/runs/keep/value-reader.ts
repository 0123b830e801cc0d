import { ByteBuilder } from "../../engine/byte-builder.ts";
import type { Column } from "../../engine/engine.ts";
import { type ChunkPlace, type FormatName, formatOf, type UrlField } from "../../formats/index.ts";
import { hasUrl, RecordReader } from "../../formats/scan/records.ts";

/** What a format writes in a field without a value. */
const NOTHING: Partial<Record<FormatName, string>> = { cdx: "-" };

/** Reads one field of records, by which they are chosen: as the URL is read, only from another place. */
export class ValueReader {
  readonly #reader: RecordReader;
  readonly #nothing: Buffer;

  /** `scans`: says whether WebAssembly may run. */
  constructor(format: FormatName, field: UrlField, scans: boolean) {
    this.#reader = new RecordReader(formatOf(format, field), scans);
    this.#nothing = Buffer.from(NOTHING[format] ?? "");
  }

  /** Returns the value of each record of a text that holds whole records. It is empty if the record has none. */
  read(text: Uint8Array, place: ChunkPlace): Column {
    const data = ByteBuilder.withRoom(text.length >> 3);
    const offsets: number[] = [0];
    for (const { rows, kinds, urls } of this.#reader.read(text, place)) {
      for (let row = 0; row < rows; row++) {
        const value = urls.data.subarray(urls.offsets[row], urls.offsets[row + 1]);
        if (hasUrl(kinds[row] as number) && !this.#nothing.equals(value)) data.append(value);
        offsets.push(data.length);
      }
    }
    return { data: data.bytes(), offsets: Int32Array.from(offsets) };
  }
}
