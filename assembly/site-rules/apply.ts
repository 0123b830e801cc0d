/*
 * The rules for one URL: those of its site, then those for every site, again and again until none
 * changes it.
 *
 * Memory: reads the plan region and the ruled URL (ruled-url.ts), which actions.ts and params.ts
 * change.
 */
import { address, anyRules } from "../plan";
import { act, HOST, isTooLong, SET } from "./actions";
import {
  candidates,
  firstRule,
  hasBits,
  isIn,
  MANY,
  RULE,
  readFacts,
  setBits,
  wakeable,
} from "./block";
import { holds } from "./condition";
import { mayMatch } from "./match";
import { beginParams, isReduced, takeParams, writeReduced } from "./params";
import { ruledLength, siteEnd, siteStart } from "./ruled-url";
import { facts, findRules, ownRules } from "./sites";

const ROUNDS: i32 = 32;
/** Of an action: it matches in the path or in one parameter, so none makes it match by going. */
const LOCAL: u32 = 256;

// Results of the last applySiteRules, which settle.ts reads.

/** Whether rules changed the URL. */
export let isRuled: bool = false;
/** Whether all that they did is to take parameters. */
export let isOnlyReduced: bool = false;

// State of the call that is running.

/** Whether they have made it too long. */
let isGivenUp: bool = false;
/** Whether the rules that follow are not to be applied in this round. */
let isOver: bool = false;
/** Whether only parameters went since each rule has had its turn: few can have work again. */
let isQuiet: bool = false;
/** Whether the URL has changed since block.ts read its facts. */
let isStale: bool = false;
/** Whether parameters went since candidates were looked for. */
let hasShrunk: bool = false;

/**
 * Applies the rules that findRules has found, and those of sites the URL moves to; false where that does
 * not come to an end, or the URL would have more than `longest` bytes on the way.
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
    if ((ownRules | anyRules) === 0) return true;
    const from = siteStart;
    const to = siteEnd;
    const wasQuiet = isQuiet;
    isQuiet = true;
    const changed = applyOnce(last, longest, wasQuiet);
    if (isGivenUp) return false;
    if (changed === 0) return true;
    isRuled = true;
    last = changed;
    if (siteStart !== from || siteEnd !== to) {
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
 * Applies each rule once, in order; returns the last that changed the URL, or 0. Where none has up to
 * `settled`, those after it need no look: they have left the URL alone since that rule changed it.
 */
function applyOnce(settled: usize, longest: usize, wasQuiet: bool): usize {
  let changed: usize = 0;
  if (ownRules !== 0) {
    changed = applyBlock(ownRules, settled, longest, wasQuiet, 0);
    if (isOver || (changed === 0 && isIn(ownRules, settled))) return changed;
  }
  return anyRules === 0 ? changed : applyBlock(anyRules, settled, longest, wasQuiet, changed);
}

/** The same for one block, `changed` being what its blocks before have. */
function applyBlock(
  block: usize,
  settled: usize,
  longest: usize,
  wasQuiet: bool,
  changed: usize,
): usize {
  const count = load<i32>(block);
  const rules = firstRule(block);
  const last: usize = isIn(block, settled) ? settled : usize.MAX_VALUE;
  isOver = false;
  for (let first = 0; first < count; first += MANY) {
    let left = leftOf(block, first, wasQuiet);
    while (left !== 0) {
      const index = ctz(left);
      const rule = rules + <usize>(first + <i32>index) * RULE;
      if (changed === 0 && rule > last) return 0;
      left &= left - 1;
      if (hasShrunk && !hasBits(block, first + <i32>index)) continue;
      if (!holds(rule) || !applyRule(rule, longest)) {
        if (isOver) return changed;
        continue;
      }
      changed = rule;
      if (isOver) return changed;
      // A parameter less leaves no rule more to look at, unless it wakes it.
      if (!isStale) continue;
      left = index === 63 ? 0 : leftOf(block, first, wasQuiet) & (u64.MAX_VALUE << (index + 1));
    }
  }
  return changed;
}

/** Rules to look at of up to MANY from the number `first` on, as bits. */
function leftOf(block: usize, first: i32, wasQuiet: bool): u64 {
  const woken = wasQuiet && isQuiet ? wakeable(block, first) : u64.MAX_VALUE;
  if (woken === 0) return 0;
  if (isStale) readFacts(facts);
  isStale = false;
  hasShrunk = false;
  return candidates(block, first) & woken;
}

/** Does what a rule says whose condition holds; whether that changed the URL. */
function applyRule(rule: usize, longest: usize): bool {
  const action = load<u32>(rule, 12);
  if (action < SET) {
    if (!takeParams(action, address(rule + 16), rule + 20)) return false;
    setBits(facts);
    hasShrunk = true;
    return true;
  }
  if (isReduced) {
    if ((action & LOCAL) !== 0 && !mayMatch(address(rule + 16))) return false;
    writeReduced();
    readFacts(facts);
  }
  const isChanged = act(action & ~LOCAL, rule + 16, rule + 20, longest);
  isGivenUp = isTooLong || (isChanged && ruledLength() > longest);
  isOver = isGivenUp || (isChanged && action === HOST);
  if (!isChanged) return false;
  if (action !== HOST) isStale = true;
  isQuiet = false;
  isOnlyReduced = false;
  return true;
}
