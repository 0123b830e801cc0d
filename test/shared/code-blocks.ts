import { readdirSync, readFileSync } from "node:fs";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** A fenced block of code in a document. */
export interface CodeBlock {
  /** The document and the line of the opening fence, as `docs/api/pool.md:12`. */
  readonly place: string;
  readonly language: string;
  readonly lines: readonly string[];
  /** Holds the reason not to run it, from the comment `<!-- not run: ... -->` above it. Null if it is run. */
  readonly notRun: string | null;
}

/** The documents for users: the README files, and those of `docs` but the contract, whose tables are tests. */
export const DOCUMENTS: readonly string[] = [
  "README.md",
  "examples/README.md",
  ...readdirSync(`${root}/docs`, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md") && name !== "spec.md")
    .map((name) => `docs/${name}`),
];

/** The text of a document, whose path begins at the root of the repository. */
export function readDocument(path: string): string {
  return readFileSync(`${root}/${path}`, "utf8");
}

/** The blocks of code of all documents, in order. */
export function codeBlocks(): CodeBlock[] {
  return DOCUMENTS.flatMap((path) => blocksOf(relative(".", path), readDocument(path)));
}

function blocksOf(path: string, text: string): CodeBlock[] {
  const lines = text.split("\n");
  const blocks: CodeBlock[] = [];
  for (let at = 0; at < lines.length; at++) {
    const language = /^```(\w+)$/.exec(lines[at] as string)?.[1];
    if (language === undefined) continue;
    const end = lines.indexOf("```", at);
    const [, notRun = null] = /^<!-- not run: (.+) -->$/.exec(lines[at - 1] ?? "") ?? [];
    blocks.push({
      place: `${path}:${at + 1}`,
      language,
      lines: lines.slice(at + 1, end),
      notRun,
    });
    at = end;
  }
  return blocks;
}
