import { FlatParts, type OldPlace, placeOf, targetOf, WORD } from "./flat-parts.ts";

export interface ArrowField {
  readonly name: string;
  readonly type: "text" | "int64";
  readonly isNullable: boolean;
}

/** Begins a message of Arrow 0.15 and newer; its length follows. */
const CONTINUATION = 0xffffffff;

/** The numbers of cells in Message.fbs and Schema.fbs. */
const MESSAGE = { version: 0, kind: 1, header: 2, metadata: 4 };
const SCHEMA = { endianness: 0, fields: 1, metadata: 2, features: 3 };
const FIELD = { name: 0, type: 3, children: 5 };
/** The numbers of kinds of headers and of types. */
const SCHEMA_KIND = 1;
const INT = 2;
const UTF8 = 5;

/** Returns the value of `ARROW:schema`, which is Base64, with a further field at its end. Throws if it is not a schema. */
export function withArrowField(value: string, field: ArrowField): string {
  const bytes = Buffer.from(value, "base64");
  const start = bytes.readUInt32LE(0) === CONTINUATION ? 2 * WORD : WORD;
  const length = bytes.readUInt32LE(start - WORD);
  const message = withField(bytes.subarray(start, start + length), field);
  const head = Buffer.from(bytes.subarray(0, start));
  head.writeUInt32LE(message.length, start - WORD);
  return Buffer.concat([head, message, bytes.subarray(start + length)]).toString("base64");
}

/** Returns a message with a new head, schema and list of fields, which refer to the old fields and metadata. */
function withField(old: Buffer, { name, type, isNullable }: ArrowField): Buffer {
  const short = (table: number, cell: number): number => {
    const place = placeOf(old, table, cell);
    return place === null ? 0 : old.readUInt16LE(place);
  };
  const kept = (table: number, cell: number): OldPlace | null => {
    const place = placeOf(old, table, cell);
    return place === null ? null : { old: targetOf(old, place) };
  };
  const oldMessage = targetOf(old, 0);
  const kind = placeOf(old, oldMessage, MESSAGE.kind);
  const oldSchema = kept(oldMessage, MESSAGE.header)?.old;
  if (kind === null || old[kind] !== SCHEMA_KIND || oldSchema === undefined) {
    throw new Error("it is not a schema");
  }

  const parts = new FlatParts();
  const version = short(oldMessage, MESSAGE.version);
  const message = parts.table([version, SCHEMA_KIND, 0, null, kept(oldMessage, MESSAGE.metadata)]);
  parts.point(0, message);
  const schema = parts.table([
    short(oldSchema, SCHEMA.endianness),
    0,
    kept(oldSchema, SCHEMA.metadata),
    kept(oldSchema, SCHEMA.features),
  ]);
  parts.pointCell(message, MESSAGE.header, schema);
  const fields = listedIn(old, kept(oldSchema, SCHEMA.fields));
  const list = parts.list([...fields, 0]);
  parts.pointCell(schema, SCHEMA.fields, list);
  const isText = type === "text";
  const field = parts.table([0, isNullable ? 1 : 0, isText ? UTF8 : INT, 0, null, 0]);
  parts.point(list + WORD * (1 + fields.length), field);
  parts.pointCell(field, FIELD.name, parts.text(name));
  parts.pointCell(field, FIELD.type, parts.table(isText ? [] : [64, 1]));
  parts.pointCell(field, FIELD.children, parts.list([]));
  return parts.before(old);
}

/** Returns the places that a list refers to. */
function listedIn(bytes: Buffer, list: OldPlace | null): OldPlace[] {
  if (list === null) return [];
  const count = bytes.readUInt32LE(list.old);
  if (count * WORD > bytes.length) throw new Error("its list of fields is too long");
  return Array.from({ length: count }, (_, at) => ({
    old: targetOf(bytes, list.old + WORD * (1 + at)),
  }));
}
