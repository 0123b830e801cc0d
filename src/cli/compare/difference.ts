import { type Parts, splitParts } from "../../url/parts.ts";

/** Describes the first part in which two normalized URLs differ, from left to right. */
export interface Difference {
  /** Names the part. `parameterOrder` means equal parameters in another order, `emptyQuery` a `?` with nothing after it. */
  readonly part:
    | "scheme"
    | "userinfo"
    | "host"
    | "port"
    | "path"
    | "parameter"
    | "parameterOrder"
    | "emptyQuery"
    | "fragment";
  /** Names the parameter, if the part is one. */
  readonly name?: string;
  /** Holds the part of the first URL; null if it has none. */
  readonly first: string | null;
  /** Holds the part of the second URL; null if it has none. */
  readonly second: string | null;
}

/** Describes a parameter that two queries do not have alike. */
export interface DifferentParam {
  readonly name: string;
  /** Lists the parameters of this name as they are in the first query, such as `sid=1`. */
  readonly first: readonly string[];
  /** Lists those of the second query. */
  readonly second: readonly string[];
}

/** Returns the first difference of two normalized URLs that are not equal. */
export function firstDifference(first: string, second: string): Difference {
  const [a, b] = [splitParts(first), splitParts(second)];
  for (const part of ["scheme", "userinfo", "host", "port", "path"] as const) {
    if (a[part] !== b[part]) return { part, first: a[part] || null, second: b[part] || null };
  }
  if (a.query === b.query) return { part: "fragment", first: a.fragment, second: b.fragment };
  const [param] = differentParams(a, b);
  if (param !== undefined) {
    const shown = (pieces: readonly string[]) => (pieces.length === 0 ? null : pieces.join("&"));
    const { name } = param;
    return { part: "parameter", name, first: shown(param.first), second: shown(param.second) };
  }
  const isEmpty = (a.query ?? "") === (b.query ?? "");
  return { part: isEmpty ? "emptyQuery" : "parameterOrder", first: a.query, second: b.query };
}

/** Returns the parameters that two URLs do not have alike, in the order of the first URL. */
export function differentParams({ query: a }: Parts, { query: b }: Parts): DifferentParam[] {
  const [first, second] = [paramsByName(a), paramsByName(b)];
  const names = new Set([...first.keys(), ...second.keys()]);
  return [...names]
    .map((name) => ({ name, first: first.get(name) ?? [], second: second.get(name) ?? [] }))
    .filter((param) => param.first.join("&") !== param.second.join("&"));
}

function paramsByName(query: string | null): Map<string, string[]> {
  const params = new Map<string, string[]>();
  for (const param of query ? query.split(/[&;]/) : []) {
    const [name = ""] = param.split("=", 1);
    const others = params.get(name);
    if (others === undefined) params.set(name, [param]);
    else others.push(param);
  }
  return params;
}
