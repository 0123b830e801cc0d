/**
 * The catalog: one entry for each option and for each other step of normalizing, in the order in which steps apply.
 * `tools/write-catalog.mjs` makes of it the types and tables of options (`catalog.generated.ts`), what flags, help and the JSON
 * Schema say (`described.generated.ts`), the order of steps (`stages.generated.ts`), and the constants of the kernel. `npm run
 * docs` makes the table of steps in docs/spec.md and the table of docs/options.md. The options of Python come from it too.
 */

/** Names the kinds of values that are not a choice among a few. */
export type Kind = "bytes" | "names" | "fileNames" | "pairs" | "sites" | "text" | "module";

/** Names the groups of options, as the help shows them. */
export type Group = "from" | "reading" | "run" | "host" | "path" | "query";

/** Names a preset. */
export type Preset = "safe" | "crawl" | "c14n" | "aggressive";

/**
 * Names the stages in which options apply to a URL in normal form, in their order (docs/spec.md 4). The steps of a stage apply
 * in the order of the catalog; those of `host` and of `pathEnd` begin again after each change. The JavaScript engine takes the
 * order of `path`, `pathEnd` and `params` from here, and Python's `explain` that of all stages. The kernel and the list in
 * docs/spec.md have it in their own words, which tests compare (test/spec/order-of-options.test.ts).
 */
export const STAGE_NAMES = [
  "host",
  "scheme",
  "port",
  "userinfo",
  "path",
  "pathEnd",
  "params",
  "query",
  "fragment",
  "keptFragment",
] as const;

type Value = string | boolean;

/** Describes an option, or a step that every normalizer does. */
export interface Entry {
  readonly name: string;
  /** Says what the step does to a URL. An entry without it changes no URL by itself. */
  readonly step?: string;
  /** Names the section of docs/spec.md, if it is not the option's own. */
  readonly section?: string;
  /** Names the stages in which the step of an option applies, if it does so after reading and before rules of sites. */
  readonly stages?: readonly (typeof STAGE_NAMES)[number][];
  readonly option?: OptionEntry;
  /** The rows of docs/options.md. */
  readonly rows?: readonly Row[];
}

/** Describes what an option takes, and how the API, the command line and the documents show it. */
export interface OptionEntry {
  /** Lists the choices, the value of preset `safe` first; or names the kind of value. */
  readonly values: readonly Value[] | Kind;
  /** Gives the place of a choice in a plan (src/plan/layout.ts). It never changes. A new choice takes the next place. */
  readonly place?: number;
  /** Says what the option expects, for errors. Choices are listed instead. */
  readonly expects?: string;
  /** Describes the option in the API. */
  readonly text: string;
  /** Gives the value that the option has if it is not set, where it is not that of preset `safe`. */
  readonly default?: string;
  /** Gives the values that presets set. */
  readonly presets?: { readonly [Name in Preset]?: Value | readonly string[] };
  /**
   * Says which URLs a choice can change that the fast paths would otherwise pass: those without `?`, `#` and `;`, or only
   * those with a query in normal form. A number is the first value that does.
   */
  readonly changes?: "plain" | "query" | { readonly query: number };
  readonly group: Group;
  /** Says whether the option can be set for all hosts only. */
  readonly isForAll?: boolean;
  /** Describes the flag. The option without one cannot be set on the command line. */
  readonly flag?: {
    /** Names the value, such as `FILE`. */
    readonly value?: string;
    /** Says what the flag does, where the step's text does not. */
    readonly text?: string;
    /** Gives the letter for the flag after one dash. */
    readonly short?: string;
  };
  /** Says in a line what the option does, if it is not a step. */
  readonly summary?: string;
  /** Gives the name that the option had, and names that values had, so that they are refused with the new one. */
  readonly formerly?: string;
  readonly formerValues?: Readonly<Record<string, string>>;
  /** Names the type of the option's values in the API, if it has a name. */
  readonly typeName?: string;
}

/** Holds what the command line and the JSON Schema need of an option. */
export interface DescribedOption {
  readonly name: string;
  /** Says in a line what the option does. */
  readonly summary: string;
  readonly option: Pick<
    OptionEntry,
    "values" | "default" | "group" | "isForAll" | "flag" | "formerly"
  >;
}

/** A row of the table in docs/options.md. */
export interface Row {
  readonly normalization: string;
  /** Gives the options of the example. It is absent if the step always applies. */
  readonly set?: Readonly<Record<string, unknown>>;
  /** A URL that the row changes. */
  readonly url: string;
  /** Says whether URLs that become equal have one page. */
  readonly keeps: "yes" | "mostly" | "no";
}

/** Gives the `maxLength` of a normalizer that was not given one, and the largest, in bytes. */
export const MAX_LENGTH = { DEFAULT: 1 << 20, LARGEST: 1 << 26 };

/** Says what each preset is for. */
export const PRESET_TEXTS: Readonly<Record<Preset, string>> = {
  safe: "joins only URLs that the standards call equal",
  crawl: "also removes trackers, session ids and fragments, and sorts the query",
  c14n: "writes queries and slashes in one way, and keeps fragments and trackers",
  aggressive: "also joins http with https, www.a with a, /x/ with /x; may join different pages",
};

/** Lists options and steps. The number of a step's bit in `reasons` is its place among the steps. */
export const CATALOG: readonly Entry[] = [
  {
    name: "preset",
    option: {
      values: ["safe", "crawl", "c14n", "aggressive"],
      typeName: "PresetName",
      text: "Chooses the preset, which gives the values of all options that you do not set. In `sites`, it replaces the options for all hosts.",
      default: '"safe"; for a site, the options for all hosts',
      group: "from",
      flag: { short: "p", text: "begin with the options of a preset; urlmill presets shows them" },
      summary: "names the values that the other options begin with",
    },
  },
  {
    name: "engine",
    option: {
      values: ["auto", "wasm", "js"],
      typeName: "EngineChoice",
      text: 'Chooses the engine: `"wasm"`, `"js"`, or `"auto"` for WebAssembly if it works and JavaScript if not. In a browser WebAssembly works after `loadKernel`.',
      default: 'the environment variable `URLMILL_ENGINE`, else "auto"',
      group: "run",
      isForAll: true,
      flag: { text: "what normalizes; URLMILL_ENGINE does the same" },
      summary: "chooses what normalizes; the results are the same",
    },
  },
  {
    name: "module",
    option: {
      values: "module",
      text: "Gives the compiled kernel (`urlmill/kernel.wasm`) on platforms that do not let a program compile WebAssembly, such as workers at the edge. Their bundlers compile the modules that a program imports. It is not an option of configuration files.",
      default: "the kernel of the package, compiled with the first normalizer",
      group: "run",
      isForAll: true,
    },
  },
  {
    name: "maxLength",
    option: {
      values: "bytes",
      expects: `a whole number from 1 to ${MAX_LENGTH.LARGEST}`,
      text: "Limits the length of a URL in bytes, before and after normalizing; longer ones are `TOO_LONG`. The limit is at most 64 MiB, 67,108,864.",
      default: String(MAX_LENGTH.DEFAULT),
      group: "reading",
      isForAll: true,
      flag: {
        value: "BYTES",
        text: `longer URLs are TOO_LONG: 1 to ${MAX_LENGTH.LARGEST} (default ${MAX_LENGTH.DEFAULT})`,
      },
      summary: "limits the length of a URL in bytes; longer ones are errors",
    },
  },
  {
    name: "surroundingSpace",
    step: "removes C0 controls and spaces at both ends",
    section: "Reading",
  },
  { name: "tabAndNewline", step: "removes TAB, LF and CR everywhere", section: "Reading" },
  {
    name: "defaultScheme",
    step: "puts a scheme before input that has none",
    option: {
      values: ["http", "https", "ws", "wss", "ftp"],
      typeName: "DefaultScheme",
      text: "Names the scheme for input that has a host and no scheme: `example.com/x`, `//example.com/x`, `example.com:8080/`. Without it such input is `NO_SCHEME`.",
      default: "none",
      group: "reading",
      isForAll: true,
      flag: { text: "for lines such as example.com/x, which are errors without it" },
    },
  },
  { name: "base", step: "resolves a reference against the base", section: "Base" },
  {
    name: "schemeCase",
    step: "writes the scheme in lower case",
    section: "Special schemes",
    rows: [
      { normalization: "scheme and host in lower case", url: "HTTP://A.Example/B", keeps: "yes" },
    ],
  },
  {
    name: "slashes",
    step: "writes \\ as /, and two slashes after the scheme",
    section: "Special schemes",
    rows: [{ normalization: "backslashes read as slashes", url: "http:\\\\a\\b", keeps: "yes" }],
  },
  {
    name: "userinfo",
    step: "writes user name and password in normal form, or removes them",
    stages: ["userinfo"],
    option: {
      values: ["keep", "remove"],
      place: 5,
      text: "Removes user name and password.",
      presets: { aggressive: "remove" },
      group: "host",
      flag: { text: "user name and password" },
    },
    rows: [
      {
        normalization: "user name and password",
        set: { userinfo: "remove" },
        url: "http://u:p@a/",
        keeps: "no",
      },
    ],
  },
  { name: "hostCase", step: "writes the host in lower case", section: "Special schemes" },
  {
    name: "host",
    step: "writes a domain or an IP address in normal form",
    section: "Special schemes",
    rows: [
      {
        normalization: "IPv4 in any number form, IPv6 compressed",
        url: "http://0x7f.1/",
        keeps: "yes",
      },
      { normalization: "international hosts in ASCII", url: "http://bücher.de/", keeps: "yes" },
    ],
  },
  { name: "emptyPort", step: "removes the : of an empty port", section: "Special schemes" },
  { name: "port", step: "removes the leading zeros of the port", section: "Special schemes" },
  {
    name: "defaultPort",
    step: "removes the port that the scheme has by default",
    section: "Special schemes",
    rows: [{ normalization: "default and empty port removed", url: "http://a:80/", keeps: "yes" }],
  },
  {
    name: "emptyPath",
    step: "writes an empty path as /",
    section: "Special schemes",
    rows: [{ normalization: "empty path becomes /", url: "http://a", keeps: "yes" }],
  },
  {
    name: "tripletCase",
    step: "writes percent-encoded triplets in upper case",
    section: "Writing",
    rows: [
      {
        normalization: "percent-encoded triplets in upper case",
        url: "http://a/%c2%b1",
        keeps: "yes",
      },
    ],
  },
  {
    name: "unreservedTriplets",
    step: "decodes triplets of unreserved characters",
    section: "Writing",
    rows: [{ normalization: "unreserved triplets decoded", url: "http://a/%7Ex", keeps: "yes" }],
  },
  {
    name: "percentEncoding",
    step: "percent-encodes what the component does not allow",
    section: "Writing",
    rows: [
      { normalization: "other characters percent-encoded", url: "http://a/é b", keeps: "yes" },
    ],
  },
  {
    name: "dotSegments",
    step: "removes . and .. from the path",
    section: "Special schemes",
    rows: [{ normalization: "dot segments removed", url: "http://a/b/../c/./d", keeps: "yes" }],
  },
  {
    name: "reading",
    step: "reads the URL as the URL Standard does, in a way that no step above names",
    section: "Reading",
  },
  {
    name: "allowedSchemes",
    option: {
      values: "names",
      expects: "a list of schemes",
      formerly: "schemes",
      text: "Lists the schemes that pass; a URL of any other scheme is `SCHEME_NOT_ALLOWED`.",
      default: 'all schemes pass; `["http", "https"]` in presets `crawl` and `aggressive`',
      presets: { crawl: ["http", "https"], aggressive: ["http", "https"] },
      group: "host",
      isForAll: true,
      flag: { value: "A,B", text: "accept only these schemes; others are errors" },
      summary: "lists the schemes that pass; URLs of others are errors",
    },
    rows: [
      {
        normalization: "schemes that pass; others are errors",
        set: { allowedSchemes: ["http", "https"] },
        url: "http://a/",
        keeps: "yes",
      },
    ],
  },
  {
    name: "hostAliases",
    step: "writes another host for the host",
    stages: ["host"],
    option: {
      values: "pairs",
      expects: "an object that maps hosts to hosts",
      text: "Maps hosts and IP addresses to the host to write instead. `*.example.org` names all hosts below that one. The most specific pattern wins. `m.*` with the value `*` removes the first label `m` of every host, if a name before a public second level remains.",
      default: "none",
      group: "host",
      isForAll: true,
      flag: {
        value: "FROM=TO",
        text: "write another host for a host, *.DOMAIN or IP address; 'm.*=*' removes the first label m; repeat the flag for more",
      },
    },
    rows: [
      {
        normalization: "IP address to domain name, host aliases",
        set: { hostAliases: { "208.77.188.166": "www.example.com" } },
        url: "http://208.77.188.166/",
        keeps: "no",
      },
      {
        normalization: "hosts below a domain as one",
        set: { hostAliases: { "*.a.b": "a.b" } },
        url: "http://x.a.b/",
        keeps: "no",
      },
      {
        normalization: "hosts of mobile pages",
        set: { hostAliases: { "m.*": "*" } },
        url: "http://m.a.b/",
        keeps: "no",
      },
    ],
  },
  {
    name: "trailingDot",
    step: "removes the dot at the end of the host",
    stages: ["host"],
    option: {
      values: ["keep", "remove"],
      place: 1,
      text: "Removes the dot at the end of a host.",
      presets: { crawl: "remove", aggressive: "remove" },
      group: "host",
      flag: { text: "the dot at the end of the host" },
    },
    rows: [
      {
        normalization: "final dot of the host",
        set: { trailingDot: "remove" },
        url: "http://a.b./",
        keeps: "mostly",
      },
    ],
  },
  {
    name: "www",
    step: "removes or adds the label www",
    stages: ["host"],
    option: {
      values: ["keep", "remove", "add"],
      place: 3,
      text: "Removes or adds the first label `www` of a host. It removes `www` only if two labels remain, and never adds it to an IP address or a host of one label.",
      presets: { aggressive: "remove" },
      changes: "plain",
      group: "host",
      flag: { text: "the first label of the host" },
    },
    rows: [
      { normalization: "www removed", set: { www: "remove" }, url: "http://www.a.b/", keeps: "no" },
      { normalization: "www added", set: { www: "add" }, url: "http://a.b/", keeps: "no" },
    ],
  },
  {
    name: "wwwDigits",
    option: {
      values: [false, true],
      place: 4,
      text: 'Also removes `www` with one to three digits, if `www` is `"remove"`. `www2.com.cn` stays, because `com.cn` is a public second level.',
      group: "host",
      flag: { text: "--www remove also removes www with one to three digits" },
      summary: "takes www and one to three digits for www, if www is removed",
    },
    rows: [
      {
        normalization: "www and one to three digits removed",
        set: { wwwDigits: true, preset: "aggressive" },
        url: "http://www2.a.b/",
        keeps: "no",
      },
    ],
  },
  {
    name: "scheme",
    step: "writes http and https as one",
    stages: ["scheme"],
    option: {
      values: ["keep", "http", "https"],
      place: 0,
      text: "Writes http and https as this scheme. Removes a port that is the default of the old or the new scheme.",
      presets: { aggressive: "https" },
      changes: "plain",
      group: "host",
      flag: { text: "write http and https as one" },
    },
    rows: [
      {
        normalization: "limiting protocols",
        set: { scheme: "https" },
        url: "http://a/",
        keeps: "no",
      },
    ],
  },
  {
    name: "explicitPort",
    step: "removes the port",
    stages: ["port"],
    option: {
      values: ["keep", "remove"],
      place: 2,
      text: "Removes the port, even one that is not the default of the scheme.",
      group: "host",
      flag: { text: "the port, also one that is not the scheme's default" },
    },
    rows: [
      {
        normalization: "also a port that is not the default",
        set: { explicitPort: "remove" },
        url: "http://a:8080/",
        keeps: "no",
      },
    ],
  },
  {
    name: "sessionIds",
    step: "removes session ids",
    stages: ["path", "params"],
    option: {
      values: ["keep", "remove"],
      place: 6,
      text: "Removes session ids in forms that cannot name content: `;jsessionid=` in path and query, `PHPSESSID`, `ASPSESSIONID*`, `CFID` with `CFTOKEN`, `_sessionid`, `Bv_SessionID`, `/(S(...))/`; never `sid`.",
      presets: { crawl: "remove", aggressive: "remove" },
      group: "path",
      flag: { text: "jsessionid, PHPSESSID, (S(…)) and the like" },
    },
    rows: [
      {
        normalization: "session ids",
        set: { sessionIds: "remove" },
        url: "http://a/b;jsessionid=1?PHPSESSID=2&q",
        keeps: "mostly",
      },
      {
        normalization: "session ids in values and ASP.NET's",
        set: { sessionIds: "remove" },
        url: "http://a/(S(x1))/b?u=c;jsessionid=1",
        keeps: "mostly",
      },
    ],
  },
  {
    name: "case",
    step: "writes the path, or path and query, in lower case",
    stages: ["path", "params"],
    option: {
      values: ["keep", "lower-path", "lower-path-query"],
      place: 7,
      text: "Writes ASCII letters of the path, or of path and query, in lower case. Percent-encoded triplets stay in upper case.",
      changes: "plain",
      group: "path",
      flag: { text: "for hosts that ignore case" },
    },
    rows: [
      {
        normalization: "path in lower case",
        set: { case: "lower-path" },
        url: "http://a/B?C",
        keeps: "no",
      },
      {
        normalization: "path and query in lower case",
        set: { case: "lower-path-query" },
        url: "http://a/B?C",
        keeps: "no",
      },
    ],
  },
  {
    name: "duplicateSlashes",
    step: "makes one slash of several in the path",
    stages: ["path"],
    option: {
      values: ["keep", "collapse"],
      place: 8,
      text: "Writes several slashes in a path as one. The `//` after a scheme inside a path stays.",
      presets: { c14n: "collapse", aggressive: "collapse" },
      changes: "plain",
      group: "path",
      flag: { text: "several slashes in the path, except the // of a URL in it" },
    },
    rows: [
      {
        normalization: "duplicate slashes",
        set: { duplicateSlashes: "collapse" },
        url: "http://a//b/http://c",
        keeps: "no",
      },
    ],
  },
  {
    name: "directoryIndex",
    step: "removes the file name that stands for the directory",
    stages: ["pathEnd"],
    option: {
      values: "fileNames",
      expects: '"keep", true or a list of file names',
      text: "Removes the name of a file that servers send for its folder. `true` takes the default list (`index` and `default`, `.html` to `.do`). A list of your own replaces it. Names are compared without ASCII case.",
      default: '"keep"; true in preset `aggressive`',
      presets: { aggressive: true },
      group: "path",
      flag: {
        value: "NAMES",
        text: "keep, true (index.html and so on), or names A,B in any case",
      },
    },
    rows: [
      {
        normalization: "directory index",
        set: { directoryIndex: true },
        url: "http://a/Index.HTML",
        keeps: "no",
      },
    ],
  },
  {
    name: "trailingSlash",
    step: "adds or removes the slash at the end of the path",
    stages: ["pathEnd"],
    option: {
      values: ["keep", "add", "remove"],
      place: 9,
      text: "Adds or removes the slash at the end of a path. It does not add a slash after a last segment with a dot. The root keeps its slash.",
      presets: { aggressive: "remove" },
      changes: "plain",
      group: "path",
      flag: { text: "the / at the end of the path" },
    },
    rows: [
      {
        normalization: "trailing slash added",
        set: { trailingSlash: "add" },
        url: "http://a/b",
        keeps: "no",
      },
      {
        normalization: "trailing slash removed",
        set: { trailingSlash: "remove" },
        url: "http://a/b/",
        keeps: "no",
      },
    ],
  },
  {
    name: "keepParams",
    step: "removes all parameters but those named",
    stages: ["params"],
    option: {
      values: "names",
      expects: "a list of parameter names",
      text: "Removes all query parameters but these. Patterns are as in `dropParams`.",
      default: "all parameters stay",
      group: "query",
      flag: { value: "A,B", text: "remove all other parameters; patterns as in --drop-params" },
    },
    rows: [
      {
        normalization: "unused parameters",
        set: { keepParams: ["id"] },
        url: "http://a/?id=1&x=2",
        keeps: "no",
      },
    ],
  },
  {
    name: "dropParams",
    step: "removes the parameters named",
    stages: ["params"],
    option: {
      values: "names",
      expects: "a list of parameter names",
      text: 'Removes these query parameters: `name`, `prefix*` or `*suffix`; `*` is all of them. `paramCase: "ignore"` compares names without ASCII case.',
      default: "none",
      group: "query",
      flag: {
        value: "A,B*,*C",
        text: "remove these; B* is all that begin with B, *C all that end with C, * the whole query",
      },
    },
    rows: [
      {
        normalization: "the whole query",
        set: { dropParams: ["*"] },
        url: "http://a/?x=1&y",
        keeps: "no",
      },
      {
        normalization: "parameters by name, prefix or suffix",
        set: { dropParams: ["x", "y_*", "*_id"] },
        url: "http://a/?x=1&y_1=2&a_id=3&z",
        keeps: "no",
      },
    ],
  },
  {
    name: "paramCase",
    option: {
      values: ["keep", "ignore"],
      place: 10,
      text: "Compares names of query parameters without ASCII case.",
      group: "query",
      flag: { text: "compare these names without ASCII case" },
      summary: "compares names of parameters without ASCII case",
    },
    rows: [
      {
        normalization: "names compared without ASCII case",
        set: { paramCase: "ignore", dropParams: ["x"] },
        url: "http://a/?X=1&z",
        keeps: "no",
      },
    ],
  },
  {
    name: "trackingParams",
    step: "removes parameters that mark a click or a campaign",
    stages: ["params", "keptFragment"],
    option: {
      values: ["keep", "remove"],
      place: 11,
      text: "Removes query parameters that only ever mark a click or a campaign, such as `utm_*`, `gclid` and `fbclid`. Also removes a fragment that has only such names: `#utm_...` or `#xtor=...`.",
      presets: { crawl: "remove", aggressive: "remove" },
      group: "query",
      flag: { text: "utm_*, gclid, fbclid and the like; #utm_… and #xtor=… too" },
    },
    rows: [
      {
        normalization: "tracking parameters",
        set: { trackingParams: "remove" },
        url: "http://a/?utm_source=x&q",
        keeps: "mostly",
      },
    ],
  },
  {
    name: "defaultParams",
    step: "removes parameters with their default value",
    stages: ["params"],
    option: {
      values: "pairs",
      expects: "an object that maps parameter names to values",
      text: "Removes each of these query parameters if it has this value, which the page takes as its default.",
      default: "none",
      group: "query",
      flag: {
        value: "N=V",
        text: "remove the parameter N if its value is V; repeat the flag for more",
      },
    },
    rows: [
      {
        normalization: "default parameters",
        set: { defaultParams: { sort: "asc" } },
        url: "http://a/?sort=asc",
        keeps: "no",
      },
    ],
  },
  {
    name: "emptyParams",
    step: "removes the empty pieces of the query",
    stages: ["params"],
    option: {
      values: ["keep", "remove"],
      place: 12,
      text: "Removes the empty pieces of a query, as in `a&&b`.",
      presets: { crawl: "remove", c14n: "remove", aggressive: "remove" },
      group: "query",
      flag: { text: "empty pieces between two &" },
    },
    rows: [
      {
        normalization: "empty parameters",
        set: { emptyParams: "remove" },
        url: "http://a/?&x&&y",
        keeps: "mostly",
      },
    ],
  },
  {
    name: "emptyValues",
    step: "removes parameters with an empty value",
    stages: ["params"],
    option: {
      values: ["keep", "remove"],
      place: 13,
      text: "Removes query parameters with an empty value, as in `a=`.",
      changes: "query",
      group: "query",
      flag: { text: "parameters with nothing after the =" },
    },
    rows: [
      {
        normalization: "parameters with an empty value",
        set: { emptyValues: "remove" },
        url: "http://a/?x=&y",
        keeps: "no",
      },
    ],
  },
  {
    name: "repeatedParams",
    step: "keeps one of the parameters with the same name, or with the same name and value",
    stages: ["params"],
    option: {
      values: ["keep", "first", "last", "equal"],
      place: 14,
      text: "Keeps only the first, or the last, of query parameters with the same name. `equal` keeps the first of those with the same name and value, so every value stays.",
      changes: "query",
      group: "query",
      flag: { text: "which of the parameters with the same name stay" },
    },
    rows: [
      {
        normalization: "first of repeated parameters",
        set: { repeatedParams: "first" },
        url: "http://a/?x=1&y&x=2",
        keeps: "no",
      },
      {
        normalization: "last of repeated parameters",
        set: { repeatedParams: "last" },
        url: "http://a/?x=1&y&x=2",
        keeps: "no",
      },
      {
        normalization: "parameters that repeat a name and its value",
        set: { repeatedParams: "equal" },
        url: "http://a/?x=1&x=2&x=1",
        keeps: "mostly",
      },
    ],
  },
  {
    name: "valuelessParams",
    step: "writes ?a as ?a=",
    stages: ["query"],
    option: {
      values: ["keep", "add-equals"],
      place: 15,
      text: "Writes `?a` as `?a=`.",
      presets: { c14n: "add-equals", aggressive: "add-equals" },
      changes: "query",
      group: "query",
      flag: { text: "?a becomes ?a=" },
    },
    rows: [
      {
        normalization: "parameters without a value",
        set: { valuelessParams: "add-equals" },
        url: "http://a/?x",
        keeps: "no",
      },
    ],
  },
  {
    name: "sortQuery",
    step: "sorts the parameters",
    stages: ["query"],
    option: {
      values: ["keep", "name", "name-value"],
      place: 16,
      text: "Sorts query parameters by their bytes. `name` keeps the order of equal names; `name-value` sorts them by value (RFC 5849 3.4.1.3.2).",
      presets: { crawl: "name", c14n: "name-value", aggressive: "name" },
      changes: { query: 2 },
      group: "query",
      flag: { text: "the order of parameters" },
    },
    rows: [
      {
        normalization: "parameters sorted by name",
        set: { sortQuery: "name" },
        url: "http://a/?b&a=2&a=1",
        keeps: "mostly",
      },
      {
        normalization: "parameters sorted by name and value",
        set: { sortQuery: "name-value" },
        url: "http://a/?b&a=2&a=1",
        keeps: "no",
      },
    ],
  },
  {
    name: "emptyQuery",
    step: "removes the ? of an empty query",
    stages: ["query"],
    option: {
      values: ["keep", "remove"],
      place: 17,
      text: "Removes the `?` of an empty query.",
      presets: { crawl: "remove", c14n: "remove", aggressive: "remove" },
      group: "query",
      flag: { text: "a ? with nothing after it" },
    },
    rows: [
      {
        normalization: "empty query",
        set: { emptyQuery: "remove" },
        url: "http://a/?",
        keeps: "mostly",
      },
    ],
  },
  {
    name: "fragment",
    step: "removes the fragment or a part of it",
    stages: ["fragment"],
    option: {
      values: ["keep", "remove", "keep-route", "remove-empty", "remove-text"],
      place: 18,
      text: "Removes the fragment. `keep-route` keeps `#!...` and `#/...`, `remove-empty` removes a lone `#`, `remove-text` removes `:~:...` directives.",
      presets: { crawl: "remove", aggressive: "remove" },
      group: "query",
      flag: {
        text: "keep-route keeps #!… and #/…, remove-empty removes a lone #, remove-text removes :~:text=…",
      },
    },
    rows: [
      {
        normalization: "fragment",
        set: { fragment: "remove" },
        url: "http://a/#x",
        keeps: "mostly",
      },
      {
        normalization: "fragment, except routes",
        set: { fragment: "keep-route" },
        url: "http://a/#!x:~:text=y",
        keeps: "mostly",
      },
      {
        normalization: "an empty fragment",
        set: { fragment: "remove-empty" },
        url: "http://a/#",
        keeps: "mostly",
      },
      {
        normalization: "text directives",
        set: { fragment: "remove-text" },
        url: "http://a/#x:~:text=y",
        keeps: "mostly",
      },
    ],
  },
  {
    name: "rules",
    step: "applies a rule of the site",
    section: "Rules for sites",
    option: {
      values: "text",
      expects: "the text of a file of rules",
      text: "Gives the text of a file of rules for sites, learned or written. Rules apply to http and https URLs after all other options, again and again until nothing changes. If that would never end, the URL stays as it is without rules.",
      default: "none",
      group: "from",
      isForAll: true,
      flag: {
        value: "FILE",
        text: "rules for sites, learned or written; they are applied after the options",
      },
    },
  },
  {
    name: "pageAliases",
    step: "writes the URL that an alias of the site names",
    section: "Aliases of URLs",
    option: {
      values: "text",
      expects: "the text of a file of aliases",
      formerly: "aliases",
      text: "Gives the text of a file of aliases: pairs of URLs of one site that have one page. They apply after `rules`. If they would change a URL forever, it stays as rules leave it.",
      default: "none",
      group: "from",
      isForAll: true,
      flag: {
        value: "FILE",
        text: "pairs of URLs that have one page; they are applied after the rules",
      },
    },
  },
  {
    name: "accept",
    option: {
      values: ["fetched", "list", "size", "pattern"],
      typeName: "AcceptedLevel",
      formerly: "acceptRules",
      formerValues: { E3: "fetched", E4: "size", E5: "pattern" },
      text: "Sets the weakest evidence with which a rule or an alias is applied. Rules and aliases without evidence are always applied.",
      default: '"fetched"',
      group: "from",
      isForAll: true,
      flag: { text: "the weakest evidence of a rule or an alias that is applied" },
      summary: "sets the weakest evidence of a rule or an alias that is applied",
    },
  },
  {
    name: "sites",
    option: {
      values: "sites",
      expects: "an object that maps host patterns to options",
      text: "Sets options for some hosts. `example.org` names that host, `*.example.org` that host and all below it. The most specific pattern wins.",
      default: "none",
      group: "from",
      isForAll: true,
      flag: { value: "JSON", text: 'options for some hosts: {"*.example.org": {"www": "remove"}}' },
      summary: "sets options for some hosts",
    },
  },
];
