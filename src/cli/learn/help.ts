import type { LearnCommand } from "./options.ts";

const READ = `
  --format NAME            lines, tsv, csv, jsonl, cdx, cdxj, wayback, crawl-log, access-log or
                           sitemap (default: told by the first line)
  --field NAME or N        where the URL is (url): a column of tsv and csv by its name in the
                           header, or by its number if no header names it; a column of cdx by
                           its letter or number; a member of jsonl and cdxj
  --header                 the first line of tsv or csv names the columns, also where --field is a
                           number
  --fp KIND:COLUMN         where TSV and JSON lines have their fingerprint, and its kind: cls, sim,
                           text or raw (default: columns fp, cls, cluster, sim, text, raw, digest)
  --by pages               tell pages by fingerprints (default); sizes: by their sizes alone, urls:
                           not at all, as DustBuster does: both give proposals
  --origin URL             the site of an access log that does not name it: http://example.org`;

const OUT = `
  -o, --out FILE           write FILE instead of standard output; .gz and .zst are compressed`;

const SELECT = `
  --max-page-loss SHARE    pages of a site that its rules may lose (default 0.001)
  --json                   write a JSON object a rule
  --report FILE.html       a page that shows what was found and refused, and why`;

const HELP = `
  -h, --help               this text
`;

const RECORDS = `
Records name a URL and, where it was fetched, what its page was: a fingerprint, size, status,
redirect, canonical. A list of URLs alone gives proposals only (E5), sizes better ones (E4).
`;

/** Holds what `--help` of `urlmill learn` and of its parts prints. */
export const LEARN_HELP: Readonly<Record<LearnCommand, string>> = {
  learn: `urlmill learn [FILE…]: rules that make URLs of the same page one, learned from a list

  urlmill learn mine       rules that are worth counting
  urlmill learn count      what each of them does to a list, or to a part of one
  urlmill learn select     rules for use, from what was counted: learn is these three in one
  urlmill learn plan       pairs of URLs to fetch, for rules that lack evidence
  urlmill learn verdict    rules for use, from what was fetched
  urlmill learn import     rules from robots.txt (Clean-param) or Nutch's regex-normalize.xml
  urlmill learn export     rules as one of these
  urlmill learn evaluate   measures with parts of a list held out, next to what others do
${READ}${OUT}${SELECT}${HELP}${RECORDS}
  urlmill learn crawl.tsv -o rules.tsv --max-page-loss 0.001
  urlmill dedupe --rules rules.tsv links.txt
`,
  mine: `urlmill learn mine [FILE…]: rules that are worth counting, as a file of rules without evidence
${READ}${OUT}${HELP}${RECORDS}
  urlmill learn mine crawl.tsv -o candidates.tsv
`,
  count: `urlmill learn count --rules FILE [FILE…]: what rules do to a list

  --rules FILE             the rules to count${READ}${OUT}${HELP}
Files of evidence add up: a list can be split in any way and its parts counted anywhere.

  urlmill learn count --rules candidates.tsv part-1.tsv -o part-1.evidence
`,
  select: `urlmill learn select [FILE…]: rules for use, from files of evidence, all of one set of rules
${OUT}${SELECT}${HELP}
  urlmill learn select part-*.evidence -o rules.tsv
`,
  plan: `urlmill learn plan --rules FILE [FILE…]: pairs of URLs to fetch, which each rule makes one

  --rules FILE             the rules in question
  --pairs N                pairs for each rule (default 50)${READ}${OUT}${HELP}
Fetch both URLs of each pair and fill in what the file's columns ask for.

  urlmill learn plan --rules proposals.tsv crawl.tsv -o pairs.tsv
`,
  verdict: `urlmill learn verdict [FILE…]: rules for use, from pairs that were fetched
${OUT}
  --json                   write a JSON object a rule${HELP}
Rules that are not accepted are listed on standard error with the reason.

  urlmill learn verdict pairs.tsv -o rules.tsv
`,
  evaluate: `urlmill learn evaluate FILE…: how much rules remove and lose where they were not learned

Each file is TSV with the columns url and cluster (or cls), the class of its page; of rows with a
column text or nsh only pages in HTML count.

  --max-page-loss SHARE    pages of a site that its rules may lose (default 0.001)
  --seed TEXT              what URLs and classes are split by (default urlmill)
  --fold NAME              report (default), or thresholds: the fifth that numbers are set on
  --json                   write a JSON object a line${HELP}
  urlmill learn evaluate sites/*.tsv.gz
`,
  import: `urlmill learn import --from NAME [FILE…]: rules from what others use

  --from NAME              clean-param (a robots.txt) or nutch (regex-normalize.xml)
  --site HOST              the site of a robots.txt${OUT}${HELP}
What cannot be said as a rule is listed on standard error with the reason.

  urlmill learn import --from clean-param --site example.org robots.txt
`,
  export: `urlmill learn export --to NAME --rules FILE: rules in the form of others

  --to NAME                clean-param or nutch
  --rules FILE             the rules${OUT}${HELP}
What cannot be said there is listed on standard error with the reason.

  urlmill learn export --to nutch --rules rules.tsv -o regex-normalize.xml
`,
};
