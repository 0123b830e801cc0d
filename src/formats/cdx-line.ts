/**
 * What a line of CDX or CDXJ is made of (IIPC, The CDX File Format, 2006 and 2015; pywb). The readers of
 * `normalize` and `dedupe` and those of `learn` share it.
 */

/**
 * The columns by their number, where no header names them: the CDX server's plain text, and what the tools of
 * the Internet Archive and pywb write.
 */
const LEGENDS = new Map(
  ["N b a m s k S", "N b a m s k r V g", "N b a m s k r M V g", "N b a m s k r M S V g"]
    .map((legend) => legend.split(" "))
    .map((legend) => [legend.length, legend]),
);
const HEADER = /^(.?)CDX(?:\1[A-Za-z])+\1?$/;

/** Says whether a line is a CDX header, ` CDX N b a m s k r M S V g`; its first character parts the fields. */
export function isCdxHeader(line: string): boolean {
  return line.includes("CDX") && HEADER.test(line);
}

/** Returns the letters of the columns of a CDX line without a header, by the number of its fields. */
export function cdxLegend(fields: number): readonly string[] | undefined {
  return LEGENDS.get(fields);
}

/** Says whether a CDXJ line is empty or a header, which begins with `!` or `@`. */
export function isCdxjHeader(line: string): boolean {
  return line === "" || line[0] === "!" || line[0] === "@";
}

/**
 * Returns where the JSON object of a CDXJ line begins: at the first field after the key that begins with a brace. The
 * key, which is a URL's text, may hold braces too. Returns 0 for a line that is an object alone, -1 for a line without one.
 */
export function jsonOf(line: string): number {
  const space = line.indexOf(" {");
  if (space > 0) return space + 1;
  return line.startsWith("{") ? 0 : -1;
}
