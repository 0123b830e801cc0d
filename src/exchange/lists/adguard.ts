import { DOMAIN } from "../../site-rules/rule.ts";
import { BadFilters, type FilterLine, readFilterLine } from "./adguard-line.ts";
import { mayShare, type Names, namesOf, partsOf, readRegex } from "./adguard-names.ts";
import { isForAny, OpenConditions } from "./blocker-condition.ts";
import { LONGEST } from "./expand-regex.ts";
import {
  EVERYWHERE,
  hasCase,
  inAnyCase,
  isPathStart,
  type ListDraft,
  nameText,
  type Place,
  siteOf,
  siteWithPort,
  TOO_MANY_STEPS,
  WITH_CASE,
} from "./list-draft.ts";

/** Modifiers that change nothing of which pages a rule is for. */
const WITHOUT_EFFECT = ["important", "match-case", "document", "all"];

/** Says what is not taken of an expression that is looked for at any place in a name. */
const ANYWHERE = "only names that begin with it are taken: no rule can say any place in a name";

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

/** An exception, with the names that it is about; null if they may be all. */
interface Exception extends Filter {
  readonly names: Names | null;
}

/** What a filter removes: names, or all parameters if null. `text` names it. */
interface Removal {
  readonly text: string;
  readonly names: Names | null;
  /** Adds it to a draft, for a place and those in it that stay as they are. */
  readonly add: (place: Place, unless: readonly Place[]) => void;
}

/** Reads filters with `$removeparam`, one a line, as AdGuard and uBlock Origin have them. */
export function readAdGuard(text: string, draft: ListDraft): void {
  const filters: Filter[] = [];
  const exceptions: Exception[] = [];
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  const read: FilterLine[] = [];
  const bad = new BadFilters();
  const open = new OpenConditions();
  let isHinted = false;
  for (const [index, line] of lines.entries()) {
    const number = index + 1;
    if (/^!#if\b/.test(line)) open.begin(isForAny(line.slice("!#if".length)));
    else if (/^!#else\b/.test(line)) open.turn();
    else if (/^!#endif\b/.test(line)) open.end();
    else if (line.startsWith("!#include")) draft.leave(number, line, "it names another list");
    else if (/^!\+(?:.*\s)?PLATFORM\(/.test(line)) isHinted = true;
    if (line === "" || line.startsWith("!") || /^\[.*\]$/.test(line)) continue;
    // Rules are for http and https alone.
    if (/^@@\|wss?:/.test(line)) continue;
    const filter = readFilterLine(line, number);
    const condition = isHinted ? "PLATFORM" : open.areForOthers ? "#if" : "";
    isHinted = false;
    if (filter === null) draft.leave(number, line, "it removes no parameter");
    // Of other blockers, what keeps parameters is taken: exceptions, and what turns off other lines.
    else if (condition !== "" && filter.isBad === filter.isException)
      draft.leave(number, line, `it depends on the blocker (${condition})`);
    else if (filter.isBad) bad.add(filter);
    else read.push(filter);
  }
  for (const line of read) {
    const rest = bad.restOf(line);
    const filter = rest && filterOf(rest);
    if (filter === null)
      draft.leave(line.line, line.text, "another line turns it off with badfilter");
    else if (line.isException) exceptions.push(exceptionOf(filter, line, draft));
    else if (filter.reason !== "") draft.leave(line.line, line.text, filter.reason);
    else filters.push(filter);
  }
  for (const { line, text: shown } of bad.unused())
    draft.leave(line, shown, "it turns off no line of the list");
  const kept = exceptions.filter(
    ({ places, line, text: shown }) => places !== null || !draft.loses(line, shown),
  );
  const steps = sumOf(kept, ({ names }) => 1 + sumOf(names ?? [], (parts) => parts.length));
  for (const filter of filters) add(filter, kept, steps, draft);
}

function sumOf<T>(all: readonly T[], numberOf: (each: T) => number): number {
  return all.reduce((sum, each) => sum + numberOf(each), 0);
}

function filterOf({
  line,
  text,
  isException,
  pattern,
  modifiers,
  value,
  domains,
}: FilterLine): Filter {
  const known = [...WITHOUT_EFFECT, "removeparam", "domain"];
  // An exception without its modifier is for more URLs: the rules are for fewer.
  const other = isException ? undefined : modifiers.find((name) => !known.includes(name));
  const found = placesOf(pattern, domains, isException);
  const reason =
    other !== undefined
      ? `no rule can say its modifier ${other}`
      : found === null
        ? "no rule can say its pattern or domains"
        : value.length > LONGEST
          ? `what it removes is longer than ${LONGEST} characters`
          : "";
  const { places = null, unless = [] } = found ?? {};
  return { line, text, value, places, unless, reason };
}

/** Returns an exception for paths in whatever case, if it has no `match-case`. */
function exceptionOf(filter: Filter, { modifiers }: FilterLine, draft: ListDraft): Exception {
  const names = namesOf(filter.value);
  if (modifiers.includes("match-case")) return { ...filter, names };
  const places = filter.places?.map(inAnyCase) ?? null;
  if (places?.some(hasCase)) draft.leave(filter.line, filter.text, WITH_CASE);
  return { ...filter, places, names };
}

function placesOf(
  pattern: string,
  names: readonly string[],
  isException: boolean,
): { places: Place[]; unless: Place[] } | null {
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
  const isName = host.includes(".") && !host.startsWith(".") && !/\.(?::\d+)?$/.test(host);
  // Lines of exceptions are for every port.
  const site = !isName
    ? null
    : isException
      ? siteOf(host.replace(/:\d+$/, ""), true)
      : siteWithPort(host, true);
  if (site === null) return null;
  if (/^(?:\^|\/|\^\*|\/\*)?$/.test(end)) return { site, path: "*" };
  if (/^\/[^*^|?]*\?$/.test(end)) return { site, path: end.slice(0, -1) };
  const [start = ""] = /^\/[^*^|?]*/.exec(end) ?? [];
  if (isException) return { site, path: start === "" || start === "/" ? "*" : `${start}...` };
  // A star within is one segment: fewer URLs than the list's.
  const path = end.replace(/\*$/, "");
  if (start === "" || !isPathStart(path, /[*^|?]/)) return null;
  return { site, path: path === "/" ? "*" : `${path}...` };
}

/** `steps`: what it takes to ask all exceptions whether they are about a name. */
function add(
  filter: Filter,
  exceptions: readonly Exception[],
  steps: number,
  draft: ListDraft,
): void {
  const { line, text } = filter;
  const removals = removalsOf(filter, draft);
  if (typeof removals === "string") {
    draft.leave(line, text, removals);
    return;
  }
  for (const removal of removals) {
    const shown = removals.length === 1 ? text : `${text}: ${removal.text}`;
    const reason = draft.spend(steps)
      ? addRemoval(removal, filter, exceptions, draft)
      : TOO_MANY_STEPS;
    if (reason !== "") draft.leave(line, shown, reason);
  }
}

/** Adds one of the names that a filter removes at all its places. Returns why it is not added at one; "" if it is. */
function addRemoval(
  removal: Removal,
  { places, unless }: Filter,
  exceptions: readonly Exception[],
  draft: ListDraft,
): string {
  const about = exceptions.filter(({ names }) => mayShare(names, removal.names));
  const steps = sumOf(about, (each) => 1 + (each.places?.length ?? 0));
  for (const place of places ?? []) {
    if (!draft.spend(steps)) return TOO_MANY_STEPS;
    const related = about.filter((each) => isNear(each, place));
    const unread = related.find((each) => each.places === null);
    if (unread !== undefined)
      return `no rule can say its exception in line ${unread.line}: ${unread.text}`;
    const others = related.flatMap((each) => placesFor(each, removal));
    removal.add(place, [...unless, ...others]);
  }
  return "";
}

/** Returns where an exception keeps what is removed. Of many names, one is kept where a URL has a parameter of this name. */
function placesFor({ places, value }: Exception, { names }: Removal): readonly Place[] {
  const isOne = /^[^/~]/.test(value) && names?.some(({ length }) => length > 1);
  if (places === null || isOne !== true) return places ?? [];
  return places.map(({ site, path }) => ({ site, path: `${path} ?${nameText(value)}` }));
}

/** Returns whether an exception and a place may have URLs in common. */
function isNear({ places }: Filter, { site }: Place): boolean {
  if (places === null || site === "*") return true;
  const host = site.replace(DOMAIN, ".").replace(/:\d+$/, "");
  return places.some((each) => {
    const other = each.site === "*" ? host : each.site.replace(DOMAIN, ".");
    return other.endsWith(host) || host.endsWith(other);
  });
}

/** Reads what a filter removes. Returns a text that says why no rule can say it. */
function removalsOf({ value, line, text: shown }: Filter, draft: ListDraft): Removal[] | string {
  if (value.startsWith("~/")) return "no rule can say which parameters it keeps";
  if (value === "" || value.startsWith("~")) {
    const kept = value === "" ? [] : [value.slice(1)];
    const add: Removal["add"] = (place, unless) => draft.keep(line, kept, [place], unless);
    return [{ text: value, names: null, add }];
  }
  const found = value.startsWith("/") ? readRegex(value) : { names: [value], own: null };
  if (found === null) return "no rule can say this regular expression";
  const { names, own } = found;
  if (found.isOpen === true) draft.leave(line, shown, ANYWHERE);
  return names.map((text) => ({
    text,
    names: [partsOf(text)],
    add: (place, unless) => {
      if (own === null) draft.drop(line, text, [place], unless);
      else draft.dropIf(line, text, own, [place], unless);
    },
  }));
}
