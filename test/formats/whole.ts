import { FORMAT_CATALOG } from "../../src/formats/catalog.ts";
import type { Format } from "../../src/formats/format.ts";
import { type FormatName, formatOf, urlField } from "../../src/formats/index.ts";
import type { Random } from "../shared/random.ts";

/** The beginning of a first input. */
export const START = { header: null, isStart: true } as const;

/** The format of a name with the URL in the field that it has by itself, or in another. */
export function formatNamed(name: FormatName, field?: string) {
  const isTable = name !== "lines0" && FORMAT_CATALOG[name].fields === "columns";
  const isFirst = isTable && field === undefined;
  return formatOf(name, urlField(name, { field: isFirst ? "1" : field }));
}

/** Cuts a text as a reader does whose bytes come in up to nine pieces: each part has whole records. */
export function cutAtRandom(
  format: Format,
  text: string,
  random: Random,
  boundary = format.boundary(),
): string[] {
  const bytes = Buffer.from(text, "latin1");
  const parts: string[] = [];
  let begin = 0;
  let known = 0;
  const cuts = Array.from({ length: 8 }, () => random.below(bytes.length + 1));
  for (const to of [...cuts.toSorted((a, b) => a - b), bytes.length]) {
    if (to < begin) continue;
    const end = boundary(bytes.subarray(begin, to), known);
    if (end > 0) parts.push(text.slice(begin, begin + end));
    begin += end;
    known = to - begin;
  }
  return parts;
}
