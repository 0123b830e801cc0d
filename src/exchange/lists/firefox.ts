import { JsonList, membersOf, otherForm, textsOf } from "./json-list.ts";
import { EVERYWHERE, type ListDraft, literalName, type Place, siteOf } from "./list-draft.ts";

/**
 * Reads names of Firefox: records with `stripList` and `allowList`, the objects of StripOnShare with `queryParams` and
 * `topLevelSites`, or the names of the preference `privacy.query_stripping.strip_list`, with spaces between.
 */
export function readFirefox(text: string, draft: ListDraft): void {
  if (!/^\s*[[{]/.test(text)) {
    for (const [index, line] of text.split("\n").entries()) {
      for (const name of line.split(/\s+/))
        if (name !== "") draft.dropForms(index + 1, casesOf(name), [EVERYWHERE]);
    }
    return;
  }
  const list = new JsonList(text);
  const { data, ...members } = membersOf(list.value);
  const records = Array.isArray(list.value)
    ? list.value
    : Array.isArray(data)
      ? data
      : Object.values(members);
  const known = records
    .map(membersOf)
    .filter((record) => "stripList" in record || "queryParams" in record);
  if (known.length === 0) throw otherForm("Firefox: stripList or queryParams");
  for (const { stripList, allowList, queryParams, topLevelSites } of known) {
    const hosts = textsOf(allowList).map((host) => siteOf(host, true));
    const unless = hosts.flatMap((site) => (site === null ? [] : [{ site, path: "*" }]));
    const sites = queryParams === undefined ? ["*"] : textsOf(topLevelSites);
    const places = sites.map(placeOf);
    const taken = places.filter((place) => place !== null);
    const wrong = sites.filter((_, at) => places[at] === null);
    for (const site of wrong) draft.leave(list.lineOf(site), site, "it is not a host");
    for (const name of [...textsOf(stripList), ...textsOf(queryParams)]) {
      const line = list.lineOf(name);
      if (unless.length < hosts.length) {
        draft.leave(line, name, "its allowList has what is not a host");
      } else if (wrong.length > 0 && taken.length === 0) {
        draft.leave(line, name, "its topLevelSites has no host");
      } else draft.dropForms(line, casesOf(name), taken, unless);
    }
  }
}

/** Returns a name as it is listed, in lower and in upper case: Firefox compares without case, and rules do not. */
function casesOf(name: string): [string, ...string[]] {
  const others = new Set([name.toLowerCase(), name.toUpperCase()]);
  others.delete(name);
  return [literalName(name), ...[...others].map(literalName)];
}

function placeOf(host: string): Place | null {
  if (host === "*") return EVERYWHERE;
  const site = siteOf(host, false);
  return site === null ? null : { site, path: "*" };
}
