import type { ParquetFile } from "../../parquet/input-file.ts";
import type { ParquetPeers } from "../../parquet/peers.ts";
import type { RawFooter } from "../../parquet/raw-footer.ts";
import { withCountColumn, withTextColumn } from "../../parquet/write/added-column.ts";
import type { ByteOutput } from "../../parquet/write/group-output.ts";
import { ParquetOutput, withPlainRoot } from "../../parquet/write/output-file.ts";
import type { Emit } from "../call/job.ts";
import type { CommandOptions } from "../call/options.ts";
import { COUNT_COLUMN, KEY_COLUMN } from "./row-group-writer.ts";

/** Writes the output of a run: the row groups of all files, with the schema and metadata of the first. */
export class RunOutput {
  readonly file: ParquetOutput;
  readonly #emit: Emit;
  readonly #count: boolean;
  /** The footer of the first file, with a column for the keys if one is added. */
  #footer: RawFooter | null = null;
  /** The file whose row groups are written. */
  #entered: ParquetFile | null = null;

  constructor(
    output: ByteOutput,
    peers: ParquetPeers,
    { emit, count }: Pick<CommandOptions, "emit" | "count">,
  ) {
    this.#count = count;
    this.file = new ParquetOutput(output, peers);
    this.#emit = emit;
  }

  /** Counts the bytes written so far. */
  get bytes(): number {
    return this.file.bytes;
  }

  /** Begins a file, if its row groups are not those that are written. Throws an IoError as `finish` does. */
  enter(file: ParquetFile): void {
    if (file === this.#entered) return;
    if (this.#entered !== null) this.#check(this.#entered);
    this.#entered = file;
    if (this.#footer !== null) return;
    this.#footer = file.reading("its schema for Arrow", () => this.#footerOf(file));
    this.#check(file);
  }

  #footerOf(file: ParquetFile): RawFooter {
    const raw = withPlainRoot(file.raw);
    const keyed = this.#emit === "both" ? withTextColumn(raw, KEY_COLUMN) : raw;
    return this.#count ? withCountColumn(keyed, COUNT_COLUMN) : keyed;
  }

  /** Writes the footer. Throws an IoError if metadata that were written are not valid in a footer. */
  async finish(): Promise<void> {
    if (this.#entered !== null) this.#check(this.#entered);
    await this.file.finish(this.#footer as RawFooter);
  }

  /** Checks the footer entries added since the last call. If one is wrong, its file is damaged. */
  #check(file: ParquetFile): void {
    try {
      this.file.check(this.#footer as RawFooter);
    } catch (error) {
      throw file.damaged(`its footer: ${(error as Error).message}`);
    }
  }
}
