import { copyBytes } from "../../base/copy-bytes.ts";
import { type Boundary, type DoubtfulQuote, type Format, lineEnds } from "../../formats/format.ts";
import type { Scanner } from "../../formats/scan/scanner.ts";
import { toByteString } from "../../url/bytes.ts";
import type { Source } from "../source.ts";

/** Takes a doubtful quote, given the number of its line in the input, from 1 on. */
export type TakeQuote = (line: number, quote: DoubtfulQuote) => void;

/**
 * Reads an input whose records may have doubtful quotes, and finds where they end. What comes after a quote that is not
 * closed is read again.
 */
export class MendedSource implements Source {
  readonly #source: Source;
  readonly #format: Format;
  readonly #scanner: Scanner | null;
  readonly #take: TakeQuote;
  /** Stops before the first quote that is not closed. */
  readonly #stops: boolean;
  #boundary: Boundary;
  /** Bytes that were read, and the number of those that were read again. */
  #again = new Uint8Array(0);
  #readAgain = 0;
  #isEnded = false;
  /** The line ends of the records that are passed on. */
  #lines = 0;
  #found: readonly [line: number, quote: DoubtfulQuote][] = [];

  /** `stops`: says whether `take` throws for a quote that is not closed. */
  constructor(
    source: Source,
    { format, scanner }: { format: Format; scanner: Scanner | null },
    take: TakeQuote,
    stops: boolean,
  ) {
    this.#source = source;
    this.#format = format;
    this.#scanner = scanner;
    this.#take = take;
    this.#stops = stops;
    this.#boundary = format.boundary(scanner);
  }

  get taken(): number {
    return this.#source.taken;
  }

  async read(into: Uint8Array): Promise<number> {
    const length = Math.min(into.length, this.#again.length - this.#readAgain);
    if (length > 0) {
      copyBytes(into, this.#again.subarray(this.#readAgain, this.#readAgain + length), 0);
      this.#readAgain += length;
      return length;
    }
    if (this.#isEnded) return 0;
    const bytesRead = await this.#source.read(into);
    this.#isEnded = bytesRead === 0;
    return bytesRead;
  }

  /** The `Boundary` of the input. */
  readonly boundary: Boundary = (bytes, from) => this.#boundary(bytes, from);

  /**
   * Returns where to end the records of bytes in which a quote may be doubtful. What comes after is read again. Returns
   * null if no record ends there. `isLast`: says that no more bytes come; `most`: the bytes in which records are wanted.
   */
  mend(bytes: Uint8Array, isLast: boolean, most: number): number | null {
    const mended = this.#format.mend?.(toByteString(bytes), isLast, most);
    if (mended === undefined || mended.end === 0) return null;
    const { end, sound, quotes } = mended;
    let [line, before] = [this.#lines + 1, 0];
    this.#found = quotes.map((quote) => {
      line += lineEnds(bytes.subarray(before, quote.at));
      before = quote.at;
      return [line, quote];
    });
    const cut = this.#stops ? sound : end;
    this.#unread(bytes.subarray(cut));
    this.#boundary = this.#format.boundary(this.#scanner);
    return cut;
  }

  /** Takes back the last bytes that were read. */
  #unread(bytes: Uint8Array): void {
    if (this.#readAgain < this.#again.length) {
      // They were read again, as are all that follow them.
      this.#readAgain -= bytes.length;
      return;
    }
    this.#again = new Uint8Array(bytes.length);
    copyBytes(this.#again, bytes, 0);
    this.#readAgain = 0;
  }

  /** Notes records that are passed on. */
  pass(records: Uint8Array): void {
    this.#lines += this.#scanner?.lineEnds(records) ?? lineEnds(records);
  }

  /** Reports the quotes that the last `mend` has found. Call it after the records before them are passed on. */
  report(): void {
    const found = this.#found;
    this.#found = [];
    for (const [line, quote] of found) this.#take(line, quote);
  }

  close(): Promise<void> {
    return this.#source.close();
  }
}
