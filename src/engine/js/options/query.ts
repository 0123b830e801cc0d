import { SESSION_PAIR, SESSION_PATH_PARAMETER } from "../../../base/lists/session-ids.ts";
import { STAGES } from "../../../options/stages.generated.ts";
import type { LoadedProfile } from "../../../plan/decode/decode.ts";
import { LISTED } from "../../../plan/layout.ts";
import { lowerCase } from "../../../url/bytes.ts";
import { nextParam } from "./next-param.ts";

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

/** Returns name and value as options compare them, with the `=` that `valuelessParams` would add. */
function comparedPair(param: string, profile: LoadedProfile): string {
  const value = param.slice(nameOf(param).length);
  const isWithout = value === "" && profile.valuelessParams !== "keep";
  return comparedName(param, profile) + (isWithout ? "=" : value);
}

/** Is what a step returns of a parameter that it does not drop. */
const STAYS = -1;

/**
 * Returns whether a step drops a parameter: where in it a `;` may be from which another parameter follows, or `STAYS`. A step
 * that compares values drops all of the piece.
 */
type Drop = (param: string, profile: LoadedProfile, isPaired: boolean) => number;

/** Gives what each step drops. `leftParams` does what `case` and `repeatedParams` do. */
const DROPS: Readonly<Record<(typeof STAGES.params)[number], Drop>> = {
  sessionIds: dropSession,
  case: () => STAYS,
  keepParams: keepNamed,
  dropParams: dropNamed,
  trackingParams: dropTracking,
  defaultParams: dropDefault,
  emptyParams: dropEmpty,
  emptyValues: dropEmptyValue,
  repeatedParams: () => STAYS,
};
const DROPPING = STAGES.params.map((step) => DROPS[step]);
const CASE_STEPS = 1 + STAGES.params.indexOf("case");

/**
 * Returns what the first `steps` steps of the stage `params` leave of a query. A parameter that is dropped ends at the first
 * `;` that a name and `=` follow; what follows is a parameter again, and is judged as one, until one stays.
 */
export function leftParams(query: string, profile: LoadedProfile, steps: number): Params {
  let params: Params = query.split("&");
  const drops = profile.sessionIds === "remove";
  if (drops && query.includes(";")) params = params.map(withoutValueSession);
  if (steps >= CASE_STEPS && profile.case === "lower-path-query") params = params.map(lowerCase);
  if (!drops || !hasPair(params)) {
    const left = leftOnce(params, profile, steps, false);
    if (!drops || !hasPair(left)) return left;
  }
  return leftOnce(params, profile, steps, true);
}

/** Does the same once. `isPaired`: whether `CFID` and `CFTOKEN` are dropped, as the query has both. */
function leftOnce(
  params: Params,
  profile: LoadedProfile,
  steps: number,
  isPaired: boolean,
): Params {
  const drops = DROPPING.slice(0, steps);
  const repeated = steps === STAGES.params.length ? profile.repeatedParams : "keep";
  const seen = new Set<string>();
  const isRepeated = (param: string): boolean => {
    if (repeated === "keep" || param === "") return false;
    const compared = repeated === "equal" ? comparedPair : comparedName;
    return seen.size === seen.add(compared(param, profile)).size;
  };
  const left: string[] = [];
  for (const piece of repeated === "last" ? params.toReversed() : params) {
    for (let param: string | null = piece; param !== null; ) {
      let from = STAYS;
      for (const drop of drops) {
        from = drop(param, profile, isPaired);
        if (from !== STAYS) break;
      }
      if (from === STAYS && isRepeated(param)) {
        from = repeated === "equal" ? param.length : nameOf(param).length;
      }
      if (from === STAYS) {
        left.push(param);
        break;
      }
      param = nextParam(param, from);
    }
  }
  return repeated === "last" ? left.reverse() : left;
}

/** Drops session parameters by name, and `CFID` and `CFTOKEN` if both are in the query. */
function dropSession(
  param: string,
  { listedParams, sessionIds }: LoadedProfile,
  isPaired: boolean,
): number {
  if (sessionIds === "keep") return STAYS;
  const name = nameOf(param);
  if (listedParams?.valueOf(name) === LISTED.SESSION) return 0;
  return isPaired && SESSION_PAIR.includes(name.toLowerCase()) ? 0 : STAYS;
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

/** Drops the parameters of the built-in list of `trackingParams`. */
function dropTracking(param: string, { listedParams }: LoadedProfile): number {
  return listedParams?.valueOf(nameOf(param)) === LISTED.TRACKING ? 0 : STAYS;
}

/** Returns whether both names of `SESSION_PAIR` are there. */
function hasPair(params: Params): boolean {
  if (!params.some((param) => (param.charCodeAt(0) | 0x20) === 0x63)) return false; // no `c`
  const names = new Set(params.map((param) => nameOf(param).toLowerCase()));
  return SESSION_PAIR.every((name) => names.has(name));
}

/** Drops all parameters but those that `keepParams` names. */
function keepNamed(param: string, { keepParams }: LoadedProfile): number {
  return keepParams === null || keepParams.has(nameOf(param)) ? STAYS : 0;
}

/** Drops the parameters that `dropParams` names. A `;` in the text of the entry begins no other parameter. */
function dropNamed(param: string, { dropParams }: LoadedProfile): number {
  const name = nameOf(param);
  return dropParams?.has(name) === true ? dropParams.textEnd(name) : STAYS;
}

/**
 * Drops parameters that have the value of `defaultParams`. A parameter without `=` has the value "" if an `=` would be
 * added.
 */
function dropDefault(param: string, profile: LoadedProfile): number {
  const value = profile.defaultParams?.get(comparedName(param, profile));
  if (value === undefined) return STAYS;
  const isDefault = param.includes("=")
    ? param.slice(nameOf(param).length + 1) === value
    : value === "" && profile.valuelessParams !== "keep";
  return isDefault ? param.length : STAYS;
}

/** Drops empty pieces if the option `emptyParams` says so. */
function dropEmpty(param: string, { emptyParams }: LoadedProfile): number {
  return emptyParams === "remove" && param === "" ? 0 : STAYS;
}

/** Drops `a=`, and `a` if it would become `a=`, as the option `emptyValues` says. */
function dropEmptyValue(param: string, { emptyValues, valuelessParams }: LoadedProfile): number {
  if (emptyValues === "keep") return STAYS;
  const equals = param.indexOf("=");
  const isEmpty =
    equals < 0 ? valuelessParams !== "keep" && param !== "" : equals === param.length - 1;
  return isEmpty ? param.length : STAYS;
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
