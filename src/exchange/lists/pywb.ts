import { expandRegex, LONGEST } from "./expand-regex.ts";
import { otherForm } from "./json-list.ts";
import {
  EVERYWHERE,
  hasCase,
  type ListDraft,
  literalName,
  nameText,
  type Place,
  shortened,
  siteOf,
  TOO_MANY_STEPS,
} from "./list-draft.ts";
import { type KeyFilter, LONE_MARK, readKeyFilter, readLookupRegex } from "./pywb-filter.ts";

/** Says why a rule may have URLs that pywb's entry does not have. */
const OTHERS_WITH_CASE = "what it leaves alone is compared with case: no rule can compare without";

/** An entry of the file: its prefixes, and the lines of `fuzzy_lookup` without their indent. */
interface Entry {
  readonly line: number;
  readonly prefixes: readonly string[];
  readonly fuzzy: string[];
}

/** An expression of `url_normalize`, and what it writes in place of a match. */
interface Normalizer {
  readonly line: number;
  readonly match: string;
  replace: string;
}

/** Says what a look-up does: it keeps these parameters, or it ignores numbers in them. */
interface Lookup {
  readonly type: "keep" | "busters";
  readonly names: readonly string[];
  /** Holds prefixes of keys that it leaves alone. */
  readonly except?: readonly string[];
}

/** Holds an entry that comes before others: pywb takes the first that fits. */
interface Earlier {
  readonly prefix: string;
  /** Holds the parameters that URLs need, for the entry to fit; null if that cannot be said. */
  readonly names: readonly string[] | null;
}

/** Reads the rules of pywb (`rules.yaml`): which parameters a look-up keeps, and values that it ignores. */
export function readPywb(text: string, draft: ListDraft): void {
  const { entries, normalizers } = partsOf(text);
  const isEmpty = /^rules: *\[\]\s*$/m.test(text);
  if (entries.length + normalizers.length === 0 && !isEmpty) throw otherForm("pywb: url_prefix");
  for (const normalizer of normalizers) readNormalizer(normalizer, draft);
  const earlier: Earlier[] = [];
  for (const { line, prefixes, fuzzy } of entries) {
    const shown = shortened(prefixes.map((prefix) => prefix || '""').join(", "));
    if (fuzzy.length === 0) {
      draft.leave(line, shown, "it changes pages, and no URL");
      continue;
    }
    const lookup = lookupOf(fuzzy);
    if (lookup?.type === "keep" && lookup.names.some((name) => /[A-Z]/.test(name))) {
      draft.leave(line, shown, "it never applies: pywb's keys are in lower case");
      continue;
    }
    if (lookup === null) draft.leave(line, shown, "no rule can say its pattern");
    else for (const prefix of prefixes) readLookup(line, prefix, lookup, earlier, draft);
    const names = lookup?.type === "keep" ? lookup.names : null;
    for (const prefix of prefixes) earlier.push({ prefix, names });
  }
}

function readLookup(
  line: number,
  prefix: string,
  lookup: Lookup,
  earlier: readonly Earlier[],
  draft: ListDraft,
): void {
  if (prefix === "" && lookup.type === "busters") {
    for (const name of lookup.names) draft.dropIf(line, name, "<N>", [EVERYWHERE]);
    return;
  }
  if (!draft.spend(earlier.length + lookup.names.length + (lookup.except ?? []).length)) {
    draft.leave(line, prefix, TOO_MANY_STEPS);
    return;
  }
  const found = placesOf(prefix);
  const before = unlessOf(prefix, earlier);
  const except = (lookup.except ?? []).map((each) => placesOf(each)?.places);
  if (prefix === "") {
    draft.leave(line, '""', "it looks for files of any site, by their endings and types");
  } else if (found === null || except.includes(undefined)) {
    draft.leave(line, prefix, "no rule can say this prefix");
  } else if (before === null) draft.leave(line, prefix, "an earlier entry may have its URLs");
  else {
    // Whole places come first, in whatever order the file has them.
    const others = [...(except as Place[][]).flat().map(onAnyPort), ...before];
    if (others.some(hasCase)) draft.leave(line, prefix, OTHERS_WITH_CASE);
    const isWhole = ({ path }: Place) => !path.includes(" ?");
    const unless = [
      ...found.unless,
      ...others.filter(isWhole),
      ...others.filter((place) => !isWhole(place)),
    ];
    if (lookup.type === "busters") {
      for (const name of lookup.names) draft.dropIf(line, name, "<N>", found.places, unless);
      return;
    }
    for (const place of found.places) {
      const empty = lookup.names.map((name) => ({
        ...onAnyPort(place),
        path: `${place.path} ?${nameText(name)}=`,
      }));
      draft.keep(line, lookup.names, [withNames(place, lookup.names)], [...empty, ...unless]);
    }
  }
}

/**
 * Returns the places that entries before one with this prefix have of it; null if they may have all, or no rule can say which.
 */
function unlessOf(prefix: string, earlier: readonly Earlier[]): Place[] | null {
  const unless: Place[] = [];
  for (const { prefix: other, names } of earlier) {
    const isWider = prefix.startsWith(other);
    if (!isWider && !other.startsWith(prefix)) continue;
    const places = placesOf(other)?.places;
    if (places === undefined || (isWider && (names ?? []).length === 0)) return null;
    unless.push(...places.map((place) => withNames(onAnyPort(place), names ?? [])));
  }
  return unless;
}

/** Returns a place as lines `unless` have it. */
function onAnyPort({ site, path }: Place): Place {
  return { site: site.replace(/:\d+$/, ""), path };
}

function withNames({ site, path }: Place, names: readonly string[]): Place {
  return { site, path: names.length === 0 ? path : `${path} ?${names.map(nameText).join("&")}` };
}

/** Reads what a look-up does; null if no rule can say it. */
function lookupOf(fuzzy: readonly string[]): Lookup | null {
  if (fuzzy.reduce((sum, each) => sum + each.length, 0) > LONGEST) return null;
  const [first = "", ...rest] = fuzzy;
  const names = rest.map((each) => /^- +(.+)$/s.exec(each)?.[1]);
  if (first === "" && names.length > 0 && !names.includes(undefined)) {
    return { type: "keep", names: names.map((name) => literalName(unquoted(name as string))) };
  }
  const match = unquoted(/^match: *(.+)$/s.exec(rest[0] ?? "")?.[1] ?? first);
  const isPlain = rest.length < 2;
  if (match === "()" && isPlain) return { type: "keep", names: [] };
  const own = isPlain ? readLookupRegex(match) : null;
  if (own !== null) return { type: "keep", ...own };
  const matches = rest.flatMap((each) => /^match: *(.+)$/s.exec(each)?.[1] ?? []).map(unquoted);
  const [, group] = /^\(\.\*\)\[&\?\]([^=]+)=\[?\\d\]?\+(?:\[&\]\?)?$/.exec(matches[0] ?? "") ?? [];
  const busters = group === undefined ? null : expandRegex(group);
  return busters === null ? null : { type: "busters", names: busters };
}

function readNormalizer({ line, match, replace }: Normalizer, draft: ListDraft): void {
  if (match === LONE_MARK) return;
  // pywb's own form: numbers of some parameters.
  const [, group] = /^\[\?&\]\(([^()]+)\)=\(\[\\d\]\+\)\(\?=&\|\$\)$/.exec(match) ?? [];
  const busters = group === undefined || replace !== "" ? null : expandRegex(group);
  for (const name of busters ?? []) draft.dropIf(line, name, "<N>", [EVERYWHERE]);
  if (busters !== null) return;
  const found = match.length > LONGEST ? null : readKeyFilter({ match, replace });
  const places = found === null ? null : placesOfFilter(found);
  if (found === null || places === null) draft.leave(line, match, "no rule can say its pattern");
  else {
    if (found.value === null) draft.drop(line, found.name, places);
    else draft.dropIf(line, found.name, found.value, places);
  }
}

function placesOfFilter({ key, isDomain, isExact }: KeyFilter): Place[] | null {
  if (key === null) return [EVERYWHERE];
  const found = placesOf(key, isDomain);
  if (found === null || !isExact) return found?.places ?? null;
  return found.places.map(({ site, path }) => ({
    site,
    path: path === "*" ? "/" : path.replace(/\.\.\.$/, ""),
  }));
}

/**
 * Returns the places of a SURT prefix; null if no rule can say it. A key has no `www.`, so a host is meant with and without.
 * `isDomain`: whether the hosts below are meant, too.
 */
function placesOf(prefix: string, isDomain = false): { places: Place[]; unless: Place[] } | null {
  const [, labels = "", port = "", end = "", path = ""] =
    /^([a-z0-9_,-]+?)(:\d+)?(,|\)(\/.*)?)$/.exec(prefix) ?? [];
  const host = labels.split(",").reverse().join(".");
  const isBelow = end === ",";
  const site = host.includes(".") ? siteOf(host, isBelow || isDomain) : null;
  const isPortBelow = port !== "" && (isBelow || isDomain);
  if (site === null || isPortBelow || /^www\d*\./.test(host) || /[?*]/.test(path)) return null;
  const hosts = [host, `www.${host}`];
  if (isBelow) {
    return {
      places: [{ site, path: "*" }],
      unless: hosts.map((each) => ({ site: each, path: "*" })),
    };
  }
  const where = path === "" || path === "/" ? "*" : `${path}...`;
  const sites = isDomain ? [site] : hosts;
  return { places: sites.map((each) => ({ site: each + port, path: where })), unless: [] };
}

/** Reads the entries of the file, in the subset of YAML that it is written in. */
function partsOf(text: string): { entries: Entry[]; normalizers: Normalizer[] } {
  const entries: Entry[] = [];
  const normalizers: Normalizer[] = [];
  /** The member whose lines are read, and its indent; -1 for none. */
  let [member, inside] = ["", -1];
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const content = line.trim();
    if (content === "" || content.startsWith("#")) continue;
    const indent = line.length - line.trimStart().length;
    const prefix = /^- +url_prefix: *(.*)$/s.exec(content)?.[1];
    if (prefix !== undefined) {
      entries.push({ line: index + 1, prefixes: listOf(prefix), fuzzy: [] });
      inside = -1;
      continue;
    }
    const [, name, rest = ""] = /^(fuzzy_lookup|url_normalize): *(.*)$/s.exec(content) ?? [];
    if (name !== undefined) {
      if (name === "fuzzy_lookup") entries.at(-1)?.fuzzy.push(rest);
      [member, inside] = [name, indent];
    } else if (inside < 0 || indent <= inside) inside = -1;
    else if (member === "fuzzy_lookup") entries.at(-1)?.fuzzy.push(content);
    else {
      const [, key, value = ""] = /^(?:- +)?(match|replace): *(.*)$/s.exec(content) ?? [];
      const last = normalizers.at(-1);
      if (key === "match")
        normalizers.push({ line: index + 1, match: unquoted(value), replace: "" });
      else if (key === "replace" && last !== undefined) last.replace = unquoted(value);
    }
  }
  return { entries, normalizers };
}

function listOf(text: string): string[] {
  return text.startsWith("[")
    ? text
        .replace(/^\[|\]$/g, "")
        .split(/(?<=['"]), *(?=['"])/)
        .map((each) => unquoted(each.trim()))
    : [unquoted(text)];
}

function unquoted(text: string): string {
  if (/^'.*'$/s.test(text)) return text.slice(1, -1).replaceAll("''", "'");
  return text.replace(/^"(.*)"$/, "$1");
}
