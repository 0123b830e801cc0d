// Writes what the Node package compiles options to, for the tests of Java: a JSON object a line, with the options, and their
// plan and profile id or the error. Usage: node write_option_plans.mjs COUNT SEED FILE
//
// Each preset is tried with each value of each choice and with lists of names, then COUNT random option sets. Options that
// Java refuses are left out.
import { writeFileSync } from "node:fs";
import { createNormalizer, UrlmillError } from "../../../../dist/index.js";
import { importSource } from "../../../../tools/import-source.mjs";

const { CHOICES, KINDS, OPTION_VALUES } = await importSource("options/catalog.generated.ts");
const { Random } = await importSource("../test/shared/random.ts");
const { randomOptions } = await importSource("../test/shared/random-options.ts");

const REFUSED = ["hostAliases", "sites", "defaultParams", "rules", "pageAliases"];
const NAMES = [
  ...["ref", "s_*", "*_id", "*", "**", "*a*", "", "a=b", "a&b", "a%3Db", "a%26b", "a*b", "A", "É*"],
  ...["%7e", "%zz", "%", "%4", "%c3%a9", "a b", "a#b", "a'b", 'a"b', "a\\b", "\ud800", "\u{1f600}"],
  ...[
    "utm_source",
    "jsessionid",
    "a".repeat(40),
    `${"b".repeat(40)}*`,
    `*${"c".repeat(33)}`,
    "a,b",
  ],
];
const FILES = ["index.html", "INDEX.html", "a/b", "%2e", "..", "", "a*", "*a", "é", "%2F", "a?b"];
const SCHEMES = [
  [],
  ["http"],
  ["HTTPS", "http", "http"],
  ["git+ssh"],
  ["1a"],
  ["http:"],
  [""],
  ["é"],
];
const LENGTHS = [1, 2048, 67_108_864, 67_108_865, 0, -1, 1.5, 999_999_999_999];

const [count, seed] = process.argv.slice(2, 4).map(Number);
const random = new Random(seed);
const several = (from, share) => from.filter(() => random.chance(share));
const good = NAMES.filter((name) => name !== "*" && "plan" in answer({ dropParams: [name] }));
const some = () => (random.chance(3) ? several(NAMES, 8) : several(good, 3));

const sets = OPTION_VALUES.preset.flatMap((preset) => [{ preset }, ...single(preset)]);
for (let set = 0; set < count; set++) {
  const { preset = "crawl", ...options } = randomOptions(random);
  for (const name of REFUSED) delete options[name];
  if (random.chance(3)) options.dropParams = some();
  if (random.chance(4)) options.keepParams = some();
  if (random.chance(6)) options.directoryIndex = several(FILES, 4);
  if (random.chance(6)) options.allowedSchemes = random.pick(SCHEMES);
  sets.push({ preset, ...options });
}
const lines = sets.map((options) => `${JSON.stringify({ options, ...answer(options) })}\n`);
writeFileSync(process.argv[4], lines.join(""));

/** Returns a set of options for each value of each option, and for values that it cannot have. */
function single(preset) {
  const choices = { ...CHOICES, defaultScheme: OPTION_VALUES.defaultScheme };
  const others = {
    maxLength: LENGTHS,
    allowedSchemes: SCHEMES,
    directoryIndex: ["keep", true, false, [], FILES, ...FILES.map((name) => [name])],
    keepParams: [[], ...NAMES.map((name) => [name])],
    dropParams: [[], ...NAMES.map((name) => [name, "x"])],
  };
  const untested = Object.keys(KINDS).filter(
    (name) => !REFUSED.includes(name) && !(name in others),
  );
  if (untested.length > 0) throw new Error(`no values to try of ${untested.join(", ")}`);
  return [
    ...Object.entries(choices).map(([name, values]) => [name, [...values, "kep", "Remove", 7]]),
    ...Object.entries(others),
  ].flatMap(([name, values]) => values.map((value) => ({ preset, [name]: value })));
}

function answer(options) {
  try {
    // The JavaScript engine starts no kernel.
    const { plan, profileId } = createNormalizer({ ...options, engine: "js" });
    return { plan: Buffer.from(plan).toString("base64"), profileId };
  } catch (error) {
    if (error instanceof UrlmillError) return { code: error.code, message: error.message };
    throw error;
  }
}
