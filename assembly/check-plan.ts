/*
 * Checks a plan before it is read: every part lies within the plan, every table has an empty slot, every pattern
 * matches without going back, and no rule makes a URL longer. Then a plan from anybody can make results wrong, but
 * never a call that does not end or an access outside of the plan. src/plan/check.ts does the same: what one refuses,
 * the other refuses. Addresses here count from the start of the plan.
 *
 * Memory: reads the plan region. Writes `hostText`, which has as many bytes as the plan at least: two for each word
 * of the plan, for the uses that the part which begins there was checked for.
 */
import {
  ANY_PARAMS_PLAN_VERSION,
  CHOICE_BYTES,
  DEFAULT_SCHEMES,
  ENTRY_BYTES,
  HEADER_BYTES,
  LARGEST_CHOICES,
  LARGEST_MAX_LENGTH,
  LISTS_PLAN_VERSION,
  PLAN_VERSION,
  PROFILE_BYTES,
  TABLE_BYTES,
  URLS_BYTES,
} from "./catalog.generated";
import { hostText, planBytes, planStart } from "./memory";
import { isInRun } from "./site-rules/match";
import { hashHost, hashName } from "./tables";

const BLOCK_BYTES: u32 = 24;
const PAIR_BYTES: u64 = 80;
const RULE_BYTES: u64 = 28;
const TEST_BYTES: u32 = 16;
const LIST_BYTES: u32 = 12;
const NAME_BYTES: u32 = 8;

// What a part is used as. Tables of names or hosts are those from NAMES to PAGE_ALIASES.
const TEXT: u32 = 1;
const PROFILE: u32 = 2;
const NAMES: u32 = 4;
const DEFAULTS: u32 = 8;
const ALIASES: u32 = 16;
const SITES: u32 = 32;
const SITE_RULES: u32 = 64;
const PAGE_ALIASES: u32 = 128;
const BLOCK: u32 = 256;
const CONDITION: u32 = 512;
const PATH: u32 = 1024;
const SUBSTRING: u32 = 2048;
const LIST: u32 = 4096;
const EXCEPTIONS: u32 = 8192;
const URLS: u32 = 16384;
const PLAIN_CONDITION: u32 = 32768;
/** Tables of hosts hash names from their last byte on. */
const OF_HOSTS: u32 = ALIASES | SITES | SITE_RULES | PAGE_ALIASES;

/** The last form of rows. */
const FORMS: u32 = 2;

// Kinds of entries.
const EXACT: u32 = 1;
const SUFFIX: u32 = 4;

// Elements of patterns.
const TEXT_ELEMENT: u32 = 0;
const END: u32 = 1;
const HEX: u32 = 3;
const SEGMENT: u32 = 5;
const REST: u32 = 6;
const SHORTEST_HEX: i64 = 16;
const LONGEST_PATTERN: u32 = 64;
const MAX_CAPTURES: u32 = 9;

// Tests and actions.
const TESTS: u32 = 3;
/** The test that is for URLs which a rule leaves alone, in plans of LISTS_PLAN_VERSION. */
const UNLESS: u32 = 3;
const DROPIF: u32 = 2;
const SORT: u32 = 4;
const SUB: u32 = 5;
const PATH_ACTION: u32 = 6;
const CUT: u32 = 7;
const HOST: u32 = 9;
const SINK: u32 = 11;
const SLASH: u32 = 12;
const LOCAL: u32 = 256;
const VALUE_PATTERN: u32 = 512;
const WHOLE: u32 = 1024;
const NAME_FACTS: u32 = 1;

/** Parts that overlap would be read often; a plan of ours reads each byte a few times at most. */
const READINGS: i64 = 16;

/** The bytes that may still be read. */
let left: i64 = 0;

/** Returns whether the plan region holds a plan that can be read. */
export function isSound(): bool {
  if (planBytes < HEADER_BYTES || (planBytes & 3) !== 0) return false;
  left = READINGS * <i64>planBytes;
  memory.fill(hostText, 0, planBytes >> 1);
  const isRuled = (word(32) | word(36) | word(44)) !== 0;
  return (
    word(0) >= PLAN_VERSION &&
    word(0) <= ANY_PARAMS_PLAN_VERSION &&
    word(4) - 1 < LARGEST_MAX_LENGTH &&
    (word(8) & 0xffff) <= DEFAULT_SCHEMES &&
    word(8) >>> 16 <= FORMS &&
    word(28) <= planBytes &&
    isRuled === (word(40) !== 0) &&
    isOptional(word(12), NAMES) &&
    isPart(word(24), PROFILE) &&
    isOptional(word(20), SITES) &&
    isOptional(word(16), ALIASES) &&
    (!isRuled || isFilter(word(40))) &&
    isOptional(word(32), SITE_RULES) &&
    isOptional(word(36), BLOCK) &&
    isOptional(word(44), PAGE_ALIASES)
  );
}

function isOfLists(): bool {
  return word(0) >= LISTS_PLAN_VERSION;
}

function word(at: u32): u32 {
  return load<u32>(planStart + <usize>at);
}

/** Returns whether so many bytes at an address of a word are within the plan, and not read too often. */
function has(at: u32, bytes: u64): bool {
  left -= <i64>min<u64>(bytes, 1 << 40);
  return (at & 3) === 0 && <u64>at + bytes <= <u64>planBytes && left >= 0;
}

function isOptional(at: u32, use: u32): bool {
  return at === 0 || isPart(at, use);
}

/** Returns whether a part at an address is sound for this use. */
function isPart(at: u32, use: u32): bool {
  if (at === 0 || !has(at, 4)) return false;
  const uses = hostText + <usize>(at >> 1);
  const known = <u32>load<u16>(uses);
  if ((known & use) !== 0) return true;
  store<u16>(uses, <u16>(known | use));
  switch (use) {
    case TEXT:
      return isText(at);
    case PROFILE:
      return isProfile(at);
    case BLOCK:
      return isBlock(at);
    case CONDITION:
      return isCondition(at, isOfLists());
    case PLAIN_CONDITION:
      return isCondition(at, false);
    case PATH:
      return isPattern(at, false);
    case SUBSTRING:
      return isPattern(at, true);
    case LIST:
      return isList(at);
    case EXCEPTIONS:
      return isUrlTable(at, 1, 1);
    case URLS:
      return isUrlTable(at, 2, 4);
    default:
      return isTable(at, use);
  }
}

function isText(at: u32): bool {
  const length = word(at);
  return has(at, 4 + <u64>length) && isPrintable(at + 4, length);
}

/** Returns whether all bytes are `!` to `~`: no text of a plan can end a line of the output. */
function isPrintable(at: u32, length: u32): bool {
  const first = i8x16.splat(0x21);
  const last = i8x16.splat(0x5d);
  for (let done: u32 = 0; done < length; done += 16) {
    const bytes = v128.load(planStart + <usize>(at + done));
    let others: u32 = i8x16.bitmask(i8x16.gt_u(i8x16.sub(bytes, first), last));
    if (length - done < 16) others &= (1 << (length - done)) - 1;
    if (others !== 0) return false;
  }
  return true;
}

/** Returns whether the word at an address leads to a text. */
function isTextAt(at: u32): bool {
  return isPart(word(at), TEXT);
}

function isProfile(at: u32): bool {
  if (!has(at, PROFILE_BYTES)) return false;
  for (let byte: u32 = 0; byte < CHOICE_BYTES; byte++) {
    const two = load<u8>(planStart + <usize>(at + byte));
    const largest = LARGEST_CHOICES + <usize>byte;
    if ((two & 15) > load<u8>(largest) || two >> 4 > load<u8>(largest + CHOICE_BYTES)) return false;
  }
  return (
    isOptional(word(at + 20), NAMES) &&
    isOptional(word(at + 24), NAMES) &&
    isOptional(word(at + 28), NAMES) &&
    isOptional(word(at + 32), DEFAULTS) &&
    isOptional(word(at + 36), NAMES)
  );
}

/**
 * Checks that a table has an empty slot, at which look-ups end, and that no empty slot lies between an entry and where
 * its search begins.
 */
function isTable(table: u32, use: u32): bool {
  if (!has(table, TABLE_BYTES)) return false;
  const mask = word(table);
  const slots = mask + 1;
  const first = table + TABLE_BYTES;
  if ((mask & slots) !== 0 || !has(first, (<u64>mask + 1) << 2)) return false;
  let start: u32 = 0;
  while (start < slots && word(first + (start << 2)) !== 0) start++;
  if (start === slots) return false;
  let longest: u32 = 0;
  // From the empty slot on: `run` is the slot after the last empty one.
  let run = start;
  for (let slot = start; slot < start + slots; slot++) {
    const entry = word(first + ((slot & mask) << 2));
    if (entry === 0) run = slot + 1;
    else if (!isEntry(entry, use, mask, slot - run, slot)) return false;
    else longest = max(longest, word(entry + 12));
  }
  return longest === word(table + 16);
}

/** `most`: how many slots before its own, `slot`, the search may begin. */
function isEntry(entry: u32, use: u32, mask: u32, most: u32, slot: u32): bool {
  if (!has(entry, ENTRY_BYTES)) return false;
  const hash = word(entry);
  const kind = word(entry + 4);
  const value = word(entry + 8);
  const length = word(entry + 12);
  const name = entry + ENTRY_BYTES;
  if (kind - EXACT > SUFFIX - EXACT || !has(name, length)) return false;
  if (length === 0 && kind !== EXACT) return false;
  const p = planStart + <usize>name;
  const isBackward = kind === SUFFIX || (use & OF_HOSTS) !== 0;
  const own = isBackward ? hashHost(p, p + <usize>length) : hashName(p, p + <usize>length);
  if (hash !== own || ((slot - hash) & mask) > most || !isPrintable(name, length)) return false;
  if (use === ALIASES) return isPart(value, TEXT) && word(value) <= word(28);
  return use === NAMES || isPart(value, useOfValue(use));
}

/** Returns what the value of a table's entry is. */
function useOfValue(use: u32): u32 {
  if (use === SITES) return PROFILE;
  if (use === SITE_RULES) return BLOCK;
  return use === PAGE_ALIASES ? URLS : TEXT;
}

function isFilter(at: u32): bool {
  return has(at, 4) && has(at, 8 + ((<u64>word(at)) << 2));
}

/** Checks entries of so many words, of which the first are addresses of texts. */
function isUrlTable(table: u32, texts: u32, words: u32): bool {
  if (!has(table, URLS_BYTES)) return false;
  const mask = word(table);
  const first = table + URLS_BYTES;
  if ((mask & (mask + 1)) !== 0 || !has(first, (<u64>mask + 2) << 2)) return false;
  const last = first + ((mask + 1) << 2);
  const count = word(last);
  for (let slot = first; slot < last; slot += 4) if (word(slot) > count) return false;
  const entries = last + 4;
  const bytes = (<u64>words * <u64>count) << 2;
  if (!has(entries, bytes)) return false;
  for (let at = entries; at < entries + <u32>bytes; at += words << 2) {
    for (let text: u32 = 0; text < texts; text++) if (!isTextAt(at + (text << 2))) return false;
  }
  return true;
}

function isBlock(block: u32): bool {
  if (!has(block, BLOCK_BYTES)) return false;
  const count = <u64>word(block);
  const head = <u64>BLOCK_BYTES + (((count + 63) >> 6) << 3) + ((count + 1) >> 1) * PAIR_BYTES;
  if (!has(block, head + count * RULE_BYTES)) return false;
  const facts = word(block + 4);
  let rule = block + <u32>head;
  // After an odd number of rules, the second half of the last pair asks for what no URL has.
  const half = rule - <u32>PAIR_BYTES + 24;
  if ((count & 1) !== 0 && (word(half) | word(half + 4)) !== 0) return false;
  const end = rule + <u32>(count * RULE_BYTES);
  for (; rule < end; rule += <u32>RULE_BYTES) if (!isRule(rule, facts)) return false;
  return true;
}

function isRule(rule: u32, facts: u32): bool {
  const condition = word(rule + 8);
  const marked = word(rule + 12);
  const number = marked & (LOCAL - 1);
  const action = isOfLists() && number <= DROPIF ? marked & ~WHOLE : marked;
  const isLocal = number === SUB && action === (SUB | LOCAL);
  const hasPattern = isOfLists() && action === (DROPIF | VALUE_PATTERN);
  if (number > SLASH || (action !== number && !isLocal && !hasPattern)) return false;
  const isNamed = number <= SORT || testsOf(condition) > 0;
  return (
    (!isNamed || (facts & NAME_FACTS) !== 0) &&
    isOptional(condition, CONDITION) &&
    isOptional(word(rule + 24), EXCEPTIONS) &&
    (hasPattern ? isPatternAction(rule) : isAction(number, rule))
  );
}

function testsOf(condition: u32): u32 {
  return condition === 0 || !has(condition, 8) ? 0 : word(condition + 4);
}

function isPatternAction(rule: u32): bool {
  const subject = word(rule + 16);
  return isPart(subject, LIST) && word(subject) > 0 && isPart(word(rule + 20), PATH);
}

function isAction(action: u32, rule: u32): bool {
  const subject = word(rule + 16);
  if (action < DROPIF) return isPart(subject, LIST);
  if (action < SORT) return isPart(subject, LIST) && word(subject) > 0 && isTextAt(rule + 20);
  if (action === SUB) return isPart(subject, SUBSTRING) && decreases(subject, word(rule + 20));
  if (action === PATH_ACTION) return isPart(subject, PATH) && decreases(subject, word(rule + 20));
  const hasText = action === CUT || action === HOST || action === SINK;
  return !hasText || isPart(subject, TEXT);
}

/** `takesUnless`: whether tests may say which URLs a rule leaves alone. */
function isCondition(at: u32, takesUnless: bool): bool {
  if (!has(at, 8)) return false;
  const bytes = (<u64>word(at + 4)) << 4;
  if (!has(at + 8, bytes) || !isOptional(word(at), PATH)) return false;
  const end = at + 8 + <u32>bytes;
  for (let test = at + 8; test < end; test += TEST_BYTES) {
    const isUnless = takesUnless && word(test) === UNLESS;
    if ((word(test) >= TESTS && !isUnless) || !isTextAt(test + 8)) return false;
    const value = word(test + 12);
    if (isUnless ? !isOptional(value, PLAIN_CONDITION) : !isPart(value, TEXT)) return false;
  }
  return true;
}

function isList(at: u32): bool {
  const bytes = (<u64>word(at)) << 3;
  if (!has(at, <u64>LIST_BYTES + bytes)) return false;
  const first = at + LIST_BYTES;
  const end = first + <u32>bytes;
  for (let name = first; name < end; name += NAME_BYTES) if (!isTextAt(name + 4)) return false;
  return true;
}

/** Matching must not go back: a run ends at a text, and does not follow a byte that it could hold itself. */
function isPattern(at: u32, isSubstring: bool): bool {
  const count = word(at);
  if (count - 1 >= LONGEST_PATTERN || !has(at, 4 + ((<u64>count) << 3))) return false;
  let before = u32.MAX_VALUE;
  for (let index: u32 = 0; index < count; index++) {
    const element = at + 4 + (index << 3);
    const kind = word(element);
    if (kind > REST) return false;
    if ((kind === TEXT_ELEMENT || kind >= SEGMENT) && !isTextAt(element + 4)) return false;
    if (isSubstring && !isOfSubstring(at, index, kind, before)) return false;
    before = kind;
  }
  return true;
}

function isOfSubstring(at: u32, index: u32, kind: u32, before: u32): bool {
  const element = at + 4 + (index << 3);
  if (index === 0) return kind === TEXT_ELEMENT && word(word(element + 4)) > 0;
  if (kind >= SEGMENT || before === END) return false;
  if (kind === TEXT_ELEMENT || kind === END) return true;
  if (before !== TEXT_ELEMENT) return false;
  const text = word(element - 4);
  const length = word(text);
  if (length === 0) return false;
  const last = load<u8>(planStart + <usize>(text + 3 + length));
  const first = load<u8>(planStart + <usize>(word(at + 8) + 4));
  return !isInRun(kind, last) || !isInRun(kind, first);
}

/** Returns whether a template copies captures of the pattern, each once, and can make no URL longer. */
function decreases(pattern: u32, template: u32): bool {
  if (template === 0 || !has(template, 4)) return false;
  let spare: i64 = 0;
  let captures: u32 = 0;
  const end = pattern + 4 + (word(pattern) << 3);
  for (let element = pattern + 4; element < end; element += 8) {
    const kind = word(element);
    if (kind === TEXT_ELEMENT || kind >= SEGMENT) spare += <i64>word(word(element + 4));
    if (kind === TEXT_ELEMENT || kind === END) continue;
    spare += shortestOf(element);
    captures++;
  }
  const count = word(template);
  if (count > LONGEST_PATTERN || !has(template, 4 + ((<u64>count) << 3))) return false;
  let copied: u32 = 0;
  const stop = template + 4 + (count << 3);
  for (let piece = template + 4; piece < stop; piece += 8) {
    const number = word(piece);
    if (number === 0) {
      if (!isTextAt(piece + 4)) return false;
      spare -= <i64>word(word(piece + 4));
      continue;
    }
    if (number > min(captures, MAX_CAPTURES) || ((copied >> number) & 1) !== 0) return false;
    copied |= 1 << number;
    spare -= shortestCapture(pattern, number);
  }
  return spare >= 0;
}

/** Returns the fewest bytes of a capture by its number. */
function shortestCapture(pattern: u32, number: u32): i64 {
  let capture: u32 = 0;
  let element = pattern + 4;
  while (true) {
    const kind = word(element);
    if (kind !== TEXT_ELEMENT && kind !== END && ++capture === number) return shortestOf(element);
    element += 8;
  }
}

/** Returns the fewest bytes of what an element with a mark matches. */
function shortestOf(element: u32): i64 {
  const kind = word(element);
  if (kind === REST) return 0;
  const length: i64 = kind === SEGMENT ? 0 : <i64>word(element + 4);
  return length > 0 ? length : kind === HEX ? SHORTEST_HEX : 1;
}
