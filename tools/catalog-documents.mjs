// Writes the tables that say what the catalogs say: the steps in docs/spec.md, the options in docs/options.md, the
// formats in docs/cli.md, the version of a plan in docs/kernel.md, and the names of options in Python's help.
import { readFileSync } from "node:fs";
import { createNormalizer } from "../dist/index.js";
import { headingAnchor } from "./heading-anchor.mjs";
import { importSource } from "./import-source.mjs";
import { optionSections } from "./option-sections.mjs";
import { flagsOf } from "./option-texts.mjs";
import { programOf } from "./program-text.mjs";
import { replacePart } from "./replace-part.mjs";

const { CATALOG } = await importSource("options/catalog.ts");
const { OPTION_NAMES } = await importSource("options/options.ts");
const { PLAN_VERSION } = await importSource("plan/layout.ts");
const { FORMAT_CATALOG } = await importSource("formats/catalog.ts");

const tableOf = (head, rows) =>
  [head, ...rows]
    .map((cells) => `| ${cells.join(" | ")} |\n`)
    .toSpliced(1, 0, `|${"---|".repeat(head.length)}\n`)
    .join("");

/** Returns docs/spec.md with a row for each step. */
export function withSteps(document) {
  const sections = [...document.matchAll(/^##+ (.*)$/gm)].map(([, title]) => title);
  const rows = CATALOG.filter(({ step }) => step !== undefined).map(({ name, step, section }) => {
    const title = sections.find(
      (other) => other.replace(/^\d+\. /, "") === (section ?? `\`${name}\``),
    );
    if (title === undefined) throw new Error(`docs/spec.md has no section for the step ${name}`);
    return [`\`${name}\``, step, `[${title.replace(/^\d+\. /, "")}](#${headingAnchor(title)})`];
  });
  return replacePart(document, "steps", tableOf(["step", "what it does", "written down in"], rows));
}

/** Returns docs/options.md with a row for each example of a step, and a section for each option. */
export function withOptions(document) {
  const examples = CATALOG.flatMap(({ rows = [] }) => rows);
  const rows = [
    ...examples.filter(({ set }) => set === undefined),
    ...examples.filter(({ set }) => set !== undefined),
  ].map(rowOf);
  const head = ["normalization", "option", "flag", "example", "presets", "keeps the meaning"];
  const table = replacePart(document, "options", tableOf(head, rows));
  return replacePart(table, "option sections", optionSections(readDocument("docs/spec.md")));
}

const readDocument = (name) => readFileSync(new URL(`../${name}`, import.meta.url), "utf8");

/** Returns docs/cli.md with a row for each format. Parquet has its own readers, and its own row. */
export function withFormats(document) {
  const rows = Object.entries(FORMAT_CATALOG).map(([name, { where, notes, format }]) => {
    const isForAll = format !== undefined || ["warc", "wat"].includes(name);
    return [`\`${name}\``, where, notes, isForAll ? "all" : "`learn`"];
  });
  const table = tableOf(["format", "where the URL is", "notes", "read by"], [...rows, PARQUET]);
  return replacePart(document, "formats", table);
}

const PARQUET = [
  "`parquet`",
  "a column by its path",
  "[packages to install](#parquet)",
  "`normalize`, `dedupe`",
];

function rowOf({ normalization, set, url, keeps }) {
  const result = createNormalizer(set).normalize(url);
  const code = set === undefined ? ["", ""] : [`\`${programOf(set)}\``, `\`${flagsOf(set)}\``];
  return [normalization, ...code, `\`${url}\` → \`${result}\``, presetsOf(set), keeps];
}

/** Names the presets that set the first option of an example as it does. */
function presetsOf(set) {
  if (set === undefined) return "all";
  const [[name, value]] = Object.entries(set);
  const { presets = {} } = CATALOG.find((entry) => entry.name === name).option;
  const names = Object.keys(presets).filter(
    (preset) => JSON.stringify(presets[preset]) === JSON.stringify(value),
  );
  return names.join(", ") || "none";
}

/** Returns docs/kernel.md with the version of the layout of a plan. */
export function withPlanVersion(document) {
  const version = /(?<=version of the layout: )\d+/;
  if (!version.test(document)) throw new Error("docs/kernel.md names no version of the layout");
  return document.replace(version, PLAN_VERSION);
}

/** Returns the Python module of the normalizer with the names of all options in its help. */
export function withOptionNames(module) {
  const names = OPTION_NAMES.map((name) => name.replace(/[A-Z]/g, "_$&").toLowerCase());
  const lines = `Options: ${names.join(", ")}.`.match(/\S.{0,107}(?= |$)/g);
  const list = /Options: [^.]*\./;
  if (!list.test(module)) throw new Error("the help of Python's normalizer lists no options");
  return module.replace(list, lines.join("\n    "));
}
