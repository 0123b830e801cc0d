import { counted } from "../../base/counted.ts";
import { writeWhole } from "../../io/files/whole-file.ts";
import { say } from "../../io/say.ts";
import { readAll } from "../../io/sources/read-all.ts";
import {
  applyVerdicts,
  judgeAll,
  MAX_PAIRS,
  planPairs,
  probe,
  readVerdicts,
  writePlan,
} from "../../learn/fetched/index.ts";
import { CommandFailure } from "../../runs/base/failure.ts";
import { checkFiles } from "../../runs/base/files.ts";
import { writeRules } from "../../site-rules/language/rule-file.ts";
import { writeRule } from "../../site-rules/language/rule-line.ts";
import { withoutPause } from "../until-interrupted.ts";
import type { LearnArguments } from "./options.ts";
import { collect } from "./read-records.ts";
import { readRules } from "./read-rules.ts";

/** Runs `urlmill learn plan --rules FILE [FILE…]`, or with `--probe`. */
export async function runPlan(args: LearnArguments): Promise<void> {
  if (args.probe) return runProbe(args);
  for (const name of ["fetches", "invent"] as const) {
    if (args[name] !== undefined) throw new CommandFailure(`--${name} is for --probe`, 2);
  }
  const file = args.rules;
  if (file === undefined) {
    throw new CommandFailure(
      "--rules FILE or --probe is missing; see urlmill learn plan --help",
      2,
    );
  }
  await checkFiles([...args.files, file], [args.out]);
  const rules = readRules(file);
  const sites = (await collect(args)).collector.sites();
  const plan = await withoutPause(() => planPairs(rules, sites, { pairs: args.pairs }));
  await writeWhole(args.out, [writePlan(plan)]);
  const empty = plan.rules.filter((planned) => planned.pairs.length === 0).length;
  if (empty > 0) say(`rules that change no URL of the list: ${empty} of ${rules.length}`);
}

async function runProbe(args: LearnArguments): Promise<void> {
  if (args.rules !== undefined) throw new CommandFailure("--probe takes no --rules", 2);
  if (args.pairs !== MAX_PAIRS) throw new CommandFailure("--pairs is for --rules", 2);
  await checkFiles(args.files, [args.out]);
  const sites = (await collect(args)).collector.sites();
  const { fetches, invent } = args;
  const { urls, fetched, changing } = await withoutPause(() => probe(sites, { fetches, invent }));
  await writeWhole(args.out, [urls.map((url) => `${url}\n`).join("")]);
  const noise = changing > 0 ? `, ${counted(changing, "page")} changed when fetched again` : "";
  const before = `${counted(fetched, "URL")} ${fetched === 1 ? "was" : "were"} fetched${noise}`;
  say(
    urls.length > 0
      ? `${before}; fetch these ${urls.length}, and ask again with their records`
      : `${before}, and no more are needed: learn from the same files`,
  );
}

/** Runs `urlmill learn verdict [FILE…]`. */
export async function runVerdict(args: LearnArguments): Promise<void> {
  await checkFiles(args.files, [args.out]);
  const plans = [];
  for (const file of args.files)
    for (const plan of readVerdicts((await readAll(file)).toString())) plans.push(plan);
  const verdicts = judgeAll(plans);
  const { rules, others } = applyVerdicts(verdicts, args.maxPageLoss);
  await writeWhole(args.out, [writeRules(rules, args.json ? "json" : "tsv")]);
  for (const { rule, verdict, why } of others) say(`${verdict}: ${writeRule(rule)}: ${why}`);
  say(`${rules.length} of ${counted(verdicts.length, "rule")} accepted`);
}
