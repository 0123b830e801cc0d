import { Malformed } from "../../formats/row.ts";
import type { Reading } from "./record.ts";

/**
 * Reads a line of a plain list, a URL a line, without white space around it. Lines that are blank
 * or begin with `#` are not records. A tab is malformed: the line is a table's, and a URL parser
 * would drop the tab and take it all.
 */
export function readUrlLine(line: string): Reading {
  const url = line.trim();
  if (url === "" || url.startsWith("#")) return null;
  if (url.includes("\t")) return new Malformed("a tab in a list of URLs");
  return { url };
}
