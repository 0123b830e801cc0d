import { badRule } from "../data-lines.ts";
import {
  ANY_SITE,
  type Condition,
  DOMAIN,
  type Pattern,
  type Rule,
  type Template,
} from "../rule.ts";
import { checkDots } from "./normal-text.ts";
import { capturesOf, shortestCapture, shortestMatch, textLength } from "./pattern.ts";

/**
 * Throws `BAD_RULES` for a rule that could make a URL longer, or keep its length without making it smaller by
 * its bytes. Every step then makes the URL shorter or smaller, so rules come to an end. Actions that change
 * nothing when applied twice need no check.
 */
export function checkRule({ site, condition, action }: Rule): void {
  if (action.type === "sub" || action.type === "path") {
    checkDecrease(action.from, action.to);
    if (action.type === "path") checkPath(action.to);
  }
  if (action.type === "host") {
    if (site === ANY_SITE) throw badRule("a rule for every site cannot have the action host");
    if (site.startsWith(DOMAIN)) throw badRule("a rule for a domain cannot have the action host");
    if (site === action.to) throw badRule(`${site} and ${action.to} are the same host`);
  }
  if (action.type === "unwrap" && site === ANY_SITE) {
    throw badRule(
      "a rule for every site cannot have the action unwrap: name the sites that forward",
    );
  }
  if (action.type === "sink") {
    const shortest = shortestTarget(condition);
    if (action.target.length > shortest) {
      throw badRule(
        `${action.target} is longer than the shortest URL that the rule can match (${shortest} bytes)`,
      );
    }
  }
}

/** Returns the fewest bytes that path and query can have if the condition holds. */
function shortestTarget({ path, params }: Condition): number {
  const equal = new Set(params.filter(({ is }) => is === "equal").map(({ name }) => name));
  const needed = params
    .filter(({ name, is }) => is === "equal" || (is === "present" && !equal.has(name)))
    .map(({ name, is, value }) => (is === "equal" ? `${name}=${value}` : name));
  return [...new Set(needed)].reduce(
    (length, param) => length + 1 + param.length,
    path === null ? 1 : shortestMatch(path),
  );
}

function checkPath(to: Template): void {
  const [first] = to;
  if (typeof first !== "string" || !first.startsWith("/")) {
    throw badRule("the new path must begin with /");
  }
  for (const [index, piece] of to.entries()) {
    if (typeof piece !== "string") continue;
    if (piece.includes("?")) throw badRule("the new path must not have a query");
    checkDots(piece, index === to.length - 1);
  }
}

function checkDecrease(from: Pattern, to: Template): void {
  const copied = to.filter((piece) => typeof piece === "number");
  const twice = copied.find((number, index) => copied.indexOf(number) < index);
  if (twice !== undefined)
    throw badRule(`<${twice}> is copied twice: a capture can be copied once`);
  const dropped = capturesOf(from)
    .filter((_, index) => !copied.includes(index + 1))
    .reduce((length, element) => length + shortestCapture(element), 0);
  const literal = to.reduce<number>(
    (length, piece) => length + (typeof piece === "string" ? piece.length : 0),
    0,
  );
  const decrease = textLength(from) + dropped - literal;
  if (decrease > 0 || (decrease === 0 && dropped === 0 && isSmaller(from, to))) return;
  throw badRule(
    decrease < 0
      ? "it can make a URL longer: each URL that it matches must become shorter, or smaller by its bytes"
      : "it can make a URL that is as long and not smaller by its bytes: each URL that it matches must become shorter, or smaller",
  );
}

/** Returns whether the template has the smaller byte at the first difference from the pattern. */
function isSmaller(from: Pattern, to: Template): boolean {
  let capture = 0;
  const before = from
    .map((element) =>
      element.kind === "text"
        ? element.text
        : element.kind === "end"
          ? ""
          : String.fromCharCode(++capture) + ("suffix" in element ? element.suffix : ""),
    )
    .join("");
  const after = to
    .map((piece) => (typeof piece === "string" ? piece : String.fromCharCode(piece)))
    .join("");
  const isMark = (code: number) => code <= capture;
  for (let at = 0; at < Math.min(before.length, after.length); at++) {
    const a = before.charCodeAt(at);
    const b = after.charCodeAt(at);
    if (a !== b) return !isMark(a) && !isMark(b) && b < a;
  }
  return false;
}
