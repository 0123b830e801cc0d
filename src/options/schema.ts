import { PRESETS, type PresetName } from "./catalog.generated.ts";
import { CATALOG, type Entry, MAX_LENGTH, type OptionEntry, PRESET_TEXTS } from "./catalog.ts";

const TEXTS = { type: "array", items: { type: "string" } };
const TEXT_RECORD = { type: "object", additionalProperties: { type: "string" } };

/** Gives the schema of each kind of value. `sites`: what a site can have. */
const schemas = (sites: object): Readonly<Record<string, object>> => ({
  bytes: { type: "integer", minimum: 1, maximum: MAX_LENGTH.LARGEST },
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
  maxLength: MAX_LENGTH.DEFAULT,
  directoryIndex: "keep",
};

/**
 * Returns the JSON Schema (2020-12) of a configuration file: the options of `createNormalizer`. An
 * option's `description` says in a line what it does, its `default` is its value in preset `safe`, and
 * `$defs` holds what each preset is for and sets.
 */
export function configSchema(): object {
  const forSites = CATALOG.filter(({ option }) => option !== undefined && !option.isForAll);
  const siteOptions = Object.fromEntries(forSites.map((entry) => [entry.name, schemaOf(entry)]));
  const all = CATALOG.filter(({ option }) => option?.flag !== undefined);
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "urlmill configuration",
    type: "object",
    additionalProperties: false,
    properties: {
      $schema: { type: "string" },
      ...Object.fromEntries(
        all.map((entry) => [entry.name, { ...schemaOf(entry, siteOptions), ...defaultOf(entry) }]),
      ),
    },
    $defs: Object.fromEntries(
      Object.entries(PRESETS).map(([name, values]) => [
        name,
        { description: PRESET_TEXTS[name as PresetName], default: values },
      ]),
    ),
  };
}

function schemaOf({ step, option }: Entry, siteOptions: object = {}): object {
  const { values, summary } = option as OptionEntry;
  return {
    description: step ?? summary,
    ...(typeof values === "string" ? schemas(siteOptions)[values] : { enum: values }),
  };
}

/** Returns the value of preset `safe`, as far as the option has one: a site's begin with those for all hosts. */
function defaultOf({ name, option }: Entry): object {
  if (name in DEFAULTS) return { default: DEFAULTS[name] };
  const { values, default: other } = option as OptionEntry;
  return typeof values === "string" || other === "none" ? {} : { default: values[0] };
}
