import type { EngineChoice } from "../engine/engine.ts";
import { UrlmillError } from "../errors.ts";
import { DEFAULT_SCHEMES, type DefaultScheme } from "../plan/compiled-options.ts";
import { CHOICES, type Choices } from "../plan/profile.ts";
import { PRESET_NAMES, PRESETS, type PresetName } from "./presets.ts";

/** What can be set for one site, or for all (docs/spec.md 4). */
export interface SiteOptions extends Partial<Choices> {
  /** Where to begin: the values of this preset instead of those that stand above. */
  readonly preset?: PresetName;
  /**
   * `true` removes the names of the default list (index and default, html to do), a list its own names;
   * both without regard to ASCII case.
   */
  readonly directoryIndex?: "keep" | true | readonly string[];
  /** Only these parameters stay; patterns as in `dropParams`. */
  readonly keepParams?: readonly string[];
  /** These parameters go: `name`, `prefix*` or `*suffix`. `paramCase: "ignore"` compares names without ASCII case. */
  readonly dropParams?: readonly string[];
  /** A parameter goes where it has the value it has by default. */
  readonly defaultParams?: Readonly<Record<string, string>>;
}

export interface NormalizerOptions extends SiteOptions {
  /** Default: the environment variable `URLMILL_ENGINE`, else `auto`. */
  readonly engine?: EngineChoice;
  /** Longest URL in bytes, in and out; longer ones are `TOO_LONG`. Default 1 MiB, at most 64 MiB. */
  readonly maxLength?: number;
  /**
   * Scheme for input that names a host and no scheme: `example.com/x`, `//example.com/x`,
   * `example.com:8080/`. Default none: such input is `NO_SCHEME`.
   */
  readonly defaultScheme?: DefaultScheme;
  /** Schemes that pass; URLs of others are `SCHEME_NOT_ALLOWED`. */
  readonly schemes?: readonly string[];
  /**
   * Hosts or IP addresses, and the host to write instead; `*.example.org` is all hosts below that one.
   * The most specific pattern wins.
   */
  readonly hostAliases?: Readonly<Record<string, string>>;
  /**
   * Options for some hosts: `example.org` is that host, `*.example.org` that host and all below it.
   * The most specific pattern wins.
   */
  readonly sites?: Readonly<Record<string, SiteOptions>>;
  /**
   * The text of a file of rules for sites, learned or written. They come after all other options and
   * work on http and https URLs, until the result is in normal form under options and rules; a URL that
   * they never leave alone stays as it would be without them.
   */
  readonly rules?: string;
  /** The weakest evidence of a rule that is applied; rules with none are. Default `E3`. */
  readonly acceptRules?: AcceptedLevel;
}

/** Levels of evidence that can be asked for; weaker rules are proposals. */
export const ACCEPTED_LEVELS = ["E3", "E4", "E5"] as const;
export type AcceptedLevel = (typeof ACCEPTED_LEVELS)[number];

const ENGINES = ["auto", "wasm", "js"] as const;
const DEFAULT_MAX_LENGTH = 1 << 20;
export const LARGEST_MAX_LENGTH = 1 << 26;

const isText = (value: unknown): boolean => typeof value === "string";
const isList = (value: unknown): boolean => Array.isArray(value) && value.every(isText);
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Of each option that is not a plain choice: whether it can have a value, and what it expects. */
const SITE_CHECKS: Record<string, [(value: unknown) => boolean, string]> = {
  directoryIndex: [
    (value) => value === "keep" || value === true || isList(value),
    '"keep", true or a list of file names',
  ],
  keepParams: [isList, "a list of parameter names"],
  dropParams: [isList, "a list of parameter names"],
  defaultParams: [
    (value) => isRecord(value) && Object.values(value).every(isText),
    "an object of parameter names and values",
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
    "an object of hosts and hosts",
  ],
  sites: [
    (value) => isRecord(value) && Object.values(value).every(isRecord),
    "an object of host patterns and options",
  ],
  rules: [isText, "the text of a file of rules"],
};

const TOP_CHOICES: Record<string, readonly string[]> = {
  engine: ENGINES,
  defaultScheme: DEFAULT_SCHEMES,
  acceptRules: ACCEPTED_LEVELS,
};

/** The names of all options, as `--config` files and the API have them. */
export const OPTION_NAMES: readonly string[] = [
  "preset",
  ...Object.keys(TOP_CHOICES),
  ...Object.keys(CHECKS),
  ...Object.keys(CHOICES),
  ...Object.keys(SITE_CHECKS),
];

/** Options with the preset's values filled in, and defaults where nothing else could stand. */
export type ResolvedOptions = Omit<NormalizerOptions, "engine" | "maxLength" | "preset"> & {
  readonly engine: EngineChoice;
  readonly maxLength: number;
};

/** Fills in preset and defaults; throws `BAD_OPTION` naming the option and the value it cannot take. */
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

/** A site's options on top of those for all hosts, or of the preset the site names. */
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
  const environment = globalThis.process?.env?.["URLMILL_ENGINE"];
  if (environment === undefined || environment === "") return "auto";
  return oneOf("URLMILL_ENGINE", environment, ENGINES);
}

/** A name from outside must not find what every object inherits. */
function ownValue<T>(record: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

/** An option that is present and undefined counts as absent. */
function defined<T extends object>(options: T): T {
  return Object.fromEntries(
    Object.entries(options).filter(([, value]) => value !== undefined),
  ) as T;
}

function oneOf<T>(option: string, value: unknown, allowed: readonly T[]): T {
  const found = allowed.find((candidate) => candidate === value);
  if (found === undefined) throw badOption(option, value, allowed.join(", "));
  return found;
}

/** The one form of a complaint about a value. */
export function badOption(option: string, value: unknown, expected: string): UrlmillError {
  const shown =
    typeof value === "number" ? String(value) : (JSON.stringify(value) ?? String(value));
  return new UrlmillError(
    "BAD_OPTION",
    `option ${option} cannot be ${shown}: expected ${expected}`,
  );
}
