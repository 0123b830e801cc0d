import { chunkName, chunkStart, type Leaf } from "./leaf.ts";
import type { RawChunk, RawChunkMeta, RawFooter, RawGroup } from "./raw-footer.ts";

/** Counts the bytes of the magic before the first chunk. */
const MAGIC_BYTES = 4;

/** Gives the highest number of a repetition in parquet.thrift. */
const REPEATED = 2;

type Kind = "number" | "bigint" | "list" | "bytes" | "struct";

/** Gives kinds of fields by their numbers; those with `!` must be there. Others pass as they are. */
type Fields = Readonly<Record<number, Kind | `${Kind}!`>>;

const FOOTER: Fields = {
  1: "number!",
  2: "list!",
  3: "bigint!",
  4: "list!",
  5: "list",
  6: "bytes",
  7: "list",
};
const ELEMENT: Fields = {
  1: "number",
  2: "number",
  3: "number",
  4: "bytes!",
  5: "number",
  6: "number",
  7: "number",
  8: "number",
  9: "number",
  10: "struct",
};
const GROUP: Fields = {
  1: "list!",
  2: "bigint!",
  3: "bigint!",
  4: "list",
  5: "bigint",
  6: "bigint",
  7: "number",
};
const ENTRY: Fields = { 1: "bytes!", 2: "bytes" };
const CHUNK: Fields = { 1: "bytes", 2: "bigint", 3: "struct", 8: "struct" };
const META: Fields = {
  1: "number!",
  2: "list!",
  3: "list!",
  4: "number!",
  5: "bigint!",
  6: "bigint!",
  7: "bigint!",
  9: "bigint!",
  10: "bigint",
  11: "bigint",
};

/** Throws if the schema, the metadata or the row groups of a footer have fields that are missing or of another kind. */
export function checkFields(footer: RawFooter): void {
  checkStruct(footer, FOOTER, "its footer");
  for (const element of footer.field_2) {
    checkStruct(element, ELEMENT, "its schema");
    const { field_3: repetition = 0 } = element;
    if (repetition < 0 || repetition > REPEATED) {
      throw new Error(`its schema: the repetition ${repetition} is not known`);
    }
  }
  for (const entry of footer.field_5 ?? []) checkStruct(entry, ENTRY, "its metadata");
  for (const [group, raw] of footer.field_4.entries()) {
    checkStruct(raw, GROUP, `row group ${group + 1}`);
    for (const [column, chunk] of raw.field_1.entries()) {
      const name = `column ${column + 1} of row group ${group + 1}`;
      checkStruct(chunk, CHUNK, name);
      if (chunk.field_3 !== undefined) checkStruct(chunk.field_3, META, name);
    }
  }
}

/**
 * Throws if the counts of a footer contradict each other, or if a chunk is not within the data of the file or has bytes
 * of another. `typeOf` returns the number of a column's type; `dataEnd` is where the footer begins.
 */
export function checkGroups(
  footer: RawFooter,
  leaves: readonly Leaf[],
  typeOf: (leaf: Leaf) => number,
  dataEnd: number,
): void {
  const spans: Span[] = [];
  let rows = 0n;
  for (const [group, raw] of footer.field_4.entries()) {
    rows += raw.field_3;
    if (raw.field_3 < 0n) throw new Error(`row group ${group + 1} has ${raw.field_3} rows`);
    // A group without rows may name pages that do not exist.
    if (raw.field_3 > 0n) addSpans(spans, group, raw, leaves, typeOf);
  }
  if (rows !== footer.field_3) {
    throw new Error(`its row groups have ${rows} rows, and its footer says ${footer.field_3}`);
  }
  checkSpans(spans, dataEnd);
}

interface Span {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

function addSpans(
  spans: Span[],
  group: number,
  { field_1: chunks, field_3: rows }: RawGroup,
  leaves: readonly Leaf[],
  typeOf: (leaf: Leaf) => number,
): void {
  if (chunks.length !== leaves.length) {
    throw new Error(
      `row group ${group + 1} has ${chunks.length} columns where the schema has ${leaves.length}`,
    );
  }
  for (const leaf of leaves) {
    // Chunks that are encrypted or in another file are refused when they are read.
    const { field_1: file, field_3: meta } = chunks[leaf.index] as RawChunk;
    if (meta === undefined || file !== undefined) continue;
    const name = chunkName(leaf, group);
    checkCounts(meta, rows, leaf, name);
    if (meta.field_1 !== typeOf(leaf)) throw new Error(`${name} has another type than its schema`);
    const start = chunkStart(meta);
    spans.push({ name, start, end: start + Number(meta.field_7) });
  }
}

function checkCounts(meta: RawChunkMeta, rows: bigint, leaf: Leaf, name: string): void {
  const values = meta.field_5;
  const isRight = leaf.maxRepetitionLevel > 0 ? values >= rows : values === rows;
  const { field_3: nulls = 0n } = meta.field_12 ?? {};
  // Lengths of levels could be read as those of values.
  if (leaf.maxDefinitionLevel === 0 && nulls !== 0n) {
    throw new Error(`${name} has ${nulls} nulls, and its schema allows none`);
  }
  if (!isRight) throw new Error(`${name} has ${values} values, and the row group ${rows} rows`);
}

function checkSpans(spans: readonly Span[], dataEnd: number): void {
  let last: Span | null = null;
  for (const span of spans.toSorted((a, b) => a.start - b.start)) {
    const { name, start, end } = span;
    if (start < MAGIC_BYTES || end <= start || end > dataEnd) {
      throw new Error(`${name} is outside the file`);
    }
    if (last !== null && start < last.end) {
      throw new Error(`${name} has bytes of ${last.name}`);
    }
    last = span;
  }
}

function checkStruct(struct: object, fields: Fields, name: string): void {
  if (kindOf(struct) !== "struct") throw new Error(`${name} is not a struct`);
  const values = struct as Record<string, unknown>;
  for (const [id, kind] of Object.entries(fields)) {
    const value = values[`field_${id}`];
    if (value === undefined && !kind.endsWith("!")) continue;
    if (kindOf(value) !== kind.replace("!", "")) {
      throw new Error(
        `${name}: field ${id} is ${value === undefined ? "missing" : "of another kind"}`,
      );
    }
  }
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return "list";
  if (value instanceof Uint8Array) return "bytes";
  return typeof value === "object" && value !== null ? "struct" : typeof value;
}
