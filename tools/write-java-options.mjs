// Writes what the compiler of options in Java takes from the sources to java/data/options.properties
// (java/src/main/java/io/github/urlmill/OptionCatalog.java).
import { writeFileSync } from "node:fs";
import { importSource } from "./import-source.mjs";

const {
  CHOICES,
  DEFAULT_MAX_LENGTH,
  FORMER_NAMES,
  KINDS,
  LARGEST_MAX_LENGTH,
  OPTION_VALUES,
  PRESETS,
} = await importSource("options/catalog.generated.ts");
const { OPTION_FLAGS } = await importSource("cli/flags/option-flags.ts");
const { flagForm } = await importSource("cli/flags/help-text.ts");
const { OPTION_NAMES } = await importSource("options/options.ts");
const { choiceBits, ENTRY, HEADER, KIND, LISTED, PLAN_VERSION, PROFILE, TABLE } =
  await importSource("plan/layout.ts");
const { DIRECTORY_INDEX } = await importSource("base/lists/directory-index.ts");
const { SESSION_PARAMS } = await importSource("base/lists/session-ids.ts");
const { TRACKING_PARAMS } = await importSource("base/lists/tracking-params.ts");
const chars = await importSource("url/chars.ts");

/** Java refuses the options of these kinds, and `accept`, which only rules and aliases need. It has one engine. */
const REFUSED_KINDS = ["pairs", "sites", "text"];
const kinds = Object.entries(KINDS).filter(([, [kind]]) => !REFUSED_KINDS.includes(kind));
const known = [...Object.keys(CHOICES), ...kinds.map(([name]) => name), "preset", "defaultScheme"];
const names = OPTION_NAMES.filter((name) => name !== "engine");
const refused = names.filter((name) => !known.includes(name));
const ofClass = (bits) =>
  Array.from({ length: 128 }, (_, code) => String.fromCharCode(code))
    .filter((_, code) => chars.hasClass(code, bits))
    .join("");

writeProperties({
  names,
  ...under("values", [...Object.entries(OPTION_VALUES), ...Object.entries(CHOICES)]),
  ...under(
    "kind",
    kinds.map(([name, [kind]]) => [name, kind]),
  ),
  ...under(
    "expects",
    kinds.map(([name, [, expects]]) => [name, expects]),
  ),
  ...under("formerly", Object.entries(FORMER_NAMES)),
  ...under(
    "flag",
    refused.map((name) => [name, flagOf(name)]),
  ),
  ...under(
    "preset",
    Object.entries(PRESETS).flatMap(([preset, set]) =>
      Object.entries(set).map(([name, value]) => [`${preset}.${name}`, value]),
    ),
  ),
  "maxLength.default": DEFAULT_MAX_LENGTH,
  "maxLength.largest": LARGEST_MAX_LENGTH,
  "list.session": SESSION_PARAMS.map(({ name }) => name),
  "list.tracking": TRACKING_PARAMS.map(({ name }) => name),
  "list.directoryIndex": DIRECTORY_INDEX,
  "bytes.unreserved": ofClass(chars.UNRESERVED),
  "bytes.path": ofClass(chars.PATH),
  "bytes.query": ofClass(chars.SPECIAL_QUERY),
  "plan.version": PLAN_VERSION,
  ...under(
    "bit",
    Object.keys(CHOICES).map((name, place) => [name, bitOf(place)]),
  ),
  ...under("header", Object.entries(HEADER)),
  ...under("profile", Object.entries(PROFILE)),
  ...under("table", Object.entries(TABLE)),
  ...under("entry", Object.entries(ENTRY)),
  ...under("entryKind", Object.entries(KIND)),
  ...under("listed", Object.entries(LISTED)),
});

/** Returns the lowest bit of a choice, counted from the beginning of a profile. */
function bitOf(place) {
  const [word, bit] = choiceBits(place);
  return 32 * word + bit;
}

/** Returns the flag of an option with what it takes, such as `--rules FILE`. */
function flagOf(name) {
  const flag = OPTION_FLAGS.get(name);
  return [flagForm(flag), ...(flag.choices ?? []).slice(0, 1)].join(" ");
}

/** Returns properties whose names begin with a prefix and a dot. */
function under(prefix, entries) {
  return Object.fromEntries(entries.map(([name, value]) => [`${prefix}.${name}`, value]));
}

/** Writes the file, which java.util.Properties reads. Lists have commas between their items. */
function writeProperties(record) {
  const escaped = (value) => String(value).replaceAll("\\", "\\\\");
  const lines = Object.entries(record).map(([name, value]) => `${name}=${escaped(value)}\n`);
  writeFileSync(new URL("../java/data/options.properties", import.meta.url), lines.join(""));
}
