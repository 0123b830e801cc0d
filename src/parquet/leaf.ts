import type { FileMetaData, SchemaElement, SchemaTree } from "hyparquet";
import { UrlmillError } from "../base/errors.ts";
import type { ParquetPeers } from "./peers.ts";
import type { RawChunkMeta } from "./raw-footer.ts";

/** Describes a column that holds values, on its own or within lists and structs. */
export interface Leaf {
  /** Its number among the chunks of a row group. */
  readonly index: number;
  /** Its path, joined by dots. */
  readonly name: string;
  readonly element: SchemaElement;
  /** The schema from the root to it. */
  readonly path: SchemaTree[];
  readonly maxDefinitionLevel: number;
  readonly maxRepetitionLevel: number;
}

/** Lists the columns that hold values, depth first. */
export function leavesOf(metadata: FileMetaData, peers: ParquetPeers): Leaf[] {
  const leaves: Leaf[] = [];
  const visit = (path: SchemaTree[]): void => {
    const node = path.at(-1) as SchemaTree;
    for (const child of node.children) visit([...path, child]);
    if (node.children.length > 0 || path.length === 1) return;
    leaves.push({
      index: leaves.length,
      name: node.path.join("."),
      element: node.element,
      path,
      maxDefinitionLevel: peers.getMaxDefinitionLevel(path),
      maxRepetitionLevel: peers.getMaxRepetitionLevel(path),
    });
  };
  const root = peers.parquetSchema(metadata);
  // Some writers say that the root is repeated, which would count as a list.
  visit([{ ...root, element: { ...root.element, repetition_type: "REQUIRED" } }]);
  return leaves;
}

/**
 * Returns how the values of a column are stored, without their meaning. An INT96 passes as 12
 * bytes, which it is, since the writer does not know it.
 */
export function physicalElement({ element }: Leaf): SchemaElement {
  const { name, type, type_length } = element;
  const stored =
    type === "INT96"
      ? ({ type: "FIXED_LEN_BYTE_ARRAY", type_length: 12 } as const)
      : {
          ...(type === undefined ? {} : { type }),
          ...(type_length === undefined ? {} : { type_length }),
        };
  return { name, repetition_type: "OPTIONAL", ...stored };
}

/** Describes a further column of text, after all others, which may be null. */
export function textLeaf(name: string, leaves: readonly Leaf[]): Leaf {
  const element: SchemaElement = {
    name,
    type: "BYTE_ARRAY",
    repetition_type: "OPTIONAL",
    converted_type: "UTF8",
  };
  const root = leaves[0]?.path[0] as SchemaTree;
  return {
    index: leaves.length,
    name,
    element,
    path: [root, { element, children: [], count: 1, path: [name] }],
    maxDefinitionLevel: 1,
    maxRepetitionLevel: 0,
  };
}

/** Describes a further column of whole numbers, which has one in each row. `index`: its number among all columns. */
export function countLeaf(name: string, leaves: readonly Leaf[], index: number): Leaf {
  const element: SchemaElement = { name, type: "INT64", repetition_type: "REQUIRED" };
  const root = leaves[0]?.path[0] as SchemaTree;
  return {
    index,
    name,
    element,
    path: [root, { element, children: [], count: 1, path: [name] }],
    maxDefinitionLevel: 0,
    maxRepetitionLevel: 0,
  };
}

/** Returns whether a column holds texts. Those of a list are many in a row. */
export function holdsTexts({ element }: Leaf): boolean {
  return element.type === "BYTE_ARRAY" && element.converted_type !== "DECIMAL";
}

/**
 * Returns the column of a name. Throws `BAD_OPTION` if `leaves` has none or two of them: the message gives the name of `file`,
 * and of the columns outside of lists those that `fits` passes, for `flag`.
 */
export function findLeaf(
  leaves: readonly Leaf[],
  name: string,
  file: string,
  flag: "--field" | "--keep",
  fits: (leaf: Leaf) => boolean,
): Leaf {
  const [leaf, another] = leaves.filter((candidate) => candidate.name === name);
  if (leaf === undefined) {
    const others = leaves.filter((other) => other.maxRepetitionLevel === 0 && fits(other));
    const names = others.map((other) => other.name).join(", ");
    const way = names === "" ? "no other has one text a row" : `${flag} names one of: ${names}`;
    throw new UrlmillError("BAD_OPTION", `${file} has no column "${name}"; ${way}`);
  }
  if (another === undefined) return leaf;
  throw new UrlmillError("BAD_OPTION", `${file} has two columns "${name}"; rename one first`);
}

/**
 * Returns the column of a name that holds one text a row. Throws `BAD_OPTION` if the file has no such column: `file` is the
 * name that the message gives.
 */
export function findTextLeaf(leaves: readonly Leaf[], name: string, file: string): Leaf {
  const leaf = findLeaf(leaves, name, file, "--field", holdsTexts);
  const { type, converted_type, logical_type } = leaf.element;
  if (leaf.maxRepetitionLevel > 0) {
    throw new UrlmillError(
      "BAD_OPTION",
      `column "${name}" of ${file} is in a list, and a row has one URL; unnest it first`,
    );
  }
  if (!holdsTexts(leaf)) {
    const held = logical_type?.type === "NULL" ? "only nulls" : (converted_type ?? type);
    throw new UrlmillError(
      "BAD_OPTION",
      `column "${name}" of ${file} holds ${held}, and URLs are text; --field names another`,
    );
  }
  return leaf;
}

/** Names a chunk in messages. Row groups are counted from 1. */
export function chunkName(leaf: Leaf, group: number): string {
  return `column ${leaf.name} of row group ${group + 1}`;
}

/**
 * Returns the offset at which a chunk begins. Some writers leave out the offset of its dictionary,
 * or write 0.
 */
export function chunkStart({ field_9: data, field_11: dictionary }: RawChunkMeta): number {
  return Number(
    dictionary !== undefined && dictionary > 0n && dictionary < data ? dictionary : data,
  );
}

/** Says why bytes cannot be read, without the words of JavaScript for a value that is missing or out of range. */
export function reasonOf(error: unknown): string {
  if (error instanceof TypeError || error instanceof RangeError) return "it cannot be decoded";
  return (error as Error).message;
}
