import {
  detectFormat,
  explainEvidence,
  type JudgedRule,
  learnSites,
  RecordReader,
  SiteCollector,
  writeRule,
  writeRules,
} from "urlmill/learn";
import type { LearnedRules, Progress, RuleRow } from "../messages.ts";
import { bytesOf, PIECE_BYTES } from "./source.ts";

/** Counts the first bytes of a list, which tell its format. */
const HEAD_BYTES = 1 << 16;

/** Learns rules from a list of pages. Returns null if `isStopped` returned true before the end. */
export async function learnRules(
  source: Blob,
  name: string,
  report: (progress: Progress) => void,
  isStopped: () => boolean,
): Promise<LearnedRules | null> {
  const head = new TextDecoder().decode(await bytesOf(source, 0, HEAD_BYTES));
  const reader = new RecordReader(detectFormat(head, name));
  const collector = new SiteCollector();
  const { size } = source;
  for (let at = 0; at < size; at += PIECE_BYTES) {
    const piece = await bytesOf(source, at, at + PIECE_BYTES);
    if (isStopped()) return null;
    collector.add(reader.push(piece, at + PIECE_BYTES >= size));
    report({ bytes: Math.min(size, at + PIECE_BYTES), allBytes: size, lines: reader.lines });
  }
  const learned = learnSites(collector);
  const judged = learned.sites.flatMap(({ selected, proposed }) => [...selected, ...proposed]);
  return {
    records: learned.records,
    skipped: learned.skipped + reader.failed,
    sites: learned.sites.length,
    redundant: sum(learned.sites.map(({ redundant }) => redundant)),
    removed: sum(learned.sites.map(({ effect }) => effect.right)),
    rules: judged.map(rowOf),
    text: writeRules(learned.rules),
  };
}

function rowOf({ rule, examples }: JudgedRule): RuleRow {
  const [site = "", where = "", action = ""] = writeRule(rule).split("\t");
  const { evidence } = rule;
  return {
    site,
    where,
    action,
    level: evidence?.level ?? "",
    meaning: evidence === null ? "" : explainEvidence(evidence.level),
    urls: evidence?.n ?? 0,
    least: evidence?.lb ?? 0,
    examples,
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((all, value) => all + value, 0);
}
