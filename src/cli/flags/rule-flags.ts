import { ACCEPTED_LEVELS } from "../../options/options.ts";
import { PRESET_NAMES } from "../../options/presets.ts";
import { DEFAULT_SCHEMES } from "../../plan/compiled-options.ts";
import { CHOICES, type ChoiceName } from "../../plan/profile.ts";
import type { Flag, FlagGroup } from "./flag.ts";

/** Returns the flag of an option that is a plain choice. */
function choice(option: ChoiceName, text: string): Flag {
  return { name: flagOf(option), choices: CHOICES[option].map(String), isList: true, text };
}

const SHORT: Readonly<Record<string, string>> = { acceptRules: "accept" };

/** Returns the flag of an option of the API: the same name in kebab-case, except `--accept`. */
export function flagOf(option: string): string {
  return SHORT[option] ?? option.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

const FROM: readonly Flag[] = [
  {
    name: "preset",
    choices: PRESET_NAMES,
    isList: true,
    text: "begin with the options of a preset; urlmill presets shows them",
  },
  { name: "config", value: "FILE", isList: true, text: "read options as JSON; flags win over it" },
  {
    name: "sites",
    value: "JSON",
    isList: true,
    text: 'options for some hosts: {"*.example.org": {"www": "remove"}}',
  },
  {
    name: "rules",
    value: "FILE",
    isList: true,
    text: "rules for sites, learned or written; they are applied after the options",
  },
  {
    name: "aliases",
    value: "FILE",
    isList: true,
    text: "pairs of URLs that have one page; they are applied after the rules",
  },
  {
    name: "accept",
    choices: ACCEPTED_LEVELS,
    isList: true,
    text: "the weakest evidence of a rule or an alias that is applied",
  },
];

const READING: readonly Flag[] = [
  {
    name: "default-scheme",
    choices: DEFAULT_SCHEMES,
    isList: true,
    text: "for lines such as example.com/x, which are errors without it",
  },
  {
    name: "max-length",
    value: "BYTES",
    isList: true,
    text: "longer URLs are TOO_LONG: 1 to 67108864 (default 1048576)",
  },
];

/** Chooses the engine that runs the rules. It changes no result. */
export const ENGINE_FLAG: Flag = {
  name: "engine",
  choices: ["auto", "wasm", "js"],
  isList: true,
  text: "what runs the rules; URLMILL_ENGINE does the same",
};

/** Resolves relative references. */
export const BASE_FLAG: Flag = {
  name: "base",
  value: "URL",
  text: "resolve relative references against URL",
};

const HOST: readonly Flag[] = [
  { name: "schemes", value: "A,B", isList: true, text: "let these pass; others are errors" },
  choice("scheme", "write http and https as one"),
  {
    name: "host-aliases",
    value: "FROM=TO",
    isList: true,
    text: "write another host for a host, *.DOMAIN or IP address; again for more",
  },
  { name: "hosts", value: "FILE", isList: true, text: "read host aliases from a hosts file" },
  choice("trailingDot", "the dot at the end of the host"),
  choice("explicitPort", "also a port that is not the scheme's default"),
  choice("www", "the first label of the host"),
  choice("wwwDigits", "--www remove also removes www and one to three digits"),
  choice("userinfo", "user name and password"),
];

const PATH: readonly Flag[] = [
  choice("sessionIds", "jsessionid, PHPSESSID, (S(…)) and the like"),
  choice("case", "for hosts that ignore case"),
  choice("duplicateSlashes", "in the path, but for the // of a URL in it"),
  {
    name: "directory-index",
    value: "NAMES",
    isList: true,
    text: "keep, default (index.html and so on), or names A,B in any case",
  },
  choice("trailingSlash", "the / at the end of the path"),
];

const QUERY: readonly Flag[] = [
  {
    name: "keep-params",
    value: "A,B",
    isList: true,
    text: "remove all other parameters; patterns as in --drop-params",
  },
  {
    name: "drop-params",
    value: "A,B*,*C",
    isList: true,
    text: "remove these; B* is all that begin with B, *C all that end with C",
  },
  choice("paramCase", "compare these names without ASCII case"),
  choice("trackingParams", "utm_*, gclid, fbclid and the like; #utm_… and #xtor=… too"),
  {
    name: "default-params",
    value: "N=V",
    isList: true,
    text: "remove the parameter N if its value is V; again for more",
  },
  choice("emptyParams", "nothing between two &"),
  choice("emptyValues", "parameters with nothing after the ="),
  choice("repeatedParams", "of parameters of the same name"),
  choice("valuelessParams", "?a becomes ?a="),
  choice("sortQuery", "the order of parameters"),
  choice("emptyQuery", "a ? with nothing after it"),
  choice(
    "fragment",
    "keep-route keeps #!… and #/…, remove-empty removes a lone #, remove-text removes :~:text=…",
  ),
];

/** Holds the flags for options that change results, grouped by what they change. */
export const RULE_GROUPS: readonly FlagGroup[] = [
  { title: "Rules; the first value is preset safe's", flags: FROM },
  { title: "Reading", flags: READING },
  { title: "Scheme, user and host", flags: HOST },
  { title: "Path", flags: PATH },
  { title: "Query and fragment", flags: QUERY },
];
