import schema from "urlmill/config.schema.json" with { type: "json" };

/** Describes an option as config.schema.json does. */
export interface OptionSchema {
  readonly description?: string;
  readonly default?: unknown;
  readonly type?: string;
  readonly enum?: readonly (string | boolean)[];
  readonly anyOf?: readonly object[];
  readonly minimum?: number;
  readonly maximum?: number;
}

/** Holds options by name; what is left out is as in the preset. */
export type Options = Readonly<Record<string, unknown>>;

/** Holds the schema of each option, in the schema's order. */
export const OPTIONS: Readonly<Record<string, OptionSchema>> = Object.fromEntries(
  Object.entries(schema.properties as Record<string, OptionSchema>).filter(
    ([name]) => name !== "$schema",
  ),
);

const PRESETS = schema.$defs as Readonly<Record<string, { description: string; default: Options }>>;

/** Returns the value of an option in a preset; undefined if the preset does not set it. */
export function presetValue(preset: string, name: string): unknown {
  return PRESETS[preset]?.default[name] ?? OPTIONS[name]?.default;
}

/** Says in a line what a preset does. */
export function presetText(preset: string): string {
  return PRESETS[preset]?.description ?? "";
}

/**
 * Returns the text of a value, for a field or a link. A list has commas, and so have pairs, as
 * `name=value`. Any other value is JSON, and so is an empty list.
 */
export function textOfValue(value: unknown, option: OptionSchema): string {
  if (value === undefined) return "";
  if (Array.isArray(value) && value.length > 0 && value.every(isListed)) return value.join(", ");
  if (isPairs(option)) {
    const pairs = Object.entries(value as Record<string, string>);
    if (pairs.every((pair) => pair.every(isListed) && !pair[0].includes("="))) {
      return pairs.map((pair) => pair.join("=")).join(", ");
    }
  }
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Returns the value that a text stands for; undefined for no text. Throws an `Error` that says what to write. */
export function valueOfText(text: string, name: string): unknown {
  const option = Object.hasOwn(OPTIONS, name) ? OPTIONS[name] : undefined;
  if (option === undefined) throw new Error(`There is no option ${name}.`);
  const trimmed = text.trim();
  if (trimmed === "") return undefined;
  const choice = option.enum?.find((value) => String(value) === trimmed);
  if (choice !== undefined) return choice;
  if (option.enum !== undefined) {
    throw new Error(`Option ${name} cannot be ${trimmed}: expected ${option.enum.join(", ")}.`);
  }
  if (/^[[{]/.test(trimmed)) return parsed(trimmed, name);
  if (option.anyOf !== undefined && (trimmed === "keep" || trimmed === "true")) {
    return trimmed === "keep" ? trimmed : true;
  }
  if (option.type === "array" || option.anyOf !== undefined) return listOf(trimmed);
  if (option.type === "integer") return Number(trimmed);
  if (isPairs(option)) return pairsOf(trimmed, name);
  return option.type === "object" ? parsed(trimmed, name) : text;
}

/** Says whether an option maps texts to texts. */
export function isPairs(option: OptionSchema): boolean {
  const { additionalProperties } = option as { additionalProperties?: { type?: string } };
  return option.type === "object" && additionalProperties?.type === "string";
}

function isListed(value: unknown): boolean {
  return typeof value === "string" && /^[^,\s[{]+$/.test(value);
}

function listOf(text: string): string[] {
  return text.split(/[\s,]+/).filter((item) => item !== "");
}

function pairsOf(text: string, name: string): Options {
  return Object.fromEntries(
    listOf(text).map((item) => {
      const equals = item.indexOf("=");
      if (equals < 0) throw new Error(`Option ${name}: write name=value, with commas between.`);
      return [item.slice(0, equals), item.slice(equals + 1)];
    }),
  );
}

function parsed(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`Option ${name} is not JSON: ${(error as Error).message}`);
  }
}
