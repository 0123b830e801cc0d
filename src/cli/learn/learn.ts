import { existsSync } from "node:fs";
import { counted } from "../../base/counted.ts";
import { UrlmillError } from "../../base/errors.ts";
import { suggestion } from "../../base/nearest.ts";
import { writeWhole } from "../../io/files/whole-file.ts";
import { joined } from "../../io/files/write-text.ts";
import { named, shownInput } from "../../io/io-error.ts";
import { say } from "../../io/say.ts";
import { countSite, type SiteEvidence } from "../../learn/count/counted.ts";
import {
  EVIDENCE_HEADER,
  EvidenceReader,
  writeEvidenceLines,
} from "../../learn/count/evidence-file.ts";
import { type Learned, selectSites } from "../../learn/learn.ts";
import { mineSite } from "../../learn/mine/mine-site.ts";
import { rulesBySite } from "../../learn/rule-change.ts";
import { learnCollected } from "../../learn/threads/learn-collected.ts";
import { MAX_PAGE_LOSS } from "../../learn/thresholds/budget.ts";
import { CommandFailure } from "../../runs/base/failure.ts";
import { checkFiles } from "../../runs/base/files.ts";
import { kindsOfAliases } from "../../runs/report/learn-figures.ts";
import { renderLearnReport } from "../../runs/report/learn-page.ts";
import { writeAliases } from "../../site-rules/aliases/alias-file.ts";
import { bySite } from "../../site-rules/by-site.ts";
import { parseRules, writeRules } from "../../site-rules/language/rule-file.ts";
import { ANY_SITE, isAccepted, type Rule } from "../../site-rules/rule.ts";
import { helpOf } from "../flags/help-text.ts";
import { seeHelp } from "../flags/parse-flags.ts";
import { helpWithParts, type PartedCommand } from "../flags/parted-command.ts";
import { readText } from "../read-text.ts";
import { untilInterrupted, withoutPause } from "../until-interrupted.ts";
import { refuseSurprises } from "./against.ts";
import { LEARN_COMMANDS, type LearnCommand } from "./commands.ts";
import { runExport, runImport } from "./exchange.ts";
import { runPlan, runVerdict } from "./fetched.ts";
import { runFingerprint } from "./fingerprint.ts";
import { budgetHint, nextStep, refuseEqual, total } from "./next-step.ts";
import { type LearnArguments, readArguments } from "./options.ts";
import { readLines } from "./read-lines.ts";
import { collect, FieldsRead } from "./read-records.ts";
import { readRules } from "./read-rules.ts";

type Run = (args: LearnArguments, signal: AbortSignal) => Promise<void>;

const RUNS: Readonly<Record<LearnCommand, Run>> = {
  learn: runLearnAll,
  mine: runMine,
  count: runCount,
  select: runSelect,
  plan: runPlan,
  verdict: runVerdict,
  fingerprint: runFingerprint,
  import: runImport,
  export: runExport,
};

/** Runs `urlmill learn [mine | count | select | …]`. Returns the requested help, or null. */
async function runLearn(args: string[]): Promise<string | null> {
  const [first = ""] = args;
  const command = learnCommand(first);
  if (command === "learn" && !existsSync(first)) checkSubcommand(first);
  const read = readArguments(command, command === "learn" ? args : args.slice(1));
  if (read.help) return learnHelp(command);
  await untilInterrupted((signal) => RUNS[command](read, signal));
  return null;
}

/** Returns the subcommand of `urlmill learn` with this name, or `learn` itself. */
function learnCommand(word: string): LearnCommand {
  return Object.hasOwn(LEARN_COMMANDS, word) ? (word as LearnCommand) : "learn";
}

/** Throws if a word is most likely a mistyped subcommand. */
function checkSubcommand(word: string): void {
  const { learn: _, ...subcommands } = LEARN_COMMANDS;
  const hint = suggestion(word, Object.keys(subcommands));
  if (hint === "") return;
  throw new CommandFailure(
    `"${word}" is not a part of learn, nor a file${seeHelp(hint, "learn --help")}`,
    2,
  );
}

/** Returns the help of `urlmill learn`, or of the named subcommand. */
function learnHelp(word: string): string {
  const command = learnCommand(word);
  if (command === "learn" && word !== "") checkSubcommand(word);
  if (command !== "learn") return helpOf(LEARN_COMMANDS[command]);
  const { learn, ...subcommands } = LEARN_COMMANDS;
  return helpWithParts(learn, Object.values(subcommands));
}

/** Describes `urlmill learn` and its subcommands. */
export const LEARN: PartedCommand = {
  commands: Object.values(LEARN_COMMANDS),
  help: learnHelp,
  run: runLearn,
};

async function runLearnAll(args: LearnArguments, signal: AbortSignal): Promise<void> {
  const started = performance.now();
  const { pageAliases, against, maxChange, maxPageLoss, report, threads } = args;
  if (against === undefined && maxChange !== undefined)
    throw new CommandFailure("--max-change compares with older rules: add --against OLD", 2);
  await checkFiles([...args.files, against ?? []].flat(), [args.out, report, pageAliases]);
  const all = against === undefined ? [] : named(against, () => parseRules(readText(against)));
  const older = all.filter(({ evidence }) => isAccepted(evidence?.level ?? null, "fetched"));
  const { collector, fields } = await collect(args);
  collector.rulesBefore = rulesBySite(older);
  const learned = await learnCollected(collector, {
    maxPageLoss,
    exhausted: args.exhausted ? new Date().toISOString().slice(0, 10) : undefined,
    isReported: report !== undefined,
    threads,
    signal,
    onUrls: () => {},
    alone: withoutPause,
  });
  refuseEqual(learned.sites);
  await writeLearned(args, learned, started, fields, older);
}

async function runMine(args: LearnArguments): Promise<void> {
  await checkFiles(args.files, [args.out]);
  const rules: Rule[] = [];
  for (const site of (await collect(args)).collector.sites())
    for (const { rule } of await withoutPause(() => mineSite(site))) rules.push(rule);
  await writeWhole(args.out, [writeRules(rules)]);
}

async function runCount(args: LearnArguments): Promise<void> {
  const file = args.need("rules");
  await checkFiles([...args.files, file], [args.out]);
  const rules = bySite(readRules(file));
  const wide = [...rules.keys()].find((site) => site.startsWith(ANY_SITE));
  if (wide !== undefined) {
    const of = wide === ANY_SITE ? "every site" : "a domain";
    throw new CommandFailure(`${file} has rules for ${of}, and each site is counted by itself`, 2);
  }
  const { collector } = await collect(args);
  async function* texts(): AsyncGenerator<string> {
    yield `${EVIDENCE_HEADER}\n`;
    for (const site of collector.sites()) {
      const own = (rules.get(site.name) ?? []).map((rule) => ({ rule }));
      const evidence = await withoutPause(() => countSite(site, own));
      yield* joined(linesOf(evidence));
    }
  }
  await writeWhole(args.out, texts());
}

function* linesOf(evidence: SiteEvidence): Generator<string> {
  for (const line of writeEvidenceLines(evidence)) yield `${line}\n`;
}

async function runSelect(args: LearnArguments): Promise<void> {
  const started = performance.now();
  await checkFiles(args.files, [args.out, args.report]);
  const reader = new EvidenceReader();
  const begun = new Set<string>();
  for await (const { file, number, line } of readLines(args.files)) {
    const isHeader = line === EVIDENCE_HEADER;
    if (isHeader) begun.add(file);
    if (!begun.has(file)) throw noEvidence(file);
    if (isHeader) continue;
    try {
      reader.add(line);
    } catch (error) {
      if (!(error instanceof UrlmillError)) throw error;
      throw new UrlmillError(error.code, `${file}, line ${number}: ${error.message}`);
    }
  }
  // An empty part has lost its counts.
  const empty = args.files.find((file) => !begun.has(file));
  if (empty !== undefined) throw noEvidence(empty);
  const selected = await withoutPause(() =>
    selectSites(reader.sites(), { maxPageLoss: args.maxPageLoss }),
  );
  refuseEqual(selected.sites);
  await writeLearned(args, { ...selected, records: 0, skipped: 0, failed: 0 }, started);
}

function noEvidence(file: string): CommandFailure {
  return new CommandFailure(
    `${shownInput(file)} is not evidence: it does not begin with ${EVIDENCE_HEADER}`,
    2,
  );
}

async function writeLearned(
  args: LearnArguments,
  learned: Learned,
  started: number,
  fields = new FieldsRead(),
  older: readonly Rule[] = [],
): Promise<void> {
  const seconds = (performance.now() - started) / 1000;
  const maxPageLoss = args.maxPageLoss ?? MAX_PAGE_LOSS;
  if (args.report !== undefined) {
    const head = { files: args.files, maxPageLoss, seconds };
    await writeWhole(args.report, [renderLearnReport(head, learned)]);
  }
  if (args.against !== undefined) refuseSurprises(args, learned.sites, older);
  const { pageAliases: aliases } = args;
  if (aliases !== undefined) await writeWhole(aliases, [writeAliases(learned.aliases)]);
  await writeWhole(args.out, [
    writeRules(learned.rules, args.json ? "json" : "tsv", [...learned.trust, ...learned.skips]),
  ]);
  say(summary(learned, fields, args.pageAliases !== undefined));
  const unread = args.by === "pages" ? fields.unread() : null;
  if (unread !== null) say(unread);
  const hint = learned.rules.length > 0 ? budgetHint(learned.sites, maxPageLoss) : null;
  if (hint !== null) say(hint);
  say(nextStep(args, learned, maxPageLoss));
}

function summary(
  { rules, aliases, trust, skips, sites, skipped, failed }: Learned,
  { fpNames, others }: FieldsRead,
  hasAliases: boolean,
): string {
  const [urls, pages] = [total(sites, "urls"), total(sites, "pages")];
  const [redundant, softErrors] = [total(sites, "redundant"), total(sites, "softErrors")];
  const removed = sites.reduce((sum, { effect }) => sum + effect.right, 0);
  const lost = sites.reduce((sum, { effect }) => sum + effect.lost, 0);
  const parts = [
    `${counted(urls, "URL")} of ${counted(sites.length, "site")}`,
    counted(rules.length, "rule"),
  ];
  if (redundant > 0) {
    parts.push(
      `${removed} of ${counted(redundant, "redundant URL")} removed (${((100 * removed) / redundant).toFixed(1)} %)`,
      `${lost.toFixed(1)} of ${counted(pages, "page")} lost`,
    );
    // What the fetched pages buy for the rest of the list.
    const unknown = sites.reduce((sum, { effect }) => sum + effect.unknown, 0);
    if (unknown > 0) parts.push(`${counted(unknown, "more URL")} merged whose pages are unknown`);
  }
  if (hasAliases) {
    parts.push(counted(aliases.length, "alias", "aliases") + kindsOfAliases(aliases, counted));
  }
  const trusted = trust.filter(({ isTrusted }) => isTrusted).length;
  if (trusted > 0) parts.push(`${counted(trusted, "trusted statement")}`);
  if (skips.length > 0)
    parts.push(counted(skips.length, "shape of URLs to skip", "shapes of URLs to skip"));
  if (fpNames.size > 0) parts.push(`pages told by ${[...fpNames].join(" and ")}`);
  else if (pages === 0) parts.push("no fingerprints");
  if (others.length > 0) parts.push(`read too: ${others.join(" and ")}`);
  if (skipped > 0)
    parts.push(`${counted(skipped, "record")} skipped: no http or https URL, or too long`);
  if (failed > 0)
    parts.push(`${counted(failed, "record")} left out: the answer is not a page (400 to 599)`);
  if (softErrors > 0)
    parts.push(`${counted(softErrors, "URL")} left out: an error that looks like a page`);
  return parts.join(", ");
}
