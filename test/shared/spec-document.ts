import { readFileSync } from "node:fs";
import type { NormalizerOptions } from "../../src/index.ts";

/** The text of docs/spec.md. */
export const SPEC_TEXT: string = readFileSync(
  new URL("../../docs/spec.md", import.meta.url),
  "utf8",
);

/** A table of the document: the heading above it, its column names and its rows by column name. */
export interface SpecTable {
  readonly heading: string;
  readonly columns: readonly string[];
  readonly rows: readonly Readonly<Record<string, string>>[];
}

/** An example of the document, with its notation resolved. */
export interface SpecExample {
  readonly heading: string;
  /** The row as the document has it, to find it there. */
  readonly row: string;
  readonly input: Uint8Array;
  readonly base: Uint8Array | null;
  readonly options: Omit<NormalizerOptions, "engine">;
  /** A URL, or the name of an error. */
  readonly output: string;
  /** Gives the position of the error, or null if the table does not give it. */
  readonly offset: number | null;
}

/** All tables of a Markdown text, in order. */
export function readTables(markdown: string): SpecTable[] {
  const tables: { heading: string; columns: string[]; rows: Record<string, string>[] }[] = [];
  let heading = "";
  let isInTable = false;
  for (const line of markdown.split("\n")) {
    if (line.startsWith("#")) heading = line.replace(/^#+ /, "");
    if (!line.startsWith("|")) {
      isInTable = false;
    } else if (!isInTable) {
      isInTable = true;
      tables.push({ heading, columns: cellsOf(line), rows: [] });
    } else if (!/^\|[-:| ]+\|$/.test(line)) {
      const cells = cellsOf(line);
      const table = tables.at(-1) as (typeof tables)[number];
      if (cells.length !== table.columns.length) throw new Error(`cells are missing in: ${line}`);
      table.rows.push(
        Object.fromEntries(table.columns.map((name, at) => [name, cells[at] as string])),
      );
    }
  }
  return tables;
}

/** The texts of the code spans in a cell. */
export function codeSpans(cell: string): string[] {
  return [...cell.matchAll(/`([^`]*)`/g)].map(([, text]) => text as string);
}

/** The first table of the document that has these columns. */
export function tableOf(...columns: string[]): SpecTable {
  const found = readTables(SPEC_TEXT).find((table) =>
    columns.every((name) => table.columns.includes(name)),
  );
  if (found === undefined) throw new Error(`there is no table with ${columns.join(", ")}`);
  return found;
}

/** The text under the heading that names an option. */
export function sectionOf(option: string): string {
  const section = SPEC_TEXT.split(/^(?=###? )/m).find((text) =>
    (text.split("\n")[0] as string).includes(`\`${option}\``),
  );
  if (section === undefined) throw new Error(`there is no section for ${option}`);
  return section;
}

/** The examples of the tables that have the columns `input` and `output`. */
export function readExamples(markdown: string): SpecExample[] {
  return readTables(markdown)
    .filter(({ columns }) => columns.includes("input") && columns.includes("output"))
    .flatMap(({ heading, rows }) => rows.map((row) => exampleOf(heading, row)));
}

function exampleOf(heading: string, row: Readonly<Record<string, string>>): SpecExample {
  const { input = "", base = "", options = "", output = "", offset = "" } = row;
  const [inputText] = codeSpans(input);
  const [baseText] = codeSpans(base);
  const [optionText = ""] = codeSpans(options);
  const [outputText] = codeSpans(output);
  if (inputText === undefined || outputText === undefined) {
    throw new Error(`an example needs an input and an output in backquotes: ${input} ${output}`);
  }
  return {
    heading,
    row: Object.values(row).join(" | "),
    input: bytesOf(inputText),
    base: baseText === undefined ? null : bytesOf(baseText),
    options: {
      ...readOptions(optionText),
      ...fileOf("rules", "rules", row),
      ...fileOf("pageAliases", "aliases", row),
    },
    output: Buffer.from(bytesOf(outputText)).toString(),
    offset: offset === "" ? null : Number(offset),
  };
}

/** The option that takes a file, with the lines of the cell of a column. */
function fileOf(
  option: "rules" | "pageAliases",
  column: "rules" | "aliases",
  row: Readonly<Record<string, string>>,
): Partial<Record<typeof option, string>> {
  const lines = codeSpans(row[column] ?? "").map((line) => line.replaceAll(/ ?⇥ /g, "\t"));
  return lines.length === 0 ? {} : { [option]: [`#urlmill-${column} 1`, ...lines].join("\n") };
}

/** The options that a cell lists as in an object. */
export function readOptions(text: string): Omit<NormalizerOptions, "engine"> {
  return new Function(`return { ${text} }`)() as Omit<NormalizerOptions, "engine">;
}

/** UTF-8, where `⟨E9⟩` is a byte and `⟨ab × 3⟩` a text three times. */
function bytesOf(text: string): Uint8Array {
  const long = text.replaceAll(/⟨([^⟩]*) × (\d+)⟩/g, (_, part: string, count: string) =>
    part.repeat(Number(count)),
  );
  const pieces = long
    .split(/(⟨[0-9A-F]{2}⟩)/)
    .map((piece) =>
      /^⟨..⟩$/.test(piece) ? Buffer.from(piece.slice(1, 3), "hex") : Buffer.from(piece),
    );
  return Buffer.concat(pieces);
}

/** The cells of a row; `\|` is a `|` in a cell. */
function cellsOf(line: string): string[] {
  return line
    .trim()
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll("\\|", "|"));
}
