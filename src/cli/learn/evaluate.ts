import { basename } from "node:path";
import { shownInput } from "../../io/names.ts";
import { visible, visibleJson } from "../../io/visible.ts";
import { type Evaluation, evaluate } from "../../learn/evaluate/evaluate.ts";
import { type LabelledSite, readLabelledSite } from "../../learn/evaluate/labelled-site.ts";
import { addMeasure, type Measure, noMeasure } from "../../learn/evaluate/measure.ts";
import { learned, methods } from "../../learn/evaluate/methods.ts";
import { proposalPrecision } from "../../learn/evaluate/precision.ts";
import { checkFiles } from "../files.ts";
import { choose } from "../flags/parse-flags.ts";
import { readAll } from "../read-all.ts";
import { writeText } from "../write-text.ts";
import type { LearnArguments } from "./options.ts";

/** Budgets that the targets are stated for. */
const BUDGETS = [0.001, 0.005];

/** Runs `urlmill learn evaluate FILE…`: writes tables to standard output. */
export async function runEvaluate(args: LearnArguments): Promise<void> {
  const fold = choose("fold", args.values, ["report", "thresholds"]);
  const seed = args.get("seed") ?? "urlmill";
  await checkFiles(args.files, ["-"]);
  const sites: LabelledSite[] = [];
  for (const file of args.files) {
    const name =
      file === "-" ? shownInput(file) : basename(file).replace(/\.tsv(\.gz|\.zst)?$/, "");
    sites.push(readLabelledSite(name, (await readAll(file)).toString()));
  }
  const budgets = args.maxPageLoss === undefined ? BUDGETS : [args.maxPageLoss];
  const tried = [...budgets.map(learned), ...methods(budgets[0] as number)];
  const evaluations = sites.flatMap((site) =>
    tried.map((method) => evaluate(method, site, { seed, fold })),
  );
  if (args.isJson) {
    const lines = evaluations.map((evaluation) => `${visibleJson(evaluation)}\n`);
    return writeText("-", lines);
  }
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
    ...precision(sites),
  ];
  await writeText(
    "-",
    lines.map((line) => `${visible(line)}\n`),
  );
}

function total(name: string, evaluations: readonly Evaluation[]): Evaluation {
  const all: Evaluation = {
    method: name,
    site: "all",
    rules: 0,
    byUrl: noMeasure(),
    byClass: noMeasure(),
  };
  let rules = 0;
  for (const evaluation of evaluations.filter(({ method }) => method === name)) {
    rules += evaluation.rules;
    addMeasure(all.byUrl, evaluation.byUrl);
    addMeasure(all.byClass, evaluation.byClass);
  }
  return { ...all, rules };
}

const HEADS = [
  "",
  "rules",
  "removed",
  "lost",
  "saved",
  "false",
  "| class: removed",
  "lost",
  "false",
];

function table(title: string, rows: readonly (readonly [string, Evaluation])[]): string[] {
  const lines = rows.map(([name, { rules, byUrl, byClass }]) => [
    name,
    String(rules),
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
