import type { RuleName } from "../engine/reasons.ts";
import { DEFAULT_SCHEMES } from "../plan/compiled-options.ts";
import { LARGEST_MAX_LENGTH } from "../plan/layout.ts";
import { CHOICES } from "../plan/profile.ts";
import { ACCEPTED_LEVELS, DEFAULT_MAX_LENGTH } from "./options.ts";
import { PRESET_NAMES, PRESETS, type PresetName } from "./presets.ts";

const TEXTS = { type: "array", items: { type: "string" } };
const TEXT_RECORD = { type: "object", additionalProperties: { type: "string" } };

/** What options do that no rule has the name of. */
const OTHER_TEXTS = {
  preset: "names the values that the other options begin with",
  engine: "chooses what runs the rules; the results are the same",
  maxLength: "limits the length of a URL in bytes; longer ones are errors",
  schemes: "lists the schemes that pass; URLs of others are errors",
  acceptRules: "sets the weakest evidence of a rule or an alias that is applied",
  sites: "sets options for some hosts",
  wwwDigits: "takes www and one to three digits for www, if www is removed",
  paramCase: "compares names of parameters without ASCII case",
} as const;

/** What presets are for. */
const PRESET_TEXTS: Readonly<Record<PresetName, string>> = {
  safe: "joins only URLs that the standards call equal",
  crawl: "also removes trackers, session ids and fragments, and sorts the query",
  c14n: "writes queries and slashes in one way, and keeps fragments and trackers",
  aggressive: "also joins http with https, www.a with a, /x/ with /x; may join different pages",
};

/**
 * Returns the JSON Schema (2020-12) of a configuration file: the options of `createNormalizer`. An
 * option's `description` says in a line what it does, its `default` is its value in preset `safe`, and
 * `$defs` holds what each preset is for and sets. `ruleTexts` says what each rule does.
 */
export function configSchema(ruleTexts: Readonly<Record<RuleName, string>>): object {
  const described = (properties: Readonly<Record<string, object>>) =>
    Object.fromEntries(
      Object.entries(properties).map(([name, schema]) => [
        name,
        { description: { ...ruleTexts, ...OTHER_TEXTS }[name], ...schema },
      ]),
    );
  const siteOptions = described({
    preset: { enum: PRESET_NAMES },
    ...Object.fromEntries(
      Object.entries(CHOICES).map(([name, values]) => [name, { enum: values }]),
    ),
    directoryIndex: { anyOf: [{ const: "keep" }, { const: true }, TEXTS] },
    keepParams: TEXTS,
    dropParams: TEXTS,
    defaultParams: TEXT_RECORD,
  });
  const options = {
    ...described({
      engine: { enum: ["auto", "wasm", "js"] },
      maxLength: { type: "integer", minimum: 1, maximum: LARGEST_MAX_LENGTH },
      defaultScheme: { enum: DEFAULT_SCHEMES },
      schemes: TEXTS,
      hostAliases: TEXT_RECORD,
      rules: { type: "string" },
      aliases: { type: "string" },
      acceptRules: { enum: ACCEPTED_LEVELS },
      sites: {
        type: "object",
        additionalProperties: {
          type: "object",
          additionalProperties: false,
          properties: siteOptions,
        },
      },
    }),
    ...siteOptions,
  };
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "urlmill configuration",
    type: "object",
    additionalProperties: false,
    properties: { $schema: { type: "string" }, ...withDefaults(options) },
    $defs: Object.fromEntries(
      Object.entries(PRESETS).map(([name, values]) => [
        name,
        { description: PRESET_TEXTS[name as PresetName], default: values },
      ]),
    ),
  };
}

/** Adds the values of preset `safe`, as far as an option has one: a site's begin with those for all hosts. */
function withDefaults(options: Readonly<Record<string, object>>): Record<string, object> {
  const defaults: Record<string, unknown> = {
    preset: "safe",
    engine: "auto",
    maxLength: DEFAULT_MAX_LENGTH,
    acceptRules: ACCEPTED_LEVELS[0],
    directoryIndex: "keep",
    ...Object.fromEntries(Object.entries(CHOICES).map(([name, [first]]) => [name, first])),
  };
  return Object.fromEntries(
    Object.entries(options).map(([name, schema]) => [
      name,
      name in defaults ? { ...schema, default: defaults[name] } : schema,
    ]),
  );
}
