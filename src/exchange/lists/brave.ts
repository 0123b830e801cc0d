import { JsonList, membersOf, otherForm, textsOf } from "./json-list.ts";
import {
  isPathStart,
  type ListDraft,
  literalName,
  type Place,
  shortened,
  siteOf,
  siteWithPort,
} from "./list-draft.ts";

const PATTERN = /^([^:]+):\/\/(\*|\*\.[^/*]+|[^/*]+)(\/.*)$/;

/**
 * Reads `[{"include": [PATTERN], "exclude": [PATTERN], "params": [NAME]}]`, as Brave's lists are. In place of `params`, those
 * of its debouncing have `"action": "redirect", "param": NAME`.
 */
export function readBrave(text: string, draft: ListDraft): void {
  const list = new JsonList(text);
  if (!Array.isArray(list.value)) throw otherForm("Brave: a list of objects");
  for (const entry of list.value) {
    const { include, exclude, params, ...debounce } = membersOf(entry);
    const places: Place[] = [];
    for (const pattern of textsOf(include)) {
      const line = list.lineOf(pattern);
      const place = placeOf(pattern);
      if (place === null) draft.leave(line, pattern, "no rule can say this pattern");
      else places.push(place);
    }
    const unless: Place[] = [];
    let unread: string | undefined;
    for (const pattern of textsOf(exclude)) {
      const line = list.lineOf(pattern);
      const place = wholePlaceOf(pattern);
      if (place !== null) unless.push(place);
      else if (!draft.loses(line, pattern)) unread = shortened(pattern);
    }
    for (const name of textsOf(params)) {
      const line = list.lineOf(name);
      if (unread !== undefined) draft.leave(line, name, `no rule can say its exception ${unread}`);
      else draft.drop(line, literalName(name), places, unless);
    }
    for (const name of textsOf([debounce["param"]])) {
      const line = list.lineOf(name);
      const { action, prepend_scheme: scheme } = debounce;
      if (unread !== undefined) draft.leave(line, name, `no rule can say its exception ${unread}`);
      else if (action !== "redirect" || scheme !== undefined)
        draft.leave(line, name, "only a whole URL is taken out of a parameter");
      else draft.unwrap(line, [literalName(name)], places, unless);
    }
  }
}

/** Returns the place of URLs that a pattern matches, or fewer; null if no rule can say that. */
function placeOf(pattern: string): Place | null {
  const [, scheme, host = "", path = ""] = PATTERN.exec(pattern) ?? [];
  const site = scheme === "*" ? siteOfHost(host, siteWithPort) : null;
  const where = pathOf(path);
  return site === null || where === null ? null : { site, path: where };
}

/** Returns a place with all URLs that a pattern matches, and perhaps more; null if no rule can say that. */
function wholePlaceOf(pattern: string): Place | null {
  const [, , host = "", path = ""] = PATTERN.exec(pattern) ?? [];
  const site = siteOfHost(host.replace(/:\d+$/, ""), siteOf);
  if (site === null) return null;
  // Of a path with more stars, all that begins as it does.
  const end = path.search(/[*?]/);
  const start = end < 0 ? path : path.slice(0, end);
  const isOpen = path !== start;
  return { site, path: start === "/" && isOpen ? "*" : `${start}${isOpen ? "..." : ""}` };
}

function siteOfHost(host: string, read: typeof siteOf): string | null {
  if (host === "*") return host;
  return host.startsWith("*.") ? read(host.slice(2), true) : read(host, false);
}

/** Returns a path in the language of rules, for what ends in a star; null for another one. */
function pathOf(path: string): string | null {
  if (path === "/*") return "*";
  if (/^\/[^*?]*\?\*$/.test(path)) return path.slice(0, -2);
  // A star within is one segment: fewer URLs than Brave's.
  const start = path.slice(0, -1);
  return path.endsWith("*") && isPathStart(start, /[*?]/) ? `${start}...` : null;
}
