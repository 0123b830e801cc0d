import { utf8ByteString } from "./bytes.ts";
import { PATH, SPECIAL_QUERY } from "./chars.ts";
import { writeComponent } from "./component.ts";

/** Returns a text as normalizing writes it in a path. */
export function writtenInPath(text: string): string {
  const bytes = utf8ByteString(text);
  return writeComponent(bytes, 0, bytes.length, PATH);
}

/** Returns a text as normalizing writes it in the query of a special scheme. */
export function writtenInQuery(text: string): string {
  const bytes = utf8ByteString(text);
  return writeComponent(bytes, 0, bytes.length, SPECIAL_QUERY);
}
