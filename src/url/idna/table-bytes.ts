import { packedTable } from "./unicode-table.ts";
import { unpackTable } from "./unpack.ts";

/** Returns the bytes of the table, which the kernel has as static data. */
export function unicodeTableBytes(): Uint8Array<ArrayBuffer> {
  return unpackTable(packedTable);
}
