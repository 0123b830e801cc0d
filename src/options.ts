import { UrlmillError } from "./errors.ts";
import { DEFAULT_SCHEMES, type DefaultScheme } from "./plan.ts";

/** Which engine to run: `auto` is WebAssembly where it works, else JavaScript. */
export type EngineChoice = "auto" | "wasm" | "js";

export interface NormalizerOptions {
  /** Named set of rules. `safe` joins only URLs the standards call equivalent. Default `safe`. */
  readonly preset?: "safe";
  /** Default: the environment variable `URLMILL_ENGINE`, else `auto`. */
  readonly engine?: EngineChoice;
  /** Longest URL in bytes, in and out; longer ones are `TOO_LONG`. Default 1 MiB, at most 64 MiB. */
  readonly maxLength?: number;
  /**
   * Scheme for input that names a host and no scheme: `example.com/x`, `//example.com/x`,
   * `example.com:8080/`. Default none: such input is `NO_SCHEME`.
   */
  readonly defaultScheme?: DefaultScheme;
}

export interface ResolvedOptions {
  readonly preset: "safe";
  readonly engine: EngineChoice;
  readonly maxLength: number;
  readonly defaultScheme: DefaultScheme | "";
}

const DEFAULT_MAX_LENGTH = 1 << 20;
const LARGEST_MAX_LENGTH = 1 << 26;
const ENGINES = ["auto", "wasm", "js"] as const;

/** Fills in the defaults; throws `BAD_OPTION` naming the option and the value it cannot take. */
export function resolveOptions(options: NormalizerOptions = {}): ResolvedOptions {
  const known = new Set(["preset", "engine", "maxLength", "defaultScheme"]);
  for (const name of Object.keys(options)) {
    if (!known.has(name)) {
      throw new UrlmillError("BAD_OPTION", `there is no option "${name}"`);
    }
  }
  const maxLength = options.maxLength ?? DEFAULT_MAX_LENGTH;
  if (!Number.isInteger(maxLength) || maxLength < 1 || maxLength > LARGEST_MAX_LENGTH) {
    throw badOption("maxLength", maxLength, `a whole number from 1 to ${LARGEST_MAX_LENGTH}`);
  }
  return {
    preset: oneOf("preset", options.preset ?? "safe", ["safe"]),
    engine: resolveEngine(options.engine),
    maxLength,
    defaultScheme:
      options.defaultScheme === undefined
        ? ""
        : oneOf("defaultScheme", options.defaultScheme, DEFAULT_SCHEMES),
  };
}

function resolveEngine(option: EngineChoice | undefined): EngineChoice {
  if (option !== undefined) return oneOf("engine", option, ENGINES);
  const environment = globalThis.process?.env?.["URLMILL_ENGINE"];
  if (environment === undefined || environment === "") return "auto";
  return oneOf("URLMILL_ENGINE", environment, ENGINES);
}

function oneOf<T extends string>(option: string, value: string, allowed: readonly T[]): T {
  const found = allowed.find((candidate) => candidate === value);
  if (found === undefined) throw badOption(option, value, allowed.join(", "));
  return found;
}

function badOption(option: string, value: unknown, expected: string): UrlmillError {
  const shown = typeof value === "string" ? JSON.stringify(value) : String(value);
  return new UrlmillError(
    "BAD_OPTION",
    `option ${option} cannot be ${shown}: expected ${expected}`,
  );
}
