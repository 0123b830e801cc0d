export const USAGE = `urlmill: one canonical form for every URL

  urlmill normalize [FILE…]   one normalized line out per line in, in order
  urlmill dedupe [FILE…]      the first line of each normalized URL

Reads standard input without FILE or for "-", writes standard output.
urlmill COMMAND --help lists the options; urlmill --version prints the version.
`;

const SHARED = `
  --preset NAME          safe: join only what the standards call equivalent (default)
  --base URL             resolve relative references against URL
  --default-scheme NAME  http, https, ws, wss or ftp for lines such as example.com/x
  --max-length BYTES     longer lines are TOO_LONG (default 1048576)
  --errors FILE          write each line that is no URL as: line number, code, text
  --on-error keep        leave a line that is no URL as it is (default)`;

const REST = `
  --on-error fail        stop at it with exit code 1
  --stats                counts as JSON on standard error at the end
  --progress             show progress on standard error (default on a terminal);
                         --no-progress never does
  --engine NAME          auto (default), wasm or js; URLMILL_ENGINE does the same
  -h, --help             this text

A line ends at LF or CR LF and is read as UTF-8. Exit code: 0 done, 1 failed, 2 wrong call.
`;

export const HELP = {
  normalize: `urlmill normalize [FILE…]: one normalized line out per line in, in order
${SHARED}
  --on-error empty       leave its line empty${REST}
  urlmill normalize --errors bad.tsv urls.txt > normalized.txt
`,
  dedupe: `urlmill dedupe [FILE…]: the first line of each normalized URL, in order
${SHARED}
  --on-error empty       leave it out${REST}
  --emit original        write lines as they were (default)
  --emit normalized      write their normalized form
  --emit both            write both, with a tab between

  urlmill dedupe --stats urls.txt > unique.txt
`,
} as const;
