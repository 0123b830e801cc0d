import { addCount, addMember, entryOf } from "../../base/tallies.ts";
import { targetOf } from "../../site-rules/apply/actions.ts";
import { joinParams, splitParams } from "../../site-rules/apply/params.ts";
import { mixed } from "../hashes/hash.ts";
import { type Nodes, splitTarget } from "../site/nodes.ts";
import { shapeOf } from "./page-shape.ts";

/** A value counts for itself if so many URLs have it. */
const POPULAR = 5;
/** A first parameter chooses the page's program if so many words as value have so many URLs each. */
const PROGRAMS = 3;
const ROUTE = 20;
/** Limits the parameters of one shape of URLs, the most frequent ones. */
const MOST_NAMES = 30;
/** Stands for the value of a parameter that a URL does not have. */
const ABSENT = "";

/** A URL as patterns see it. */
interface Parsed {
  readonly node: number;
  /** Names its program: the path without numbers and words, and the parameter that chooses a program. */
  readonly shape: string;
  readonly path: string;
  readonly params: readonly string[];
}

/** A URL of a group, with what the others of the group may have otherwise. */
interface Member {
  readonly node: number;
  readonly value: string;
}

/** Names parameters that always come together. */
interface Bundle {
  readonly name: string;
  readonly names: ReadonlySet<string>;
}

/** Holds the URLs that a pattern would make one, in groups by what they have in common. */
export interface Pattern {
  readonly groups: Map<string, number[]>;
  /** Counts the URLs that it would merge with another. */
  merges: number;
  /** Lists the URLs that it would change and that are alone: the list has no other to compare them with. */
  readonly alone: number[];
}

/** Returns the patterns of a site by their names. `settled` names those that URLs are seen without. */
export function patternsOf(nodes: Nodes, settled: ReadonlySet<string>): Map<string, Pattern> {
  const urls = parsedUrls(nodes, settled);
  const bundles = bundlesByShape(nodes, urls);
  const counts = new Map<string, number>();
  const folders = new Map<string, number[]>();
  const groups = new Map<string, Map<string, Member[]>>();
  const add = (name: string, key: string, value: string, node: number): void =>
    addMember(
      entryOf(groups, name, () => new Map()),
      key,
      { value, node },
    );
  for (const { node, shape, path, params } of urls) {
    for (const { name, names } of bundles.get(shape) ?? []) {
      const [own, rest] = [true, false].map((isOwn) =>
        params
          .filter((param) => names.has(nameOf(param)) === isOwn)
          .toSorted()
          .join("&"),
      ) as [string, string];
      add(`${shape} ${name}`, `${path}?${rest}`, own, node);
      addCount(counts, `${shape} ${own}`);
    }
    const query = params.join("&");
    add("order", `${path}?${params.toSorted().join("&")}`, query, node);
    add("slash", `${path.replace(/\/$/, "")}?${query}`, path, node);
    add("scheme", nodes.targets[node] as string, String(node), node);
    // A word as last segment, such as feed, with the URL of its folder.
    const [, parent, last] = /^(.*)\/([^/\d]+\/?)$/.exec(path) ?? [];
    if (last !== undefined) add(`last ${last}`, `${parent}?${query}`, last, node);
    addMember(folders, `${path.replace(/\/$/, "")}?${query}`, node);
  }
  return divided(groups, counts, folders);
}

/** Divides groups by the values that their URLs have: a value of many URLs is a pattern of its own. */
function divided(
  groups: ReadonlyMap<string, ReadonlyMap<string, Member[]>>,
  counts: ReadonlyMap<string, number>,
  folders: ReadonlyMap<string, readonly number[]>,
): Map<string, Pattern> {
  const found = new Map<string, Pattern>();
  for (const [name, byKey] of groups) {
    const isLast = name.startsWith("last ");
    const [shape = ""] = name.split(" ");
    const urlsWith = ({ value }: Member): number => counts.get(`${shape} ${value}`) ?? 0;
    for (const [key, members] of byKey) {
      const parents = isLast ? (folders.get(key) ?? []) : [];
      for (const node of parents) members.push({ value: ABSENT, node });
      const [first, ...others] = members as [Member, ...Member[]];
      // The name of a pattern of parameters begins with a path.
      if (others.length === 0 && first.value !== ABSENT && name.startsWith("/"))
        entryOf(found, name, newPattern).alone.push(first.node);
      const base = baseOf(members, urlsWith);
      const isPopular = (member: Member): boolean => urlsWith(member) >= POPULAR;
      const against = base.value === ABSENT ? "" : `|${isPopular(base) ? base.value : "others"}`;
      for (const member of members) {
        if (member.value === base.value) continue;
        const own = isPopular(member) ? `${shape} ${member.value}${against}` : name;
        const pattern = entryOf(found, own, newPattern);
        entryOf(pattern.groups, key, () => [base.node]).push(member.node);
        pattern.merges++;
      }
    }
  }
  return found;
}

function newPattern(): Pattern {
  return { groups: new Map(), merges: 0, alone: [] };
}

/** Matches links that may act when they are fetched. */
const ACTS =
  /(?<![a-z])(?:add|buy|cart|checkout|clear|confirm|delete|disable|edit|enable|hide|like|log-?o(?:ff|ut)|mark|move|order|post|remove|report|reset|rate|save|send|set|sign-?out|submit|(?:un)?subscribe|update|vote|wishlist)(?![a-z])/i;

/** Returns a target without the parameters of a pattern. Returns null if it has none of them, or may act. */
export function inventedBy(pattern: string, target: string): string | null {
  const names = pattern.split(" ")[1]?.split("&") ?? [];
  const [path, query] = splitTarget(target);
  const params = splitParams(query ?? "");
  const left = params.filter(({ name }) => !names.includes(name));
  if (left.length === params.length || ACTS.test(target)) return null;
  return targetOf({ path, query: joinParams(left) });
}

/** Returns for each shape the most frequent parameters. Those that always come together are one. */
function bundlesByShape(nodes: Nodes, urls: readonly Parsed[]): Map<string, Bundle[]> {
  const signatures = new Map<string, Map<string, { count: number; sum: number }>>();
  for (const { node, shape, params } of urls) {
    const ofShape = entryOf(signatures, shape, () => new Map());
    for (const name of new Set(params.map(nameOf))) {
      const signature = entryOf(ofShape, name, () => ({ count: 0, sum: 0 }));
      signature.count++;
      signature.sum += orderOf(nodes, node);
    }
  }
  const bundlesOf = (ofShape: ReadonlyMap<string, { count: number; sum: number }>): Bundle[] => {
    const bundles = new Map<string, string[]>();
    const byCount = [...ofShape].toSorted(([, a], [, b]) => b.count - a.count);
    for (const [name, { count, sum }] of byCount.slice(0, MOST_NAMES))
      addMember(bundles, `${count} ${sum}`, name);
    const together = [...bundles.values()].filter(({ length }) => length > 1);
    const alone = [...bundles.values()].flat().map((name) => [name]);
    return [...alone, ...together].map((names) => ({
      name: names.join("&"),
      names: new Set(names),
    }));
  };
  return new Map([...signatures].map(([shape, ofShape]) => [shape, bundlesOf(ofShape)]));
}

function parsedUrls({ targets }: Nodes, settled: ReadonlySet<string>): Parsed[] {
  const urls = targets.map((target, node) => {
    const [path, query] = splitTarget(target);
    const params = (query ?? "").split(/[&;]/).filter((param) => param !== "");
    return { node, shape: shapeOf(path), path, params };
  });
  const routes = new Map<string, number>();
  for (const { shape, params } of urls) addCount(routes, `${shape}?${params[0]}`);
  const programs = new Map<string, number>();
  for (const [route, count] of routes) {
    if (count >= ROUTE && /=[a-z_]+$/i.test(route)) addCount(programs, nameOf(route));
  }
  return urls.map(({ node, shape, path, params: [first, ...rest] }) => {
    const route = `${shape}?${first}`;
    const isRoute =
      (routes.get(route) as number) >= ROUTE && (programs.get(nameOf(route)) ?? 0) >= PROGRAMS;
    const own = isRoute ? route : shape;
    const params = (isRoute || first === undefined ? rest : [first, ...rest]).flatMap(inParts);
    const isSettled = (param: string): boolean =>
      settled.has(`${own} ${nameOf(param)}`) || settled.has(`${own} ${param}`);
    return {
      node,
      shape: own,
      path: isRoute ? `${path}?${first}` : path,
      params: params.filter((param) => !isSettled(param)),
    };
  });
}

/** Returns a number of a URL by which URLs come in an order that does not depend on their texts. */
export function orderOf({ low, high }: Nodes, node: number): number {
  return mixed(low[node] as number, high[node] as number);
}

function nameOf(param: string): string {
  return param.split("=", 1)[0] as string;
}

/** Returns the patterns of the single parameters of a pattern of several, whatever their values are. */
export function patternsOfNames(pattern: string): string[] {
  const [shape, names = ""] = pattern.split(" ");
  return names.includes("=") ? [] : names.split("&").map((name) => `${shape} ${name}`);
}

/** Returns a parameter such as `topic=12.msg3` as two: its number, and what comes after it without its numbers. */
function inParts(param: string): string[] {
  const [, name, number, rest] = /^([^=]+)=(\d+)\.(.+)$/.exec(param) ?? [];
  if (rest === undefined) return [param];
  return [`${name}=${number}`, `${name}.rest=${rest.replaceAll(/\d+/g, "N")}`];
}

/** Returns what the others of a group are compared with: a URL without the thing, or with its most frequent value. */
function baseOf(members: readonly Member[], urlsWith: (member: Member) => number): Member {
  const without = members.find(({ value }) => value === ABSENT);
  return without ?? members.reduce((most, each) => (urlsWith(each) > urlsWith(most) ? each : most));
}
