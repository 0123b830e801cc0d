import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { SiteCollector } from "../../src/learn/collect/collector.ts";
import { type Learned, type LearnOptions, learnSites } from "../../src/learn/learn.ts";
import { RecordReader } from "../../src/learn/records/read-records.ts";
import type { LearnRecord } from "../../src/learn/records/record.ts";
import { writeRule } from "../../src/site-rules/language/rule-line.ts";

/** Records of a site in test/fixtures/learn. */
export function readSite(name: "autoindex" | "blog" | "forum" | "versions"): LearnRecord[] {
  const file = new URL(`../fixtures/learn/${name}.tsv.gz`, import.meta.url);
  return new RecordReader("tsv").push(gunzipSync(readFileSync(file)), true);
}

/** Records of one site: path and query, and the name of the page. */
export function records(pages: Readonly<Record<string, string>>, site = "a.org"): LearnRecord[] {
  return Object.entries(pages).map(([target, page]) => ({
    url: target.startsWith("/") ? `http://${site}${target}` : target,
    fp: `cls:${page}`,
  }));
}

/** Does what `learn` does, at once and on this thread: test/learn/learn-records.test.ts compares both. */
export function learnNow(given: readonly LearnRecord[], options: LearnOptions = {}): Learned {
  const collector = new SiteCollector();
  collector.add(given);
  return learnSites(collector, options);
}

/** Rules as lines of site, condition and action. */
export function ruleLines({ rules }: Pick<Learned, "rules">): string[] {
  return rules.map((rule) => writeRule({ ...rule, evidence: null }));
}

/** The rules of these records, as lines. */
export function learnLines(given: readonly LearnRecord[], maxPageLoss?: number): string[] {
  return ruleLines(learnNow(given, maxPageLoss === undefined ? {} : { maxPageLoss }));
}

/** `count` entries of `make`, by their number. */
export function many(
  count: number,
  make: (number: number) => Record<string, string>,
): Record<string, string> {
  return Object.assign({}, ...Array.from({ length: count }, (_, number) => make(number)));
}
