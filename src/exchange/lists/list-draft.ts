import { UrlmillError } from "../../base/errors.ts";
import { entryOf } from "../../base/tallies.ts";
import { writeName } from "../../site-rules/language/condition-text.ts";
import { UNLESS } from "../../site-rules/language/exception-text.ts";
import { parseRules, RULES_HEADER } from "../../site-rules/language/rule-file.ts";
import { ANY_BYTES, ANY_SITE, DOMAIN, isOfSite, type Rule } from "../../site-rules/rule.ts";
import { normalHost, writtenInQuery } from "../../url/written.ts";

/** Holds where a rule applies: a site and a path, both in the language of rules; `*` is any. */
export interface Place {
  readonly site: string;
  readonly path: string;
}

/** Holds what was not imported, with its line in the list, from 1 on. */
export interface LeftOut {
  readonly line: number;
  readonly text: string;
  readonly reason: string;
}

/** Holds the rules of a list, and all of it that they do not say. */
export interface ImportedList {
  readonly rules: readonly Rule[];
  readonly leftOut: readonly LeftOut[];
}

/** What is to become a rule: its line and text in the list, and its action in the language of rules. */
interface DraftRule {
  readonly line: number;
  readonly text: string;
  readonly action: string;
  /** The test that URLs pass which it changes, such as `?ref`; "" for none. */
  readonly needs: string;
}

/** What a rule leaves alone: places, and the lines that say them. */
interface Others {
  readonly unless: readonly Place[];
  readonly text: string;
}

/** The place of every URL. */
export const EVERYWHERE: Place = { site: ANY_SITE, path: "*" };

/** Begins the action that removes names. Lists know parameters between `&`, and no `;`. */
const DROP = "drop & ";
/** Matches a letter, also an encoded one. */
const CASED = /[a-z%]|[^ -~]/i;
/** The most characters of a text that is shown. */
const SHOWN = 300;
/** What a list may take: so many steps, and more for each of its characters. A step takes about 0.1 µs. */
const STEPS = 1e7;
const STEPS_PER_CHARACTER = 40;
/** The steps of a rule, and of a place that it leaves alone: of one that was read for the rule before, and of another. */
const RULE_STEPS = 200;
const KNOWN_STEPS = 20;
const UNLESS_STEPS = 100;
/** The most characters of an action and of a host, and what is said of a longer action. */
const LONGEST_ACTION = 10_000;
const LONGEST_HOST = 1000;
const TOO_LONG = `it is longer than ${LONGEST_ACTION} characters`;
/** Says why a part of a list is left out that would take more. */
export const TOO_MANY_STEPS =
  "too many sites, names or exceptions of the list go together with others: no more are taken";

/** Collects the rules of a list. Names that are removed in one place become one rule. */
export class ListDraft {
  /** The names, or whole actions, of each place. */
  readonly #drops = new Map<string, Set<string>>();
  readonly #leftOut: LeftOut[] = [];
  readonly #losesExceptions: boolean;
  /** What the rule before leaves alone. Its text has been read. */
  #known: Others = { unless: [], text: "" };
  /** The steps that are left. */
  #steps: number;

  /**
   * `losesExceptions`: whether rules are taken although no rule can say one of their exceptions. `length`: the characters of
   * the list.
   */
  constructor(losesExceptions: boolean, length: number) {
    this.#losesExceptions = losesExceptions;
    this.#steps = STEPS + STEPS_PER_CHARACTER * length;
  }

  /** Notes an exception that no rule can say. Returns whether rules that have it are taken. */
  loses(line: number, exception: string): boolean {
    const what = this.#losesExceptions
      ? "is lost"
      : "keeps its rules out; --lose-exceptions takes them";
    this.leave(line, exception, `no rule can say this exception, which ${what}`);
    return this.#losesExceptions;
  }

  /** Notes what no rule says. */
  leave(line: number, text: string, reason: string): void {
    this.#leftOut.push({ line, text: shortened(text), reason: shortened(reason) });
  }

  /** Takes steps before work whose size is a product. Returns false, and takes none, if the list does not have so many left. */
  spend(steps: number): boolean {
    if (steps > this.#steps) return false;
    this.#steps -= steps;
    return true;
  }

  /** Adds a name that is removed, perhaps with `<*>` at one end, as the list has it. */
  drop(line: number, name: string, places: readonly Place[], unless: readonly Place[] = []): void {
    this.dropForms(line, [name], places, unless);
  }

  /** Adds the forms of a name that is removed; the first is as the list has it. */
  dropForms(
    line: number,
    forms: readonly [string, ...string[]],
    places: readonly Place[],
    unless: readonly Place[] = [],
  ): void {
    const [text, ...others] = forms;
    const needs = others.length > 0 || text.includes(ANY_BYTES) ? "" : `?${nameText(text)}`;
    const action = DROP + forms.map(nameText).join(",");
    this.#add({ line, text, action, needs }, places, unless);
  }

  /** Adds the names of the only parameters that are left. */
  keep(
    line: number,
    names: readonly string[],
    places: readonly Place[],
    unless: readonly Place[] = [],
  ): void {
    const action = `keep & ${names.map(nameText).join(",")}`.trimEnd();
    this.#add({ line, text: names.join(", "), action, needs: "" }, places, unless);
  }

  /** Adds a name that is removed if it has a value, or one of a class, in the language of rules. */
  dropIf(
    line: number,
    name: string,
    value: string,
    places: readonly Place[],
    unless: readonly Place[] = [],
  ): void {
    const action = `dropif & ${nameText(name)}=${value}`;
    this.#add(
      { line, text: `${name}=${value}`, action, needs: `?${nameText(name)}` },
      places,
      unless,
    );
  }

  /** Adds names of parameters whose value is the URL to go to. */
  unwrap(
    line: number,
    names: readonly string[],
    places: readonly Place[],
    unless: readonly Place[] = [],
  ): void {
    const action = `unwrap ${names.map(nameText).join(",")}`;
    this.#add({ line, text: names.join(", "), action, needs: "" }, places, unless);
  }

  #add(draft: DraftRule, places: readonly Place[], unless: readonly Place[]): void {
    const { line, text, action } = draft;
    const isKnown = unless === this.#known.unless;
    const isRead = isKnown || !this.spend(UNLESS_STEPS * unless.length);
    const others = isRead ? this.#known.text : unlessText(unless);
    const unlessSteps = unless.length * (isKnown ? KNOWN_STEPS : UNLESS_STEPS) + others.length;
    if (action.length > LONGEST_ACTION) this.leave(line, text, TOO_LONG);
    else if (!this.spend(places.length * (unlessSteps + RULE_STEPS + action.length)))
      this.leave(line, text, TOO_MANY_STEPS);
    else {
      for (const place of places) {
        const all = unless.find((each) => hasAll(each, place, draft.needs));
        if (all === undefined) this.#addRule(draft, place, { unless, text: others });
        else this.leave(line, text, `it never applies: an exception has ${all.site} ${all.path}`);
      }
    }
  }

  #addRule({ line, text, action }: DraftRule, { site, path }: Place, others: Others): void {
    const isKnown = others.unless === this.#known.unless;
    try {
      parseRules(`${RULES_HEADER}\n${site}\t${path}\t${action}${isKnown ? "" : others.text}`);
      this.#known = others;
    } catch (error) {
      if (!(error instanceof UrlmillError)) throw error;
      this.leave(line, text, error.message.replace(/^line \d+ of the rules: /, ""));
      return;
    }
    entryOf(this.#drops, `${site}\t${path}${others.text}`, () => new Set<string>()).add(action);
  }

  /** Returns what was collected. `list` names the list and its day, such as `brave 2026-11-26`. */
  take(list: string): ImportedList {
    const lines = [RULES_HEADER];
    for (const [place, actions] of this.#drops) {
      const [where = "", ...unless] = place.split("\n");
      const names = [...actions].flatMap((action) =>
        action.startsWith(DROP) ? [action.slice(DROP.length)] : [],
      );
      const others = [...actions].filter((action) => !action.startsWith(DROP));
      for (const action of [...(names.length > 0 ? [DROP + names.join(",")] : []), ...others]) {
        lines.push(`${where}\t${action}\tlist:${list}`, ...unless);
      }
    }
    return { rules: parseRules(lines.join("\n")), leftOut: this.#leftOut };
  }
}

/** Returns whether an exception has all URLs of a place that pass the test `needs`. */
function hasAll(exception: Place, place: Place, needs: string): boolean {
  if (!isOfSite(exception.site, place.site.replace(/:\d+$/, ""))) return false;
  const [path = "", test] = exception.path.split(" ");
  if (test !== undefined && test !== needs && exception.path !== place.path) return false;
  return path === "*" || path === place.path || isStartOf(path, place.path);
}

/** Returns whether a path has a text and any rest, and another begins with this text. */
function isStartOf(path: string, other: string): boolean {
  const start = path.slice(0, -"...".length);
  return path.endsWith("...") && !/[*<]|\.\.\./.test(start) && other.startsWith(start);
}

/** Returns the lines of a rule that say what it leaves alone. */
function unlessText(unless: readonly Place[]): string {
  return [...new Set(unless.map(({ site, path }) => `\n${UNLESS}${site}\t${path}`))].join("");
}

/** Returns a text as it is shown, if it is not too long, or its beginning. */
export function shortened(text: string): string {
  return text.length <= SHOWN ? text : `${text.slice(0, SHOWN)}...`;
}

/**
 * Returns whether a text is the beginning of a path: segments that are not empty and have none of the characters of `other`, or
 * that are a star each. The last one may be empty, and is no star.
 */
export function isPathStart(text: string, other: RegExp): boolean {
  if (!text.startsWith("/")) return false;
  const segments = text.slice(1).split("/");
  const last = segments.pop() as string;
  return (
    !other.test(last) &&
    segments.every((each) => each === "*" || (each !== "" && !other.test(each)))
  );
}

/** Says why an exception may have more URLs than rules leave alone for it. */
export const WITH_CASE = "it is compared with case: no rule can compare without";

/** Returns whether the path of a place, or its test, has letters. */
export function hasCase({ path }: Place): boolean {
  return CASED.test(path);
}

/**
 * Returns a place with all URLs of one, in whatever case their paths are: up to the slash before the first letter. On any host,
 * the path stays as it is.
 */
export function inAnyCase(place: Place): Place {
  const { site, path } = place;
  if (site === ANY_SITE || !hasCase(place)) return place;
  const start = path.slice(0, path.lastIndexOf("/", path.search(CASED)) + 1);
  return { site, path: start === "/" ? "*" : `${start}...` };
}

/** Returns a name in which `<*>` means itself, and not any bytes. */
export function literalName(name: string): string {
  return name.replaceAll(ANY_BYTES, "%3c*%3e");
}

/** Returns a name as rules have it. */
export function nameText(name: string): string {
  const [start = "", ...ends] = name.split(ANY_BYTES);
  return [start, ...ends]
    .map((text) => (text === "" ? "" : writeName(writtenInQuery(text))))
    .join(ANY_BYTES);
}

/** Returns the site of a host, or of a domain and its hosts; null if it is not the name of a host. */
export function siteOf(host: string, isDomain: boolean): string | null {
  const normal = host.length > LONGEST_HOST ? null : normalHost(host);
  if (normal === null || /^\[|(?:^|\.)\d+$/.test(normal)) return isDomain ? null : normal;
  return isDomain ? DOMAIN + normal : normal;
}

/**
 * Returns the site of a host that may have a port; null if it is not one, or has the default port of http or https: then a rule
 * is for URLs of both, and a list may mean one.
 */
export function siteWithPort(host: string, isDomain: boolean): string | null {
  const [, name = "", port] = /^(.*?)(?::(\d+))?$/s.exec(host) ?? [];
  const site = siteOf(name, isDomain);
  if (site === null || port === undefined) return site;
  const number = Number(port);
  return number === 80 || number === 443 || number > 65_535 ? null : `${site}:${number}`;
}
