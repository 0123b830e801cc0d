// How much learned rules remove and lose where they were not learned, beside other methods.
// `npm run proof learn-quality`
//
//   -- FILE…                 lists instead of the bundled ones, in any format that learn reads, plain or in gzip: each URL
//                            with a fingerprint of its page. A folder stands for the lists in it. What pages declare is
//                            also read from a file of the same name in the folder "declared" beside it
//   -- --max-page-loss SHARE one budget of pages instead of 0.001 and 0.005
//   -- --fold thresholds     the fifth that numbers are set on, instead of the one that is reported
//   -- --seed TEXT           what URLs and classes are split by (urlmill)
//   -- --json                a JSON object a line, instead of tables
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { gunzipSync } from "node:zlib";
import { type Evaluation, evaluate } from "./evaluate.ts";
import type { Fold } from "./hold-out.ts";
import { type LabelledSite, readLabelledSite } from "./labelled-site.ts";
import { addMeasure, type Measure, noMeasure } from "./measure.ts";
import { learned, learnedFromPages, methods } from "./methods.ts";
import { proposalPrecision } from "./precision.ts";

/** Budgets that the targets are stated for. */
const BUDGETS = [0.001, 0.005];
const BUNDLED = ["autoindex", "blog", "forum"].map((name) => `test/fixtures/learn/${name}.tsv.gz`);
const HEADS = [
  "",
  "rules",
  "s",
  "removed",
  "lost",
  "saved",
  "false",
  "| class: removed",
  "lost",
  "false",
];

const { values, positionals } = parseArgs({
  options: {
    "max-page-loss": { type: "string" },
    fold: { type: "string", default: "report" },
    seed: { type: "string", default: "urlmill" },
    json: { type: "boolean", default: false },
  },
  allowPositionals: true,
});
const { seed } = values;
const fold = foldOf(values.fold);
const budgets = values["max-page-loss"] === undefined ? BUDGETS : [Number(values["max-page-loss"])];
const sites = positionals.length > 0 ? positionals.flatMap(readSites) : BUNDLED.map(readSite);
const tried = [
  ...budgets.map(learned),
  ...budgets.map(learnedFromPages),
  ...methods(budgets[0] as number),
];
const evaluations = sites.flatMap((site) =>
  tried.map((method) => evaluate(method, site, { seed, fold })),
);
if (values.json) {
  for (const evaluation of evaluations) console.log(JSON.stringify(evaluation));
} else {
  const first = (tried[0] as { name: string }).name;
  const lines = [
    `Fold ${fold}, seed "${seed}", ${sites.length} sites; by URL: half is known; by class: unseen pages`,
    "",
    ...table(
      `${first}, by site`,
      evaluations.filter(({ method }) => method === first).map((each) => [each.site, each]),
    ),
    ...table(
      "all sites",
      tried.map(({ name }) => [name, total(name, evaluations)]),
    ),
    ...medians(evaluations),
    ...precision(sites),
  ];
  for (const line of lines) console.log(line);
}

function foldOf(name: string): Fold {
  if (name === "report" || name === "thresholds") return name;
  throw new Error(`--fold is one of report, thresholds, not "${name}"`);
}

/** Reads a list, or the lists of a folder; there, those that cannot be judged are named and left out. */
function readSites(path: string): LabelledSite[] {
  if (!statSync(path).isDirectory()) return [readSite(path)];
  const files = readdirSync(path, { withFileTypes: true }).filter((entry) => entry.isFile());
  return files
    .map(({ name }) => join(path, name))
    .toSorted()
    .flatMap((file) => {
      try {
        return [readSite(file)];
      } catch (error) {
        console.error(`left out: ${(error as Error).message}`);
        return [];
      }
    });
}

function readSite(file: string): LabelledSite {
  const declared = join(dirname(file), "declared", basename(file));
  return readLabelledSite(
    basename(file).replace(/\.\w+(\.gz)?$/, ""),
    readTable(file),
    existsSync(declared) ? readTable(declared) : "",
  );
}

function readTable(file: string): string {
  const bytes = readFileSync(file);
  return (file.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString();
}

function total(name: string, evaluations: readonly Evaluation[]): Evaluation {
  const all: Evaluation = {
    method: name,
    site: "all",
    rules: 0,
    byUrl: noMeasure(),
    byClass: noMeasure(),
    seconds: 0,
  };
  let [rules, seconds] = [0, 0];
  for (const evaluation of evaluations.filter(({ method }) => method === name)) {
    rules += evaluation.rules;
    seconds += evaluation.seconds;
    addMeasure(all.byUrl, evaluation.byUrl);
    addMeasure(all.byClass, evaluation.byClass);
  }
  return { ...all, rules, seconds };
}

/** Returns the share of the redundancy that each method removes on the site in the middle. */
function medians(evaluations: readonly Evaluation[]): string[] {
  const lines = tried.map(({ name }) => {
    const shares = evaluations
      .filter(({ method, byUrl }) => method === name && byUrl.redundant > 0)
      .map(({ byUrl }) => byUrl.right / byUrl.redundant)
      .toSorted((a, b) => a - b);
    const middle = shares.length / 2;
    const pair = [shares[Math.ceil(middle) - 1], shares[Math.floor(middle)]] as number[];
    const median = pair.reduce((sum, share) => sum + share, 0) / 2;
    return `  ${name.padEnd(44)}  ${percent(median, 1, 1)}`;
  });
  return ["removed on the site in the middle", ...lines, ""];
}

function table(title: string, rows: readonly (readonly [string, Evaluation])[]): string[] {
  const lines = rows.map(([name, { rules, seconds, byUrl, byClass }]) => [
    name,
    String(rules),
    seconds.toFixed(1),
    ...cells(byUrl),
    ...cells(byClass).filter((_, index) => index !== 2),
  ]);
  const widths = HEADS.map((head, column) =>
    Math.max(head.length, ...lines.map((line) => (line[column] as string).length)),
  );
  const write = (line: readonly string[]) =>
    line.map((cell, column) => pad(cell, widths[column] as number, column)).join("  ");
  return [title, write(HEADS), ...lines.map(write), ""];
}

function pad(cell: string, width: number, column: number): string {
  return column === 0 ? cell.padEnd(width) : cell.padStart(width);
}

/** Redundancy removed, pages lost, fetches saved, false merges. */
function cells({ arrived, redundant, right, wrong, pages, lost }: Measure): string[] {
  return [
    percent(right, redundant, 1),
    percent(lost, pages, 3),
    percent(right + wrong, arrived, 1),
    percent(wrong, right + wrong, 2),
  ];
}

function percent(part: number, whole: number, digits: number): string {
  return whole === 0 ? "-" : `${((100 * part) / whole).toFixed(digits)} %`;
}

function precision(sites: readonly LabelledSite[]): string[] {
  const lines = ["proposals without fingerprints: right among the first ten"];
  for (const uses of ["sizes", "URLs"] as const) {
    const found = sites.map((site) => [site.name, proposalPrecision(site, uses)] as const);
    const some = found.filter(([, { of }]) => of > 0);
    const mean =
      some.reduce((sum, [, { right, of }]) => sum + right / of, 0) / Math.max(1, some.length);
    const each = found.map(([name, { right, of }]) => `${name} ${right}/${of}`).join(", ");
    lines.push(
      `  ${uses.padEnd(5)}  mean ${mean.toFixed(2)} over ${some.length} sites with proposals: ${each}`,
    );
  }
  return lines;
}
