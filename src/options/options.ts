import { UrlmillError } from "../base/errors.ts";
import type { EngineChoice } from "../engine/engine.ts";
import { DEFAULT_SCHEMES, type DefaultScheme } from "../plan/compiled-options.ts";
import { LARGEST_MAX_LENGTH } from "../plan/layout.ts";
import { CHOICES, type Choices } from "../plan/profile.ts";
import { PRESET_NAMES, PRESETS, type PresetName } from "./presets.ts";

/** Holds the options that can be set for one site or for all (`urlmill help options`). */
export interface SiteOptions extends Partial<Choices> {
  /**
   * Names the preset whose values the other options begin with. For a site it replaces the options
   * for all hosts.
   *
   * @default "safe"; for a site, the options for all hosts
   */
  readonly preset?: PresetName;
  /**
   * Removes a file name that servers send for the folder it lies in. `true` takes the default list (`index`
   * and `default`, `.html` to `.do`); a list names the files itself. Names are compared without ASCII case.
   *
   * @default "keep"; true in preset `aggressive`
   */
  readonly directoryIndex?: "keep" | true | readonly string[];
  /**
   * Removes all query parameters but these. Patterns are as in `dropParams`.
   *
   * @default all parameters stay
   */
  readonly keepParams?: readonly string[];
  /**
   * Removes these query parameters: `name`, `prefix*` or `*suffix`. `paramCase: "ignore"` compares
   * names without ASCII case.
   *
   * @default none
   */
  readonly dropParams?: readonly string[];
  /**
   * Removes each of these query parameters if it has this value, which the page takes as its default.
   *
   * @default none
   */
  readonly defaultParams?: Readonly<Record<string, string>>;
}

/**
 * Holds the options of a normalizer. An option that is unknown or names what can never match is
 * `BAD_OPTION`.
 *
 * @example
 * import { createNormalizer } from "urlmill";
 * const n = createNormalizer({ www: "remove", sites: { "example.org": { dropParams: ["ref"] } } });
 * n.normalize("http://www.example.org/?ref=a&b"); // "http://example.org/?b"
 */
export interface NormalizerOptions extends SiteOptions {
  /**
   * Chooses the engine: `"wasm"`, `"js"`, or `"auto"` for WebAssembly if it works and JavaScript if
   * not. In a browser WebAssembly works after `loadKernel`.
   *
   * @default the environment variable `URLMILL_ENGINE`, else "auto"
   */
  readonly engine?: EngineChoice;
  /**
   * Gives the compiled kernel (`urlmill/kernel.wasm`) on platforms that do not let a program compile
   * WebAssembly, such as workers at the edge. Their bundlers compile the modules that a program imports. It
   * is not an option of configuration files.
   *
   * @default the kernel of the package, compiled with the first normalizer
   */
  readonly module?: WebAssembly.Module;
  /**
   * Limits the length of a URL in bytes, before and after normalizing; longer ones are `TOO_LONG`.
   * The most is 64 MiB, 67,108,864.
   *
   * @default 1048576
   */
  readonly maxLength?: number;
  /**
   * Names the scheme for input that has a host and no scheme: `example.com/x`, `//example.com/x`,
   * `example.com:8080/`. Without it such input is `NO_SCHEME`.
   *
   * @default none
   */
  readonly defaultScheme?: DefaultScheme;
  /**
   * Lists the schemes that pass; a URL of any other scheme is `SCHEME_NOT_ALLOWED`.
   *
   * @default all schemes pass; `["http", "https"]` in presets `crawl` and `aggressive`
   */
  readonly schemes?: readonly string[];
  /**
   * Maps hosts and IP addresses to the host to write instead. `*.example.org` names all hosts below that one.
   * The most specific pattern wins.
   *
   * @default none
   */
  readonly hostAliases?: Readonly<Record<string, string>>;
  /**
   * Sets options for some hosts. `example.org` names that host, `*.example.org` that host and all below it.
   * The most specific pattern wins.
   *
   * @default none
   */
  readonly sites?: Readonly<Record<string, SiteOptions>>;
  /**
   * Gives the text of a file of rules for sites, learned or written. Rules apply to http and https URLs after
   * all other options, until the result is in normal form under options and rules. A URL that rules would
   * change without end stays as it would be without them.
   *
   * @default none
   */
  readonly rules?: string;
  /**
   * Gives the text of a file of aliases: pairs of URLs of one site that have one page. They apply after `rules`.
   * A URL that they would change without end stays as rules leave it.
   *
   * @default none
   */
  readonly aliases?: string;
  /**
   * Sets the weakest evidence that a rule or an alias must have to be applied. Those without evidence are always
   * applied.
   *
   * @default "E3"
   */
  readonly acceptRules?: AcceptedLevel;
}

/**
 * Lists the levels of evidence that `acceptRules` can name; rules of a weaker level are proposals.
 */
export const ACCEPTED_LEVELS = ["E3", "E4", "E5"] as const;
/** Names a level of evidence that `acceptRules` can take. */
export type AcceptedLevel = (typeof ACCEPTED_LEVELS)[number];

/** Says why the name of Crawlee's keys is not a preset. */
const NO_PRESET =
  'cannot be "crawlee": Crawlee\'s keys are not normalized URLs. Make them with createUniqueKey or transformRequest of urlmill/crawlee, or with --output crawlee of the command line';

const ENGINES = ["auto", "wasm", "js"] as const;
/** Holds the `maxLength` of a normalizer that was not given one, in bytes. */
export const DEFAULT_MAX_LENGTH = 1 << 20;

const isText = (value: unknown): boolean => typeof value === "string";
const isList = (value: unknown): boolean => Array.isArray(value) && value.every(isText);
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * Holds, for each option that is not a plain choice, a check of its value and a text that says what it
 * expects.
 */
const SITE_CHECKS: Record<string, [(value: unknown) => boolean, string]> = {
  directoryIndex: [
    (value) => value === "keep" || value === true || isList(value),
    '"keep", true or a list of file names',
  ],
  keepParams: [isList, "a list of parameter names"],
  dropParams: [isList, "a list of parameter names"],
  defaultParams: [
    (value) => isRecord(value) && Object.values(value).every(isText),
    "an object that maps parameter names to values",
  ],
};

const CHECKS: typeof SITE_CHECKS = {
  maxLength: [
    (value) =>
      Number.isInteger(value) && (value as number) > 0 && (value as number) <= LARGEST_MAX_LENGTH,
    `a whole number from 1 to ${LARGEST_MAX_LENGTH}`,
  ],
  schemes: [isList, "a list of schemes"],
  hostAliases: [
    (value) => isRecord(value) && Object.values(value).every(isText),
    "an object that maps hosts to hosts",
  ],
  sites: [
    (value) => isRecord(value) && Object.values(value).every(isRecord),
    "an object that maps host patterns to options",
  ],
  rules: [isText, "the text of a file of rules"],
  aliases: [isText, "the text of a file of aliases"],
};

const TOP_CHOICES: Record<string, readonly string[]> = {
  engine: ENGINES,
  defaultScheme: DEFAULT_SCHEMES,
  acceptRules: ACCEPTED_LEVELS,
};

/** Lists the names of all options, as `--config` files and the API have them. */
export const OPTION_NAMES: readonly string[] = [
  "preset",
  ...Object.keys(TOP_CHOICES),
  ...Object.keys(CHECKS),
  ...Object.keys(CHOICES),
  ...Object.keys(SITE_CHECKS),
];

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
    if (name !== "preset" && !Object.hasOwn(CHOICES, name) && !Object.hasOwn(SITE_CHECKS, name)) {
      const known = OPTION_NAMES.includes(name);
      throw new UrlmillError(
        "BAD_OPTION",
        known
          ? `option sites: ${name} cannot be set for "${pattern}" alone`
          : `option sites: there is no option "${name}" ("${pattern}")`,
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
  const choices =
    name === "preset"
      ? PRESET_NAMES
      : (ownValue<readonly unknown[]>(CHOICES, name) ?? ownValue(TOP_CHOICES, name));
  if (choices !== undefined) {
    oneOf(prefix + name, value, choices);
    return;
  }
  const check = ownValue(SITE_CHECKS, name) ?? ownValue(CHECKS, name);
  if (check === undefined) throw new UrlmillError("BAD_OPTION", `there is no option "${name}"`);
  const [accepts, expected] = check;
  if (!accepts(value)) throw badOption(prefix + name, value, expected);
}

function resolveEngine(option: EngineChoice | undefined): EngineChoice {
  if (option !== undefined) return option;
  const environment = mayReadEngine() ? globalThis.process?.env?.["URLMILL_ENGINE"] : undefined;
  if (environment === undefined || environment === "") return "auto";
  return oneOf("URLMILL_ENGINE", environment, ENGINES);
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

function oneOf<T>(option: string, value: unknown, allowed: readonly T[]): T {
  const found = allowed.find((candidate) => candidate === value);
  if (found === undefined) throw badOption(option, value, allowed.join(", "));
  return found;
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

/** Returns a value as a message shows it. */
function shown(value: unknown): string {
  if (typeof value === "number" || typeof value === "bigint") return String(value);
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return `this ${typeof value}`; // it contains itself, or holds a bigint: JSON cannot write it
  }
}
