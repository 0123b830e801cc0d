// How much learned rules remove and lose where they were not learned, beside other methods.
// `npm run proof learn-quality`
//
//   -- FILE…                 lists instead of the bundled and the made-up ones, in any format that learn reads, plain or in gzip: each URL
//                            with a fingerprint of its page. A folder stands for the lists in it. What pages declare is
//                            also read from a file of the same name in the folder "declared" beside it
//   -- --max-page-loss SHARE one budget of pages instead of 0.001 and 0.005
//   -- --fold thresholds     the fifth that numbers are set on, instead of the one that is reported
//   -- --seed TEXT           what URLs and classes are split by (urlmill)
//   -- --seconds N           seconds of the processor that a method may take on a list (180). One that takes more is ended, and
//                            a line says so
//   -- --json                a JSON object a line, instead of tables
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { gunzipSync } from "node:zlib";
import { type Evaluation, evaluate, noEvaluation } from "./evaluate.ts";
import type { Fold } from "./hold-out.ts";
import { type LabelledSite, readLabelledSite } from "./labelled-site.ts";
import { MADE_UP } from "./made-up.ts";
import { addMeasure, type Measure } from "./measure.ts";
import {
  learned,
  learnedByChance,
  learnedByProbe,
  learnedFromChanging,
  learnedFromPages,
  type Method,
  methodsOf,
} from "./methods.ts";
import { proposalPrecision } from "./precision.ts";
import { splitLines, splitsOf } from "./splits.ts";
import { evaluateWithin } from "./within.ts";

/** Budgets that the targets are stated for. */
const BUDGETS = [0.001, 0.005];
/** How pages of the known half change between captures. */
const CAPTURES = [
  { changed: 0.003, twice: 0 },
  { changed: 0.003, twice: 0.2 },
  { changed: 0.003, twice: 1 },
];
const BUNDLED = ["autoindex", "blog", "forum"].map((name) => `test/fixtures/learn/${name}.tsv.gz`);
const HEADS = [
  "",
  "rules",
  "s",
  "removed",
  "lost",
  "saved",
  "false",
  "other",
  "| class: removed",
  "lost",
  "false",
];

const LEGEND = [
  "By URL, half is known; by class, unseen pages arrive. s: seconds of the processor in three rounds.",
  "false: URLs skipped for one that has another page by the labels; other: those of clearly another text (Jaccard below .7):",
  "with >=, numbers of shingles show a part of them; with -, labels are all that the lists say of pages.",
  "",
];

const { values, positionals } = parseArgs({
  options: {
    "max-page-loss": { type: "string" },
    fold: { type: "string", default: "report" },
    seed: { type: "string", default: "urlmill" },
    seconds: { type: "string", default: "180" },
    json: { type: "boolean", default: false },
  },
  allowPositionals: true,
});
const { seed } = values;
const seconds = Number(values.seconds);
const fold = foldOf(values.fold);
const budgets = values["max-page-loss"] === undefined ? BUDGETS : [Number(values["max-page-loss"])];
const sites =
  positionals.length > 0 ? positionals.flatMap(readSites) : [...BUNDLED.map(readSite), ...madeUp()];
const [budget] = budgets as [number];
const methodsOfEach = methodsOf(budget);
const otherBudgets = budgets.slice(1).flatMap((each) => [learned(each), learnedFromPages(each)]);
const changing = CAPTURES.map((captures) => learnedFromChanging(budget, captures));
/** Fetches that are measured, on sites of so many URLs. */
const FETCHES = [200, 1000];
const FEWEST_URLS = 2000;
const asked = FETCHES.flatMap((fetches) => [
  learnedByChance(budget, fetches),
  learnedByProbe(budget, fetches),
]);
const ofEach: Evaluation[] = [];
const ofOthers: Evaluation[] = [];
const ofChanging: Evaluation[] = [];
const ofAsked: Evaluation[] = [];
const unfinished: Unfinished[] = [];
if (!values.json) {
  console.log(`Fold ${fold}, seed "${seed}", ${sites.length} sites.`);
  for (const line of LEGEND) console.log(line);
}
for (const site of sites) {
  const own: Evaluation[] = [];
  for (const { name } of methodsOfEach) {
    const found = await evaluateWithin(seconds, { method: name, budget, site, seed, fold });
    if (found === null) unfinished.push({ method: name, site: site.name, notFinishedIn: seconds });
    own.push(...(found ?? []));
  }
  ofEach.push(...own);
  if (!values.json) {
    for (const line of table(site.name, rowsOf(own))) console.log(line);
    for (const line of notFinished(site.name)) console.log(line);
  }
  ofOthers.push(...(await evaluateAll(otherBudgets, site)));
  ofChanging.push(...(await evaluateAll(changing, site)));
  if (site.urls.length >= FEWEST_URLS) ofAsked.push(...(await evaluateAll(asked, site)));
}
if (values.json) {
  for (const evaluation of [...ofEach, ...ofOthers, ...ofChanging, ...ofAsked, ...unfinished]) {
    console.log(JSON.stringify(evaluation));
  }
} else {
  const steady = ofEach.filter(({ method }) => method === methodsOfEach[0]?.name);
  const lines = [
    ...table("all sites", rowsOf(totals([...ofEach, ...ofOthers]))),
    ...notFinished(),
    ...medians([...ofEach, ...ofOthers]),
    ...table("all sites, where pages change", rowsOf(totals([...steady, ...ofChanging]))),
    ...table(
      `all sites of ${FEWEST_URLS} URLs and more, of which few were fetched`,
      rowsOf(totals(ofAsked)),
    ),
    ...medians(ofAsked),
    ...splitLines(sites.map((site) => splitsOf(site, { seed, fold, budget }))),
    ...precision(sites),
  ];
  for (const line of lines) console.log(line);
}

/** Measures other methods of urlmill by URL, which need no limit. */
async function evaluateAll(tried: readonly Method[], site: LabelledSite): Promise<Evaluation[]> {
  const evaluations: Evaluation[] = [];
  for (const method of tried) {
    evaluations.push(...(await evaluate(method, site, { seed, fold, byClass: false })));
  }
  return evaluations;
}

/** Names a method that was ended on a site. */
interface Unfinished {
  readonly method: string;
  readonly site: string;
  readonly notFinishedIn: number;
}

/** Says what was ended, on a site or on any. Sums leave out what was. */
function notFinished(name?: string): string[] {
  return unfinished
    .filter(({ site }) => name === undefined || site === name)
    .map(
      ({ method, site, notFinishedIn }) =>
        `${method}: not finished in ${notFinishedIn} s of the processor on ${site}${name === undefined ? ", which its sums leave out" : ""}`,
    );
}

function rowsOf(evaluations: readonly Evaluation[]): (readonly [string, Evaluation])[] {
  return evaluations.map((evaluation) => [evaluation.method, evaluation]);
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

function madeUp(): LabelledSite[] {
  return Object.entries(MADE_UP).map(([name, make]) => {
    const lines = make().map(({ url, fp }) => `${url}\t${fp}\n`);
    return readLabelledSite(name, `url\tfp\n${lines.join("")}`);
  });
}

function readTable(file: string): string {
  const bytes = readFileSync(file);
  return (file.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString();
}

/** Adds up what each method did on all sites. */
function totals(evaluations: readonly Evaluation[]): Evaluation[] {
  const all = new Map<string, Evaluation>();
  for (const evaluation of evaluations) {
    const total = all.get(evaluation.method) ?? noEvaluation(evaluation.method, "all");
    all.set(evaluation.method, total);
    total.rules += evaluation.rules;
    total.seconds += evaluation.seconds;
    addMeasure(total.byUrl, evaluation.byUrl);
    addMeasure(total.byClass, evaluation.byClass);
  }
  return [...all.values()];
}

/** Returns the share of the redundancy that each method removes on the median site. */
function medians(evaluations: readonly Evaluation[]): string[] {
  const names = new Set(evaluations.map(({ method }) => method));
  const lines = [...names].map((name) => {
    const shares = evaluations
      .filter(({ method, byUrl }) => method === name && byUrl.redundant > 0)
      .map(({ byUrl }) => byUrl.right / byUrl.redundant)
      .toSorted((a, b) => a - b);
    const middle = shares.length / 2;
    const pair = [shares[Math.ceil(middle) - 1], shares[Math.floor(middle)]] as number[];
    const median = pair.reduce((sum, share) => sum + share, 0) / 2;
    return `  ${name.padEnd(60)}  ${percent(median, 1, 1)}`;
  });
  return ["removed on the median site", ...lines, ""];
}

function table(title: string, rows: readonly (readonly [string, Evaluation])[]): string[] {
  const lines = rows.map(([name, { rules, seconds, byUrl, byClass }]) => [
    name,
    String(rules),
    seconds.toFixed(1),
    ...cells(byUrl),
    ...cells(byClass).filter((_, index) => [0, 1, 3].includes(index)),
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

/** Returns redundancy removed, pages lost, fetches saved, and false merges: by the labels, and clearly other pages. */
function cells(measure: Measure): string[] {
  const { arrived, redundant, right, wrong, pages, lost, misnamed, other, blind, open } = measure;
  const skipped = right + wrong;
  const atLeast = blind + open > 0 ? ">= " : "";
  return [
    percent(right, redundant, 1),
    percent(lost, pages, 3),
    percent(skipped, arrived, 1),
    percent(misnamed, skipped, 2),
    misnamed > 0 && blind === misnamed ? "-" : atLeast + percent(other, skipped, 2),
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
