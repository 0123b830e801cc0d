import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { headingAnchor } from "../../tools/heading-anchor.mjs";
import { codeBlocks, DOCUMENTS, readDocument } from "../shared/code-blocks.ts";
import { readTables } from "../shared/spec-document.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
/**
 * Languages that a test runs or reads (`java`, `go` and `rust` in the folders of their packages), `ts` for signatures, and `text`, which shows what a program writes.
 */
const LANGUAGES = [
  "js",
  "ts",
  "sh",
  "console",
  "python",
  "java",
  "go",
  "rust",
  "sql",
  "xml",
  "json",
  "text",
];

/** The anchors of a document, as GitHub makes them of headings. */
function anchorsOf(text: string): Set<string> {
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading]) => heading as string);
  return new Set(headings.map(headingAnchor));
}

test.each([
  ...DOCUMENTS,
  "docs/spec.md",
  "CONTRIBUTING.md",
  "ARCHITECTURE.md",
  "test/proofs/README.md",
])("each link of %s leads to a file and a heading that are there", (path) => {
  const text = readDocument(path).replaceAll(/^```[\s\S]*?^```$/gm, "");
  const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link as string);
  const broken = links.filter((link) => {
    if (/^https?:/.test(link)) return false;
    const [file = "", anchor] = link.split("#");
    const target = file === "" ? path : join(dirname(path), file);
    if (!existsSync(join(root, target))) return true;
    return anchor !== undefined && !anchorsOf(readDocument(target)).has(anchor);
  });
  expect(broken).toEqual([]);
});

test("each link of the playground leads to a document of the site and a heading that are there", () => {
  const page = readDocument("playground/index.html");
  const links = [...page.matchAll(/href="\.\.\/([\w-]+)\.html(?:#([^"]*))?"/g)];
  const broken = links.filter(([, name = "", anchor]) => {
    const path = `docs/${name === "index" ? "README" : name}.md`;
    if (!existsSync(join(root, path))) return true;
    return anchor !== undefined && !anchorsOf(readDocument(path)).has(anchor);
  });
  expect(links.length).toBeGreaterThan(3);
  expect(broken).toEqual([]);
});

test.each([
  ["README.md", "docs"],
  ["docs/README.md", "docs"],
  ["docs/api/README.md", "docs/api"],
])("%s lists every document of %s", (list, folder) => {
  const text = readDocument(list);
  const names = DOCUMENTS.filter((path) => dirname(path) === folder).map((path) => basename(path));
  expect(names.length).toBeGreaterThan(5);
  const missing = names.filter((name) => name !== "README.md" && !text.includes(`${name})`));
  expect(missing).toEqual([]);
});

test("each block of code is in a language that is run, read or shown", () => {
  const others = codeBlocks().filter(({ language }) => !LANGUAGES.includes(language));
  expect(others.map(({ place, language }) => `${place} ${language}`)).toEqual([]);
});

test.each(DOCUMENTS.filter((path) => path.startsWith("docs/")))(
  "each column of the tables in %s has a name, which screen readers say",
  (path) => {
    const unnamed = readTables(readDocument(path)).filter(({ columns }) =>
      columns.some((name) => name.trim() === ""),
    );
    expect(unnamed.map(({ heading }) => heading)).toEqual([]);
  },
);

test("all pages that install a package say that no release is published, or none of them does", () => {
  const pages = [
    "README",
    "docs/README",
    "docs/getting-started",
    "docs/go",
    "docs/java",
    "docs/rust",
    "docs/python-spark-duckdb-clickhouse",
  ];
  const says = pages.filter((page) =>
    readDocument(`${page}.md`).includes("No release is published yet."),
  );
  expect([[], pages]).toContainEqual(says);
});

test("few blocks are not run, and each of them says what it takes", () => {
  const notRun = codeBlocks().filter((block) => block.notRun !== null);
  expect(notRun.length).toBeLessThanOrEqual(6);
});

test("the README is a page", () => {
  const readme = readDocument("README.md");
  expect(readme.split("\n").length).toBeLessThanOrEqual(150);
});
