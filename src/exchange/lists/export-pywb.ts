import { entryOf } from "../../base/tallies.ts";
import { writeCondition } from "../../site-rules/language/condition-text.ts";
import {
  ANY_BYTES,
  ANY_SITE,
  DOMAIN,
  hasAnyBytes,
  type Pattern,
  type Rule,
  type Unless,
} from "../../site-rules/rule.ts";
import type { InexpressibleRule } from "../inexpressible-rule.ts";
import {
  keyOfHost,
  keyText,
  LONE_MARK,
  type Substitution,
  writeKeyFilter,
  writeLookupRegex,
} from "./pywb-filter.ts";

/** What pywb takes for pages, not for files whose query it ignores: endings of paths. */
const PAGES = "asp aspx cfm cgi do exe dll htm html jsp php pl shtml xhtml".split(" ");

/** The most look-ups: each is compared with all before it. */
const MOST_LOOKUPS = 10_000;

/** Holds a file of rules of pywb, and the rules that it does not say. */
export interface ExportedList {
  readonly yaml: string;
  readonly ignored: readonly InexpressibleRule[];
}

/** Holds an entry of the file: a prefix of keys, the parameters that a look-up keeps, and prefixes that it leaves alone. */
interface Entry {
  readonly prefix: string;
  readonly names: readonly string[];
  readonly except: readonly string[];
}

/** Holds entries in the order of the file, and those of each prefix. */
interface Entries {
  readonly all: Entry[];
  readonly of: Map<string, Entry[]>;
}

/**
 * Writes rules as pywb's `rules.yaml`: `keep` becomes a look-up, `drop` and `dropif` a normalization of keys. pywb's keys have
 * no `www.` and are in lower case, so its rules are for all URLs of a key. Rules that it cannot say are in `ignored`.
 */
export function exportPywbRules(rules: readonly Rule[]): ExportedList {
  const entries: Entries = { all: [], of: new Map() };
  const filters = new Map<string, Substitution>();
  const ignored: InexpressibleRule[] = [];
  for (const rule of rules) {
    const reason = addRule(rule, entries, filters);
    if (reason !== null) ignored.push({ rule, reason });
  }
  return { yaml: yamlOf(entries.all, [...filters.values()]), ignored };
}

/** Adds what a rule is in pywb; returns the reason if it is nothing. */
function addRule(rule: Rule, entries: Entries, filters: Map<string, Substitution>): string | null {
  if (rule.except !== undefined) return "pywb cannot list its exceptions";
  switch (rule.action.type) {
    case "keep":
      return addLookup(rule, rule.action.params, entries);
    case "drop":
      return addFilters(rule, rule.action.params, null, filters);
    case "dropif":
      return addFilters(rule, [rule.action.param], rule.action.value, filters);
    default:
      return `${rule.action.type} is not one of keep, drop and dropif`;
  }
}

function addLookup(rule: Rule, params: readonly string[], entries: Entries): string | null {
  const { site, condition, unless = [] } = rule;
  if (entries.all.length >= MOST_LOOKUPS) return `there are more than ${MOST_LOOKUPS} look-ups`;
  const names = params.map((name) => (hasAnyBytes(name) ? null : keyText(name, "&=")));
  if (names.includes(null)) return "a name has what keys do not have";
  const asked = condition.params.map(({ name }) => name);
  const isAsked = condition.params.every(({ is }) => is === "present");
  if (!isAsked || [...asked].toSorted().join("&") !== [...params].toSorted().join("&")) {
    return "pywb looks up by the parameters that it keeps: the condition must ask for these alone";
  }
  const isBelow = unless.some((each) => isOwnHost(each, site));
  // Lines unless are for any port, and keys for one.
  const port = /:\d+$/.exec(site)?.[0] ?? "";
  const prefixes = prefixesOf(site, condition.path, isBelow);
  if (prefixes === null) return "pywb cannot say its site and path";
  const except = new Set<string>();
  const before = new Set<Entry>();
  for (const each of unless) {
    if (isOwnHost(each, site) || isEmptyValue(each, rule)) continue;
    const others = prefixesOf(each.site + port, each.condition.path, false);
    const tests = each.condition.params;
    if (others === null || tests.some(({ is }) => is !== "present")) return cannotLeave(each);
    const own = tests.map(({ name }) => keyText(name, "&=") ?? "");
    const found = others
      .flatMap((prefix) => entries.of.get(prefix) ?? [])
      .filter((entry) => isSame(entry.names, own));
    for (const entry of found) before.add(entry);
    if (found.length > 0) continue;
    if (own.length > 0) return cannotLeave(each);
    for (const prefix of others) except.add(prefix);
  }
  const added: Entry[] = [];
  for (const prefix of prefixes) {
    const entry = { prefix, names: names as string[], except: [...except] };
    const near = entries.all.filter(
      (each) => each.prefix.startsWith(prefix) || prefix.startsWith(each.prefix),
    );
    // pywb takes the first entry that fits, and our rules all apply.
    if (near.some((each) => isEqual(each, entry))) continue;
    if (near.some((each) => !before.has(each))) return "an earlier look-up may have its URLs";
    added.push(entry);
  }
  for (const entry of added) {
    entries.all.push(entry);
    entryOf(entries.of, entry.prefix, () => []).push(entry);
  }
  return null;
}

function cannotLeave({ site, condition }: Unless): string {
  return `pywb cannot leave alone ${site} ${writeCondition(condition)}`;
}

/** Returns whether a domain leaves its own host alone, and only the hosts below are meant. */
function isOwnHost({ site, condition: { path, params } }: Unless, domain: string): boolean {
  const host = domain.slice(DOMAIN.length);
  const isOwn = domain.startsWith(DOMAIN) && (site === host || site === `www.${host}`);
  return isOwn && path === null && params.length === 0;
}

/** Returns whether a rule leaves alone what has no value for one of its names: pywb asks for one. */
function isEmptyValue({ site, condition }: Unless, rule: Rule): boolean {
  const [test, ...others] = condition.params;
  return (
    site === rule.site.replace(/:\d+$/, "") &&
    others.length === 0 &&
    test?.is === "equal" &&
    test.value === "" &&
    rule.condition.params.some(({ name }) => name === test.name) &&
    writeCondition({ ...condition, params: [] }) ===
      writeCondition({ ...rule.condition, params: [] })
  );
}

function isEqual(a: Entry, b: Entry): boolean {
  return a.prefix === b.prefix && isSame(a.names, b.names) && isSame(a.except, b.except);
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.toSorted().join("&") === b.toSorted().join("&");
}

/** Returns prefixes of keys for a site and the beginning of a path; null if there are none. */
function prefixesOf(site: string, path: Pattern | null, isBelow: boolean): string[] | null {
  const start = startOf(path);
  const key = keyOfSite(site);
  if (key === null || start === null || start.isExact) return null;
  if (!site.startsWith(DOMAIN)) return [key + start.text];
  if (start.text !== "") return null;
  const below = `${key.slice(0, -")/".length)},`;
  return isBelow ? [below] : [key, below];
}

/** Returns what the keys of a site begin with, up to the path. */
function keyOfSite(site: string): string | null {
  if (site === ANY_SITE || (site.startsWith(DOMAIN) && site.includes(":"))) return null;
  return keyOfHost(site.replace(DOMAIN, ""));
}

/** Returns the text that paths begin with or are, in keys, without its first slash; null for other patterns. */
function startOf(path: Pattern | null): { text: string; isExact: boolean } | null {
  if (path === null) return { text: "", isExact: false };
  const [first, rest] = path;
  const isExact = path.length === 1;
  const isStart = path.length === 2 && rest?.kind === "rest" && rest.suffix === "";
  if (first?.kind !== "text" || (!isExact && !isStart)) return null;
  const text = keyText(first.text.slice(1), "?");
  return text === null ? null : { text: isExact ? text.replace(/\/+$/, "") : text, isExact };
}

function addFilters(
  { site, condition, unless = [] }: Rule,
  params: readonly string[],
  value: string | Pattern | null,
  filters: Map<string, Substitution>,
): string | null {
  if (unless.length > 0) return "pywb leaves no URL alone where it drops parameters";
  if (condition.params.length > 0) return "pywb drops parameters whatever others a URL has";
  const start = startOf(condition.path);
  const key = site === ANY_SITE ? null : keyOfSite(site);
  const isWhole = site === ANY_SITE && condition.path !== null;
  if (start === null || isWhole || (site !== ANY_SITE && key === null)) {
    return "pywb cannot say its site and path";
  }
  const values = value === null ? null : valueInKeys(value);
  const names = params.map(partsInKeys);
  if (values === undefined || names.includes(null))
    return "a name or value has what keys do not have";
  for (const nameParts of names as string[][]) {
    const { isExact, text } = start;
    const filter = writeKeyFilter({
      key: key === null ? null : key + text,
      isDomain: site.startsWith(DOMAIN),
      isExact,
      nameParts,
      value: values,
    });
    if (!filters.has(filter.match)) filters.set(filter.match, filter);
  }
  return null;
}

/** Returns the parts of a name between any bytes, as keys have them; null if they do not. */
function partsInKeys(name: string): string[] | null {
  const parts = name.split(ANY_BYTES).map((text) => keyText(text, "&="));
  return parts.includes(null) ? null : (parts as string[]);
}

/** Returns a value as keys have it; undefined if they do not. */
function valueInKeys(value: string | Pattern): string | Pattern | undefined {
  if (typeof value === "string") return keyText(value, "&") ?? undefined;
  const elements = value.map((element) => {
    const text = element.kind === "text" ? element.text : "suffix" in element ? element.suffix : "";
    const own = keyText(text, "&");
    if (own === null) return null;
    if (element.kind === "text") return { ...element, text: own };
    return "suffix" in element ? { ...element, suffix: own } : element;
  });
  return elements.includes(null) ? undefined : (elements as Pattern);
}

function yamlOf(entries: readonly Entry[], filters: readonly Substitution[]): string {
  const all = filters.length === 0 ? [] : [...filters, { match: LONE_MARK, replace: "" }];
  const lines = [
    "default_filters:",
    "    not_exts:",
    ...PAGES.map((each) => `        - ${each}`),
    "    mimes: []",
    `    url_normalize:${all.length === 0 ? " []" : ""}`,
    ...all.flatMap(({ match, replace }) => [
      `        - match: ${quoted(match)}`,
      `          replace: ${quoted(replace)}`,
    ]),
    `rules:${entries.length + all.length === 0 ? " []" : ""}`,
    ...entries.flatMap((entry) => [
      `    - url_prefix: ${quoted(entry.prefix)}`,
      ...lookupLines(entry),
    ]),
    // pywb normalizes keys in the entry for all of them alone.
    ...(all.length === 0
      ? []
      : ["    - url_prefix: ''", "      fuzzy_lookup:", "        match: '()'"]),
  ];
  return `${lines.join("\n")}\n`;
}

function lookupLines({ names, except }: Entry): string[] {
  if (except.length > 0) {
    return [`      fuzzy_lookup: ${quoted(writeLookupRegex(names, except))}`];
  }
  if (names.length === 0) return ["      fuzzy_lookup: '()'"];
  return ["      fuzzy_lookup:", ...names.map((name) => `          - ${quoted(name)}`)];
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
