import { DIRECTORY_INDEX } from "../lists/directory-index.ts";
import type { Alias, CompiledOptions, Site } from "../plan/compiled-options.ts";
import { encodePlan } from "../plan/encode.ts";
import { byName } from "../plan/plan-writer.ts";
import { CHOICES, type ChoiceName, type Choices, type Profile } from "../plan/profile.ts";
import { javascript } from "../platform/current.ts";
import { aliasesBySite, type PageAlias } from "../site-rules/aliases/page-alias.ts";
import { isAccepted, type Rule } from "../site-rules/rule.ts";
import { checkSlashRules } from "./check-slash-rules.ts";
import {
  type AcceptedLevel,
  badOption,
  type ResolvedOptions,
  resolveSite,
  type SiteOptions,
} from "./options.ts";

/** Returns the plan of resolved options. Throws `BAD_OPTION` and `BAD_RULES`. */
export function planOf(options: ResolvedOptions): Uint8Array {
  const compiled = compileOptions(options);
  const encode = (pageAliases: CompiledOptions["pageAliases"]) =>
    encodePlan({ ...compiled, pageAliases }, () => javascript().writeSiteRules);
  const plan = encode(new Map());
  if (compiled.pageAliases.size === 0) return plan;
  return encode(javascript().restAliases(compiled.pageAliases, plan));
}

/**
 * Compiles options: writes every name as normalizing writes it. Throws `BAD_OPTION` for an option that could
 * never match, or would keep the result from being a fixpoint. Throws `BAD_RULES` for a text that is
 * not a file of rules, or of aliases.
 */
export function compileOptions(options: ResolvedOptions): CompiledOptions {
  const once = compileOnce();
  const rules: CompiledOptions = {
    maxLength: options.maxLength,
    defaultScheme: options.defaultScheme ?? "",
    schemes: options.schemes?.map(compileScheme) ?? null,
    hostAliases: compileAliases(options.hostAliases ?? {}),
    profile: compileProfile(options, "", once),
    sites: Object.entries(options.sites ?? {}).map(([pattern, site]) =>
      compileSite(pattern, site, options, once),
    ),
    siteRules:
      options.rules === undefined
        ? new Map()
        : compileSiteRules(options.rules, options.acceptRules ?? "E3"),
    pageAliases:
      options.aliases === undefined
        ? new Map()
        : compilePageAliases(options.aliases, options.acceptRules ?? "E3"),
  };
  checkSchemes(rules);
  checkPatterns(rules.sites);
  checkSlashRules(rules);
  if (rules.hostAliases.length + rules.sites.length > 0) javascript().checkHostOptions(rules);
  return rules;
}

/** Returns rules by site. Leaves out rules whose evidence is weaker than `accepted`: they are proposals. */
function compileSiteRules(text: string, accepted: AcceptedLevel): Map<string, Rule[]> {
  const bySite = new Map<string, Rule[]>();
  for (const rule of javascript().parseRules(text)) {
    if (!isAccepted(rule.evidence?.level ?? null, accepted)) continue;
    const rules = bySite.get(rule.site);
    if (rules === undefined) bySite.set(rule.site, [rule]);
    else rules.push(rule);
  }
  return bySite;
}

/** Returns aliases by site, without those whose evidence is weaker than `accepted`. */
function compilePageAliases(text: string, accepted: AcceptedLevel): Map<string, PageAlias[]> {
  const aliases = javascript().parseAliases(text);
  return aliasesBySite(aliases.filter(({ level }) => isAccepted(level, accepted)));
}

function compileScheme(scheme: string): string {
  if (!/^[a-z][a-z0-9+.-]*$/i.test(scheme)) {
    throw badOption("schemes", scheme, 'schemes such as "http", without a colon');
  }
  return scheme.toLowerCase();
}

/** Throws for a scheme that options write and `schemes` refuses: the result could not be normalized again. */
function checkSchemes({ schemes, profile, sites }: CompiledOptions): void {
  for (const { scheme } of [profile, ...sites.map((site) => site.profile)]) {
    if (scheme !== "keep" && schemes !== null && !schemes.includes(scheme)) {
      throw badOption(
        "scheme",
        scheme,
        `one that the option schemes allows: ${schemes.join(", ")}`,
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

function compileAliases(aliases: Readonly<Record<string, string>>): Alias[] {
  const compiled = new Map<string, Alias>();
  for (const [from, to] of Object.entries(aliases)) {
    const below = from.startsWith("*.");
    const host = compileHost("hostAliases", below ? from.slice(2) : from, from);
    if (below && (host.startsWith("[") || javascript().endsInNumber(host))) {
      throw badOption("hostAliases", from, "a domain after *.: no host is below an IP address");
    }
    const target = compileHost("hostAliases", to);
    const pattern = below ? `*.${host}` : host;
    const other = compiled.get(pattern)?.target;
    if (other !== undefined && other !== target) {
      throw badOption("hostAliases", from, `one target, not ${other} and ${target}`);
    }
    compiled.set(pattern, { host, below, target });
  }
  return [...compiled.values()];
}

/** Returns a host as normalizing writes it; an IPv6 address may lack its brackets. */
function compileHost(option: string, host: string, shown = host): string {
  const written = javascript().normalHost(host);
  if (written === null) throw badOption(option, shown, "a host name or an IP address");
  return written;
}

function compileSite(
  pattern: string,
  options: SiteOptions,
  above: ResolvedOptions,
  once: Once,
): Site {
  const subdomains = pattern.startsWith("*.");
  const name = subdomains ? pattern.slice(2) : pattern;
  if (name.includes("*")) {
    throw badOption("sites", pattern, 'a host, or "*." and a domain: it can never match');
  }
  const profile = compileProfile(
    resolveSite(pattern, options, above),
    `sites["${pattern}"].`,
    once,
  );
  return { host: compileHost("sites", name), subdomains, profile };
}

function compileProfile(options: SiteOptions, prefix: string, once: Once): Profile {
  const choices = Object.fromEntries(
    (Object.keys(CHOICES) as ChoiceName[]).map((name) => [name, options[name] ?? CHOICES[name][0]]),
  ) as unknown as Choices;
  // If the query is written in lower case, names and values are compared in lower case.
  const isLower = choices.case === "lower-path-query";
  const isFolded = isLower || choices.paramCase === "ignore";
  const fold: Fold = {
    name: (text) => (isFolded ? text.toLowerCase() : text),
    value: (text) => (isLower ? javascript().lowerCase(text) : text),
  };
  const list = <T extends object, R>(
    option: "directoryIndex" | "keepParams" | "dropParams" | "defaultParams",
    value: T,
    compile: (value: T, option: string, fold: Fold) => R,
  ) => once(`${option} ${isFolded} ${isLower}`, value, () => compile(value, prefix + option, fold));
  const { directoryIndex, keepParams, dropParams, defaultParams } = options;
  return {
    ...choices,
    paramCase: isFolded ? "ignore" : "keep",
    directoryIndex:
      directoryIndex === undefined || directoryIndex === "keep"
        ? NO_NAMES
        : directoryIndex === true
          ? DIRECTORY_INDEX
          : list("directoryIndex", directoryIndex, compileFileNames),
    keepParams: keepParams === undefined ? null : list("keepParams", keepParams, compilePatterns),
    dropParams:
      dropParams === undefined ? NO_NAMES : list("dropParams", dropParams, compilePatterns),
    defaultParams:
      defaultParams === undefined ? {} : list("defaultParams", defaultParams, compileDefaults),
  };
}

const NO_NAMES: readonly string[] = [];

/** Turns names and values into the form in which they are compared: as they are, or in lower case. */
interface Fold {
  readonly name: (text: string) => string;
  readonly value: (text: string) => string;
}

/**
 * Compiles a list that many sites share once. Lists that compile to the same names are the very same object after it,
 * so that the plan depends on what the lists hold, not on which arrays hold it.
 */
type Once = <R>(option: string, source: object, compile: () => R) => R;

function compileOnce(): Once {
  const compiled = new Map<string, Map<object | string, unknown>>();
  return <R>(option: string, source: object, compile: () => R): R => {
    const known = compiled.get(option) ?? new Map<object | string, unknown>();
    compiled.set(option, known);
    if (!known.has(source)) {
      const written = compile();
      const content = JSON.stringify(written);
      if (!known.has(content)) known.set(content, written);
      known.set(source, known.get(content));
    }
    return known.get(source) as R;
  };
}

/** Names, `prefix*` and `*suffix`, each once and sorted. */
function compilePatterns(names: readonly string[], option: string, fold: Fold): readonly string[] {
  const patterns = names.map((name) => {
    const [before, after] = [name.startsWith("*") ? "*" : "", name.endsWith("*") ? "*" : ""];
    if (before !== "" && after !== "" && name.length > 1) {
      throw badOption(option, name, "names with * at their beginning or at their end, not at both");
    }
    const text = name.slice(before.length, name.length - after.length);
    return before + fold.name(compileParamName(option, text, name)) + after;
  });
  return sortedOnce(patterns);
}

function sortedOnce(names: readonly string[]): readonly string[] {
  return [...new Set(names)].toSorted();
}

function compileDefaults(
  defaults: Readonly<Record<string, string>>,
  option: string,
  fold: Fold,
): Readonly<Record<string, string>> {
  const compiled = new Map<string, string>();
  for (const [given, text] of Object.entries(defaults)) {
    const name = fold.name(compileParamName(option, given));
    const value = fold.value(compileParamValue(option, text));
    const other = compiled.get(name);
    if (other !== undefined && other !== value) {
      throw badOption(option, given, `one value, not ${other} and ${value}`);
    }
    compiled.set(name, value);
  }
  return Object.fromEntries([...compiled].toSorted(byName));
}

/** File names, compared without ASCII case, each once and sorted. */
function compileFileNames(names: readonly string[], option: string): readonly string[] {
  const files = names.map((name) => {
    const written = javascript().writtenInPath(name);
    if (written === "" || written.includes("/") || written === "." || written === "..") {
      throw badOption(option, name, "file names, which are one path segment each");
    }
    return written.toLowerCase();
  });
  return sortedOnce(files);
}

/** Returns a parameter name as it is written in a query. */
function compileParamName(option: string, name: string, shown = name): string {
  if (name === "") throw badOption(option, shown, "parameter names that are not empty");
  const written = compileParamValue(option, name);
  if (written.includes("=")) {
    throw badOption(option, shown, "names without =: write it as %3D, or it can never match");
  }
  return written;
}

function compileParamValue(option: string, value: string): string {
  const written = javascript().writtenInQuery(value);
  if (written.includes("&")) {
    throw badOption(option, value, "no &: write it as %26, or it can never match");
  }
  return written;
}
