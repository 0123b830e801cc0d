import { Status } from "../../base/status.ts";
import { ByteBuilder } from "../../engine/byte-builder.ts";
import type { Column } from "../../engine/engine.ts";
import { addedText, type Format } from "../../formats/format.ts";
import { hasUrl, RecordKind, type Records } from "../../formats/records.ts";
import type { Addition } from "../../formats/scan/layout.ts";
import type { Scanner } from "../../formats/scan/scanner.ts";
import { toByteString } from "../../url/bytes.ts";
import { CR, LF } from "../../url/codes.ts";
import { isAlone, type Job, lineOf } from "../call/job.ts";
import { type KeyForm, keyForm } from "../call/key-form.ts";

/** The byte that closes an object of JSON. */
const BRACE = 0x7d;

/** The rows of a column that are read one by one before all are. */
const FEW = 8;

/** Reads the rows of a column as byte strings. */
export class RowTexts {
  readonly #column: Column;
  #reads = 0;
  /** All rows, once more than a few were read. */
  #text: string | null = null;

  constructor(column: Column) {
    this.#column = column;
  }

  get column(): Column {
    return this.#column;
  }

  at(row: number): string {
    const { data, offsets } = this.#column;
    if (this.#reads++ < FEW) return toByteString(data.subarray(offsets[row], offsets[row + 1]));
    this.#text ??= toByteString(data);
    return this.#text.slice(offsets[row], offsets[row + 1]);
  }
}

/** Writes records with their keys. Parts of the text that stay as they are move as a whole. */
export class RecordWriter {
  /** The start of each record in what is written: Int32. */
  readonly #starts = ByteBuilder.withRoom(0);
  readonly #out: ByteBuilder<ArrayBufferLike>;
  readonly #format: Format;
  readonly #job: Job;
  readonly #form: KeyForm | null;
  #text: Uint8Array = new Uint8Array(0);
  #records: Records | null = null;
  /** What comes before this place in the text is written or left out. */
  #done = 0;
  /** The first row that is not written. */
  #interleaveFrom = 0;
  /** Says whether the scanner has the keys of these records; null before it was asked. */
  #hasKeys: boolean | null = null;
  /** The URLs of these records as they were; null before one is written. */
  #urls: RowTexts | null = null;
  /** The end of what is written. */
  #end = 0;
  /** The starts of the records in progress. */
  #begins = new Int32Array(0);

  constructor(out: ByteBuilder<ArrayBufferLike>, format: Format, job: Job) {
    this.#out = out;
    this.#format = format;
    this.#job = job;
    this.#form = keyForm(job.form);
  }

  /** Begins to write records of a text. */
  begin(text: Uint8Array, records: Records): void {
    this.#text = text;
    this.#records = records;
    this.#done = records.starts[0] as number;
    this.#begins = new Int32Array(records.rows);
    this.#interleaveFrom = 0;
    this.#hasKeys = null;
    this.#urls = null;
  }

  /** Writes a record with the key of its row in `keys`. Call it, or one of the next two, for each row in order. */
  write(row: number, status: number, keys: RowTexts): void {
    const { emit } = this.#job;
    const isBoth = emit === "both";
    if (isBoth && this.#canInterleave(row, keys)) return;
    this.#beginRow(row);
    if (isBoth) this.#add(row, this.#keyOf(keys.at(row)));
    else if (emit === "normalized-url") this.#writeAlone(row, this.#keyOf(keys.at(row)));
    else if (emit === "url") this.#writeAlone(row, this.#urlOf(row));
    else this.#put(row, status, keys);
  }

  /** Writes a text in a line of its own, in the place of a record. */
  #writeAlone(row: number, url: string): void {
    this.#replaceRow(row, lineOf(url));
  }

  #urlOf(row: number): string {
    this.#urls ??= new RowTexts((this.#records as Records).urls);
    return this.#urls.at(row);
  }

  /** Returns whether the scanner writes a row with its key, by `#interleaveTo`. */
  #canInterleave(row: number, keys: RowTexts): boolean {
    const { scanner, kinds } = this.#records as Records;
    const { addition } = this.#format;
    if (kinds[row] === RecordKind.READ || this.#form !== null) return false;
    if (scanner === null || addition === undefined) return false;
    this.#hasKeys ??= scanner.loadKeys(keys.column, addition);
    return this.#hasKeys;
  }

  /** Writes the rows before `row` that are not written, which the scanner writes with their keys. */
  #interleaveTo(row: number): void {
    const first = this.#interleaveFrom;
    this.#interleaveFrom = row;
    if (first === row) return;
    const { scanner, starts } = this.#records as Records;
    const interleaved = (scanner as Scanner).interleave(first, row);
    this.#writeTo(starts[first] as number);
    for (let at = first; at < row; at++) {
      this.#begins[at] = this.#out.length + (interleaved.starts[at - first] as number);
    }
    this.#out.append(interleaved.bytes);
    this.#done = starts[row] as number;
  }

  /** Writes a key in the place of the URL. */
  #put(row: number, status: number, keys: RowTexts): void {
    const { froms, tos, kinds } = this.#records as Records;
    const isPlain = kinds[row] === RecordKind.PLAIN && this.#form === null;
    if (isPlain && status === Status.UNCHANGED && this.#endsPlain(row)) return;
    const from = froms[row] as number;
    const to = tos[row] as number;
    this.#replace(from, to, this.#format.quote(this.#keyOf(keys.at(row))));
    this.#endLine(row);
  }

  /** Writes text that is not a record. */
  writeHeader(row: number): void {
    this.#beginRow(row);
    const { kinds } = this.#records as Records;
    if (kinds[row] === RecordKind.REPEATED || isAlone(this.#job.emit)) this.#replaceRow(row, "");
    else if (this.#job.emit === "both") {
      this.#replaceRow(row, this.#format.appendToHeader(this.#original(row), "normalized_url"));
    }
  }

  /** Writes a record that has no key. */
  writeWithoutKey(row: number): void {
    this.#beginRow(row);
    const { emit, onError, fingerprintKey, format } = this.#job;
    const { kinds, froms, tos } = this.#records as Records;
    const kind = kinds[row];
    if (onError === "empty" && fingerprintKey !== null) {
      this.#replaceRow(row, "");
    } else if (isAlone(emit)) {
      const isLine = hasUrl(kind as number) && onError !== "empty";
      if (isLine) this.#writeAlone(row, this.#urlOf(row));
      else this.#replaceRow(row, onError === "empty" ? "\n" : "");
    } else if (emit === "original" || kind === RecordKind.MALFORMED) {
      // It is written as it is.
    } else if (emit === "both") {
      this.#replaceRow(row, this.#format.append(this.#original(row), null));
    } else if (onError === "empty" && kind !== RecordKind.MISSING) {
      this.#replace(froms[row] as number, tos[row] as number, this.#format.quote(""));
      this.#endLine(row);
    } else if (format === "lines") {
      this.#endLine(row);
    }
  }

  /** Ends the first `rows` records. */
  end(rows: number): void {
    const { starts } = this.#records as Records;
    this.#interleaveTo(rows);
    this.#writeTo(starts[rows] as number);
    this.#starts.append(bytesOf(this.#begins.subarray(0, rows)));
    this.#end = this.#out.length;
  }

  /** Returns the start of each record in what is written, and the end of the last: Int32. Call it once. */
  allStarts(): Uint8Array {
    this.#starts.append(bytesOf(Int32Array.of(this.#end)));
    return this.#starts.bytes();
  }

  #beginRow(row: number): void {
    const { starts } = this.#records as Records;
    this.#interleaveTo(row);
    this.#interleaveFrom = row + 1;
    this.#begins[row] = this.#out.length + (starts[row] as number) - this.#done;
  }

  #keyOf(url: string): string {
    return this.#form === null ? url : this.#form.write(url);
  }

  #original(row: number): string {
    const { starts } = this.#records as Records;
    return toByteString(this.#text.subarray(starts[row], starts[row + 1]));
  }

  /** Adds a key to a record with a URL. */
  #add(row: number, key: string): void {
    const { addition } = this.#format;
    if (addition === undefined) {
      this.#replaceRow(row, this.#format.append(this.#original(row), key));
      return;
    }
    const at = this.#placeOf(addition, row);
    this.#replace(at, at, addedText(addition, this.#format.quote(key)));
  }

  /** Returns where a key is added to a record with a URL. */
  #placeOf({ place }: Addition, row: number): number {
    const { starts } = this.#records as Records;
    if (place === "start") return starts[row] as number;
    if (place === "end") return this.#contentEnd(row);
    return this.#text.lastIndexOf(BRACE, (starts[row + 1] as number) - 1);
  }

  /** Returns where the content of a record ends, before LF or CR LF. */
  #contentEnd(row: number): number {
    const { starts } = this.#records as Records;
    const end = starts[row + 1] as number;
    if (this.#text[end - 1] !== LF) return end;
    return end - 1 > (starts[row] as number) && this.#text[end - 2] === CR ? end - 2 : end - 1;
  }

  /** Returns whether a record ends as it is written. In the format of lines, each ends with LF. */
  #endsPlain(row: number): boolean {
    const { starts, tos } = this.#records as Records;
    return this.#job.format !== "lines" || (starts[row + 1] as number) - (tos[row] as number) === 1;
  }

  /** Ends a line with LF, whatever it ended with. */
  #endLine(row: number): void {
    if (this.#job.format !== "lines" || this.#endsPlain(row)) return;
    const { starts, tos } = this.#records as Records;
    this.#replace(tos[row] as number, starts[row + 1] as number, "\n");
  }

  #replaceRow(row: number, text: string): void {
    const { starts } = this.#records as Records;
    this.#replace(starts[row] as number, starts[row + 1] as number, text);
  }

  /** Writes `text`, a byte string, in the place of a part of the text. */
  #replace(from: number, to: number, text: string): void {
    this.#writeTo(from);
    this.#out.appendByteString(text);
    this.#done = to;
  }

  #writeTo(end: number): void {
    if (end > this.#done) this.#out.append(this.#text.subarray(this.#done, end));
    this.#done = end;
  }
}

function bytesOf(numbers: Int32Array): Uint8Array {
  return new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
}
