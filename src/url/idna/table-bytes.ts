import { packedTable, tableHash } from "./unicode-table.ts";
import { hashOf, unpackTable } from "./unpack.ts";

/**
 * Returns the bytes of the table, which the kernel has as static data. Throws `ENGINE_UNAVAILABLE` on a
 * platform that does not know Unicode 13: it would write some URLs differently.
 */
export function unicodeTableBytes(): Uint8Array<ArrayBuffer> {
  const bytes = unpackTable(packedTable);
  if (hashOf(bytes) === tableHash) return bytes;
  const message =
    "this platform cannot normalize Unicode 13, so JavaScript cannot read hosts outside ASCII: use WebAssembly, or a later version of the platform";
  throw Object.assign(new Error(message), { code: "ENGINE_UNAVAILABLE" });
}
