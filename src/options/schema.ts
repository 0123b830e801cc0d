import { DEFAULT_SCHEMES } from "../plan/compiled-options.ts";
import { CHOICES } from "../plan/profile.ts";
import { ACCEPTED_LEVELS, LARGEST_MAX_LENGTH } from "./options.ts";
import { PRESET_NAMES } from "./presets.ts";

const TEXTS = { type: "array", items: { type: "string" } };
const TEXT_RECORD = { type: "object", additionalProperties: { type: "string" } };

/** Returns the JSON Schema (2020-12) of a configuration file: the options of `createNormalizer`. */
export function configSchema(): object {
  const siteOptions = {
    preset: { enum: PRESET_NAMES },
    ...Object.fromEntries(
      Object.entries(CHOICES).map(([name, values]) => [name, { enum: values }]),
    ),
    directoryIndex: { anyOf: [{ const: "keep" }, { const: true }, TEXTS] },
    keepParams: TEXTS,
    dropParams: TEXTS,
    defaultParams: TEXT_RECORD,
  };
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "urlmill configuration",
    type: "object",
    additionalProperties: false,
    properties: {
      $schema: { type: "string" },
      engine: { enum: ["auto", "wasm", "js"] },
      maxLength: { type: "integer", minimum: 1, maximum: LARGEST_MAX_LENGTH },
      defaultScheme: { enum: DEFAULT_SCHEMES },
      schemes: TEXTS,
      hostAliases: TEXT_RECORD,
      rules: { type: "string" },
      acceptRules: { enum: ACCEPTED_LEVELS },
      sites: {
        type: "object",
        additionalProperties: {
          type: "object",
          additionalProperties: false,
          properties: siteOptions,
        },
      },
      ...siteOptions,
    },
  };
}
