// How well learning does on sites that no threshold was chosen on. `npm run proof learn-thresholds`
//
//   URLMILL_SITES      labelled sites, or directories of them, with commas between: the columns url and cluster
//                      (or cls); the bundled ones by default. More sites say more.
//   URLMILL_PAGE_LOSS  the budget of pages (0.001)
//
// Half of a site's URLs are known, all others arrive in random order, in five random halves. For each site
// the thresholds are chosen that do best on the other sites, and then it is measured with them. A second test
// measures what it costs that rules get the narrowest path: `npm run proof learn-thresholds -- -t narrow`
import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { gunzipSync } from "node:zlib";
import { expect, test, vi } from "vitest";
import { createNormalizer } from "../../src/index.ts";
import { SiteCollector } from "../../src/learn/collect/collector.ts";
import { countSite, type SiteEvidence } from "../../src/learn/count/counted.ts";
import { selectSites } from "../../src/learn/learn.ts";
import { mineSite } from "../../src/learn/mine/mine-site.ts";
import type { LearnRecord } from "../../src/learn/records/record.ts";
import { Narrower } from "../../src/learn/select/narrow.ts";
import { THRESHOLDS } from "../../src/learn/thresholds/thresholds.ts";
import { writeRules } from "../../src/site-rules/language/rule-file.ts";
import type { Rule } from "../../src/site-rules/rule.ts";
import { type HoldOut, holdOutHalf } from "./learn-quality/hold-out.ts";
import {
  type LabelledSite,
  type LabelledUrl,
  readLabelledSite,
} from "./learn-quality/labelled-site.ts";
import { addMeasure, type Measure, noMeasure, simulate } from "./learn-quality/measure.ts";

const ROUNDS = 5;
const MAX_PAGE_LOSS = Number(process.env["URLMILL_PAGE_LOSS"] ?? 0.001);
const BUNDLED = ["autoindex", "blog", "forum"].map((name) => `test/fixtures/learn/${name}.tsv.gz`);
const CLASS = /\t(?:cluster|cls|text|raw)(?:\t|\r?$)/;
const FILES = process.env["URLMILL_SITES"]?.split(",").flatMap(filesOf) ?? BUNDLED;

/** What may be chosen; each set is tried with each of the others. */
const CHOICES = {
  bound: [0.85, 0.9, 0.93],
  versionBound: [0.97, 0.99],
  sinkWrong: [0.005, 0.01, 0.02],
  wrongMerges: [2, 5, 10],
} satisfies Partial<Record<keyof typeof THRESHOLDS, readonly number[]>>;

type Choice = Partial<typeof THRESHOLDS>;

/** How many right merges one wrong merge must be worth, when choices are compared. */
const WRONG_WEIGHT = 20;

interface Half extends HoldOut {
  readonly evidence: readonly SiteEvidence[];
}

test("thresholds chosen on other sites hold on each", () => {
  const sites = FILES.map(readSite).map((site) => ({ name: site.name, halves: halvesOf(site) }));
  const shipped = { ...THRESHOLDS };
  const all = choices().map((choice) => ({
    choice,
    measures: sites.map(({ halves }) => measure(halves, choice)),
  }));
  Object.assign(THRESHOLDS, shipped);
  const own = sites.map(({ halves }) => measure(halves, {}));
  const apart = sites.map((_, site) => {
    const best = all.reduce((a, b) => (worth(b.measures, site) > worth(a.measures, site) ? b : a));
    return { measure: best.measures[site] as Measure, choice: best.choice };
  });
  for (const [site, { name }] of sites.entries()) {
    const { measure, choice } = apart[site] as (typeof apart)[number];
    console.log(`${name.padEnd(26)} ${line(measure)}  as shipped ${line(own[site] as Measure)}`);
    console.log(`${" ".repeat(26)} ${JSON.stringify(choice)}`);
  }
  console.log(
    `${"thresholds of other sites".padEnd(26)} ${summary(apart.map((each) => each.measure))}`,
  );
  console.log(`${"as shipped".padEnd(26)} ${summary(own)}`);
  expect(apart.some(({ measure }) => measure.right > 0)).toBe(true);
});

test("narrow paths lose and merge no more than wide ones", () => {
  const halves = FILES.map(readSite).map(halvesOf);
  const measured = (name: string) => {
    const all: Rule[] = [];
    const measures = halves.map((each) => measure(each, {}, (rules) => all.push(...rules)));
    const wide = all.filter(({ condition }) => condition.path === null).length;
    console.log(`${name.padEnd(26)} ${summary(measures)}, ${wide} of ${all.length} rules for *`);
    const sum = noMeasure();
    for (const measure of measures) addMeasure(sum, measure);
    return sum;
  };
  const narrow = measured("narrowest paths");
  const narrowing = vi.spyOn(Narrower.prototype, "narrow").mockImplementation((own) => own);
  const wide = measured("paths as mined");
  narrowing.mockRestore();
  for (const name of ["right", "wrong", "lost"] as const)
    console.log(
      `${name}: ${narrow[name]} with the narrowest paths, ${wide[name]} with those as mined`,
    );
  expect(narrow.wrong).toBeLessThanOrEqual(wide.wrong);
});

function toRecord({ url, page }: LabelledUrl): LearnRecord {
  return { url, fp: `cls:${page}` };
}

/** Returns a file, or the lists in a directory that have a column of classes. */
function filesOf(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path)
    .filter((name) => /\.tsv(\.gz)?$/.test(name))
    .map((name) => join(path, name))
    .filter((file) => CLASS.test(readText(file).split("\n", 1)[0] as string))
    .toSorted();
}

function readSite(file: string): LabelledSite {
  return readLabelledSite(basename(file).replace(/\.tsv(\.gz)?$/, ""), readText(file));
}

function readText(file: string): string {
  const bytes = readFileSync(file);
  return (file.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString();
}

function halvesOf(site: LabelledSite): Half[] {
  return Array.from({ length: ROUNDS }, (_, round) => {
    const held = holdOutHalf(site, `urlmill ${round + 1}`);
    const collector = new SiteCollector();
    collector.add(held.known.map(toRecord));
    const evidence = [...collector.sites()].map((each) => countSite(each, mineSite(each)));
    return { ...held, evidence };
  });
}

function choices(): Choice[] {
  let found: Choice[] = [{}];
  for (const [name, values] of Object.entries(CHOICES)) {
    found = found.flatMap((choice) => values.map((value) => ({ ...choice, [name]: value })));
  }
  return found;
}

function measure(
  halves: readonly Half[],
  choice: Choice,
  take: (rules: readonly Rule[]) => void = () => {},
): Measure {
  Object.assign(THRESHOLDS, choice);
  const sum = noMeasure();
  for (const { known, arriving, evidence } of halves) {
    const { rules } = selectSites(evidence, { maxPageLoss: MAX_PAGE_LOSS });
    take(rules);
    const normalizer = createNormalizer({ preset: "safe", rules: writeRules(rules) });
    const { urls } = normalizer.normalizeBatch([...known, ...arriving].map(({ url }) => url));
    const keys = urls.map((url, index) => url ?? `not a URL ${index}`);
    addMeasure(sum, simulate(known, arriving, keys));
  }
  return sum;
}

/** What measures of all sites but one are worth: the mean share that is removed, less what is wrong. */
function worth(measures: readonly Measure[], except: number): number {
  return measures
    .filter((_, site) => site !== except)
    .reduce((sum, { right, wrong, redundant }) => {
      return sum + (right - WRONG_WEIGHT * wrong) / Math.max(1, redundant);
    }, 0);
}

function line({ right, redundant, wrong, lost, pages }: Measure): string {
  return `${percent(right, redundant, 1)} removed, ${percent(wrong, right + wrong, 2)} false (${wrong}), ${percent(lost, pages, 3)} lost`;
}

function summary(measures: readonly Measure[]): string {
  const sum = noMeasure();
  for (const measure of measures) addMeasure(sum, measure);
  const shares = measures
    .map(({ right, redundant }) => right / redundant)
    .toSorted((a, b) => a - b);
  const median = percent(shares[Math.floor(shares.length / 2)] as number, 1, 1);
  const saved = percent(sum.right + sum.wrong, sum.arrived, 1);
  return `${line(sum)}, median site ${median}, ${saved} of fetches saved`;
}

function percent(part: number, whole: number, digits: number): string {
  return whole === 0 ? "-" : `${((100 * part) / whole).toFixed(digits)} %`;
}
