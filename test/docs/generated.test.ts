import { expect, test } from "vitest";
import { Status } from "../../src/base/status.ts";
import { flagForm } from "../../src/cli/flags/help-text.ts";
import { OPTION_GROUPS } from "../../src/cli/flags/option-flags.ts";
import { CATALOG } from "../../src/options/catalog.ts";
import { apiPages } from "../../tools/api/pages.mjs";
import { badges } from "../../tools/badges.mjs";
import { withOptions } from "../../tools/catalog-documents.mjs";
import { withCommands } from "../../tools/cli-document.mjs";
import { withDocuments } from "../../tools/document-list.mjs";
import { ENTRY_POINTS } from "../../tools/entry-points.mjs";
import { LAYER_DOCUMENTS, withLayers } from "../../tools/layers.mjs";
import { runCli } from "../shared/cli.ts";
import { DOCUMENTS, readDocument } from "../shared/code-blocks.ts";

const helpOf = async (...command: string[]): Promise<string> => {
  const { stdout } = await runCli(["help", ...command]);
  return Buffer.from(stdout, "latin1").toString();
};

test("docs/commands.md has the help of each command as it is now (npm run docs)", async () => {
  const text = readDocument("docs/commands.md");
  expect(await withCommands(text, helpOf)).toBe(text);
});

test("docs/api has the doc comments as they are now (npm run docs)", () => {
  const names = DOCUMENTS.filter((path) => path.startsWith("docs/api/"));
  const written = names.map((path) => [path.slice("docs/api/".length), readDocument(path)]);
  expect(Object.fromEntries(written)).toEqual(apiPages());
});

test("docs/api has a row for each status, with its number and its meaning", () => {
  const [, section = ""] = apiPages()["urlmill.md"]?.split("## Status\n") ?? [];
  const rows = [...section.matchAll(/^\| `(\w+)` \| (\d+) \| [^|]+\. \|$/gm)];
  expect(rows.map(([, name, value]) => [name, Number(value)])).toEqual(Object.entries(Status));
});

test("docs/api has a heading for each value that an entry point exports", async () => {
  const names = await Promise.all(
    ENTRY_POINTS.map(async ({ file }) =>
      Object.keys(await import(new URL(`../../dist/${file}.js`, import.meta.url).href)),
    ),
  );
  const headings = Object.values(apiPages()).flatMap((text) => text.match(/^## \w+$/gm) ?? []);
  expect(ENTRY_POINTS.length).toBeGreaterThan(5);
  expect(names.flat().filter((name) => !headings.includes(`## ${name}`))).toEqual([]);
});

test.each(Object.entries(badges()))(
  "%s says what package.json says (npm run docs)",
  (name, svg) => {
    expect(readDocument(`docs/badges/${name}`)).toBe(svg);
  },
);

test("docs/README.md lists the documents as the site does (npm run docs)", () => {
  const text = readDocument("docs/README.md");
  expect(withDocuments(text)).toBe(text);
});

test("docs/options.md has the options and their results as they are now (npm run docs)", () => {
  const text = readDocument("docs/options.md");
  expect(withOptions(text)).toBe(text);
});

test("docs/options.md has a section with an example of each option that takes plain values", () => {
  const [, ...sections] = readDocument("docs/options.md").split(/^### /m);
  const withExample = sections
    .filter((section) => /^normalize\(/m.test(section))
    .map((section) => section.split("\n", 1)[0]);
  // A compiled kernel is no plain value: docs/browsers-and-edge.md gives one.
  const options = CATALOG.filter(({ name, option }) => option !== undefined && name !== "module");
  expect(withExample).toEqual(options.map(({ name }) => name));
});

test.each(Object.entries(LAYER_DOCUMENTS))(
  "%s draws the layers of %j as the test of imports has them (npm run docs)",
  (path, folders) => {
    const text = readDocument(path);
    expect(withLayers(text, folders)).toBe(text);
  },
);

test("docs/commands.md lists each flag of rules once, for all commands that take it", () => {
  const lines = readDocument("docs/commands.md").split("\n");
  const ofRules = OPTION_GROUPS.flatMap(({ flags }) => flags)
    // `learn` commands have flags --rules and --page-aliases of their own.
    .filter(({ name }) => name !== "rules" && name !== "page-aliases")
    .map((flag) => `  ${flagForm(flag)}`);
  const listed = lines.filter((line) => ofRules.some((form) => `${line} `.startsWith(`${form} `)));
  expect(listed).toHaveLength(ofRules.length);
});
