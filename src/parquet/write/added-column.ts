import { inOrder, type RawElement, type RawFooter } from "../raw-footer.ts";
import { type ArrowField, withArrowField } from "./arrow-schema.ts";

/** The numbers of values in parquet.thrift. */
const INT64 = 2;
const BYTE_ARRAY = 6;
const UTF8 = 0;
const REQUIRED = 0;
const OPTIONAL = 1;

/** Describes a column as each schema in a footer does. */
interface AddedColumn {
  readonly element: RawElement;
  readonly arrow: ArrowField;
  readonly spark: object;
  readonly avro: object;
}

/** Returns a footer with a further column of text at its end, which may be null. */
export function withTextColumn(footer: RawFooter, name: string): RawFooter {
  return withColumn(footer, {
    element: {
      field_1: BYTE_ARRAY,
      field_3: OPTIONAL,
      field_4: Buffer.from(name),
      field_6: UTF8,
      field_10: { field_1: {} },
    },
    arrow: { name, type: "text", isNullable: true },
    spark: { name, type: "string", nullable: true, metadata: {} },
    avro: { name, type: ["null", "string"], default: null },
  });
}

/** Returns a footer with a further column of whole numbers at its end. */
export function withCountColumn(footer: RawFooter, name: string): RawFooter {
  return withColumn(footer, {
    element: { field_1: INT64, field_3: REQUIRED, field_4: Buffer.from(name) },
    arrow: { name, type: "int64", isNullable: false },
    spark: { name, type: "long", nullable: false, metadata: {} },
    avro: { name, type: "long" },
  });
}

function withColumn(footer: RawFooter, column: AddedColumn): RawFooter {
  const [root, ...elements] = footer.field_2 as [RawElement, ...RawElement[]];
  const { field_5: metadata, field_7: orders } = footer;
  return {
    ...footer,
    field_2: [inOrder({ ...root, field_5: (root.field_5 ?? 0) + 1 }), ...elements, column.element],
    ...(metadata === undefined ? {} : { field_5: metadata.map((each) => described(each, column)) }),
    ...(orders === undefined ? {} : { field_7: [...orders, { field_1: {} }] }),
  };
}

type Entry = NonNullable<RawFooter["field_5"]>[number];

/**
 * Adds the column to the schema of a program that prefers its own schema to that of Parquet: it would ignore the column, or all
 * of its own types.
 */
function described(entry: Entry, column: AddedColumn): Entry {
  const { field_1: key, field_2: value } = entry;
  if (value === undefined) return entry;
  const text = Buffer.from(value).toString();
  switch (Buffer.from(key).toString()) {
    case "ARROW:schema":
      return { ...entry, field_2: Buffer.from(withArrowField(text, column.arrow)) };
    case "org.apache.spark.sql.parquet.row.metadata":
      return { ...entry, field_2: Buffer.from(withJsonField(text, column.spark)) };
    case "parquet.avro.schema":
      return { ...entry, field_2: Buffer.from(withJsonField(text, column.avro)) };
    default:
      return entry;
  }
}

/**
 * Adds a field to a schema in JSON that ends with its list of fields; another text stays. Its numbers may be too long for
 * JavaScript, so it is not written anew.
 */
function withJsonField(text: string, field: object): string {
  const end = text.search(/\]\s*\}\s*$/);
  if (end < 0 || lastKeyOf(text) !== "fields") return text;
  return `${text.slice(0, end)},${JSON.stringify(field)}${text.slice(end)}`;
}

function lastKeyOf(text: string): string | undefined {
  try {
    return Object.keys(JSON.parse(text)).at(-1);
  } catch {
    return undefined; // its readers ignore it, too
  }
}
