// Writes what the options compiler of the Python package takes from the TypeScript sources: names and values of options,
// presets, lists of parameters, classes of bytes, the layout of the plan, and what errors say; and the types of options. What it
// does with them is python/src/urlmill/_options.
import { mkdirSync, writeFileSync } from "node:fs";
import { importSource } from "./import-source.mjs";
import { pythonMessages } from "./python-messages.mjs";
import { pythonOptionTypes } from "./python-option-types.mjs";

const sources = {
  catalog: "options/catalog.generated.ts",
  entries: "options/catalog.ts",
  options: "options/options.ts",
  stages: "options/stages.generated.ts",
  sessions: "base/lists/session-ids.ts",
  tracking: "base/lists/tracking-params.ts",
  directories: "base/lists/directory-index.ts",
  secondLevels: "base/lists/second-levels.ts",
  layout: "plan/layout.ts",
  rules: "plan/rule-layout.ts",
  rule: "site-rules/rule.ts",
  file: "site-rules/language/rule-file.ts",
  exceptions: "site-rules/language/exception-text.ts",
  patterns: "site-rules/language/pattern.ts",
  aliases: "site-rules/aliases/alias-file.ts",
  ranges: "site-rules/aliases/number-range.ts",
  anyParams: "site-rules/aliases/any-params.ts",
  trust: "site-rules/language/trust-line.ts",
  skip: "site-rules/language/skip-line.ts",
  types: "learn/site/page-types.ts",
  chars: "url/chars.ts",
  profile: "plan/profile-id.ts",
  unicode: "url/idna/unicode-version.ts",
  commands: "cli/flags/commands.ts",
  flags: "cli/flags/option-flags.ts",
  help: "cli/flags/help-text.ts",
};
const from = {};
for (const [name, file] of Object.entries(sources)) from[name] = await importSource(file);

const { CHOICES, FORMER_NAMES, FORMER_VALUES, KINDS, OPTION_VALUES, PRESETS, SITE_OPTIONS } =
  from.catalog;
const { hasClass, UNRESERVED, PATH, SPECIAL_QUERY, FRAGMENT } = from.chars;
const {
  choiceBits,
  HEADER,
  PROFILE,
  TABLE,
  ENTRY,
  KIND,
  LISTED,
  URLS,
  PLAN_VERSION,
  ANY_PARAMS_PLAN_VERSION,
  LISTS_PLAN_VERSION,
  UNWRAP_PLAN_VERSION,
  HASH_START,
} = from.layout;
const { TESTS, ACTIONS, ELEMENTS, LOCAL, FACT, BIT, UNLESS, VALUE_PATTERN, WHOLE } = from.rules;

/** Python writes names of options in snake_case. */
const snake = (name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const snakeKeys = (record) =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [snake(name), value]));

const ofClass = (bits) =>
  Array.from({ length: 256 }, (_, code) =>
    hasClass(code, bits) ? String.fromCharCode(code) : "",
  ).join("");
const { CLASSES, RUNS, shortestCapture } = from.patterns;
const placeOfBit = (bit) => bit.toString(2).length - 1;

/** Says what an option expects in the words of Python. */
const inPython = (expects) => expects.replace("an object", "a dict").replace("true", "True");
const expected = {
  ...Object.fromEntries(
    Object.entries(OPTION_VALUES).map(([name, values]) => [name, values.join(", ")]),
  ),
  ...Object.fromEntries(
    Object.entries(KINDS).map(([name, [, expects]]) => [name, inPython(expects)]),
  ),
};

/** The names of the flags of all commands of Node, `--name` and `-n`. */
const flagsOfNode = from.commands.COMMANDS.flatMap(({ groups }) =>
  groups.flatMap(({ flags }) => flags),
).flatMap(({ name, short }) => [`--${name}`, ...(short === undefined ? [] : [`-${short}`])]);

const data = {
  command: {
    ofNode: [...new Set([...from.commands.COMMAND_LIST.map(({ name }) => name), ...flagsOfNode])],
    // Python has one engine, and no command `presets`.
    help: [...from.flags.OPTION_FLAGS]
      .filter(([name]) => name !== "engine")
      .map(([, flag]) => [
        from.help.flagForm(flag),
        from.help.flagText(flag).replace(/; urlmill presets .*/, ""),
      ]),
  },
  options: {
    choices: snakeKeys(CHOICES),
    presets: Object.fromEntries(
      Object.entries(PRESETS).map(([name, values]) => [name, snakeKeys(values)]),
    ),
    listed: snakeKeys(OPTION_VALUES),
    kinds: snakeKeys(
      Object.fromEntries(Object.entries(KINDS).map(([name, [kind]]) => [name, kind])),
    ),
    forSites: SITE_OPTIONS.map(snake),
    formerNames: Object.fromEntries(
      Object.entries(FORMER_NAMES).map(([name, now]) => [snake(name), snake(now)]),
    ),
    formerValues: snakeKeys(FORMER_VALUES),
    evidenceLevels: from.rule.EVIDENCE_LEVELS,
    defaultMaxLength: from.catalog.DEFAULT_MAX_LENGTH,
    largestMaxLength: from.catalog.LARGEST_MAX_LENGTH,
    longestPattern: from.rule.LONGEST_PATTERN,
    names: from.options.OPTION_NAMES.map(snake),
    expected: snakeKeys(expected),
  },
  messages: pythonMessages(),
  steps: Object.fromEntries(
    from.catalog.STEP_NAMES.map((name) => [name, from.catalog.STEP_TEXTS[name]]),
  ),
  stages: from.stages.STAGES,
  lists: {
    sessionParams: from.sessions.SESSION_PARAMS.map(({ name }) => name),
    trackingParams: from.tracking.TRACKING_PARAMS.map(({ name }) => name),
    directoryIndex: from.directories.DIRECTORY_INDEX,
    secondLevels: [...from.secondLevels.SECOND_LEVEL_DOMAINS],
  },
  bytes: {
    unreserved: ofClass(UNRESERVED),
    path: ofClass(PATH),
    query: ofClass(SPECIAL_QUERY),
    fragment: ofClass(FRAGMENT),
  },
  plan: {
    version: PLAN_VERSION,
    listsVersion: LISTS_PLAN_VERSION,
    anyParamsVersion: ANY_PARAMS_PLAN_VERSION,
    unwrapVersion: UNWRAP_PLAN_VERSION,
    hashStart: HASH_START,
    header: HEADER,
    profile: PROFILE,
    choiceBits: snakeKeys(
      Object.fromEntries(Object.keys(CHOICES).map((name, place) => [name, choiceBits(place)])),
    ),
    table: TABLE,
    entry: ENTRY,
    kind: KIND,
    listed: LISTED,
    urls: URLS,
  },
  rules: {
    header: from.file.RULES_HEADER,
    exception: from.exceptions.EXCEPTION,
    maxExceptions: from.exceptions.MAX_EXCEPTIONS,
    unless: from.exceptions.UNLESS,
    maxUnless: from.exceptions.MAX_UNLESS,
    withoutExceptions: from.exceptions.WITHOUT_EXCEPTIONS,
    aliasesHeader: from.aliases.ALIASES_HEADER,
    range: from.ranges.RANGE.source,
    anyMark: from.anyParams.MARK,
    anySite: from.rule.ANY_SITE,
    domain: from.rule.DOMAIN,
    anyBytes: from.rule.ANY_BYTES,
    trust: {
      line: from.trust.TRUST.source,
      statement: from.trust.STATEMENT.source,
      shape: from.trust.SHAPE.source,
      script: from.types.SCRIPT.source,
    },
    skip: { line: from.skip.SKIP.source, reason: from.skip.SKIP_REASON.source },
    tests: TESTS,
    actions: ACTIONS,
    elements: ELEMENTS,
    marks: CLASSES,
    runs: Object.fromEntries(Object.entries(RUNS).map(([kind, run]) => [kind, run.source])),
    shortest: Object.fromEntries(ELEMENTS.map((kind) => [kind, shortestCapture({ kind })])),
    local: LOCAL,
    valuePattern: VALUE_PATTERN,
    whole: WHOLE,
    unlessTest: UNLESS,
    fact: FACT,
    bit: Object.fromEntries(Object.entries(BIT).map(([name, bit]) => [name, placeOfBit(bit)])),
  },
  specVersion: from.profile.SPEC_VERSION,
  unicodeVersion: from.unicode.UNICODE_VERSION,
};

/** Returns a value as it is. Throws for one that is missing, because its source does not export it: JSON would leave it out. */
function known(name, value) {
  if (value !== undefined) return value;
  throw new Error(`no source exports ${name}`);
}

const folder = new URL("../python/src/urlmill/_data/", import.meta.url);
mkdirSync(folder, { recursive: true });
writeFileSync(new URL("options.json", folder), `${JSON.stringify(data, known, 1)}\n`);
writeFileSync(new URL("../_option_types.py", folder), pythonOptionTypes(data.options, texts()));

/** Returns what each option does, in the words of Python. */
function texts() {
  const entries = from.entries.CATALOG.filter(({ option }) => option !== undefined);
  const names = new Set(entries.map(({ name }) => name));
  const inWords = ({ text }) =>
    text
      .replace(/`(\w+)\b/g, (whole, name) => (names.has(name) ? `\`${snake(name)}` : whole))
      .replace(/`true`/g, "`True`")
      .replace(/: "/g, ' = "');
  return {
    ...Object.fromEntries(entries.map(({ name, option }) => [snake(name), inWords(option)])),
    engine: 'Is `"auto"` or `"wasm"`, which are the same: Python has no other engine.',
  };
}
