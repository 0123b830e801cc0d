/*
 * Applies the rules of a URL: those of its site, of its domains, then those for every site, again and again until no rule
 * changes it.
 *
 * Memory: reads the plan region and the ruled URL (ruled-url.ts), which actions.ts and params.ts change.
 */
import { ACTION, BLOCK, LOCAL, RULE, WHOLE } from "../catalog.generated";
import { address } from "../plan";
import { act, isTooLong } from "./actions";
import { candidates, firstRule, hasBits, isIn, MANY, readFacts, setBits, wakeable } from "./block";
import { holds } from "./condition";
import { mayMatch } from "./match";
import {
  beginParams,
  hasSemicolon,
  isReduced,
  takeParams,
  writeReduced,
  writeTarget,
} from "./params";
import {
  nextTarget,
  pathEnd,
  restoreTarget,
  ruledLength,
  siteEnd,
  siteStart,
  targetEnd,
  targetStart,
} from "./ruled-url";
import { BLOCKS_END, facts, findRules, firstBlock } from "./sites";
import { findUrl } from "./url-table";

/** Gives the bytes of an entry in a table of exceptions: the address of a text. */
const EXCEPTION: usize = 4;
const ROUNDS: i32 = 32;
/** The bits of an action that are its number. */
const NUMBER: u32 = LOCAL - 1;

// Results of the last applySiteRules, which settle.ts reads.

/** Whether rules changed the URL. */
export let isRuled: bool = false;
/** Whether the rules only took parameters away. */
export let isOnlyReduced: bool = false;

// State of the call that is running.

/** Whether the rules made the URL too long. */
let isGivenUp: bool = false;
/** Whether this round ends without the rules that follow. */
let isOver: bool = false;
/** Whether the last rule of this round moved the URL to another site, or to the URL in it. */
let isMoved: bool = false;
/**
 * Whether only parameters have gone since each rule had its turn. Then few rules can still change the URL.
 */
let isQuiet: bool = false;
/** Whether the URL has changed since block.ts read its facts. */
let isStale: bool = false;
/** Whether parameters have gone since the candidates were computed. */
let hasShrunk: bool = false;

/**
 * Applies the rules that findRules has found, and those of the sites that the URL moves to. Returns false if
 * that does not come to an end, or if the URL would have more than `longest` bytes on the way.
 */
export function applySiteRules(longest: usize): bool {
  isRuled = false;
  isOnlyReduced = true;
  isGivenUp = false;
  isQuiet = false;
  isStale = true;
  beginParams();
  let last: usize = 0;
  for (let round = 0; round < ROUNDS; round++) {
    if (firstBlock === BLOCKS_END) return true;
    const from = siteStart;
    const to = siteEnd;
    const wasQuiet = isQuiet;
    isQuiet = true;
    isMoved = false;
    const changed = applyOnce(last, longest, wasQuiet);
    if (isGivenUp) return false;
    if (changed === 0) return true;
    isRuled = true;
    last = changed;
    if (isMoved || siteStart !== from || siteEnd !== to) {
      const known = facts;
      findRules();
      last = 0;
      if ((facts & ~known) !== 0) {
        if (isReduced) writeReduced();
        isStale = true;
      }
      isQuiet = false;
    }
  }
  return false;
}

/**
 * Applies each rule once, in order. Returns the last rule that changed the URL, or 0. `settled` is the last
 * rule that changed the URL in the round before. If no rule up to it changes the URL now, those after it
 * cannot either.
 */
function applyOnce(settled: usize, longest: usize, wasQuiet: bool): usize {
  let changed: usize = 0;
  for (let at = firstBlock; at < BLOCKS_END; at += 4) {
    const block = <usize>load<u32>(at);
    changed = applyBlock(block, settled, longest, wasQuiet, changed);
    if (isOver || (changed === 0 && isIn(block, settled))) return changed;
  }
  return changed;
}

/** Does the same for one block. `changed` is the last rule that changed the URL in the blocks before. */
function applyBlock(
  block: usize,
  settled: usize,
  longest: usize,
  wasQuiet: bool,
  changed: usize,
): usize {
  const count = load<i32>(block, BLOCK.COUNT);
  const rules = firstRule(block);
  const last: usize = isIn(block, settled) ? settled : usize.MAX_VALUE;
  isOver = false;
  for (let first = 0; first < count; first += MANY) {
    let left = leftOf(block, first, wasQuiet);
    while (left !== 0) {
      const index = ctz(left);
      const rule = rules + <usize>(first + <i32>index) * RULE.BYTES;
      if (changed === 0 && rule > last) return 0;
      left &= left - 1;
      if (hasShrunk && !hasBits(block, first + <i32>index)) continue;
      // What is next to a `;` is seen in a target without the parameters that were taken.
      if (isReduced && hasSemicolon && (load<u32>(rule, RULE.ACTION) & WHOLE) !== 0)
        refreshTarget();
      if (!holds(rule) || !applyRule(rule, longest)) {
        if (isOver) return changed;
        continue;
      }
      changed = rule;
      if (isOver) return changed;
      // Removing a parameter adds no candidate, so `left` still holds all of them.
      if (!isStale) continue;
      left = index === 63 ? 0 : leftOf(block, first, wasQuiet) & (u64.MAX_VALUE << (index + 1));
    }
  }
  return changed;
}

/** Returns, as bits, which of up to MANY rules from number `first` on to look at. */
function leftOf(block: usize, first: i32, wasQuiet: bool): u64 {
  const woken = wasQuiet && isQuiet ? wakeable(block, first) : u64.MAX_VALUE;
  if (woken === 0) return 0;
  if (isStale) readFacts(facts);
  isStale = false;
  hasShrunk = false;
  return candidates(block, first) & woken;
}

/** Writes the target without the parameters that were taken, and reads it again. */
function refreshTarget(): void {
  writeReduced();
  readFacts(facts);
}

/** Returns whether the URL without the parameters just taken is an exception. They are back then. */
function makesException(exceptions: usize): bool {
  const next = nextTarget();
  if (findUrl(exceptions, EXCEPTION, next, writeTarget(next)) === 0) return false;
  readFacts(facts);
  return true;
}

/**
 * Does the action of a rule whose condition holds; returns whether that changed the URL. If the rule would
 * make one of its exceptions, the URL stays as it was before the rule.
 */
function applyRule(rule: usize, longest: usize): bool {
  const action = load<u32>(rule, RULE.ACTION);
  const exceptions = address(rule + RULE.EXCEPTIONS);
  if ((action & NUMBER) < ACTION.SET) {
    // A target without all that was taken before is what stays if the rule makes an exception.
    if (exceptions !== 0 && isReduced) refreshTarget();
    if (!takeParams(action, address(rule + RULE.SUBJECT), rule + RULE.OBJECT)) return false;
    if (exceptions !== 0 && makesException(exceptions)) return false;
    setBits(facts);
    hasShrunk = true;
    // A parameter may not be next to a `;` any more.
    if (hasSemicolon) isQuiet = false;
    return true;
  }
  if (isReduced) {
    if ((action & LOCAL) !== 0 && !mayMatch(address(rule + RULE.SUBJECT))) return false;
    refreshTarget();
  }
  const start = targetStart;
  const stop = pathEnd;
  const end = targetEnd;
  const isChanged = act(action & ~LOCAL, rule + RULE.SUBJECT, rule + RULE.OBJECT, longest);
  // What it tried to read is in place of the parameters.
  if (action === ACTION.UNWRAP && !isChanged) readFacts(facts);
  isGivenUp = isTooLong || (isChanged && ruledLength() > longest);
  if (exceptions !== 0 && isChanged && !isGivenUp) {
    if (findUrl(exceptions, EXCEPTION, targetStart, targetEnd) !== 0) {
      restoreTarget(start, stop, end);
      // An action may have used the region of the parameters.
      readFacts(facts);
      return false;
    }
  }
  isMoved = isChanged && (action === ACTION.HOST || action === ACTION.UNWRAP);
  isOver = isGivenUp || isMoved;
  if (!isChanged) return false;
  if (action !== ACTION.HOST) isStale = true;
  isQuiet = false;
  isOnlyReduced = false;
  return true;
}
