import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { wrap } from "../io/text/wrap.ts";

/** Holds a heading of the specification and the text after it, as far as the next heading. */
interface Section {
  readonly name: string;
  readonly title: string;
  /** Gives the number of `#` before the title. */
  readonly level: number;
  readonly text: string;
  /** Names the sections that lie within this one. */
  readonly inner: readonly string[];
}

/**
 * Returns what the specification says on a step, an option or a subject such as `special-schemes`, for a terminal.
 * Returns undefined if it has no such section.
 */
export function specificationOf(name: string): string | undefined {
  const markdown = readSpecification();
  const sections = sectionsOf(markdown);
  if (name === "specification") return contents(sections);
  const step = stepOf(markdown, name);
  const wanted = (step?.section ?? name).toLowerCase();
  const section = sections.find((candidate) => candidate.name.toLowerCase() === wanted);
  if (section === undefined) return undefined;
  const { title, text, inner } = section;
  const further = inner.map((other) => `  urlmill help ${other}\n`).join("");
  return [
    ...(step === undefined ? [] : [`${plain(`${step.name}: ${step.text}`)}\n\n`]),
    ...(step?.name === section.name ? [] : [`${plain(title)}\n\n`]),
    `${plain(text.trim())}\n`,
    ...(further === "" ? [] : [`\nMore:\n${further}`]),
  ].join("");
}

/** Returns the titles of all sections, with the calls that print them. */
function contents(sections: readonly Section[]): string {
  const calls = sections.map(({ name, level }) => `${"  ".repeat(level - 1)}urlmill help ${name}`);
  const width = Math.max(...calls.map(({ length }) => length)) + 2;
  const lines = sections.map(
    ({ title }, at) => `${(calls[at] as string).padEnd(width)}${plain(title)}\n`,
  );
  return `The specification: what normalization means in urlmill\n\n${lines.join("")}`;
}

/** Returns the names of all sections, to suggest one for a name that is misspelt. */
export function specificationNames(): string[] {
  return sectionsOf(readSpecification()).map(({ name }) => name);
}

/** Reads the specification from the built package: it is docs/spec.md, with gzip. */
function readSpecification(): string {
  const file = new URL("../../dist/spec.md.gz", import.meta.url);
  return gunzipSync(readFileSync(file)).toString();
}

function sectionsOf(markdown: string): Section[] {
  const heads = [...markdown.matchAll(/^(##+) (.+)\n/gm)];
  return heads.map(({ 0: line, 1: marks = "", 2: title = "", index }, at) => {
    const level = marks.length;
    const later = heads.slice(at + 1);
    const end = later.findIndex(([, other = ""]) => other.length <= level);
    const inner = later.slice(0, end < 0 ? undefined : end);
    return {
      name: nameOf(title),
      title,
      level,
      text: markdown.slice(index + line.length, later[0]?.index),
      inner: inner.map(([, , other = ""]) => nameOf(other)),
    };
  });
}

/** Returns the option that a heading is, or its anchor in a page, without the number of the section. */
function nameOf(title: string): string {
  if (title.startsWith("`")) return title.replaceAll("`", "");
  const words = title.toLowerCase().replaceAll(/[^\w -]/g, "");
  return words.replace(/^\d+ /, "").replaceAll(" ", "-");
}

/** Returns what the table of steps says on one of them. */
function stepOf(
  markdown: string,
  wanted: string,
): { name: string; text: string; section: string } | undefined {
  const rows = markdown.matchAll(/^\| `(\w+)` \| (.+) \| \[.+\]\(#(?:\d+-)?([\w-]+)\) \|$/gm);
  for (const [, name = "", text = "", section = ""] of rows) {
    if (name.toLowerCase() === wanted.toLowerCase()) return { name, text, section };
  }
  return undefined;
}

/** Writes Markdown for a terminal: links and code as their text, tables in columns, paragraphs as wide as a terminal. */
function plain(markdown: string): string {
  const text = markdown
    .replaceAll(/^<!-- .* -->\n\n?/gm, "")
    .replaceAll(/\[([^\]]+)\]\([^)]*\)/g, "$1")
    .replaceAll(/\*\*([^*]+)\*\*/g, "$1")
    .replaceAll(/`` (.+?) ``|`([^`]+)`/g, "$1$2");
  return text
    .replaceAll(/^(?![|\s#`])(?:.+\n?)(?:^(?![|#`]|[-*] |\d+\. ).+\n?)*/gm, inLines)
    .replaceAll(/(?:^\|.*\|$\n?)+/gm, inColumns);
}

/** Writes a paragraph or an item of a list in lines of a terminal. */
function inLines(paragraph: string): string {
  const indent = /^[-*] /.test(paragraph) ? 2 : 0;
  const end = paragraph.endsWith("\n") ? "\n" : "";
  return wrap(paragraph.trim().replaceAll(/\n\s*/g, " "), indent).join("\n") + end;
}

/** Writes the rows of a table with the cells of a column one below the other. */
function inColumns(table: string): string {
  const rows = table
    .trim()
    .split("\n")
    .map((row) =>
      row
        .slice(2, -2)
        .split(/ \| ?/)
        .map((cell) => cell.replaceAll("\\|", "|")),
    );
  const [head = [], , ...body] = rows;
  const widths = head.map((_, column) =>
    Math.max(...[head, ...body].map((row) => (row[column] ?? "").length)),
  );
  const lines = [head, widths.map((width) => "-".repeat(width)), ...body];
  return lines
    .map((row) =>
      row
        .map((cell, at) => cell.padEnd(widths[at] as number))
        .join("  ")
        .trimEnd(),
    )
    .map((line) => `${line}\n`)
    .join("");
}
