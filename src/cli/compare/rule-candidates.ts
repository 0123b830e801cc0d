import { writeRule } from "../../site-rules/language/rule-line.ts";
import type { Action, Condition, Element, Rule } from "../../site-rules/rule.ts";
import { type Parts, splitParts } from "../../url/parts.ts";
import { differentParams } from "./difference.ts";

/** Limits the rules that are proposed together. */
export const MOST_RULES = 3;

/** Matches every URL of a site. */
const EVERY: Condition = { path: null, params: [] };

type Draft = Pick<Rule, "site" | "action"> & { readonly condition?: Condition };

/**
 * Returns lines of rules that each could give two normalized URLs one key. Those that change one kind of URL come first,
 * those that know only these two paths or sites come last. `drops` says whether rules remove the parameters in which the
 * URLs differ whatever their values: not at all, only if no other rule does, or before others, as for trackers.
 */
export function ruleCandidates(
  first: string,
  second: string,
  drops: "never" | "last" | "first",
): string[] {
  const [a, b] = [splitParts(first), splitParts(second)];
  const sites = [...new Set([siteOf(a), siteOf(b)])];
  const onSites = (action: Action, condition = EVERY): Draft[] =>
    sites.map((site) => ({ site, action, condition }));
  const drop = dropRule(a, b).flatMap((action) => onSites(action));
  const drafts: Draft[] = [
    ...(drops === "first" ? drop : []),
    ...dropIfRule(a, b).flatMap((action) => onSites(action)),
    ...onSites({ type: "sort" }),
    ...onSites({ type: "scheme", to: "https" }),
    ...[a, b].flatMap(unwrapRules),
    ...onSites({ type: "lower" }),
    ...onSites({ type: "slash" }),
    ...onSites({ type: "sub", from: [{ kind: "text", text: "//" }], to: ["/"] }),
    ...pathRules(a.path, b.path).flatMap(({ action, condition }) => onSites(action, condition)),
    ...(drops === "last" ? drop : []),
    ...hostRules(siteOf(a), siteOf(b)),
  ];
  return drafts.map((draft) => writeRule({ condition: EVERY, evidence: null, ...draft }));
}

/** Returns the host of a URL with its port, as rules name sites. */
export function siteOf({ host, port }: Parts): string {
  return host + port;
}

function dropRule(a: Parts, b: Parts): Action[] {
  const params = differentParams(a, b).map(({ name }) => name);
  return params.length === 0 ? [] : [{ type: "drop", params }];
}

/** Removes a parameter that only one of the URLs has, where it has the value that it has there. A rule does so for one. */
function dropIfRule(a: Parts, b: Parts): Action[] {
  const params = differentParams(a, b);
  if (params.length > MOST_RULES) return [];
  return params.flatMap(({ name, first, second }) => {
    const [param = ""] = first.length === 0 ? second : first;
    const isInBoth = first.length > 0 && second.length > 0;
    if (isInBoth || !param.includes("=")) return [];
    return [{ type: "dropif", param: name, value: param.slice(name.length + 1) }];
  });
}

/** Moves to a URL in the value of a parameter. */
function unwrapRules(parts: Parts): Draft[] {
  const params = (parts.query ?? "").split("&");
  return params
    .filter((param) => /=https?(?::|%3A)/i.test(param))
    .map((param) => ({
      site: siteOf(parts),
      condition: { path: [{ kind: "text", text: parts.path }], params: [] },
      action: { type: "unwrap", params: param.split("=", 1) },
    }));
}

function hostRules(a: string, b: string): Draft[] {
  if (a === b) return [];
  const [to = "", site = ""] = [a, b].toSorted((x, y) => x.length - y.length);
  return [
    { site, action: { type: "host", to } },
    { site: to, action: { type: "host", to: site } },
  ];
}

type PathRule = Pick<Draft, "action" | "condition">;

/** Returns rules that write the longer of two paths as the shorter. */
function pathRules(a: string, b: string): PathRule[] {
  if (a === b) return [];
  const [to, from] = a.length < b.length || (a.length === b.length && a < b) ? [a, b] : [b, a];
  return [
    ...cutRules(from, to),
    ...endingRules(from, to),
    ...numberRules(from, to),
    { action: { type: "path", from: [{ kind: "text", text: from }], to: [to] } },
  ];
}

/** Removes a segment that only the longer path has. At the beginning or the end of a path it goes only there. */
function cutRules(from: string, to: string): PathRule[] {
  const segments = from.split("/");
  const others = to.split("/");
  const at = segments.findIndex((segment, index) => segment !== others[index]);
  const segment = segments[at];
  if (!segment || segments.toSpliced(at, 1).join("/") !== to) return [];
  const text = (value: string): Element => ({ kind: "text", text: value });
  const rest = (suffix: string): Element => ({ kind: "rest", suffix });
  const first = [text(`/${segment}/`), rest("")];
  const last = [text("/"), rest(`/${segment}`)];
  const path = at === 1 ? first : at === segments.length - 1 ? last : null;
  return [{ action: { type: "cut", segment }, condition: { path, params: [] } }];
}

/** Removes the ending of the last segment, such as `.html`, from the pages of this folder. */
function endingRules(from: string, to: string): PathRule[] {
  const suffix = from.slice(to.length);
  if (!from.startsWith(to) || !/^\.\w+$/.test(suffix) || to.endsWith("/")) return [];
  const folder = to.slice(0, to.lastIndexOf("/") + 1);
  const pattern: Element[] = [
    { kind: "text", text: folder },
    { kind: "segment", suffix },
  ];
  return [{ action: { type: "path", from: pattern, to: [folder, 1] } }];
}

/** Keeps the number of `/p/42-red-shoe` and `/p/42-shoe`, if the paths differ only in what follows it. */
function numberRules(from: string, to: string): PathRule[] {
  const [, folder = "", number, mark = ""] = /^(.*\/)(\d+)([-_])[^/]+$/.exec(from) ?? [];
  if (number === undefined) return [];
  const isSame = to === folder + number || to.startsWith(folder + number + mark);
  if (!isSame || to.slice(folder.length).includes("/")) return [];
  const pattern: Element[] = [
    { kind: "text", text: folder },
    { kind: "digits" },
    { kind: "text", text: mark },
    { kind: "segment", suffix: "" },
  ];
  return [{ action: { type: "path", from: pattern, to: [folder, 1] } }];
}
