/*
 * Conditions of rules.
 *
 * Memory: reads the ruled URL (ruled-url.ts), its parameters and the plan region. A condition is the
 * pattern of the path or 0, the number of its tests, and these, of 16 bytes: kind, hash of the name, name,
 * value. UNLESS has the kind of a site in place of the hash, the text of the site, and a condition or 0: the rule leaves
 * URLs of this site for which it holds alone.
 */
import { piecesStart } from "../memory";
import { address } from "../plan";
import { SUBDOMAINS, textEnd, textStart } from "../tables";
import { DOT } from "../url/chars";
import { sameBytes } from "../url/component";
import { pathLength } from "./block";
import { matchPath } from "./match";
import { hasValue, isNamed, isWhole, paramAt, paramCount, WHOLE } from "./params";
import { hostEnd, pathEnd, siteStart, targetStart } from "./ruled-url";

// Tests, by their numbers in the plan.
const ABSENT: u32 = 1;
const EQUAL: u32 = 2;
const UNLESS: u32 = 3;

/** Returns whether the condition of a rule holds. */
export function holds(rule: usize): bool {
  if (pathLength < <usize>load<u32>(rule) || pathLength > <usize>load<u32>(rule, 4)) return false;
  return isMet(address(rule + 8), (load<u32>(rule, 12) & WHOLE) !== 0);
}

/** Returns whether a condition holds; 0 holds for every URL. `whole`: whether it must find parameters between `&` alone. */
function isMet(condition: usize, whole: bool): bool {
  if (condition === 0) return true;
  const path = address(condition);
  if (path !== 0 && !matchPath(path, targetStart, pathEnd)) return false;
  const end = condition + 8 + ((<usize>load<u32>(condition, 4)) << 4);
  for (let test = condition + 8; test < end; test += 16) {
    const kind = load<u32>(test);
    if (kind === UNLESS) {
      if (isOfSite(test) && isMet(address(test + 12), false)) return false;
    } else if (passes(test, whole && kind !== ABSENT) === (kind === ABSENT)) {
      return false;
    }
  }
  return true;
}

/** Returns whether the host of the URL is of the site of a test UNLESS. */
function isOfSite(test: usize): bool {
  const kind = load<u32>(test, 4);
  if (kind === 0) return true;
  const text = address(test + 8);
  const length = textEnd(text) - textStart(text);
  const end = hostEnd();
  if (end - siteStart < length || !sameBytes(end - length, textStart(text), length)) return false;
  if (end - siteStart === length) return true;
  return kind === SUBDOMAINS && load<u8>(end - length - 1) === DOT;
}

/** Returns whether a parameter has the name of a test, and its value too if the test is `equal`. */
function passes(test: usize, whole: bool): bool {
  const isEqual = load<u32>(test) === EQUAL;
  const end = paramAt(paramCount);
  for (let param = piecesStart; param < end; param += 16) {
    if (!isNamed(param, test + 4) || (isEqual && !hasValue(param, test + 12))) continue;
    if (!whole || isWhole(param)) return true;
  }
  return false;
}
