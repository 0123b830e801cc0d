/*
 * Conditions of rules.
 *
 * Memory: reads the ruled URL (ruled-url.ts), its parameters and the plan region. A condition is the
 * pattern of the path or 0, the number of its tests, and these, of 16 bytes: kind, hash of the name, name,
 * value.
 */
import { piecesStart } from "../memory";
import { address } from "../plan";
import { pathLength } from "./block";
import { matchPath } from "./match";
import { hasValue, isNamed, paramAt, paramCount } from "./params";
import { pathEnd, targetStart } from "./ruled-url";

// Tests, by their numbers in the plan.
const ABSENT: u32 = 1;
const EQUAL: u32 = 2;

/** Returns whether the condition of a rule holds. */
export function holds(rule: usize): bool {
  if (pathLength < <usize>load<u32>(rule) || pathLength > <usize>load<u32>(rule, 4)) return false;
  const condition = address(rule + 8);
  if (condition === 0) return true;
  const path = address(condition);
  if (path !== 0 && !matchPath(path, targetStart, pathEnd)) return false;
  const end = condition + 8 + ((<usize>load<u32>(condition, 4)) << 4);
  for (let test = condition + 8; test < end; test += 16) {
    if (passes(test) === (load<u32>(test) === ABSENT)) return false;
  }
  return true;
}

/** Returns whether a parameter has the name of a test, and its value too if the test is `equal`. */
function passes(test: usize): bool {
  const isEqual = load<u32>(test) === EQUAL;
  const end = paramAt(paramCount);
  for (let param = piecesStart; param < end; param += 16) {
    if (isNamed(param, test + 4) && (!isEqual || hasValue(param, test + 12))) return true;
  }
  return false;
}
