import { UrlmillError } from "../../base/errors.ts";
import { entryOf } from "../../base/tallies.ts";
import { writeName } from "../../site-rules/language/condition-text.ts";
import { parseRules, RULES_HEADER } from "../../site-rules/language/rule-file.ts";
import { UNLESS } from "../../site-rules/language/unless-text.ts";
import { ANY_BYTES, ANY_SITE, DOMAIN, type Rule } from "../../site-rules/rule.ts";
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

/** Is every URL. */
export const EVERYWHERE: Place = { site: ANY_SITE, path: "*" };

/** Begins the action that removes names. Lists know parameters between `&`, and no `;`. */
const DROP = "drop & ";

/** Collects the rules of a list. Names that are removed in one place become one rule. */
export class ListDraft {
  /** The names, or whole actions, of each place. */
  readonly #drops = new Map<string, Set<string>>();
  readonly #leftOut: LeftOut[] = [];
  readonly #losesExceptions: boolean;

  /** `losesExceptions`: whether rules are taken although no rule can say one of their exceptions. */
  constructor(losesExceptions: boolean) {
    this.#losesExceptions = losesExceptions;
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
    this.#leftOut.push({ line, text, reason });
  }

  /** Adds a name that is removed, perhaps with `<*>` at one end, as the list has it. */
  drop(line: number, name: string, place: Place, unless: readonly Place[] = []): void {
    this.#add(line, name, place, unless, DROP + nameText(name));
  }

  /** Adds the names of the only parameters that are left. */
  keep(line: number, names: readonly string[], place: Place, unless: readonly Place[] = []): void {
    const action = `keep & ${names.map(nameText).join(",")}`.trimEnd();
    this.#add(line, names.join(", "), place, unless, action);
  }

  /** Adds a name that is removed if it has a value, or one of a class, in the language of rules. */
  dropIf(
    line: number,
    name: string,
    value: string,
    place: Place,
    unless: readonly Place[] = [],
  ): void {
    this.#add(line, `${name}=${value}`, place, unless, `dropif & ${nameText(name)}=${value}`);
  }

  #add(line: number, text: string, place: Place, unless: readonly Place[], action: string): void {
    const { site, path } = place;
    const others = unless.map((each) => `\n${UNLESS}${each.site}\t${each.path}`).join("");
    try {
      parseRules(`${RULES_HEADER}\n${site}\t${path}\t${action}${others}`);
    } catch (error) {
      if (!(error instanceof UrlmillError)) throw error;
      this.leave(line, text, error.message.replace(/^line \d+ of the rules: /, ""));
      return;
    }
    entryOf(this.#drops, `${site}\t${path}${others}`, () => new Set<string>()).add(action);
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

/** Returns a name as rules have it. */
export function nameText(name: string): string {
  const [start = "", ...ends] = name.split(ANY_BYTES);
  return [start, ...ends]
    .map((text) => (text === "" ? "" : writeName(writtenInQuery(text))))
    .join(ANY_BYTES);
}

/** Returns the site of a host, or of a domain and its hosts; null if it is not the name of a host. */
export function siteOf(host: string, isDomain: boolean): string | null {
  const normal = normalHost(host);
  if (normal === null || /^\[|(?:^|\.)\d+$/.test(normal)) return isDomain ? null : normal;
  return isDomain ? DOMAIN + normal : normal;
}
