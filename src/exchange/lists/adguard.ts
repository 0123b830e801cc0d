import { ANY_BYTES, DOMAIN } from "../../site-rules/rule.ts";
import { isForAny, OpenConditions } from "./blocker-condition.ts";
import { expandRegex, LONGEST, splitAlternatives } from "./expand-regex.ts";
import {
  EVERYWHERE,
  isPathStart,
  type ListDraft,
  type Place,
  shortened,
  siteOf,
  TOO_MANY_STEPS,
} from "./list-draft.ts";

/** Modifiers that change nothing of which pages a rule is for. */
const WITHOUT_EFFECT = ["important", "match-case", "document", "doc", "all"];

/** A line that removes parameters, or keeps other lines from doing so. */
interface Filter {
  readonly line: number;
  readonly text: string;
  /** The name, `/regex/`, or "" for all parameters. */
  readonly value: string;
  /** Where it applies; null if no rule can say that. */
  readonly places: readonly Place[] | null;
  readonly unless: readonly Place[];
  /** Says why no rule can say it; "" if one can. */
  readonly reason: string;
}

/** An exception, with the names that its expression is about: their parts between any bytes. Null if they may be all. */
interface Exception extends Filter {
  readonly names: readonly (readonly string[])[] | null;
}

/** Reads filters with `$removeparam`, one a line, as AdGuard and uBlock Origin have them. */
export function readAdGuard(text: string, draft: ListDraft): void {
  const filters: Filter[] = [];
  const exceptions: Exception[] = [];
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  const off = new Set(
    lines.flatMap((line) => (hasBadFilter(line) ? [withoutBadFilter(line)] : [])),
  );
  const open = new OpenConditions();
  for (const [index, line] of lines.entries()) {
    const number = index + 1;
    if (/^!#if\b/.test(line)) open.begin(isForAny(line.slice("!#if".length)));
    else if (/^!#else\b/.test(line)) open.turn();
    else if (/^!#endif\b/.test(line)) open.end();
    else if (line.startsWith("!#include")) draft.leave(number, line, "it names another list");
    if (line === "" || line.startsWith("!") || /^\[.*\]$/.test(line) || hasBadFilter(line))
      continue;
    const isException = line.startsWith("@@");
    // Rules are for http and https alone.
    if (/^@@\|wss?:/.test(line)) continue;
    const filter = filterOf(line, number, isException);
    if (filter === null) draft.leave(number, line, "it removes no parameter");
    else if (off.has(line)) draft.leave(number, line, "another line turns it off with badfilter");
    else if (isException) exceptions.push({ ...filter, names: namesOf(filter.value) });
    else if (open.areForOthers) draft.leave(number, line, "it depends on the blocker (#if)");
    else if (filter.reason !== "") draft.leave(number, line, filter.reason);
    else filters.push(filter);
  }
  const kept = exceptions.filter(
    ({ places, line, text: shown }) => places !== null || !draft.loses(line, shown),
  );
  const steps = sumOf(kept, ({ names }) => 1 + sumOf(names ?? [], (parts) => parts.length));
  for (const filter of filters) add(filter, kept, steps, draft);
}

function sumOf<T>(all: readonly T[], numberOf: (each: T) => number): number {
  return all.reduce((sum, each) => sum + numberOf(each), 0);
}

function hasBadFilter(line: string): boolean {
  return /[$,]badfilter(?:,|$)/.test(line);
}

function withoutBadFilter(line: string): string {
  return line.replace(/\$badfilter,/, "$$").replace(/[$,]badfilter(?=,|$)/, "");
}

/** Reads a line; null if it is not about parameters. */
function filterOf(line: string, number: number, isException: boolean): Filter | null {
  const [, pattern = "", modifiers = ""] =
    /^(.*?)\$((?:~?[a-z0-9][a-z0-9-]*)(?:[=,].*)?)$/s.exec(line.replace(/^@@/, "")) ?? [];
  const options = splitModifiers(modifiers).map((each): [string, string] => {
    const equals = each.indexOf("=");
    return equals < 0 ? [each, ""] : [each.slice(0, equals), each.slice(equals + 1)];
  });
  const own = options.find(([name]) => name === "removeparam" || name === "queryprune");
  if (own === undefined) return null;
  const domains = options.find(([name]) => name === "domain" || name === "from")?.[1];
  const known = [...WITHOUT_EFFECT, own[0], "domain", "from"];
  // An exception without its modifier is for more URLs: the rules are for fewer.
  const other = isException ? undefined : options.find(([name]) => !known.includes(name))?.[0];
  const found = placesOf(pattern, domains, isException);
  const reason =
    other !== undefined
      ? `no rule can say its modifier ${other}`
      : found === null
        ? "no rule can say its pattern or domains"
        : own[1].length > LONGEST
          ? `what it removes is longer than ${LONGEST} characters`
          : "";
  const { places = null, unless = [] } = found ?? {};
  const shown = shortened(line);
  return {
    line: number,
    text: shown,
    value: own[1].replaceAll("\\,", ","),
    places,
    unless,
    reason,
  };
}

/** Splits modifiers at commas that are neither escaped nor in a regular expression. */
function splitModifiers(text: string): string[] {
  const modifiers: string[] = [];
  let start = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === "\\") at++;
    else if (text[at] === "=" && text[at + 1] === "/") at = regexEnd(text, at + 2) ?? at;
    else if (text[at] === ",") {
      modifiers.push(text.slice(start, at));
      start = at + 1;
    }
  }
  return [...modifiers, text.slice(start)].filter((each) => each !== "");
}

/** Returns where the slash is that ends an expression; undefined if none does, and then none ends a later one. */
function regexEnd(text: string, start: number): number | undefined {
  for (let at = start; at < text.length; at++) {
    if (text[at] === "\\") at++;
    else if (text[at] === "/") return at;
  }
  return undefined;
}

function placesOf(
  pattern: string,
  domains: string | undefined,
  isException: boolean,
): { places: Place[]; unless: Place[] } | null {
  const names = domains?.split("|") ?? [];
  const whole = isException && names.length > 0 ? EVERYWHERE : null;
  const place = placeOf(pattern, isException) ?? whole;
  if (place === null) return null;
  if (names.length === 0) return { places: [place], unless: [] };
  // With a pattern, the domains are those of the page that asks for it.
  if (place.site !== "*" && !isException) return null;
  const on = names.filter((name) => !name.startsWith("~")).map((name) => siteOf(name, true));
  const off = names
    .filter((name) => name.startsWith("~"))
    .map((name) => siteOf(name.slice(1), true));
  if (isException && place.site !== "*") return { places: [place], unless: [] };
  if ([...on, ...off].includes(null) || (isException && off.length > 0)) return null;
  const { path } = place;
  return {
    places: on.length === 0 ? [place] : on.map((site) => ({ site: site as string, path })),
    unless: off.map((site) => ({ site: site as string, path: "*" })),
  };
}

/** Returns the place of a pattern: of fewer URLs for a filter, of more for an exception. Null if no rule can say it. */
function placeOf(pattern: string, isException: boolean): Place | null {
  if (pattern === "" || pattern === "*") return EVERYWHERE;
  const [, last] = /^\/(?:[^*^|?]*\/)?([^*^|?/]*)\?$/.exec(pattern) ?? [];
  // The end of a path is more than the path that a pattern asks for.
  if (last !== undefined && isException) return { site: "*", path: `/...${pattern.slice(1, -1)}` };
  // Of a host under any ending, the path on any host.
  const [, anywhere] = /^\|\|[^/^*|?]+\.\*(\/[^*^|?]+)/.exec(pattern) ?? [];
  if (anywhere !== undefined && isException) return { site: "*", path: `${anywhere}...` };
  const [, host = "", end = ""] = /^\|\|([^/^*|?$]+)(.*)$/s.exec(pattern) ?? [];
  const isName = host.includes(".") && !host.startsWith(".") && !host.endsWith(".");
  const site = isName ? siteOf(host.replace(/:\d+$/, ""), true) : null;
  if (site === null || (host.includes(":") && !isException)) return null;
  if (/^(?:\^|\/|\^\*|\/\*)?$/.test(end)) return { site, path: "*" };
  if (/^\/[^*^|?]*\?$/.test(end)) return { site, path: end.slice(0, -1) };
  const [start = ""] = /^\/[^*^|?]*/.exec(end) ?? [];
  if (isException) return { site, path: start === "" || start === "/" ? "*" : `${start}...` };
  // A star within is one segment: fewer URLs than the list's.
  const path = end.replace(/\*$/, "");
  if (start === "" || !isPathStart(path, /[*^|?]/)) return null;
  return { site, path: path === "/" ? "*" : `${path}...` };
}

/** `steps`: what it takes to ask all exceptions whether they are about a filter. */
function add(
  filter: Filter,
  exceptions: readonly Exception[],
  steps: number,
  draft: ListDraft,
): void {
  const { line, text, value, places } = filter;
  const inLowerCase = value.toLowerCase();
  const removal = removalOf(filter, draft);
  if (typeof removal === "string") {
    draft.leave(line, text, removal);
    return;
  }
  const isSpent = draft.spend(steps);
  const about = isSpent ? exceptions.filter((each) => isAbout(each, value, inLowerCase)) : [];
  const stepsOfPlace = sumOf(about, (each) => 1 + (each.places?.length ?? 0));
  for (const place of places ?? []) {
    if (!isSpent || !draft.spend(stepsOfPlace)) {
      draft.leave(line, text, TOO_MANY_STEPS);
      return;
    }
    const related = about.filter((each) => isNear(each, place));
    const unread = related.find((each) => each.places === null);
    if (unread !== undefined) {
      draft.leave(
        line,
        text,
        `no rule can say its exception in line ${unread.line}: ${unread.text}`,
      );
      return;
    }
    const unless = [...filter.unless, ...related.flatMap((each) => each.places as Place[])];
    removal(place, unless);
  }
}

/**
 * Returns whether an exception may be for what a filter removes, whatever its case. Expressions of names that no rule can say are
 * taken for all.
 */
function isAbout({ value, names }: Exception, name: string, inLowerCase: string): boolean {
  if (value === "" || value === name || /^[/~]|^$/.test(name)) return true;
  return names === null || names.some((parts) => fits(parts, inLowerCase));
}

/** Returns the names that an expression is about: their parts between any bytes, in lower case. Null if they may be all. */
function namesOf(value: string): string[][] | null {
  if (!value.startsWith("/")) return [];
  const names: string[][] = [];
  for (const each of alternativesOf(value)?.choices ?? [""]) {
    const [name = "", ...own] = each.split("=");
    const found = each.startsWith("^") ? expandRegex(name.slice(1)) : null;
    if (found === null) return null;
    for (const text of found) {
      const whole = own.length > 0 ? text : text + ANY_BYTES;
      names.push(whole.toLowerCase().split(ANY_BYTES));
    }
  }
  return names;
}

/** Returns whether a name has these parts, and between them any bytes. */
function fits([start = "", ...rest]: readonly string[], name: string): boolean {
  const end = rest.pop();
  if (end === undefined) return name === start;
  if (!name.startsWith(start)) return false;
  let at = start.length;
  for (const piece of rest) {
    const found = name.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return name.length - at >= end.length && name.endsWith(end);
}

/** Returns whether an exception and a place may have URLs in common. */
function isNear({ places }: Filter, { site }: Place): boolean {
  if (places === null || site === "*") return true;
  const host = site.replace(DOMAIN, ".");
  return places.some((each) => {
    const other = each.site === "*" ? host : each.site.replace(DOMAIN, ".");
    return other.endsWith(host) || host.endsWith(other);
  });
}

/** Adds what a filter removes to a draft, for a place and those in it that stay as they are. */
type Removal = (place: Place, unless: readonly Place[]) => void;

/** Reads what a filter removes, once for all its places. Returns a text that says why no rule can say it. */
function removalOf({ value, line }: Filter, draft: ListDraft): Removal | string {
  if (value.startsWith("~/")) return "no rule can say which parameters it keeps";
  if (value === "" || value.startsWith("~")) {
    const names = value === "" ? [] : [value.slice(1)];
    return (place, unless) => draft.keep(line, names, [place], unless);
  }
  if (!value.startsWith("/")) return (place, unless) => draft.drop(line, value, [place], unless);
  const found = readRegex(value);
  if (found === null) return "no rule can say this regular expression";
  return (place, unless) => {
    for (const [name, own] of found) {
      if (own === null) draft.drop(line, name, [place], unless);
      else draft.dropIf(line, name, own, [place], unless);
    }
  };
}

/**
 * Reads an expression that is looked for in `name=value`. Returns names, each with a class of values or null for any. One that does not say where it
 * begins is read at the beginning: fewer names.
 */
function readRegex(value: string): [string, string | null][] | null {
  const { choices, flags } = alternativesOf(value) ?? { choices: null, flags: "" };
  if (choices === null) return null;
  const body = choices.map((each) => each.replace(/^\^/, "")).join("|");
  const equals = body.indexOf("=");
  const names = expandRegex(equals < 0 ? body : body.slice(0, equals));
  if (names === null || names.some((name) => name === "" || name.includes("<"))) return null;
  if (equals < 0) return names.map((name) => [`${name}<*>`, null]);
  const own = classOf(body.slice(equals + 1), flags);
  return own === null ? null : names.map((name) => [name, own]);
}

/** Splits an expression at each `|` that is not in a group, and leaves out what follows any name; null if it cannot be read. */
function alternativesOf(value: string): { choices: string[]; flags: string } | null {
  const end = value.lastIndexOf("/");
  const flags = value.slice(end + 1);
  const isWhole = end > 0 && /^[a-z]*$/.test(flags);
  const choices = splitAlternatives(isWhole ? value.slice(1, end) : "");
  return choices && { choices: choices.map((each) => each.replace(/(?<!=)\.\*\$?$/, "")), flags };
}

/** Returns the class of values that an expression matches, up to their end; null if there is none. */
function classOf(regex: string, flags: string): string | null {
  if (regex === "" || regex === ".*" || regex === ".*$") return "<*>";
  const [, run = "", count = ""] = /^(\\d|\[[^\]]+\])(\+|\{[1-9]\d{0,3}\})\$$/.exec(regex) ?? [];
  const length = count.replace(/[{}+]/g, "");
  if (run === "\\d" || run === "[0-9]") return `<N${length}>`;
  const isHex =
    /^\[(?:(?:\\d|0-9)a-fA-F|a-fA-F(?:\\d|0-9))\]$/.test(run) ||
    (flags.includes("i") && /^\[(?:(?:\\d|0-9)a-f|a-f(?:\\d|0-9))\]$/.test(run));
  return isHex && length !== "" ? `<H${length}>` : null;
}
