/*
 * Conditions of rules.
 *
 * Memory: reads the ruled URL (ruled-url.ts), its parameters and the plan region. A condition is the
 * pattern of the path or 0, the number of its tests, and these, of 16 bytes: kind, hash of the name, name,
 * value. UNLESS has the kind of a site in place of the hash, the text of the site, and a condition or 0: the rule leaves
 * URLs of this site for which it holds alone.
 */
import { CONDITION, KIND, RULE, TEST, TEST_KIND, WHOLE } from "../catalog.generated";
import { piecesStart } from "../memory";
import { address } from "../plan";
import { textEnd, textStart } from "../tables";
import { DOT } from "../url/chars";
import { sameBytes } from "../url/component";
import { pathLength } from "./block";
import { matchPath } from "./match";
import { hasValue, isNamed, isWhole, paramAt, paramCount } from "./params";
import { hostEnd, pathEnd, siteStart, targetStart } from "./ruled-url";

/** Returns whether the condition of a rule holds. */
export function holds(rule: usize): bool {
  const isShort = pathLength < <usize>load<u32>(rule, RULE.SHORTEST);
  if (isShort || pathLength > <usize>load<u32>(rule, RULE.LONGEST)) return false;
  return isMet(address(rule + RULE.CONDITION), (load<u32>(rule, RULE.ACTION) & WHOLE) !== 0);
}

/** Returns whether a condition holds; 0 holds for every URL. `whole`: whether it must find parameters between `&` alone. */
function isMet(condition: usize, whole: bool): bool {
  if (condition === 0) return true;
  const path = address(condition + CONDITION.PATH);
  if (path !== 0 && !matchPath(path, targetStart, pathEnd)) return false;
  const tests = <usize>load<u32>(condition, CONDITION.TESTS);
  const end = condition + CONDITION.BYTES + tests * TEST.BYTES;
  for (let test = condition + CONDITION.BYTES; test < end; test += TEST.BYTES) {
    const kind = load<u32>(test, TEST.KIND);
    if (kind === TEST_KIND.UNLESS) {
      if (isOfSite(test) && isMet(address(test + TEST.VALUE), false)) return false;
    } else if (passes(test, whole && kind !== TEST_KIND.ABSENT) === (kind === TEST_KIND.ABSENT)) {
      return false;
    }
  }
  return true;
}

/** Returns whether the host of the URL is of the site of a test UNLESS. */
function isOfSite(test: usize): bool {
  const kind = load<u32>(test, TEST.HASH);
  if (kind === 0) return true;
  const text = address(test + TEST.NAME);
  const length = textEnd(text) - textStart(text);
  const end = hostEnd();
  if (end - siteStart < length || !sameBytes(end - length, textStart(text), length)) return false;
  if (end - siteStart === length) return true;
  return kind === KIND.SUBDOMAINS && load<u8>(end - length - 1) === DOT;
}

/** Returns whether a parameter has the name of a test, and its value too if the test is `equal`. */
function passes(test: usize, whole: bool): bool {
  const isEqual = load<u32>(test, TEST.KIND) === TEST_KIND.EQUAL;
  const end = paramAt(paramCount);
  for (let param = piecesStart; param < end; param += 16) {
    if (!isNamed(param, test + TEST.HASH) || (isEqual && !hasValue(param, test + TEST.VALUE)))
      continue;
    if (!whole || isWhole(param)) return true;
  }
  return false;
}
