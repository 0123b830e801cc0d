/** Holds what `urlmill --help` prints. */
export const USAGE = `urlmill: one canonical form for every URL

  urlmill normalize [FILE…]   one normalized line out per line in, in order
  urlmill dedupe [FILE…]      the first line of each normalized URL
  urlmill explain URL…        each rule that changes a URL, before and after
  urlmill learn [FILE…]       rules for sites, learned from a list of their URLs and pages
  urlmill hosts [FILE…]       names of the IP addresses in URLs, as a hosts file
  urlmill presets [NAME]      each preset as a configuration file
  urlmill schema              the JSON Schema of configuration files

Reads standard input without FILE or for "-", writes standard output; gzip and zstd are known by
their first bytes.
urlmill COMMAND --help lists the options; urlmill --version prints the version.
`;

const RULES = `
Rules (urlmill presets shows what each preset sets; the first value is preset safe's):
  --preset NAME            safe, crawl, c14n, aggressive or crawlee
  --config FILE            options as JSON; flags win over it
  --schemes A,B            others are errors
  --scheme                 keep, http, https: write http and https as one
  --host-aliases FROM=TO   another host for a host, *.DOMAIN or IP address; again for more
  --hosts FILE             the same from a hosts file
  --trailing-dot           keep, remove: of the host
  --explicit-port          keep, remove: a port that is not the scheme's default, too
  --www                    keep, remove, add
  --www-digits             false, true: --www remove takes www1. to www9., too
  --userinfo               keep, remove
  --session-ids            keep, remove: jsessionid, PHPSESSID, (S(…)) and the like
  --case                   keep, lower-path, lower-path-query: for hosts that ignore case
  --duplicate-slashes      keep, collapse: in the path, but for the // of a URL in it
  --directory-index        keep, default (index.html and so on), or names A,B in any case
  --trailing-slash         keep, add, remove
  --keep-params A,B        only these parameters stay; patterns as in --drop-params
  --drop-params A,B*,*C    these go; B* is all that begin with B, *C all that end with C
  --param-case             keep, ignore: compare these names without ASCII case
  --tracking-params        keep, remove: utm_*, gclid, fbclid and the like; #utm_… and #xtor=… too
  --default-params N=V     goes where it has this value; again for more
  --empty-params           keep, remove: nothing between two &
  --empty-values           keep, remove: ?a= goes
  --repeated-params        keep, first, last: of parameters of the same name
  --valueless-params       keep, add-equals: ?a becomes ?a=
  --sort-query             keep, name, name-value
  --empty-query            keep, remove: a ? with nothing after it
  --fragment               keep, remove, keep-route (#!… and #/… stay), remove-empty (a lone #),
                           remove-text (:~:text=…)
  --sites JSON             {"*.example.org": {"www": "remove"}}
  --rules FILE             rules for sites, learned or written; they come last
  --accept LEVEL           E3, E4, E5: the weakest evidence of a rule that is applied
  --base URL               resolve relative references against URL
  --default-scheme NAME    http, https, ws, wss or ftp for lines such as example.com/x
  --max-length BYTES       longer URLs are TOO_LONG (default 1048576)
  --engine NAME            auto, wasm or js; URLMILL_ENGINE does the same
`;

const FILTER = `
  --errors FILE            write each line that is not a URL as: line number, code, text. There, in --map
                           and in --shadow \\\\ is a backslash, and \\xHH is a byte of a hidden
                           character, of a line end, or of what is not UTF-8
  --on-error keep          leave a line that is not a URL as it is (default)
  --on-error fail          stop at it with exit code 1`;

const FILES = `
  --format NAME            lines (default), tsv, csv, jsonl, cdx, cdxj, crawl-log or sitemap: what
                           else stands in a record stays as it is
  --field NAME or N        where the URL is: a column of tsv and csv by its name in the header, or by
                           its number if no header names it (default 1); a column of cdx by its
                           letter or number (a); a member of jsonl and cdxj (url)
  --header                 the first line of tsv or csv names the columns: it is kept, once for all
                           files; the URL is in the column url, or --field
  -o, --out FILE           write FILE; compressed if it ends with .gz, or .zst (Node 22.15)
  --threads N              default: as many as the machine has, where the input is worth them
  --output surt            write keys as com,example)/path
  --unicode-hosts          write xn-- labels as what they stand for: to read, not as keys`;

const COUNTS = `
  --stats                  counts as JSON on standard error at the end, by code and by rule
  --report FILE.html       a page that shows what changed by rule, merges, errors, with examples
  --progress               show progress on standard error (default on a terminal);
                           --no-progress never does
  -h, --help               this text
`;

const END = `
A line ends at LF or CR LF and is read as UTF-8; a byte order mark at the beginning of a file is not
written. Other compression, archives, Parquet and UTF-16 are refused with the command to use first.
Exit code: 0 done, 1 failed, 2 wrong call, 130 after SIGINT, 143 after SIGTERM.
`;

/** Holds what `--help` of each command prints. */
export const HELP = {
  normalize: `urlmill normalize [FILE…]: one normalized line out per line in, in order
${FILTER}
  --on-error empty         leave its line, or field, empty
  --emit normalized        write the key in the place of the URL (default)
  --emit both              write the record with its key: before a line with a tab between, after
                           the other columns or members${FILES}${COUNTS}${RULES}${END}
  urlmill normalize --preset crawl --errors bad.tsv urls.txt > normalized.txt
  urlmill normalize --format jsonl --field link crawl.jsonl.gz -o keyed.jsonl.gz --emit both
`,
  dedupe: `urlmill dedupe [FILE…]: the first line of each normalized URL, in order
${FILTER}
  --on-error empty         leave it out
  --emit original          write lines as they were (default)
  --emit normalized        write the key in the place of the URL
  --emit both              write the record with its key: before a line with a tab between, after
                           the other columns or members
  --map FILE               write each line that was merged: key, tab, line
  --shadow FILE            try the rules of --rules only: no line is merged by them, those that would
                           be are listed: key, tab, line
  --seen DIR               leave out what earlier runs with DIR wrote: a directory of keys, made when
                           there is none; a key goes there once its line is written, so a crash may
                           repeat a line and loses none. One run at a time, always the same rules
  --bits 64                keep 64 bits of each key, half the memory, and say how many lines can be
                           expected to be lost to chance (default 128, or what DIR has)${FILES}${COUNTS}${RULES}${END}
  urlmill dedupe --preset crawl --stats urls.txt > unique.txt
  urlmill dedupe --format cdx crawl.cdx.gz -o unique.cdx.gz
  urlmill dedupe --preset crawl --seen crawl.seen links-2.txt >> frontier.txt
`,
  explain: `urlmill explain URL…: each rule that changes a URL, what it makes of it, and its source

  --json                   one JSON object a URL
  -h, --help               this text
${RULES}
  urlmill explain --preset crawl 'HTTP://Example.com/a/../b?utm_source=x'
`,
  hosts: `urlmill hosts [FILE…]: the IP addresses that are hosts of URLs, as a hosts file of their names

Looks up the name of each address and confirms that the name leads back to it. What has no such name
is written as a comment with the reason. urlmill normalize --hosts FILE applies it.

  --server ADDRESS[:PORT]  ask this DNS server; again for more (default: the system's)
  --concurrency N          look-ups under way at a time (default 16)
  --timeout MS             for one look-up (default 3000)
  -h, --help               this text

  urlmill hosts urls.txt > hosts.txt
`,
} as const;
