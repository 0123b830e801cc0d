import { UrlmillError } from "../base/errors.ts";
import { optionSuggestion, suggestion } from "../base/nearest.ts";
import {
  CHOICES,
  DEFAULT_MAX_LENGTH,
  type EngineChoice,
  FORMER_NAMES,
  FORMER_VALUES,
  KINDS,
  LARGEST_MAX_LENGTH,
  type NormalizerOptions,
  OPTION_VALUES,
  PRESETS,
  SITE_OPTIONS,
  type SiteOptions,
} from "./catalog.generated.ts";

/** Says why the name of Crawlee's keys is not a preset. */
const NO_PRESET =
  'cannot be "crawlee": Crawlee\'s keys are not normalized URLs. urlmill/crawlee makes them, and --form crawlee of the command line';

const isText = (value: unknown): boolean => typeof value === "string";
// `every` alone skips the holes of an array.
const isList = (value: unknown): boolean => Array.isArray(value) && [...value].every(isText);
// The entries of a map would be lost.
const isRecord = (value: unknown): value is Record<string, unknown> => tagOf(value) === "Object";

/** Checks the values of options that do not take one of a few. */
const ACCEPTS: Readonly<Record<string, (value: unknown) => boolean>> = {
  bytes: (value) =>
    Number.isInteger(value) && (value as number) > 0 && (value as number) <= LARGEST_MAX_LENGTH,
  names: isList,
  fileNames: (value) => value === "keep" || value === true || isList(value),
  pairs: (value) => isRecord(value) && Object.values(value).every(isText),
  sites: (value) => isRecord(value) && Object.values(value).every(isRecord),
  text: isText,
};

/** Lists the names of all options, as `--config` files and the API have them. */
export const OPTION_NAMES: readonly string[] = [OPTION_VALUES, KINDS, CHOICES].flatMap(
  (options: object) => Object.keys(options),
);

/**
 * Holds options with the values of the preset filled in, and with the defaults of `engine` and `maxLength`.
 */
export type ResolvedOptions = Omit<NormalizerOptions, "engine" | "maxLength" | "preset"> & {
  readonly engine: EngineChoice;
  readonly maxLength: number;
};

/**
 * Fills in preset and defaults. Throws `BAD_OPTION`, and names the option and the value that it cannot take.
 */
export function resolveOptions(options: NormalizerOptions = {}): ResolvedOptions {
  for (const [name, value] of Object.entries(options)) checkOption(name, value, "");
  const { preset, ...own } = defined(options);
  return {
    ...PRESETS[preset ?? "safe"],
    ...own,
    engine: resolveEngine(options.engine),
    maxLength: options.maxLength ?? DEFAULT_MAX_LENGTH,
  };
}

/** Returns the options of a site, added to those for all hosts or to the preset that the site names. */
export function resolveSite(
  pattern: string,
  options: SiteOptions,
  above: SiteOptions,
): SiteOptions {
  for (const [name, value] of Object.entries(options)) {
    if (!SITE_OPTIONS.includes(name)) {
      const known = OPTION_NAMES.includes(name);
      throw new UrlmillError(
        "BAD_OPTION",
        known
          ? `option sites: ${name} cannot be set for "${pattern}" alone`
          : `option sites: there is no option "${name}" ("${pattern}")${hintFor(name, SITE_OPTIONS)}`,
      );
    }
    checkOption(name, value, `sites["${pattern}"].`);
  }
  const { preset, ...own } = defined(options);
  return { ...(preset === undefined ? above : PRESETS[preset]), ...own };
}

function checkOption(name: string, value: unknown, prefix: string): void {
  if (value === undefined) return;
  if (name === "preset" && value === "crawlee") {
    throw new UrlmillError("BAD_OPTION", `option ${prefix}preset ${NO_PRESET}`);
  }
  const formerly =
    typeof value === "string" ? ownValue(FORMER_VALUES[name] ?? {}, value) : undefined;
  if (formerly !== undefined) throw badOption(prefix + name, value, `its new name, "${formerly}"`);
  const values = ownValue<readonly unknown[]>(CHOICES, name) ?? ownValue(OPTION_VALUES, name);
  if (values !== undefined) {
    oneOf(prefix + name, value, values);
    return;
  }
  checkNames([name], OPTION_NAMES);
  const [kind, expects] = KINDS[name as keyof typeof KINDS];
  if (!ACCEPTS[kind]?.(value)) throw badOption(prefix + name, value, expects);
}

/** Throws `BAD_OPTION` for a name that is neither an option of a normalizer nor one of `own`. */
export function checkOptionNames(options: object, own: readonly string[]): void {
  checkNames(Object.keys(options), [...own, ...OPTION_NAMES]);
}

/** Throws `BAD_OPTION` if one of the names of options is not one of `known`. */
export function checkNames(names: readonly string[], known: readonly string[]): void {
  const unknown = names.find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw new UrlmillError("BAD_OPTION", `there is no option "${unknown}"${hintFor(unknown, known)}`);
}

/** Returns a hint for a name that an option had, or that is near to one. */
function hintFor(name: string, known: readonly string[]): string {
  const now = ownValue(FORMER_NAMES, name);
  return now === undefined ? optionSuggestion(name, known) : `; it is ${now} now`;
}

function resolveEngine(option: EngineChoice | undefined): EngineChoice {
  if (option !== undefined) return option;
  const environment = mayReadEngine() ? globalThis.process?.env?.["URLMILL_ENGINE"] : undefined;
  if (environment === undefined || environment === "") return "auto";
  return oneOf("URLMILL_ENGINE", environment, OPTION_VALUES.engine);
}

/**
 * Returns whether the program may read `URLMILL_ENGINE`. Without permission, Deno throws or asks the user.
 */
function mayReadEngine(): boolean {
  const { Deno } = globalThis as { Deno?: { permissions: DenoPermissions } };
  if (Deno === undefined) return true;
  const wanted = { name: "env", variable: "URLMILL_ENGINE" };
  return Deno.permissions.querySync(wanted).state === "granted";
}

/** The part of `Deno.permissions` that is used. */
interface DenoPermissions {
  querySync(wanted: { name: string; variable: string }): { state: string };
}

/** Returns an own property: a name from the caller must not find what every object inherits. */
function ownValue<T>(record: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

/** Returns options without those that are undefined, which count as absent. */
export function defined<T extends object>(options: T): T {
  return Object.fromEntries(
    Object.entries(options).filter(([, value]) => value !== undefined),
  ) as T;
}

/** Returns a value that is one of a few. Throws `BAD_OPTION` for another. */
export function oneOf<T>(option: string, value: unknown, allowed: readonly T[]): T {
  const found = allowed.find((candidate) => candidate === value);
  if (found === undefined)
    throw badOption(option, value, allowed.join(", ") + hint(value, allowed));
  return found;
}

/** Returns a hint for a text that is near to one of a few values. */
function hint(value: unknown, allowed: readonly unknown[]): string {
  const texts = allowed.filter((each) => typeof each === "string");
  return typeof value === "string" ? suggestion(value, texts) : "";
}

/** Returns the kind of a value, such as `Array`, `Null` or `Object`, for objects of any realm. */
export function tagOf(value: unknown): string {
  return Object.prototype.toString.call(value).slice(8, -1);
}

/**
 * Throws `BAD_OPTION` for options that are not a plain object: those in a string, a list or a map would be
 * lost. `example`: what such an object looks like.
 */
export function checkOptionsObject(options: unknown, example: string): void {
  if (tagOf(options) === "Object") return;
  throw new UrlmillError(
    "BAD_OPTION",
    `options cannot be ${tagOf(options)}: give an object such as ${example}`,
  );
}

/** Makes the error for a value that an option cannot take. */
export function badOption(option: string, value: unknown, expected: string): UrlmillError {
  return new UrlmillError(
    "BAD_OPTION",
    `option ${option} cannot be ${shown(value)}: expected ${expected}`,
  );
}

/** Returns how a message names an object that JSON writes as {}, such as a map; null for any other value. */
function nameOf(value: unknown): string | null {
  const isPlain = typeof value !== "object" || ["Array", "Null", "Object"].includes(tagOf(value));
  return isPlain ? null : `this ${tagOf(value)}`;
}

/** Returns a value as a message shows it. */
function shown(value: unknown): string {
  if (typeof value === "number" || typeof value === "bigint") return String(value);
  const named = nameOf(value);
  if (named !== null) return named;
  try {
    return JSON.stringify(value, (_, each) => nameOf(each) ?? each) ?? String(value);
  } catch {
    return `this ${typeof value}`; // it contains itself, or holds a bigint: JSON cannot write it
  }
}
