import { DEFAULT_MAX_LENGTH, LARGEST_MAX_LENGTH, PRESETS } from "./catalog.generated.ts";
import type { DescribedOption } from "./catalog.ts";
import { DESCRIBED, PRESET_TEXTS } from "./described.generated.ts";

const TEXTS = { type: "array", items: { type: "string" } };
const TEXT_RECORD = { type: "object", additionalProperties: { type: "string" } };

/** Gives the schema of each kind of value. `sites`: what a site can have. */
const schemas = (sites: object): Readonly<Record<string, object>> => ({
  bytes: { type: "integer", minimum: 1, maximum: LARGEST_MAX_LENGTH },
  names: TEXTS,
  fileNames: { anyOf: [{ const: "keep" }, { const: true }, TEXTS] },
  pairs: TEXT_RECORD,
  text: { type: "string" },
  sites: {
    type: "object",
    additionalProperties: { type: "object", additionalProperties: false, properties: sites },
  },
});

/** Gives the defaults that are not the first value of an option. */
const DEFAULTS: Readonly<Record<string, unknown>> = {
  maxLength: DEFAULT_MAX_LENGTH,
  directoryIndex: "keep",
};

/**
 * Returns the JSON Schema (2020-12) of a configuration file: the options of `createNormalizer`. An
 * option's `description` says in a line what it does, its `default` is its value in preset `safe`, and
 * `$defs` holds what each preset is for and sets.
 */
export function configSchema(): object {
  const forSites = DESCRIBED.filter(({ option }) => option.isForAll !== true);
  const siteOptions = Object.fromEntries(forSites.map((entry) => [entry.name, schemaOf(entry)]));
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "urlmill configuration",
    type: "object",
    additionalProperties: false,
    properties: {
      $schema: { type: "string" },
      ...Object.fromEntries(
        DESCRIBED.map((entry) => [
          entry.name,
          { ...schemaOf(entry, siteOptions), ...defaultOf(entry) },
        ]),
      ),
    },
    $defs: Object.fromEntries(
      Object.entries(PRESETS).map(([name, values]) => [
        name,
        { description: PRESET_TEXTS[name as keyof typeof PRESETS], default: values },
      ]),
    ),
  };
}

function schemaOf({ summary, option }: DescribedOption, siteOptions: object = {}): object {
  const { values } = option;
  return {
    description: summary,
    ...(typeof values === "string" ? schemas(siteOptions)[values] : { enum: values }),
  };
}

/** Returns the value of preset `safe`, as far as the option has one: a site's begin with those for all hosts. */
function defaultOf({ name, option }: DescribedOption): object {
  if (name in DEFAULTS) return { default: DEFAULTS[name] };
  const { values, default: other } = option;
  return typeof values === "string" || other === "none" ? {} : { default: values[0] };
}
