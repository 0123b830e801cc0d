import { writeName } from "../../site-rules/language/condition-text.ts";
import { escapeText } from "../../site-rules/language/normal-text.ts";
import type { Nodes, SiteParam } from "../site/nodes.ts";

/** Limits the directories of a path that are tried as a condition. */
const DEPTH = 2;

export type PathConditions = (node: number) => readonly string[];

/**
 * Returns what lists conditions on the path of a URL, in the language of rules. They are the path itself, the path with
 * any number in the place of its numbers, and the directories that it is in.
 */
export function pathConditionsOf({ path, paths }: Nodes): PathConditions {
  const known: (readonly string[])[] = [];
  return (node) => {
    const own = path[node] as number;
    known[own] ??= [...pathConditions(paths[own] as string, DEPTH)];
    return known[own];
  };
}

/** Lists the conditions on one path; `most` limits its directories, from the root on. */
export function pathConditions(path: string, most = Number.POSITIVE_INFINITY): Set<string> {
  const like = new Set([escaped(path)]);
  if (/\d/.test(path)) like.add(path.split(/\d+/).map(escaped).join("<N>"));
  let slash = path.indexOf("/", 1);
  for (let depth = 0; depth < most && slash > 0; depth++) {
    like.add(`${escaped(path.slice(0, slash + 1))}...`);
    slash = path.indexOf("/", slash + 1);
  }
  return like;
}

function escaped(path: string): string {
  return path.includes("*") || path.includes("...")
    ? escapeText(path, "*").replaceAll("...", "\\...")
    : path;
}

/** Returns conditions on the parameters of a URL: that one is there, and its value if it is one of few. */
export function paramConditions(node: number, nodes: Nodes): string[] {
  const found: string[] = [];
  const end = nodes.paramStart[node + 1] as number;
  for (let at = nodes.paramStart[node] as number; at < end; at++) {
    const { name, value } = nodes.params[nodes.paramIds[at] as number] as SiteParam;
    const written = writeName(nodes.names[name] as string);
    if (written === "") continue;
    found.push(written);
    if (value !== null && isSaid(value)) found.push(`${written}=${value}`);
  }
  return found;
}

/** Returns whether a value can be asked for by a rule: not one of many, as numbers of things and sessions are. */
export function isSaid(value: string): boolean {
  return !/\d{5}|[0-9a-fA-F]{16}/.test(value);
}
