import { type FormatName, formatOf, hasColumnNames, urlField } from "../../src/formats/index.ts";

/** The beginning of a first input. */
export const START = { header: null, isStart: true } as const;

/** The format of a name with the URL in the field that it has by itself, or in another. */
export function formatNamed(name: FormatName, field?: string) {
  const isFirst = hasColumnNames(name) && field === undefined;
  return formatOf(name, urlField(name, { field: isFirst ? "1" : field }));
}
