import { entryOf } from "../base/tallies.ts";
import { writeCondition } from "../site-rules/language/condition-text.ts";
import { writeRule } from "../site-rules/language/rule-line.ts";
import { type Action, ANY_SITE, type Rule } from "../site-rules/rule.ts";
import { utf8ByteString } from "../url/bytes.ts";
import { SPECIAL_QUERY } from "../url/chars.ts";
import { writeComponent } from "../url/component.ts";
import { type InexpressibleRule, isNotSaid, NOT_SAID } from "./inexpressible-rule.ts";

// A dictionary of structured fields (RFC 9651, section 4.2.2): `key=item` or `key=(item item)`, each with parameters.
const KEY = "[a-z*][a-z0-9_.*-]*";
const ITEM = String.raw`(?:-?(?:\d{1,12}\.\d{1,3}|\d{1,15})|"(?:[ !#-\[\]-~]|\\["\\])*"|[A-Za-z*][\w!#$%&'*+.^\x60|~:/-]*|:[\w+/=]*:|\?[01]|@-?\d{1,15}|%"(?:[ !#$&-~]|%[0-9a-f]{2})*")`;
const PARAMETERS = `(?:; *${KEY}(?:=${ITEM})?)*`;
const LIST = `\\( *(?:${ITEM}${PARAMETERS}(?: +|(?=\\))))*\\)`;
const MEMBER = new RegExp(
  `(${KEY})(?:=(${ITEM}|${LIST}))?${PARAMETERS}[ \\t]*(?:,[ \\t]*(?=[a-z*])|$)`,
  "y",
);
const ITEMS = new RegExp(`(${ITEM})${PARAMETERS}`, "g");

/**
 * Reads the header `No-Vary-Search` (draft-ietf-httpbis-no-vary-search, section 5), and its older form `params,
 * except=("a")`, as rules that do not change the answer: `drop & a` or `keep & a`, and `sort`. Returns none for a header
 * that is malformed or says nothing.
 *
 * @internal
 */
export function parseNoVarySearch(header: string): Rule[] {
  const members = new Map<string, string>();
  for (MEMBER.lastIndex = header.search(/[^ ]|$/); MEMBER.lastIndex < header.length; ) {
    const [, key, value = "?1"] = MEMBER.exec(header) ?? [];
    if (key === undefined) return [];
    members.set(key, value);
  }
  const { "key-order": order = "?0", params = "()", except } = Object.fromEntries(members);
  const isExcept = except !== undefined || params === "?1";
  const list = isExcept ? (except ?? "()") : params;
  const isClear = !isExcept || params === "?1" || !members.has("params");
  if (!isClear || !list.startsWith("(") || !/^\?[01]$/.test(order)) return [];
  const items = Array.from(list.matchAll(ITEMS), ([, item]) => item as string);
  if (!items.every((item) => item.startsWith('"'))) return [];
  const names = [...new Set(items.flatMap(namesOf))].toSorted();
  const own: Action = { type: isExcept ? "keep" : "drop", params: names, whole: true };
  const actions: Action[] = isExcept || names.length > 0 ? [own] : [];
  if (order === "?1") actions.push({ type: "sort" });
  const condition = { path: null, params: [] };
  return actions.map((action) => ({ site: ANY_SITE, condition, action, evidence: null }));
}

/** Returns how URLs in normal form can write the name in a string, which is encoded as in forms (section 5.3). */
function namesOf(item: string): string[] {
  const key = item.slice(1, -1).replace(/\\(.)/g, "$1").replace(/[&=]/g, encodeURIComponent);
  const [name = ""] = new URLSearchParams(`&${key}=`).keys();
  const bytes = utf8ByteString(name.replace(/[%&+=;#]/g, encodeURIComponent));
  const plain = writeComponent(bytes, 0, bytes.length, SPECIAL_QUERY);
  return [plain, plain.replaceAll("%20", "+"), encodeURIComponent(name)];
}

/**
 * Writes `drop`, `keep` and `sort` rules as the header `No-Vary-Search`, one for each site and path, after the rules as
 * comments. Writes only rules without tests of parameters and without exceptions. `ignored` lists the others. A wrong header
 * makes caches serve wrong pages. It ends a parameter at `&` alone, and a rule also at `;`: so it is right only for a site
 * whose queries have no `;`.
 *
 * @example
 * exportNoVarySearch([parseRule("a.org\t/t\tdrop sid")]).headers; // ['# a.org\t/t\tdrop sid\nNo-Vary-Search: params=("sid")\n']
 */
export function exportNoVarySearch(rules: readonly Rule[]): {
  headers: string[];
  ignored: InexpressibleRule[];
} {
  const places = new Map<string, Rule[]>();
  const ignored: InexpressibleRule[] = [];
  for (const rule of rules) {
    const reason = reasonAgainst(rule);
    const place = `${rule.site}\t${writeCondition(rule.condition)}`;
    if (reason === null) entryOf(places, place, () => []).push(rule);
    else ignored.push({ rule, reason });
  }
  const headers = Array.from(places.values(), (own) =>
    [...own.map((rule) => `# ${writeRule(rule)}`), `No-Vary-Search: ${headerFor(own)}\n`].join(
      "\n",
    ),
  );
  return { headers, ignored };
}

/** Returns why a header cannot say a rule, or null. */
function reasonAgainst(rule: Rule): string | null {
  const { type } = rule.action;
  if (type !== "drop" && type !== "keep" && type !== "sort")
    return `No-Vary-Search drops, keeps and sorts parameters, and cannot ${type}`;
  if (isNotSaid(type === "keep" ? { ...rule, action: { ...rule.action, type: "drop" } } : rule))
    return NOT_SAID;
  if (rule.site === ANY_SITE) return "a header belongs to the answers of one site";
  if (rule.except !== undefined) return "No-Vary-Search has no exceptions";
  return rule.condition.params.length > 0 ? "No-Vary-Search tests no parameters" : null;
}

/** Returns the header for rules of one path, which apply one after the other. */
function headerFor(rules: readonly Rule[]): string {
  const actions = rules.map(({ action }) => action);
  const paramsOf = (type: "drop" | "keep") =>
    actions.flatMap((action) => (action.type === type ? [action.params] : []));
  const [dropped, kept] = [paramsOf("drop").flat(), paramsOf("keep")];
  const isKept = (name: string) =>
    !dropped.includes(name) && kept.every((names) => names.includes(name));
  const names = new Set(kept[0]?.filter(isKept) ?? dropped);
  const list = [...names].map((name) => `"${name.replace(/["\\]/g, "\\$&")}"`).join(" ");
  const own = kept.length > 0 ? [`except=(${list})`] : names.size > 0 ? [`params=(${list})`] : [];
  return [...(actions.some(({ type }) => type === "sort") ? ["key-order"] : []), ...own].join(", ");
}
