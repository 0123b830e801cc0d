import { fieldsOfHeader, isCdxHeader, legendOf } from "../../formats/archives/cdx.ts";
import { CdxjReader } from "../../formats/archives/cdxj.ts";
import { excerpt } from "../../formats/excerpt.ts";
import { BYTES, isBlank, Malformed } from "../../formats/row.ts";
import { say } from "../../io/say.ts";
import { CommandFailure } from "../base/failure.ts";
import type { SortKernel } from "./sort-kernel.ts";

/** So many damaged lines are named. */
const NAMED = 10;
const TIMESTAMP = /^\d{4,17}$/;

/** Says how lines are written: CDX with these fields, or CDXJ. */
type Shape =
  | { readonly kind: "cdx"; readonly separator: string; readonly letters: readonly string[] }
  | { readonly kind: "cdxj" };

/** Names a line: its input, and its number from 1 on. */
export interface LinePlace {
  readonly shown: string;
  readonly number: number;
}

/**
 * Judges lines of indexes. The first header or record says what all lines are; files with other fields are refused. A line
 * that is damaged is named and kept.
 */
export class LineCheck {
  readonly #kernel: SortKernel;
  readonly #cdxj = new CdxjReader([], BYTES);
  /** How many lines of each input were judged, because they do not look as those before. */
  readonly #judged = new Map<string, number>();
  #shape: Shape | null = null;
  /** The header of CDX without its line end, or null if there is none. */
  header: string | null = null;
  /** How many lines are headers, and how many are damaged. */
  headers = 0;
  damaged = 0;

  constructor(kernel: SortKernel) {
    this.#kernel = kernel;
    kernel.calls.setShape(0, 0);
  }

  /**
   * Judges a line that does not look as those before, a byte string without its line end. Returns whether it is to be left
   * out: a header is written once. Throws a CommandFailure for other fields.
   */
  leavesOut(written: string, place: LinePlace): boolean {
    const line = written.endsWith("\r") ? written.slice(0, -1) : written;
    const before = this.#judged.get(place.shown) ?? 0;
    const isFirst = before + 1 === place.number;
    this.#judged.set(place.shown, before + 1);
    if (isCdxHeader(line)) {
      this.#takeHeader(line, place);
      return true;
    }
    if (isBlank(line) || this.#isCdxjHeader(line)) return false;
    const shape = shapeOf(line, this.#cdxj);
    if (this.#shape === null && shape !== null) this.#setShape(shape);
    else if (isFirst && shape !== null && !this.#isAs(shape)) {
      throw this.#otherFields(place, saidOf(shape));
    } else if (shape?.kind !== "cdxj" || this.#shape?.kind !== "cdxj") this.#name(line, place);
    return false;
  }

  #isCdxjHeader(line: string): boolean {
    return /^[!@]/.test(line) && this.#shape?.kind !== "cdx";
  }

  #takeHeader(line: string, place: LinePlace): void {
    const shape: Shape = { kind: "cdx", ...fieldsOfHeader(line) };
    if (this.#shape === null) this.#setShape(shape);
    else if (!this.#isAs(shape)) throw this.#otherFields(place, saidOf(shape));
    this.header ??= line;
    this.headers++;
  }

  #setShape(shape: Shape): void {
    this.#shape = shape;
    const { calls } = this.#kernel;
    if (shape.kind === "cdxj") calls.setShape(0x20, -1);
    else calls.setShape(shape.separator.charCodeAt(0), shape.letters.length - 1);
  }

  #isAs(shape: Shape): boolean {
    return this.#shape !== null && saidOf(this.#shape) === saidOf(shape);
  }

  #otherFields({ shown, number }: LinePlace, said: string): CommandFailure {
    const first = this.#shape === null ? "" : saidOf(this.#shape);
    return new CommandFailure(
      `${shown}, line ${number}: ${said}, where the lines before are ${first}; give files of the same fields`,
      1,
    );
  }

  /** Names a damaged line. */
  #name(line: string, { shown, number }: LinePlace): void {
    this.damaged++;
    if (this.damaged > NAMED) return;
    const shape = this.#shape;
    const wanted =
      shape === null
        ? "CDX has 7, 9, 10 or 11 fields, and CDXJ an object"
        : shape.kind === "cdxj"
          ? "CDXJ has a key, a timestamp and an object"
          : `the lines have ${shape.letters.length} fields`;
    say(`${shown}, line ${number}: damaged, and kept: ${wanted}: ${excerpt(line)}`);
  }

  /** Says how many damaged lines were not named. */
  sayRest(): void {
    if (this.damaged > NAMED) say(`${this.damaged - NAMED} more lines are damaged, and kept`);
  }

  /** Returns ` CDX …` with its line end, or nothing. */
  get headerLine(): Buffer {
    return Buffer.from(this.header === null ? "" : `${this.header}\n`, "latin1");
  }
}

/** Returns what a line without a header shows, or null if it is neither CDX nor CDXJ. */
function shapeOf(line: string, cdxj: CdxjReader): Shape | null {
  if (line.includes(" {")) return isCapture(line, cdxj) ? { kind: "cdxj" } : null;
  const fields = line.split(" ");
  const letters = legendOf(fields.length);
  const isCdx = letters !== undefined && TIMESTAMP.test(fields[1] as string);
  return isCdx ? { kind: "cdx", separator: " ", letters } : null;
}

function isCapture(line: string, cdxj: CdxjReader): boolean {
  const row = cdxj.read(line);
  return row !== null && !(row instanceof Malformed);
}

/** Returns what a shape is called. */
function saidOf(shape: Shape): string {
  return shape.kind === "cdxj" ? "CDXJ" : `CDX of ${shape.letters.join(" ")}`;
}
