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

/** Lists the languages of rules that both `import` and `export` know. */
export const LANGUAGES = ["clean-param", "nutch"] as const;
const EXPORTS = [...LANGUAGES, "no-vary-search"] as const;

const READ_FLAGS = {
  format: choiceFlag({
    name: "format",
    choices: RECORD_FORMATS,
    default: undefined,
    text: "the format of the list (default: the one that its first line shows)",
  }),
  field: textFlag({
    name: "field",
    value: "NAME|N",
    text: "where the URL is (url): a column of tsv and csv by its name in the header, or by its number if no header names it; a column of cdx by its letter or number; a member of jsonl and cdxj, or a path to one: page.url",
  }),
  header: openSwitchFlag({
    name: "header",
    text: "the first line of tsv or csv names the columns, even if --field is a number",
  }),
  fp: textFlag({
    name: "fp",
    value: "KIND:COLUMN",
    text: "where tables and JSON lines have their fingerprint, and its kind: cls, sim, text or raw, which is a hash of the page (default: columns fp, cls, cluster, sim, text, raw, digest). For WARC, raw:digest takes the digests of the archive (default: fingerprints of its pages)",
  }),
  by: choiceFlag({
    name: "by",
    choices: ["pages", "sizes", "urls"],
    default: "pages",
    text: "how pages are told apart: by fingerprints, by sizes only, or not at all. The last two give only proposals",
  }),
  base: textFlag({
    name: "base",
    value: "URL",
    formerly: "origin",
    text: "the site of an access log that does not name it: http://example.org",
  }),
};

/** Flags for selecting rules. */
const SELECT_FLAGS = {
  maxPageLoss: shareFlag(
    "max-page-loss",
    "pages of a site that its rules may lose, such as 0.001 or 0.1% (default 0.001)",
  ),
  json: switchFlag({ name: "json", text: "write a JSON object for each rule" }),
  report: textFlag({
    name: "report",
    value: "FILE.html",
    text: "write a page that shows what was found and refused, and why",
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
    text: "also write pairs of URLs of one page that the rules do not merge; normalize and dedupe apply them with the same flag",
  }),
  threads: wholeNumberFlag({
    name: "threads",
    value: "N",
    default: undefined,
    max: MAX_THREADS,
    text: `1 to ${MAX_THREADS} (default: as many as the machine has, if the list is large enough); a site is learned on one thread`,
  }),
  against: textFlag({
    name: "against",
    value: "OLD",
    text: "refuse rules that merge too many of the URLs that the rules of this file keep apart: then only the report is written",
  }),
  maxChange: shareFlag(
    "max-change",
    "URLs of a site with rules in OLD that may newly merge, such as 0.01 or 1% (default 1%); two if it has fewer than 200",
  ),
  exhausted: switchFlag({
    name: "exhausted",
    text: "also write patterns of URLs that bring next to no new page, in the order of the column ts, else shuffled; normalize and dedupe skip them with --skip-exhausted",
  }),
  rules: textFlag({ name: "rules", value: "FILE", text: "the rules" }),
  pairs: wholeNumberFlag({
    name: "pairs",
    value: "N",
    default: MAX_PAIRS,
    max: MAX_PAIRS,
    text: `pairs for each rule, 1 to ${MAX_PAIRS}`,
  }),
  probe: switchFlag({
    name: "probe",
    text: "list the URLs to fetch next, one per line, instead of pairs for rules",
  }),
  fetches: wholeNumberFlag({
    name: "fetches",
    value: "N",
    default: undefined,
    max: Number.MAX_SAFE_INTEGER,
    text: "with --probe: the URLs of each site to fetch in all rounds together (default 200)",
  }),
  invent: openSwitchFlag({
    name: "invent",
    text: "with --probe: also list URLs of the list without one of their parameters; links that may act, such as those with logout or add, are left alone",
  }),
  from: choiceFlag({
    name: "from",
    choices: LANGUAGES,
    default: undefined,
    text: "a robots.txt, or regex-normalize.xml",
  }),
  site: textFlag({ name: "site", value: "HOST", text: "the site of a robots.txt" }),
  to: choiceFlag({ name: "to", choices: EXPORTS, default: undefined, text: "what to write" }),
  help: HELP_FLAG,
};

const READ = Object.values(READ_FLAGS);
const SELECT = Object.values(SELECT_FLAGS);
const { output: OUT, pageAliases: ALIASES, threads: THREADS, rules: RULES } = LEARN_FLAGS;
const { against: AGAINST, maxChange: MAX_CHANGE, exhausted: EXHAUSTED } = LEARN_FLAGS;

const RECORDS =
  "A record has a URL and, if it was fetched, what is known of its page: fingerprint, size, status, redirect, and what it says of its URL: refresh, canonical, shortlink, og, contentLocation, hreflang, noVarySearch, robots, self. A list of URLs alone gives only proposals (evidence pattern); with sizes they are better (evidence size).";

/** Describes `urlmill learn` and its subcommands. */
export const LEARN_COMMANDS = {
  learn: {
    name: "learn",
    operands: "[FILE…]",
    summary: "learns rules for sites from a list of URLs",
    groups: [group(...READ, OUT, ALIASES, ...SELECT, EXHAUSTED, AGAINST, MAX_CHANGE, THREADS)],
    notes: [RECORDS, "Exit code: 0 done, 1 failed, 2 wrong call, 3 refused by --against."],
    examples: [
      "urlmill learn crawl.tsv -o rules.tsv --max-page-loss 0.001",
      "urlmill dedupe --rules rules.tsv links.txt",
      "urlmill learn crawl.tsv -o rules.tsv --page-aliases aliases.tsv",
      "urlmill learn today.tsv -o new.tsv --against rules.tsv --max-change 1%",
    ],
  },
  mine: {
    name: "learn mine",
    operands: "[FILE…]",
    summary: "finds rules that are worth counting, without evidence",
    groups: [group(...READ, OUT)],
    notes: [RECORDS],
    examples: ["urlmill learn mine crawl.tsv -o candidates.tsv"],
  },
  count: {
    name: "learn count",
    operands: "--rules FILE [FILE…]",
    summary: "counts what rules do to a list, or to a part of one",
    groups: [group(rules("the rules to count"), ...READ, OUT)],
    notes: [
      "Files of evidence can be added up. So you can split a list in any way, and count its parts on any machine.",
    ],
    examples: ["urlmill learn count --rules candidates.tsv part-1.tsv -o part-1.evidence"],
  },
  select: {
    name: "learn select",
    operands: "[FILE…]",
    summary: "selects rules for use, from files of evidence of the same rules",
    groups: [group(OUT, ...SELECT)],
    examples: ["urlmill learn select part-*.evidence -o rules.tsv"],
  },
  plan: {
    name: "learn plan",
    operands: "--rules FILE | --probe [FILE…]",
    summary: "lists pairs of URLs to fetch, for rules that lack evidence, or URLs for learn",
    groups: [
      group(
        rules("the rules in question"),
        LEARN_FLAGS.pairs,
        LEARN_FLAGS.probe,
        LEARN_FLAGS.fetches,
        LEARN_FLAGS.invent,
        ...READ,
        OUT,
      ),
    ],
    notes: [
      "With --rules, fetch both URLs of each pair, and fill in the columns of the file.",
      "With --probe, fetch each URL, add a record of its page with a fingerprint or a status, and ask again with the list and all records, until nothing is listed. Each answer decides what is asked next. Then learn from the same files. Without --invent, only URLs of the list are listed, and those that its pages redirect to or declare.",
    ],
    examples: [
      "urlmill learn plan --rules proposals.tsv crawl.tsv -o pairs.tsv",
      "urlmill learn plan --probe --fetches 200 links.txt fetched.jsonl -o next.txt",
    ],
  },
  verdict: {
    name: "learn verdict",
    operands: "[FILE…]",
    summary: "selects rules for use, from pairs that were fetched",
    groups: [group(OUT, LEARN_FLAGS.json, LEARN_FLAGS.maxPageLoss)],
    notes: ["Rules that are not accepted are listed on standard error with the reason."],
    examples: ["urlmill learn verdict pairs.tsv -o rules.tsv"],
  },
  fingerprint: {
    name: "learn fingerprint",
    operands: "[FILE…]",
    summary:
      "makes records with fingerprints, and what pages say about their URLs, from WARC and WAT files",
    groups: [group(OUT)],
    notes: [
      "It writes JSON lines, one for each HTTP response: url, status, redirect, ts and raw, the digest of the payload. HTML pages with status 200 to 299 also have size, sim, text, and what they say of their URLs; from WAT only what heads and headers say. WARC needs the package htmlparser2.",
    ],
    examples: [
      "urlmill learn fingerprint crawl.warc.gz -o crawl.jsonl.gz",
      "urlmill learn crawl.jsonl.gz -o rules.tsv --page-aliases aliases.tsv",
    ],
  },
  import: {
    name: "learn import",
    operands: "--from NAME [FILE…]",
    summary: "imports rules from robots.txt (Clean-param) or Nutch's regex-normalize.xml",
    groups: [group(LEARN_FLAGS.from, LEARN_FLAGS.site, OUT)],
    notes: [
      "It reads Nutch's patterns for session ids and for single parameters. It lists on standard error what it cannot read, or cannot express as a rule, with the line and the reason.",
    ],
    examples: ["urlmill learn import --from clean-param --site example.org robots.txt"],
  },
  export: {
    name: "learn export",
    operands: "--to NAME --rules FILE",
    summary: "exports rules as Clean-param, Nutch's regex-normalize.xml or No-Vary-Search headers",
    groups: [group(LEARN_FLAGS.to, RULES, OUT)],
    notes: [
      "Rules are written whatever their evidence, also proposals. Rules that these forms cannot express are listed on standard error, with the reason.",
    ],
    examples: ["urlmill learn export --to nutch --rules rules.tsv -o regex-normalize.xml"],
  },
} as const satisfies Readonly<Record<string, Command>>;

/** Names `learn` or a subcommand. */
export type LearnCommand = keyof typeof LEARN_COMMANDS;

function rules(text: string): Flag {
  return { ...RULES, text };
}

/** Makes a flag that takes a number from 0 to 1, or per cent. */
function shareFlag(name: string, text: string): Flag<number | undefined> {
  return checkedFlag({ name, value: "SHARE", text }, (given) => {
    // A division would not be exact: 0.7 / 100 is less than 0.007.
    const share = given.trim() === "" ? Number.NaN : Number(given.replace(/ ?%$/, "e-2"));
    if (share >= 0 && share <= 1) return share;
    throw new CommandFailure(`--${name} is a share from 0 to 1, or per cent, not "${given}"`, 2);
  });
}
