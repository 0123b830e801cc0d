import type { ParquetPeers } from "../peers.ts";
import {
  inOrder,
  type RawElement,
  type RawFooter,
  type RawGroup,
  type RawStruct,
} from "../raw-footer.ts";
import { type ByteOutput, GroupOutput, type WrittenGroup } from "./group-output.ts";
import type { PageTools } from "./page-tools.ts";

const MAGIC = Buffer.from("PAR1");
/** The numbers of types in Thrift's compact protocol. */
const TRUE = 1;
const FALSE = 2;
const BYTE = 3;

/** Writes a Parquet file, row group by row group. */
export class ParquetOutput {
  readonly #output: ByteOutput;
  readonly #peers: ParquetPeers;
  readonly #groups: RawGroup[] = [];
  #bytes = 0;
  #rows = 0n;
  /** Counts the row groups that `check` has passed. */
  #checked = 0;

  constructor(output: ByteOutput, peers: ParquetPeers) {
    this.#output = output;
    this.#peers = peers;
  }

  /** Counts the bytes written so far, with those of the row groups that were added. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Begins the next row group, whose chunks are written at once. Add it when it is written. */
  async beginGroup(tools: PageTools): Promise<GroupOutput> {
    await this.#begin();
    return new GroupOutput(this.#output, this.#bytes, tools);
  }

  /** Writes chunks of the next row group, which were written elsewhere. Add the row group before the next one. */
  async writeChunks(chunks: readonly Uint8Array[]): Promise<void> {
    await this.#begin();
    for (const bytes of chunks) await this.#output.write(bytes);
  }

  /** Adds a row group whose chunks are written. */
  add({ group, bytes }: WrittenGroup): void {
    this.#groups.push(group);
    this.#rows += group.field_3;
    this.#bytes += bytes;
  }

  /**
   * Writes the footer, with the schema and metadata of `source` and the row groups that were
   * written.
   */
  async finish(source: RawFooter): Promise<void> {
    await this.#begin();
    const writer = new this.#peers.ByteWriter();
    this.#serialize(writer, source, this.#groups);
    writer.appendUint32(writer.offset);
    writer.appendBytes(MAGIC);
    this.#bytes += writer.offset;
    await this.#output.write(writer.getBytes());
  }

  /**
   * Throws if a footer cannot be written with the row groups since the last check, because they are
   * damaged.
   */
  check(source: RawFooter): void {
    this.#serialize(new this.#peers.ByteWriter(), source, this.#groups.slice(this.#checked));
    this.#checked = this.#groups.length;
  }

  #serialize(
    writer: InstanceType<ParquetPeers["ByteWriter"]>,
    source: RawFooter,
    groups: readonly RawGroup[],
  ): void {
    const { ThriftStruct, serializeTCompactProtocol } = this.#peers;
    const footer = inOrder({
      ...source,
      field_2: source.field_2.map((element) => withBytes(element, ThriftStruct)),
      field_3: this.#rows,
      field_4: groups,
    });
    serializeTCompactProtocol(writer, footer as object as RawStruct);
  }

  /** Writes what is before the first row group. */
  async #begin(): Promise<void> {
    if (this.#bytes > 0) return;
    this.#bytes = MAGIC.length;
    await this.#output.write(MAGIC);
  }
}

/**
 * Returns a footer whose root has no repetition. It has no meaning there (parquet.thrift), but some writers give one, and
 * some readers take a repeated root for a list.
 */
export function withPlainRoot(footer: RawFooter): RawFooter {
  const [root, ...elements] = footer.field_2 as [RawElement, ...RawElement[]];
  const { field_3: _, ...plain } = root;
  return { ...footer, field_2: [plain as RawElement, ...elements] };
}

/**
 * Marks fields as one byte wide, which a JavaScript number cannot show: width of integers, version
 * of VARIANT.
 */
function withBytes(element: RawElement, ThriftStruct: ParquetPeers["ThriftStruct"]): RawElement {
  const { field_10: logical } = element;
  if (logical === undefined) return element;
  const typed: RawStruct = { ...logical };
  for (const id of ["field_10", "field_16"] as const) {
    const { field_1: byte, field_2: flag } = (logical[id] ?? {}) as {
      field_1?: number;
      field_2?: boolean;
    };
    if (byte === undefined) continue;
    typed[id] = new ThriftStruct([
      [1, BYTE, byte],
      ...(flag === undefined
        ? []
        : ([[2, flag ? TRUE : FALSE, flag]] as [number, number, boolean][])),
    ]);
  }
  return { ...element, field_10: typed };
}
