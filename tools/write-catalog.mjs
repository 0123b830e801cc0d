// Makes of the catalog of options what programs need of it: the types and tables of src/options/catalog.generated.ts, and the
// constants of the kernel, which also has the layout of plans and a list of domains, in assembly/catalog.generated.ts.
import { writeFileSync } from "node:fs";
import { importSource } from "./import-source.mjs";

const { CATALOG, MAX_LENGTH, PRESET_TEXTS, STAGE_NAMES } = await importSource("options/catalog.ts");
const layout = await importSource("plan/layout.ts");
const rules = await importSource("plan/rule-layout.ts");
const { FORM } = await importSource("plan/form.ts");
const { LONGEST_PATTERN } = await importSource("site-rules/rule.ts");
const { secondLevelsText } = await importSource("base/lists/second-levels.ts");

const HEAD = "// Written by tools/write-catalog.mjs from src/options/catalog.ts. Edit that file.\n";
const TYPES = {
  bytes: "number",
  names: "readonly string[]",
  fileNames: '"keep" | true | readonly string[]',
  pairs: "Readonly<Record<string, string>>",
  sites: "Readonly<Record<string, SiteOptions>>",
  text: "string",
  module: "WebAssembly.Module",
};

const options = CATALOG.filter(({ option }) => option !== undefined);
const steps = CATALOG.filter(({ step }) => step !== undefined);
const choices = options
  .filter(({ option }) => option.place !== undefined)
  .toSorted((a, b) => a.option.place - b.option.place);
const lists = options.filter(
  ({ option }) => Array.isArray(option.values) && !choices.some((c) => c.option === option),
);
const kinds = options.filter(({ option }) => typeof option.values === "string");
for (const [place, { name, option }] of choices.entries()) {
  if (option.place !== place)
    throw new Error(`option ${name} has place ${option.place}: ${place} is free`);
  if (option.values.length > 16) throw new Error(`option ${name} has more than 16 values`);
}
const PLACES = 2 * layout.CHOICE_BYTES;
if (choices.length > PLACES) throw new Error("a profile has no room for so many choices");

const json = JSON.stringify;
const stages = STAGE_NAMES.map((name) => ({
  name,
  steps: steps.filter((step) => step.stages?.includes(name)),
}));
for (const { name, option, stages } of steps) {
  const applies = option !== undefined && option.isForAll !== true;
  if (applies && stages === undefined) throw new Error(`option ${name} applies in no stage`);
}

const record = (entries, textOf) =>
  `{\n${entries.map((entry) => `  ${entry.name}: ${textOf(entry)},\n`).join("")}} as const`;
const named = (names) => json(names.map(({ name }) => name));

/** Returns a doc comment of paragraphs, in lines of 100 characters. */
function comment(paragraphs, indent) {
  const lines = paragraphs.map((text) => text.match(/\S.{0,98}(?= |$)|\S+/g));
  const all = lines.flatMap((paragraph, at) => (at === 0 ? paragraph : ["", ...paragraph]));
  return `${indent}/**\n${all.map((line) => `${indent} * ${line}`.trimEnd()).join("\n")}\n${indent} */\n`;
}

/** Returns which value an option has if nobody sets it, and in which presets it has another. */
function defaultOf({ option }) {
  if (option.default !== undefined) return option.default;
  const first = Array.isArray(option.values) ? json(option.values[0]) : '"keep"';
  const set = Object.entries(option.presets ?? {}).map(([name, value]) => [name, json(value)]);
  const others = [...new Set(set.map(([, value]) => value))].map((value, at) => {
    const names = set.filter(([, other]) => other === value).map(([name]) => `\`${name}\``);
    const list = new Intl.ListFormat("en-GB").format(names);
    return `${at === 0 ? ";" : ","} ${value} in preset${names.length > 1 ? "s" : ""} ${list}`;
  });
  return first + others.join("");
}

/** Returns the members of an interface, with their doc comments. */
function members(entries, isOptional) {
  return entries
    .map((entry) => {
      const { name, option } = entry;
      const values = Array.isArray(option.values)
        ? option.values.map(json).join(" | ")
        : TYPES[option.values];
      const doc = comment([option.text, `@default ${defaultOf(entry)}`], "  ");
      return `${doc}  readonly ${name}${isOptional ? "?" : ""}: ${option.typeName ?? values};\n`;
    })
    .join("");
}

const forSites = options.filter(({ option }) => option.isForAll !== true);
const PRESETS = Object.fromEntries(
  CATALOG[0].option.values.map((preset) => [
    preset,
    Object.fromEntries(
      options
        .filter(({ option }) => option.presets?.[preset] !== undefined)
        .map(({ name, option }) => [name, option.presets[preset]]),
    ),
  ]),
);

writeFileSync(
  new URL("../src/options/catalog.generated.ts", import.meta.url),
  `${HEAD}
/** Lists the values of each option that is a plain choice, in the order of their places in a plan, that of \`safe\` first. */
export const CHOICES = ${record(choices, ({ option }) => json(option.values))};

/** Names an option that is a plain choice. */
export type ChoiceName = keyof typeof CHOICES;

/** Holds a value for each option that is a plain choice. */
export interface Choices {
${members(choices, false)}}

/** Lists the values of each other option that takes one of a few. */
export const OPTION_VALUES = ${record(lists, ({ option }) => json(option.values))};
${lists.map(({ name, option }) => `/** Names a value of the option \`${name}\`. */\nexport type ${option.typeName} = (typeof OPTION_VALUES.${name})[number];\n`).join("")}
/** Names the kind of value that each option takes that is not one of a few, and says what it expects. */
export const KINDS = ${record(
    kinds.filter(({ option }) => option.expects !== undefined),
    ({ option }) => json([option.values, option.expects]),
  )};

/** Gives the \`maxLength\` of a normalizer that was not given one, in bytes. */
export const DEFAULT_MAX_LENGTH = ${MAX_LENGTH.DEFAULT};
/** Limits \`maxLength\`, in bytes. */
export const LARGEST_MAX_LENGTH = ${MAX_LENGTH.LARGEST};

/** Gives the options of names that options had. */
export const FORMER_NAMES: Readonly<Record<string, string>> = ${json(
    Object.fromEntries(
      options
        .filter(({ option }) => option.formerly !== undefined)
        .map(({ name, option }) => [option.formerly, name]),
    ),
  )};
/** Gives the values of names that values had, by option. */
export const FORMER_VALUES: Readonly<Record<string, Readonly<Record<string, string>>>> = ${json(
    Object.fromEntries(
      options
        .filter(({ option }) => option.formerValues !== undefined)
        .map(({ name, option }) => [name, option.formerValues]),
    ),
  )};

/** Lists the options that a site can have for itself. */
export const SITE_OPTIONS: readonly string[] = ${named(forSites)};

/** Lists what each preset sets; every other option is as in \`safe\` (\`urlmill help options\`). */
export const PRESETS = ${json(PRESETS, null, 2)} as const;

/** Lists the choices that change URLs without \`?\`, \`#\` and \`;\`. */
export const CHANGES_PLAIN = ${named(choices.filter(({ option }) => option.changes === "plain"))} as const;

/** Lists the names of all steps. The place of a name is the number of its bit. */
export const STEP_NAMES = ${named(steps)} as const;

/** Names a step of \`STEP_NAMES\`. */
export type StepName = (typeof STEP_NAMES)[number];

/** Says what each step does, for \`explain\`, \`--report\` and the table in docs/spec.md 3. */
export const STEP_TEXTS: Readonly<Record<StepName, string>> = ${record(steps, ({ step }) => json(step)).replace(" as const", "")};

/** Holds the options that can be set for one site or for all (\`urlmill help options\`). */
export interface SiteOptions extends Partial<Choices> {
${members(
  forSites.filter((entry) => !choices.includes(entry)),
  true,
)}}

/**
 * Holds the options of a normalizer. An option that is unknown or names what can never match is
 * \`BAD_OPTION\`.
 *
 * @example
 * import { createNormalizer } from "urlmill";
 * const n = createNormalizer({ www: "remove", sites: { "example.org": { dropParams: ["ref"] } } });
 * n.normalize("http://www.example.org/?ref=a&b"); // "http://example.org/?b"
 */
export interface NormalizerOptions extends SiteOptions {
${members(
  options.filter((entry) => !forSites.includes(entry)),
  true,
)}}
`,
);

/** What the command line and the JSON Schema need of an option: not the texts of documents. */
const described = options
  .filter(({ option }) => option.flag !== undefined)
  .map(
    ({
      name,
      step,
      option: { values, default: otherDefault, group, isForAll, flag, summary, formerly },
    }) => ({
      name,
      summary: summary ?? step,
      option: { values, default: otherDefault, group, isForAll, flag, formerly },
    }),
  );

writeFileSync(
  new URL("../src/options/described.generated.ts", import.meta.url),
  `${HEAD}import type { PresetName } from "./catalog.generated.ts";
import type { DescribedOption } from "./catalog.ts";

/** Says what each preset is for. */
export const PRESET_TEXTS: Readonly<Record<PresetName, string>> = ${json(PRESET_TEXTS, null, 1)};

/** Lists the options that the command line has as flags, and configuration files as members. */
export const DESCRIBED: readonly DescribedOption[] = ${json(described, null, 1)};
`,
);

const constant = (name) =>
  name
    .replaceAll(/(?<=[a-z])[A-Z]/g, "_$&")
    .replaceAll("-", "_")
    .toUpperCase();
writeFileSync(
  new URL("../src/options/stages.generated.ts", import.meta.url),
  `${HEAD}
/** Lists the steps of options by the stage in which they apply, in their order. */
export const STAGES = ${record(stages, ({ steps }) => named(steps))};
`,
);

const padded = [
  ...choices.map(({ option }) => option.values.length - 1),
  ...Array(PLACES).fill(0),
].slice(0, PLACES);
/** Returns whether a choice of a profile is one that fast paths must not pass, in AssemblyScript. */
const changing = (kind) =>
  choices
    .filter(({ option }) => option.changes === kind || option.changes?.[kind] !== undefined)
    .map(
      ({ name, option }) =>
        `choiceOf(profile, ${constant(name)}_CHOICE) >= ${option.changes[kind] ?? 1}`,
    )
    .join(" ||\n    ");
const domains = Buffer.from(secondLevelsText());
/** Returns constants of AssemblyScript. */
const constants = (numbers) =>
  Object.entries(numbers).map(
    ([name, number]) => `export const ${constant(name)}: u32 = ${number};\n`,
  );
/** Returns namespaces of constants. */
const namespaces = (groups) =>
  Object.entries(groups)
    .map(([name, numbers]) => `export namespace ${name} {\n${constants(numbers).join("")}}\n`)
    .join("");
const numbered = (names) => Object.fromEntries(names.map((name, number) => [name, number]));
/** Returns the places of fields in bytes, with the size of their part. */
const inBytes = (fields) =>
  Object.fromEntries(
    Object.entries(fields).map(([name, words]) => [name.replace("WORDS", "BYTES"), 4 * words]),
  );
const parts = Object.fromEntries(
  Object.entries({ ...layout, ...rules })
    .filter(([, part]) => part.WORDS !== undefined)
    .map(([name, part]) => [name, inBytes(part)]),
);
const { MASK_WORDS, MOST_DOMAINS, UNLESS, LOCAL, VALUE_PATTERN, WHOLE } = rules;

writeFileSync(
  new URL("../assembly/catalog.generated.ts", import.meta.url),
  `${HEAD}
/** The version of the layout of plans. */
export const PLAN_VERSION: u32 = ${layout.PLAN_VERSION};
export const LISTS_PLAN_VERSION: u32 = ${layout.LISTS_PLAN_VERSION};
export const ANY_PARAMS_PLAN_VERSION: u32 = ${layout.ANY_PARAMS_PLAN_VERSION};
export const UNWRAP_PLAN_VERSION: u32 = ${layout.UNWRAP_PLAN_VERSION};
export const LATEST_PLAN_VERSION: u32 = ${layout.LATEST_PLAN_VERSION};
/** The largest \`maxLength\`, in bytes. */
export const LARGEST_MAX_LENGTH: u32 = ${MAX_LENGTH.LARGEST};
/** How many schemes \`defaultScheme\` can name. */
export const DEFAULT_SCHEMES: u32 = ${options.find(({ name }) => name === "defaultScheme").option.values.length};

// The parts of a plan, as src/plan/layout.ts and src/plan/rule-layout.ts describe them: sizes and places in bytes.
${namespaces(parts)}
// Numbers in a plan.
${namespaces({
  KIND: layout.KIND,
  LISTED: layout.LISTED,
  FORM,
  FACT: rules.FACT,
  ACTION: numbered(rules.ACTIONS),
  TEST_KIND: { ...numbered(rules.TESTS), UNLESS },
  ELEMENT_KIND: numbered(rules.ELEMENTS),
})}${constants({ MASK_BYTES: 4 * MASK_WORDS, MOST_DOMAINS, LOCAL, VALUE_PATTERN, WHOLE, LONGEST_PATTERN }).join("")}
/** Bytes of a profile that hold choices, two each. */
export const CHOICE_BYTES: u32 = ${layout.CHOICE_BYTES};
/** The largest value of each choice, by its place; the last places are not used. */
export const LARGEST_CHOICES: usize = memory.data<u8>([${padded}]);

/** The list of src/base/lists/second-levels.ts: dots before top levels, spaces after all names. Then where it ends. */
export const SECOND_LEVELS: usize = memory.data<u8>([${[...domains]}]);
export const SECOND_LEVELS_END: usize = SECOND_LEVELS + ${domains.length};

// The places of choices in a profile.
${choices.map(({ name, option }) => `export const ${constant(name)}_CHOICE: usize = ${option.place};\n`).join("")}
/** Returns the choice of a place in a profile: the number of its value, 0 for the value of \`safe\`. */
export function choiceOf(profile: usize, place: usize): u32 {
  if (place < CHOICE_BYTES) return <u32>load<u8>(profile + place) & 15;
  return <u32>load<u8>(profile + place - CHOICE_BYTES) >> 4;
}

/** Returns whether choices change a URL without \`?\`, \`#\` and \`;\`. */
export function changesPlain(profile: usize): bool {
  return (
    ${changing("plain")}
  );
}

/** Returns whether choices change a query in normal form that is sorted and has no listed names or empty parameters. */
export function changesQueries(profile: usize): bool {
  return (
    ${changing("query")}
  );
}

// The bits of steps in \`reasons\`.
${steps.map(({ name }, bit) => `export const BY_${constant(name)}: u64 = ${bit};\n`).join("")}`,
);
