import { exceptionOf, placesOf } from "./clearurls-places.ts";
import { expandRegex, LONGEST } from "./expand-regex.ts";
import { JsonList, membersOf, otherForm, textsOf } from "./json-list.ts";
import { type ListDraft, type Place, shortened } from "./list-draft.ts";

/**
 * Matches a redirection to the value of a parameter: what is before its name, perhaps up to the `?`, the name, and its value up
 * to the next `&`.
 */
const REDIRECTION =
  /^(.+?)(?:(\\\?)(?:\.\*\??)?|\.\*\??)((?:(?:\(\?:[^()]*\)|[\w-])\??)+)=\((?:https\?)?\[\^&\][*+]\??\)$/;

/** Reads the providers of ClearURLs: `{"providers": {NAME: {"urlPattern", "rules", "exceptions", …}}}`. */
export function readClearUrls(text: string, draft: ListDraft): void {
  const list = new JsonList(text);
  const { providers } = membersOf(list.value);
  if (typeof providers !== "object" || providers === null) throw otherForm("ClearURLs: providers");
  for (const [name, provider] of Object.entries(providers))
    readProvider(name, provider, list, draft);
}

function readProvider(key: string, value: unknown, list: JsonList, draft: ListDraft): void {
  const line = list.lineOf(key);
  const name = shortened(key);
  const { urlPattern, completeProvider, ...provider } = membersOf(value);
  if (completeProvider === true) draft.leave(line, name, "it blocks all URLs of the site");
  const pattern = typeof urlPattern === "string" ? urlPattern : "";
  const [places, shownPattern] = [placesOf(pattern), shortened(pattern)];
  const unless: Place[] = [];
  let unread: string | undefined;
  for (const each of textsOf(provider["exceptions"])) {
    const at = list.lineOf(each);
    const found = exceptionOf(each);
    unless.push(...(found?.places ?? []));
    if (found?.more !== undefined) draft.leave(at, `${name}: ${each}`, found.more);
    if (found === null && !draft.loses(at, `${name}: ${each}`)) unread = shortened(each);
  }
  for (const rule of textsOf(provider["rules"])) {
    const at = list.lineOf(rule);
    const names = expandRegex(rule.replace(/^\^|\$$/g, ""));
    const shown = `${name}: ${rule}`;
    if (places === null) draft.leave(at, shown, `no rule can say the pattern ${shownPattern}`);
    else if (unread !== undefined)
      draft.leave(at, shown, `no rule can say its exception ${unread}`);
    else if (names === null || names.includes(""))
      draft.leave(at, shown, "no rule can say this pattern of names");
    else for (const each of names) draft.drop(at, each, places, unless);
  }
  for (const redirection of textsOf(provider["redirections"])) {
    const at = list.lineOf(redirection);
    const shown = `${name}: ${redirection}`;
    const found = redirectionOf(redirection);
    if (found === null) draft.leave(at, shown, "no rule can say this redirection");
    else if (unread !== undefined)
      draft.leave(at, shown, `no rule can say its exception ${unread}`);
    else draft.unwrap(at, found.names, found.places, unless);
  }
  for (const [member, reason] of [
    ["rawRules", "it rewrites any part of a URL"],
    ["referralMarketing", "it is one of referral marketing, which ClearURLs can allow"],
  ] as const) {
    for (const each of textsOf(provider[member]))
      draft.leave(list.lineOf(each), `${name}: ${each}`, reason);
  }
}

/** Returns where a URL is in a parameter, and its names; null if no rule can say that. */
function redirectionOf(regex: string): { places: Place[]; names: string[] } | null {
  if (regex.length > LONGEST) return null;
  const [, before = "", isPath, param = ""] = REDIRECTION.exec(regex) ?? [];
  const [places, names] = [placesOf(before), expandRegex(param)];
  if (places === null || names === null || names.includes("")) return null;
  if (isPath === undefined) return { places, names };
  const whole = places.map(({ site, path }) => ({
    site,
    path: path === "*" ? "/" : path.replace(/\.\.\.$/, ""),
  }));
  return { places: whole, names };
}
