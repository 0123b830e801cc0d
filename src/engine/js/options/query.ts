import { SESSION_PAIR, SESSION_PATH_PARAMETER } from "../../../base/lists/session-ids.ts";
import type { LoadedProfile } from "../../../plan/decode/decode.ts";
import { LISTED } from "../../../plan/layout.ts";
import { lowerCase } from "../../../url/bytes.ts";

/**
 * Holds the parameters of a query, the texts between its `&`, as byte strings. They are filtered and sorted,
 * never decoded.
 */
export type Params = readonly string[];

/** Returns the name of a parameter: all before its first `=`. */
function nameOf(param: string): string {
  const equals = param.indexOf("=");
  return equals < 0 ? param : param.slice(0, equals);
}

/** Returns the name as options compare it: without ASCII case if they ask for that. */
function comparedName(param: string, { paramCase }: LoadedProfile): string {
  return paramCase === "ignore" ? nameOf(param).toLowerCase() : nameOf(param);
}

/** Returns the parameters that stay; the same array if all stay. */
function without(params: Params, drops: (param: string) => boolean): Params {
  return params.some(drops) ? params.filter((param) => !drops(param)) : params;
}

/**
 * Removes session parameters by name, `CFID` and `CFTOKEN` if both are there, and session ids at the end of a
 * value.
 */
export function dropSession(params: Params, { listedParams, sessionIds }: LoadedProfile): Params {
  if (listedParams === null || sessionIds === "keep") return params;
  const isPaired = pairOf(params);
  const kept = without(params, (param) => {
    const name = nameOf(param);
    return listedParams.valueOf(name) === LISTED.SESSION || isPaired(name);
  });
  return kept.some((param) => param.includes(";")) ? kept.map(withoutValueSession) : kept;
}

/** Returns a parameter without every `;jsessionid=x` at the end of its value. */
function withoutValueSession(param: string): string {
  const value = nameOf(param).length + 1;
  let end = param.length;
  for (let at = end - 1; at >= value; at--) {
    const character = param[at];
    if (character === "/" || character === "?") break;
    if (character !== ";") continue;
    const head = param.slice(at, Math.min(at + SESSION_PATH_PARAMETER.length, end));
    if (head.toLowerCase() !== SESSION_PATH_PARAMETER) break;
    end = at;
  }
  return param.slice(0, end);
}

/** Removes the parameters of the built-in list of `trackingParams`. */
export function dropTracking(params: Params, { listedParams }: LoadedProfile): Params {
  if (listedParams === null) return params;
  return without(params, (param) => listedParams.valueOf(nameOf(param)) === LISTED.TRACKING);
}

function pairOf(params: Params): (name: string) => boolean {
  if (!params.some((param) => (param.charCodeAt(0) | 0x20) === 0x63)) return () => false; // no `c`
  const names = new Set(params.map((param) => nameOf(param).toLowerCase()));
  if (!SESSION_PAIR.every((name) => names.has(name))) return () => false;
  return (name) => SESSION_PAIR.includes(name.toLowerCase());
}

/** Writes parameters in lower case if the option `case` says so. */
export function lowerParams(params: Params, profile: LoadedProfile): Params {
  return profile.case === "lower-path-query" ? params.map(lowerCase) : params;
}

/** Removes all parameters but those that `keepParams` names. */
export function keepNamed(params: Params, { keepParams }: LoadedProfile): Params {
  return keepParams === null ? params : without(params, (param) => !keepParams.has(nameOf(param)));
}

/** Removes the parameters that `dropParams` names. */
export function dropNamed(params: Params, { dropParams }: LoadedProfile): Params {
  return dropParams === null ? params : without(params, (param) => dropParams.has(nameOf(param)));
}

/**
 * Removes parameters that have the value of `defaultParams`. A parameter without `=` has the value "" if an
 * `=` would be added.
 */
export function dropDefaults(params: Params, profile: LoadedProfile): Params {
  const { defaultParams, valuelessParams } = profile;
  if (defaultParams === null) return params;
  return without(params, (param) => {
    const value = defaultParams.get(comparedName(param, profile));
    if (value === undefined) return false;
    if (!param.includes("=")) return value === "" && valuelessParams !== "keep";
    return param.slice(nameOf(param).length + 1) === value;
  });
}

/** Removes empty pieces if the option `emptyParams` says so. */
export function dropEmpty(params: Params, { emptyParams }: LoadedProfile): Params {
  return emptyParams === "remove" ? without(params, (param) => param === "") : params;
}

/** Removes `a=`, and `a` if it would become `a=`, as the option `emptyValues` says. */
export function dropEmptyValues(params: Params, profile: LoadedProfile): Params {
  if (profile.emptyValues === "keep") return params;
  const getsEquals = profile.valuelessParams !== "keep";
  return without(params, (param) => {
    const equals = param.indexOf("=");
    return equals < 0 ? getsEquals && param !== "" : equals === param.length - 1;
  });
}

/**
 * Keeps the first or the last of the parameters with one name, as `repeatedParams` says. An empty parameter
 * does not have a name.
 */
export function dropRepeated(params: Params, profile: LoadedProfile): Params {
  if (profile.repeatedParams === "keep") return params;
  const isFirst = profile.repeatedParams === "first";
  const chosen = new Map<string, number>();
  let named = 0;
  for (const [at, param] of params.entries()) {
    if (param === "") continue;
    named++;
    const name = comparedName(param, profile);
    if (!isFirst || !chosen.has(name)) chosen.set(name, at);
  }
  if (chosen.size === named) return params;
  return params.filter(
    (param, at) => param === "" || chosen.get(comparedName(param, profile)) === at,
  );
}

/** Adds `=` to parameters without a value if the option `valuelessParams` says so. */
export function addEquals(params: Params, { valuelessParams }: LoadedProfile): Params {
  if (valuelessParams === "keep") return params;
  return params.map((param) => (param === "" || param.includes("=") ? param : `${param}=`));
}

/**
 * Sorts parameters by the bytes of their names, which is stable; or by name and value (RFC 5849 3.4.1.3.2),
 * where a parameter without `=` comes first.
 */
export function sortParams(params: Params, { sortQuery }: LoadedProfile): Params {
  if (sortQuery === "keep" || params.length < 2) return params;
  const keyed = params.map((param) => ({ param, name: nameOf(param) }));
  const byValue = sortQuery === "name-value";
  const order = (a: Keyed, b: Keyed): number =>
    compare(a.name, b.name) || (byValue ? compare(a.param, b.param) : 0);
  if (keyed.every((each, at) => at === 0 || order(keyed[at - 1] as Keyed, each) <= 0))
    return params;
  return keyed.sort(order).map(({ param }) => param);
}

interface Keyed {
  readonly param: string;
  readonly name: string;
}

/** Compares texts of ASCII by UTF-16 units, which for ASCII is by bytes. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
