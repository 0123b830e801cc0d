import { MAX_PAIRS } from "../../learn/fetched/fetch-plan.ts";
import { RECORD_FORMATS } from "../../learn/records/read-records.ts";
import { CommandFailure } from "../../runs/base/failure.ts";
import {
  checkedFlag,
  choiceFlag,
  type Flag,
  openSwitchFlag,
  switchFlag,
  textFlag,
  wholeNumberFlag,
} from "../../runs/call/flags/flag.ts";
import { MAX_THREADS } from "../../runs/call/options.ts";
import { type Command, group, HELP_FLAG } from "../flags/command.ts";

/** Lists the languages of rules that `import` reads and `export` writes. */
export const LANGUAGES = ["clean-param", "nutch"] as const;

const READ_FLAGS = {
  format: choiceFlag({
    name: "format",
    choices: RECORD_FORMATS,
    default: undefined,
    text: "what the list is (default: what its first line shows)",
  }),
  field: textFlag({
    name: "field",
    value: "NAME|N",
    text: "where the URL is (url): a column of tsv and csv by its name in the header, or by its number if no header names it; a column of cdx by its letter or number; a member of jsonl and cdxj, or a path to one: page.url",
  }),
  header: openSwitchFlag({
    name: "header",
    text: "the first line of tsv or csv names the columns, also where --field is a number",
  }),
  fp: textFlag({
    name: "fp",
    value: "KIND:COLUMN",
    text: "where TSV and JSON lines have their fingerprint, and its kind: cls, sim, text or raw (default: columns fp, cls, cluster, sim, text, raw, digest). For WARC, raw:digest takes the digests of the archive (default: fingerprints of its pages)",
  }),
  by: choiceFlag({
    name: "by",
    choices: ["pages", "sizes", "urls"],
    default: "pages",
    text: "how pages are told apart: by fingerprints, by sizes alone, or not at all, as in DustBuster. The last two give only proposals",
  }),
  origin: textFlag({
    name: "origin",
    value: "URL",
    text: "the site of an access log that does not name it: http://example.org",
  }),
};

/** Flags for selecting rules. */
const SELECT_FLAGS = {
  maxPageLoss: checkedFlag(
    {
      name: "max-page-loss",
      value: "SHARE",
      text: "pages of a site that its rules may lose, 0 to 1 (default 0.001)",
    },
    checkPageLoss,
  ),
  json: switchFlag({ name: "json", text: "write a JSON object a rule" }),
  report: textFlag({
    name: "report",
    value: "FILE.html",
    text: "a page that shows what was found and refused, and why",
  }),
};

export const LEARN_FLAGS = {
  ...READ_FLAGS,
  ...SELECT_FLAGS,
  output: textFlag({
    name: "output",
    short: "o",
    value: "FILE",
    text: "write FILE instead of standard output; .gz and .zst are compressed",
  }),
  pageAliases: textFlag({
    name: "page-aliases",
    formerly: "aliases",
    value: "FILE",
    text: "also write pairs of URLs that have one page and that the rules leave apart; normalize and dedupe apply them with the same flag",
  }),
  threads: wholeNumberFlag({
    name: "threads",
    value: "N",
    default: undefined,
    max: MAX_THREADS,
    text: `1 to ${MAX_THREADS} (default: as many as the machine has, where the list is worth them); a site is learned on one thread`,
  }),
  rules: textFlag({ name: "rules", value: "FILE", text: "the rules" }),
  pairs: wholeNumberFlag({
    name: "pairs",
    value: "N",
    default: MAX_PAIRS,
    max: MAX_PAIRS,
    text: `pairs for each rule, 1 to ${MAX_PAIRS}`,
  }),
  from: choiceFlag({
    name: "from",
    choices: LANGUAGES,
    default: undefined,
    text: "a robots.txt, or regex-normalize.xml",
  }),
  site: textFlag({ name: "site", value: "HOST", text: "the site of a robots.txt" }),
  to: choiceFlag({ name: "to", choices: LANGUAGES, default: undefined, text: "what to write" }),
  help: HELP_FLAG,
};

const READ = Object.values(READ_FLAGS);
const SELECT = Object.values(SELECT_FLAGS);
const { output: OUT, pageAliases: ALIASES, threads: THREADS, rules: RULES } = LEARN_FLAGS;

const RECORDS =
  "A record has a URL and, if it was fetched, what is known of its page: fingerprint, size, status, redirect, canonical, shortlink, og, self. A list of URLs alone gives only proposals (evidence pattern); with sizes they are better (evidence size).";

/** Describes `urlmill learn` and its subcommands. */
export const LEARN_COMMANDS = {
  learn: {
    name: "learn",
    operands: "[FILE…]",
    summary: "rules for sites, learned from a list of URLs",
    groups: [group(...READ, OUT, ALIASES, ...SELECT, THREADS)],
    notes: [RECORDS],
    examples: [
      "urlmill learn crawl.tsv -o rules.tsv --max-page-loss 0.001",
      "urlmill dedupe --rules rules.tsv links.txt",
      "urlmill learn crawl.tsv -o rules.tsv --page-aliases aliases.tsv",
    ],
  },
  mine: {
    name: "learn mine",
    operands: "[FILE…]",
    summary: "rules that are worth counting, as a file of rules without evidence",
    groups: [group(...READ, OUT)],
    notes: [RECORDS],
    examples: ["urlmill learn mine crawl.tsv -o candidates.tsv"],
  },
  count: {
    name: "learn count",
    operands: "--rules FILE [FILE…]",
    summary: "what rules do to a list, or to a part of one",
    groups: [group(rules("the rules to count"), ...READ, OUT)],
    notes: [
      "Files of evidence add up: a list can be split in any way and its parts counted anywhere.",
    ],
    examples: ["urlmill learn count --rules candidates.tsv part-1.tsv -o part-1.evidence"],
  },
  select: {
    name: "learn select",
    operands: "[FILE…]",
    summary: "rules for use, from files of evidence, all of one set of rules",
    groups: [group(OUT, ...SELECT)],
    examples: ["urlmill learn select part-*.evidence -o rules.tsv"],
  },
  plan: {
    name: "learn plan",
    operands: "--rules FILE [FILE…]",
    summary: "pairs of URLs to fetch, for rules that lack evidence",
    groups: [group(rules("the rules in question"), LEARN_FLAGS.pairs, ...READ, OUT)],
    notes: ["Fetch both URLs of each pair and fill in what the file's columns ask for."],
    examples: ["urlmill learn plan --rules proposals.tsv crawl.tsv -o pairs.tsv"],
  },
  verdict: {
    name: "learn verdict",
    operands: "[FILE…]",
    summary: "rules for use, from pairs that were fetched",
    groups: [group(OUT, LEARN_FLAGS.json)],
    notes: ["Rules that are not accepted are listed on standard error with the reason."],
    examples: ["urlmill learn verdict pairs.tsv -o rules.tsv"],
  },
  fingerprint: {
    name: "learn fingerprint",
    operands: "[FILE…]",
    summary: "records with fingerprints, and what pages say of their URLs, from WARC and WAT files",
    groups: [group(OUT)],
    notes: [
      "It writes JSON lines, one for each HTTP response: url, status, redirect, ts and raw, the digest of the payload. HTML pages with status 200 to 299 also have size, sim, text, canonical, shortlink, og and self; from WAT only canonical, shortlink and og. WARC needs the package htmlparser2.",
    ],
    examples: [
      "urlmill learn fingerprint crawl.warc.gz -o crawl.jsonl.gz",
      "urlmill learn crawl.jsonl.gz -o rules.tsv --page-aliases aliases.tsv",
    ],
  },
  import: {
    name: "learn import",
    operands: "--from NAME [FILE…]",
    summary: "rules from robots.txt (Clean-param) or Nutch's regex-normalize.xml",
    groups: [group(LEARN_FLAGS.from, LEARN_FLAGS.site, OUT)],
    notes: [
      "It reads Nutch's patterns for session ids and for single parameters. It lists what it does not read, or cannot say as a rule, on standard error, with its line and the reason.",
    ],
    examples: ["urlmill learn import --from clean-param --site example.org robots.txt"],
  },
  export: {
    name: "learn export",
    operands: "--to NAME --rules FILE",
    summary: "rules as Clean-param lines, or as Nutch's regex-normalize.xml",
    groups: [group(LEARN_FLAGS.to, RULES, OUT)],
    notes: ["Rules that cannot be said there are listed on standard error, with the reason."],
    examples: ["urlmill learn export --to nutch --rules rules.tsv -o regex-normalize.xml"],
  },
} as const satisfies Readonly<Record<string, Command>>;

/** Names `learn` or a subcommand. */
export type LearnCommand = keyof typeof LEARN_COMMANDS;

function rules(text: string): Flag {
  return { ...RULES, text };
}

function checkPageLoss(text: string): number {
  const share = text.trim() === "" ? Number.NaN : Number(text);
  if (share >= 0 && share <= 1) return share;
  throw new CommandFailure(`--max-page-loss is a share from 0 to 1, not "${text}"`, 2);
}
