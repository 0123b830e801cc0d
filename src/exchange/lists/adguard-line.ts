import { entryOf } from "../../base/tallies.ts";
import { literalName, shortened } from "./list-draft.ts";

/** Other names of modifiers. */
const ALIASES: Readonly<Record<string, string>> = {
  queryprune: "removeparam",
  doc: "document",
  from: "domain",
};

/** Modifiers of an exception that turn off all filters for a page. */
const WHOLE_PAGE = ["document", "urlblock"];

/** A line that removes parameters, keeps other lines from doing so, or turns off such a line. */
export interface FilterLine {
  readonly line: number;
  readonly text: string;
  readonly isException: boolean;
  /** Whether it turns off lines, with `badfilter`. */
  readonly isBad: boolean;
  readonly pattern: string;
  /** The names of its modifiers. */
  readonly modifiers: readonly string[];
  /** The name, `/regex/`, or "" for all parameters. */
  readonly value: string;
  /** The domains of its modifier, in lower case; a `~` before one excludes it. */
  readonly domains: readonly string[];
  /** Equals that of another line if both differ only in domains and `badfilter`. */
  readonly key: string;
}

/** Reads a line; null if it is not about parameters. */
export function readFilterLine(line: string, number: number): FilterLine | null {
  const isException = line.startsWith("@@");
  const [, pattern = "", modifiers = ""] =
    /^(.*?)\$((?:~?[a-z0-9][a-z0-9-]*)(?:[=,].*)?)$/s.exec(line.replace(/^@@/, "")) ?? [];
  const options = splitModifiers(modifiers).map((each): [string, string] => {
    const equals = each.indexOf("=");
    const name = equals < 0 ? each : each.slice(0, equals);
    return [ALIASES[name] ?? name, equals < 0 ? "" : each.slice(equals + 1)];
  });
  const own =
    options.find(([name]) => name === "removeparam") ??
    options.find(([name]) => isException && WHOLE_PAGE.includes(name));
  if (own === undefined) return null;
  const isOther = ([name]: [string, string]) => name !== "domain" && name !== "badfilter";
  const domains = options.find(([name]) => name === "domain")?.[1];
  return {
    line: number,
    text: shortened(line),
    isException,
    isBad: options.some(([name]) => name === "badfilter"),
    pattern,
    modifiers: options.map(([name]) => name),
    value: literalName(own[1].replaceAll("\\,", ",")),
    domains: domains?.toLowerCase().split("|") ?? [],
    key: JSON.stringify([isException, pattern, ...options.filter(isOther).map(String).toSorted()]),
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

/** Holds the lines with `badfilter`. Each turns off the lines with its key, for the domains that both name. */
export class BadFilters {
  readonly #lines: FilterLine[] = [];
  /** The domains of each key, and whether a line was turned off for them. */
  readonly #domains = new Map<string, Map<string, boolean>>();

  add(line: FilterLine): void {
    this.#lines.push(line);
    const domains = entryOf(this.#domains, line.key, () => new Map<string, boolean>());
    for (const domain of domainsOf(line)) domains.set(domain, false);
  }

  /** Returns a line with the domains for which it is not turned off; null if none is left. */
  restOf(line: FilterLine): FilterLine | null {
    const off = this.#domains.get(line.key);
    if (off === undefined) return line;
    const own = domainsOf(line);
    const left = own.filter((domain) => {
      const found = namesOf(domain, line.isException).find((name) => off.has(name));
      if (found !== undefined) off.set(found, true);
      return found === undefined;
    });
    if (left.length === own.length) return line;
    return left.length === 0 ? null : { ...line, domains: left };
  }

  /** Returns the lines that turned off nothing. */
  unused(): FilterLine[] {
    return this.#lines.filter((line) => {
      const off = this.#domains.get(line.key);
      return !domainsOf(line).some((domain) => off?.get(domain));
    });
  }
}

/** Returns the domains that are turned off one by one. A line without domains, or with an excluded one, is turned off whole. */
function domainsOf({ domains }: FilterLine): readonly string[] {
  const isOne = domains.length === 0 || domains.some((domain) => domain.startsWith("~"));
  return isOne ? [domains.toSorted().join("|")] : domains;
}

/** Returns a domain, and with any ending of one or two labels. An exception is not turned off for any ending. */
function namesOf(domain: string, isException: boolean): string[] {
  if (isException) return [domain];
  return [domain, domain.replace(/\.[^.]+$/, ".*"), domain.replace(/\.[^.]+\.[^.]+$/, ".*")];
}
