import { DIRECTORY_INDEX } from "../base/lists/directory-index.ts";
import {
  type AcceptedLevel,
  CHOICES,
  type ChoiceName,
  type Choices,
  type SiteOptions,
} from "../options/catalog.generated.ts";
import type { Alias, CompiledOptions, Profile, Site } from "../options/compiled-options.ts";
import { badOption, type ResolvedOptions, resolveSite } from "../options/options.ts";
import { encodePlan } from "../plan/encode/encode.ts";
import type { writeSiteRules } from "../plan/encode/encode-rules.ts";
import { byName } from "../plan/encode/plan-writer.ts";
import type { PageAlias, parseAliases } from "../site-rules/aliases/alias-file.ts";
import { bySite } from "../site-rules/by-site.ts";
import type { parseRules } from "../site-rules/language/rule-file.ts";
import { isAccepted, type Rule } from "../site-rules/rule.ts";
import type { lowerCase } from "../url/bytes.ts";
import type { endsInNumber } from "../url/host/ipv4.ts";
import type { normalHost, writtenInPath, writtenInQuery } from "../url/written.ts";
import { checkByteOrder } from "./byte-order.ts";
import type { checkHostOptions } from "./check-host-options.ts";
import { checkSlashRules } from "./check-slash-rules.ts";
import type { normalizeAliases } from "./normalize-aliases.ts";

/** Holds the functions that read names, hosts and rules. Platforms load them when they are first needed. */
export interface Grammar {
  readonly checkHostOptions: typeof checkHostOptions;
  readonly endsInNumber: typeof endsInNumber;
  readonly lowerCase: typeof lowerCase;
  readonly normalHost: typeof normalHost;
  readonly normalizeAliases: typeof normalizeAliases;
  readonly parseAliases: typeof parseAliases;
  readonly parseRules: typeof parseRules;
  readonly writeSiteRules: typeof writeSiteRules;
  readonly writtenInPath: typeof writtenInPath;
  readonly writtenInQuery: typeof writtenInQuery;
}

/**
 * Returns the plan of resolved options. Throws `BAD_OPTION` and `BAD_RULES`, and `ENGINE_UNAVAILABLE` as `checkByteOrder` does.
 */
export function planOf(options: ResolvedOptions, grammar: () => Grammar): Uint8Array {
  checkByteOrder();
  return encodePlan(compileOptions(options, grammar), grammar);
}

/**
 * Compiles options: writes every name as normalizing writes it. Throws `BAD_OPTION` for an option that could
 * never match, or would keep the result from being a fixpoint. Throws `BAD_RULES` for a text that is
 * not a file of rules, or of aliases.
 */
export function compileOptions(options: ResolvedOptions, grammar: () => Grammar): CompiledOptions {
  const compiled = new Compiler(grammar).compile(options);
  checkSchemes(compiled);
  checkPatterns(compiled.sites);
  checkSlashRules(compiled);
  if (compiled.hostAliases.length + compiled.sites.length > 0) grammar().checkHostOptions(compiled);
  return compiled;
}

class Compiler {
  readonly #grammar: () => Grammar;
  /** The lists that were compiled, by option and by source or content. */
  readonly #lists = new Map<string, Map<object | string, unknown>>();

  constructor(grammar: () => Grammar) {
    this.#grammar = grammar;
  }

  compile(options: ResolvedOptions): CompiledOptions {
    const { rules, pageAliases, accept = "fetched" } = options;
    return {
      maxLength: options.maxLength,
      defaultScheme: options.defaultScheme ?? "",
      schemes: options.allowedSchemes?.map(compileScheme) ?? null,
      hostAliases: this.#compileHostAliases(options.hostAliases ?? {}),
      profile: this.#compileProfile(options, ""),
      sites: Object.entries(options.sites ?? {}).map(([pattern, site]) =>
        this.#compileSite(pattern, site, options),
      ),
      siteRules: rules === undefined ? new Map() : this.#compileSiteRules(rules, accept),
      pageAliases:
        pageAliases === undefined ? new Map() : this.#compilePageAliases(pageAliases, accept),
    };
  }

  /** Returns rules by site. Leaves out rules whose evidence is weaker than `accepted`: they are proposals. */
  #compileSiteRules(text: string, accepted: AcceptedLevel): Map<string, Rule[]> {
    const rules = this.#grammar().parseRules(text);
    return bySite(rules.filter(({ evidence }) => isAccepted(evidence?.level ?? null, accepted)));
  }

  /** Returns aliases by site, without those whose evidence is weaker than `accepted`. */
  #compilePageAliases(text: string, accepted: AcceptedLevel): Map<string, PageAlias[]> {
    const aliases = this.#grammar().parseAliases(text);
    return bySite(aliases.filter(({ level }) => isAccepted(level, accepted)));
  }

  #compileHostAliases(aliases: Readonly<Record<string, string>>): Alias[] {
    const compiled = new Map<string, Alias>();
    for (const [from, to] of Object.entries(aliases)) {
      if (from.endsWith(".*")) {
        const label = this.#compileLabel(from, to);
        compiled.set(`${label.host}.*`, label);
        continue;
      }
      const below = from.startsWith("*.");
      const host = this.#compileHost("hostAliases", below ? from.slice(2) : from, from);
      if (below && (host.startsWith("[") || this.#grammar().endsInNumber(host))) {
        throw badOption("hostAliases", from, "a domain after *.: no host is below an IP address");
      }
      const target = this.#compileHost("hostAliases", to);
      const pattern = below ? `*.${host}` : host;
      const other = compiled.get(pattern)?.target;
      if (other !== undefined && other !== target) {
        throw badOption("hostAliases", from, `one target, not ${other} and ${target}`);
      }
      compiled.set(pattern, { host, below, isLabel: false, target });
    }
    return [...compiled.values()];
  }

  #compileLabel(from: string, to: string): Alias {
    const host = this.#compileHost("hostAliases", from.slice(0, -2), from);
    if (/[.[]/.test(host) || this.#grammar().endsInNumber(host))
      throw badOption("hostAliases", from, "one label before .*, such as m.*");
    if (to !== "*")
      throw badOption("hostAliases", to, `"*" as what ${from} becomes: the label goes`);
    return { host, below: false, isLabel: true, target: to };
  }

  /** Returns a host as normalizing writes it; an IPv6 address may lack its brackets. */
  #compileHost(option: string, host: string, shown = host): string {
    const written = this.#grammar().normalHost(host);
    if (written === null) throw badOption(option, shown, "a host name or an IP address");
    return written;
  }

  #compileSite(pattern: string, options: SiteOptions, above: ResolvedOptions): Site {
    const subdomains = pattern.startsWith("*.");
    const name = subdomains ? pattern.slice(2) : pattern;
    if (name.includes("*")) {
      throw badOption("sites", pattern, 'a host, or "*." and a domain: it can never match');
    }
    const profile = this.#compileProfile(
      resolveSite(pattern, options, above),
      `sites["${pattern}"].`,
    );
    return { host: this.#compileHost("sites", name), subdomains, profile };
  }

  #compileProfile(options: SiteOptions, prefix: string): Profile {
    const choices = Object.fromEntries(
      (Object.keys(CHOICES) as ChoiceName[]).map((name) => [
        name,
        options[name] ?? CHOICES[name][0],
      ]),
    ) as unknown as Choices;
    // If the query is written in lower case, names and values are compared in lower case.
    const isLower = choices.case === "lower-path-query";
    const isFolded = isLower || choices.paramCase === "ignore";
    const fold: Fold = {
      name: (text) => (isFolded ? text.toLowerCase() : text),
      value: (text) => (isLower ? this.#grammar().lowerCase(text) : text),
    };
    const { directoryIndex, dropParams, defaultParams } = options;
    const keepParams = this.#keptParams(options, prefix);
    const list = <T extends object, R>(name: string, value: T, compile: (option: string) => R): R =>
      this.#once(`${name} ${isFolded} ${isLower}`, value, () => compile(prefix + name));
    const patterns = (name: string, names: readonly string[]) =>
      list(name, names, (option) => this.#compilePatterns(names, option, fold));
    return {
      ...choices,
      paramCase: isFolded ? "ignore" : "keep",
      directoryIndex:
        directoryIndex === undefined || directoryIndex === "keep"
          ? NO_NAMES
          : directoryIndex === true
            ? DIRECTORY_INDEX
            : list("directoryIndex", directoryIndex, (option) =>
                this.#compileFileNames(directoryIndex, option),
              ),
      keepParams: keepParams === undefined ? null : patterns("keepParams", keepParams),
      dropParams:
        dropParams === undefined || dropParams.includes(ANY_NAME)
          ? NO_NAMES
          : patterns("dropParams", dropParams),
      defaultParams:
        defaultParams === undefined
          ? {}
          : list("defaultParams", defaultParams, (option) =>
              this.#compileDefaults(defaultParams, option, fold),
            ),
    };
  }

  /** Returns `keepParams`, which is empty if `dropParams` names all parameters. */
  #keptParams({ keepParams, dropParams }: SiteOptions, prefix: string) {
    if (dropParams?.includes(ANY_NAME) !== true) return keepParams;
    if (keepParams === undefined) return NO_NAMES;
    throw badOption(`${prefix}dropParams`, ANY_NAME, `no ${KEEP} beside it`);
  }

  /**
   * Compiles a list that many sites share once. Lists that compile to the same names are the very same object after
   * it, so that the plan depends on what the lists hold, not on which arrays hold it.
   */
  #once<R>(option: string, source: object, compile: () => R): R {
    const known = this.#lists.get(option) ?? new Map<object | string, unknown>();
    this.#lists.set(option, known);
    if (!known.has(source)) {
      const written = compile();
      const content = JSON.stringify(written);
      if (!known.has(content)) known.set(content, written);
      known.set(source, known.get(content));
    }
    return known.get(source) as R;
  }

  /** Names, `prefix*` and `*suffix`, each once and sorted. */
  #compilePatterns(names: readonly string[], option: string, fold: Fold): readonly string[] {
    const patterns = names.map((name) => {
      const [before, after] = [name.startsWith("*") ? "*" : "", name.endsWith("*") ? "*" : ""];
      if (before !== "" && after !== "" && name.length > 1) {
        throw badOption(
          option,
          name,
          "names with * at their beginning or at their end, not at both",
        );
      }
      const text = name.slice(before.length, name.length - after.length);
      return before + fold.name(this.#compileParamName(option, text, name)) + after;
    });
    return sortedOnce(patterns);
  }

  #compileDefaults(
    defaults: Readonly<Record<string, string>>,
    option: string,
    fold: Fold,
  ): Readonly<Record<string, string>> {
    const compiled = new Map<string, string>();
    for (const [given, text] of Object.entries(defaults)) {
      const name = fold.name(this.#compileParamName(option, given));
      const value = fold.value(this.#compileParamValue(option, text));
      const other = compiled.get(name);
      if (other !== undefined && other !== value) {
        throw badOption(option, given, `one value, not ${other} and ${value}`);
      }
      compiled.set(name, value);
    }
    return Object.fromEntries([...compiled].toSorted(byName));
  }

  /** File names, compared without ASCII case, each once and sorted. */
  #compileFileNames(names: readonly string[], option: string): readonly string[] {
    const files = names.map((name) => {
      const written = this.#grammar().writtenInPath(name);
      if (written === "" || written.includes("/") || written === "." || written === "..") {
        throw badOption(option, name, "file names, which are one path segment each");
      }
      return written.toLowerCase();
    });
    return sortedOnce(files);
  }

  /** Returns a parameter name as it is written in a query. */
  #compileParamName(option: string, name: string, shown = name): string {
    if (name === "") {
      throw badOption(
        option,
        shown,
        `parameter names that are not empty; * in ${DROP} removes all parameters`,
      );
    }
    const written = this.#compileParamValue(option, name);
    if (written.includes("=")) {
      throw badOption(option, shown, "names without =: write it as %3D, or it can never match");
    }
    return written;
  }

  #compileParamValue(option: string, value: string): string {
    const written = this.#grammar().writtenInQuery(value);
    if (written.includes("&")) {
      throw badOption(option, value, "no &: write it as %26, or it can never match");
    }
    return written;
  }
}

const NO_NAMES: readonly string[] = [];

/** Names all parameters, in `dropParams`. */
const ANY_NAME = "*";

/** Turns names and values into the form in which they are compared: as they are, or in lower case. */
interface Fold {
  readonly name: (text: string) => string;
  readonly value: (text: string) => string;
}

function sortedOnce(names: readonly string[]): readonly string[] {
  return [...new Set(names)].toSorted();
}

function compileScheme(scheme: string): string {
  if (!/^[a-z][a-z0-9+.-]*$/i.test(scheme)) {
    throw badOption("allowedSchemes", scheme, 'schemes such as "http", without a colon');
  }
  return scheme.toLowerCase();
}

/** Options that a message names. Python has other names for them. */
const ALLOWED = "allowedSchemes";
const KEEP = "keepParams";
const DROP = "dropParams";

/** Throws for a scheme that options write and `allowedSchemes` refuses: the result could not be normalized again. */
function checkSchemes({ schemes, profile, sites }: CompiledOptions): void {
  for (const { scheme } of [profile, ...sites.map((site) => site.profile)]) {
    if (scheme !== "keep" && schemes !== null && !schemes.includes(scheme)) {
      throw badOption(
        "scheme",
        scheme,
        `one that the option ${ALLOWED} allows: ${schemes.join(", ")}`,
      );
    }
  }
}

function checkPatterns(sites: readonly Site[]): void {
  const seen = new Set<string>();
  for (const { host, subdomains } of sites) {
    const pattern = subdomains ? `*.${host}` : host;
    if (seen.has(pattern))
      throw badOption("sites", pattern, "one set of options for each pattern, not two");
    seen.add(pattern);
  }
}
