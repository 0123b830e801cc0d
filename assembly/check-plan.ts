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
  ACTION,
  BLOCK,
  CHOICE_BYTES,
  CONDITION,
  DEFAULT_SCHEMES,
  ELEMENT,
  ELEMENT_KIND,
  ENTRY,
  FACT,
  FILTER,
  FORM,
  HEADER,
  KIND,
  LARGEST_CHOICES,
  LARGEST_MAX_LENGTH,
  LATEST_PLAN_VERSION,
  LISTS_PLAN_VERSION,
  LOCAL,
  LONGEST_PATTERN,
  MASK_BYTES,
  NAME,
  NAMES,
  PAIR,
  PARTS,
  PIECE,
  PLAN_VERSION,
  PROFILE,
  RULE,
  TABLE,
  TEST,
  TEST_KIND,
  TEXT,
  UNWRAP_PLAN_VERSION,
  URLS,
  VALUE_PATTERN,
  WHOLE,
} from "./catalog.generated";
import { hostText, planBytes, planStart } from "./memory";
import { isInRun } from "./site-rules/match";
import { hashHost, hashName } from "./tables";

/** What a part is used as. Tables of names or hosts are those from NAMES to PAGE_ALIASES. */
namespace USE {
  export const TEXT: u32 = 1;
  export const PROFILE: u32 = 2;
  export const NAMES: u32 = 4;
  export const DEFAULTS: u32 = 8;
  export const ALIASES: u32 = 16;
  export const SITES: u32 = 32;
  export const SITE_RULES: u32 = 64;
  export const PAGE_ALIASES: u32 = 128;
  export const BLOCK: u32 = 256;
  export const CONDITION: u32 = 512;
  export const PATH: u32 = 1024;
  export const SUBSTRING: u32 = 2048;
  export const LIST: u32 = 4096;
  export const EXCEPTIONS: u32 = 8192;
  export const URLS: u32 = 16384;
  export const PLAIN_CONDITION: u32 = 32768;
}
/** Tables of hosts hash names from their last byte on. */
const OF_HOSTS: u32 = USE.ALIASES | USE.SITES | USE.SITE_RULES | USE.PAGE_ALIASES;

const SHORTEST_HEX: i64 = 16;
const MAX_CAPTURES: u32 = 9;

/** Parts that overlap would be read often; a plan of ours reads each byte a few times at most. */
const READINGS: i64 = 16;

/** The bytes that may still be read. */
let left: i64 = 0;

/** Returns whether the plan region holds a plan that can be read. */
export function isSound(): bool {
  if (planBytes < HEADER.BYTES || (planBytes & 3) !== 0) return false;
  left = READINGS * <i64>planBytes;
  memory.fill(hostText, 0, planBytes >> 1);
  const filter = word(HEADER.RULE_FILTER);
  const isRuled =
    (word(HEADER.SITE_RULES) | word(HEADER.ANY_RULES) | word(HEADER.PAGE_ALIASES)) !== 0;
  return (
    word(HEADER.VERSION) >= PLAN_VERSION &&
    word(HEADER.VERSION) <= LATEST_PLAN_VERSION &&
    word(HEADER.MAX_LENGTH) - 1 < LARGEST_MAX_LENGTH &&
    (word(HEADER.DEFAULT_SCHEME) & 0xffff) <= DEFAULT_SCHEMES &&
    word(HEADER.DEFAULT_SCHEME) >>> 16 <= FORM.HOST &&
    word(HEADER.LONGEST_ALIAS) <= planBytes &&
    isRuled === (filter !== 0) &&
    isOptional(word(HEADER.SCHEMES), USE.NAMES) &&
    isPart(word(HEADER.PROFILE), USE.PROFILE) &&
    isOptional(word(HEADER.SITES), USE.SITES) &&
    isOptional(word(HEADER.ALIASES), USE.ALIASES) &&
    (!isRuled || isFilter(filter)) &&
    isOptional(word(HEADER.SITE_RULES), USE.SITE_RULES) &&
    isOptional(word(HEADER.ANY_RULES), USE.BLOCK) &&
    isOptional(word(HEADER.PAGE_ALIASES), USE.PAGE_ALIASES)
  );
}

function isOfLists(): bool {
  return word(HEADER.VERSION) >= LISTS_PLAN_VERSION;
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
    case USE.TEXT:
      return isText(at);
    case USE.PROFILE:
      return isProfile(at);
    case USE.BLOCK:
      return isBlock(at);
    case USE.CONDITION:
      return isCondition(at, isOfLists());
    case USE.PLAIN_CONDITION:
      return isCondition(at, false);
    case USE.PATH:
      return isPattern(at, false);
    case USE.SUBSTRING:
      return isPattern(at, true);
    case USE.LIST:
      return isList(at);
    case USE.EXCEPTIONS:
      return isUrlTable(at, 1, 1);
    case USE.URLS:
      return isUrlTable(at, 2, 4);
    default:
      return isTable(at, use);
  }
}

function isText(at: u32): bool {
  const length = word(at + TEXT.LENGTH);
  return has(at, <u64>TEXT.BYTES + length) && isPrintable(at + TEXT.BYTES, length);
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

/** Returns the length of the text that the word at an address leads to. */
function lengthAt(at: u32): u32 {
  return word(word(at) + TEXT.LENGTH);
}

/** Returns whether the word at an address leads to a text. */
function isTextAt(at: u32): bool {
  return isPart(word(at), USE.TEXT);
}

function isProfile(at: u32): bool {
  if (!has(at, PROFILE.BYTES)) return false;
  for (let byte: u32 = 0; byte < CHOICE_BYTES; byte++) {
    const two = load<u8>(planStart + <usize>(at + byte));
    const largest = LARGEST_CHOICES + <usize>byte;
    if ((two & 15) > load<u8>(largest) || two >> 4 > load<u8>(largest + CHOICE_BYTES)) return false;
  }
  for (let field = PROFILE.KEEP_PARAMS; field < PROFILE.BYTES; field += 4) {
    const use = field === PROFILE.DEFAULT_PARAMS ? USE.DEFAULTS : USE.NAMES;
    if (!isOptional(word(at + field), use)) return false;
  }
  return true;
}

/**
 * Checks that a table has an empty slot, at which look-ups end, and that no empty slot lies between an entry and where
 * its search begins.
 */
function isTable(table: u32, use: u32): bool {
  if (!has(table, TABLE.BYTES)) return false;
  const mask = word(table + TABLE.MASK);
  const slots = mask + 1;
  const first = table + TABLE.BYTES;
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
    else longest = max(longest, word(entry + ENTRY.LENGTH));
  }
  return longest === word(table + TABLE.LONGEST);
}

/** `most`: how many slots before its own, `slot`, the search may begin. */
function isEntry(entry: u32, use: u32, mask: u32, most: u32, slot: u32): bool {
  if (!has(entry, ENTRY.BYTES)) return false;
  const hash = word(entry + ENTRY.HASH);
  const kind = word(entry + ENTRY.KIND);
  const value = word(entry + ENTRY.VALUE);
  const length = word(entry + ENTRY.LENGTH);
  const name = entry + ENTRY.BYTES;
  if (kind - KIND.EXACT > KIND.SUFFIX - KIND.EXACT || !has(name, length)) return false;
  if (length === 0 && kind !== KIND.EXACT) return false;
  const p = planStart + <usize>name;
  const isBackward = kind === KIND.SUFFIX || (use & OF_HOSTS) !== 0;
  const own = isBackward ? hashHost(p, p + <usize>length) : hashName(p, p + <usize>length);
  if (hash !== own || ((slot - hash) & mask) > most || !isPrintable(name, length)) return false;
  if (use === USE.ALIASES) {
    return isPart(value, USE.TEXT) && word(value + TEXT.LENGTH) <= word(HEADER.LONGEST_ALIAS);
  }
  return use === USE.NAMES || isPart(value, useOfValue(use));
}

/** Returns what the value of a table's entry is. */
function useOfValue(use: u32): u32 {
  if (use === USE.SITES) return USE.PROFILE;
  if (use === USE.SITE_RULES) return USE.BLOCK;
  return use === USE.PAGE_ALIASES ? USE.URLS : USE.TEXT;
}

function isFilter(at: u32): bool {
  return (
    has(at, FILTER.BYTES) && has(at, <u64>FILTER.BYTES + ((<u64>word(at + FILTER.MASK) + 1) << 2))
  );
}

/** Checks entries of so many words, of which the first are addresses of texts. */
function isUrlTable(table: u32, texts: u32, words: u32): bool {
  if (!has(table, URLS.BYTES)) return false;
  const mask = word(table + URLS.MASK);
  const first = table + URLS.BYTES;
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
  if (!has(block, BLOCK.BYTES)) return false;
  const count = <u64>word(block + BLOCK.COUNT);
  const masks = ((count + 63) >> 6) * MASK_BYTES;
  const head = <u64>BLOCK.BYTES + masks + ((count + 1) >> 1) * PAIR.BYTES;
  if (!has(block, head + count * RULE.BYTES)) return false;
  const facts = word(block + BLOCK.FACTS);
  let rule = block + <u32>head;
  // After an odd number of rules, the second half of the last pair asks for what no URL has.
  const half = rule + PAIR.ANY + MASK_BYTES - PAIR.BYTES;
  if ((count & 1) !== 0 && (word(half) | word(half + 4)) !== 0) return false;
  const end = rule + <u32>(count * RULE.BYTES);
  for (; rule < end; rule += RULE.BYTES) if (!isRule(rule, facts)) return false;
  return true;
}

function isRule(rule: u32, facts: u32): bool {
  const condition = word(rule + RULE.CONDITION);
  const marked = word(rule + RULE.ACTION);
  const number = marked & (LOCAL - 1);
  const action = isOfLists() && number <= ACTION.DROPIF ? marked & ~WHOLE : marked;
  const isLocal = number === ACTION.SUB && action === (ACTION.SUB | LOCAL);
  const hasPattern = isOfLists() && action === (ACTION.DROPIF | VALUE_PATTERN);
  if (number > lastAction() || (action !== number && !isLocal && !hasPattern)) return false;
  const isNamed = number <= ACTION.SORT || number === ACTION.UNWRAP || testsOf(condition) > 0;
  return (
    (!isNamed || (facts & FACT.NAMES) !== 0) &&
    isOptional(condition, USE.CONDITION) &&
    isOptional(word(rule + RULE.EXCEPTIONS), USE.EXCEPTIONS) &&
    isAction(number, rule, hasPattern ? USE.PATH : USE.TEXT)
  );
}

/** Returns the last action that plans of this version have. */
function lastAction(): u32 {
  return word(HEADER.VERSION) >= UNWRAP_PLAN_VERSION ? ACTION.UNWRAP : ACTION.SLASH;
}

function testsOf(condition: u32): u32 {
  const isHere = condition !== 0 && has(condition, CONDITION.BYTES);
  return isHere ? word(condition + CONDITION.TESTS) : 0;
}

/** Returns whether a part is a list of one name or more. */
function isNames(at: u32): bool {
  return isPart(at, USE.LIST) && word(at + NAMES.COUNT) > 0;
}

/** `value`: what the value of a parameter is given as. */
function isAction(action: u32, rule: u32, value: u32): bool {
  const subject = word(rule + RULE.SUBJECT);
  const object = rule + RULE.OBJECT;
  if (action < ACTION.DROPIF) return isPart(subject, USE.LIST);
  if (action < ACTION.SORT) return isNames(subject) && isPart(word(object), value);
  if (action === ACTION.SUB)
    return isPart(subject, USE.SUBSTRING) && decreases(subject, word(object));
  if (action === ACTION.PATH) return isPart(subject, USE.PATH) && decreases(subject, word(object));
  if (action === ACTION.UNWRAP) return isNames(subject) && word(rule + RULE.EXCEPTIONS) === 0;
  const hasText = action === ACTION.CUT || action === ACTION.HOST || action === ACTION.SINK;
  return !hasText || isPart(subject, USE.TEXT);
}

/** `takesUnless`: whether tests may say which URLs a rule leaves alone. */
function isCondition(at: u32, takesUnless: bool): bool {
  if (!has(at, CONDITION.BYTES)) return false;
  const first = at + CONDITION.BYTES;
  const bytes = <u64>word(at + CONDITION.TESTS) * TEST.BYTES;
  if (!has(first, bytes) || !isOptional(word(at + CONDITION.PATH), USE.PATH)) return false;
  const end = first + <u32>bytes;
  for (let test = first; test < end; test += TEST.BYTES) {
    const kind = word(test + TEST.KIND);
    const isUnless = takesUnless && kind === TEST_KIND.UNLESS;
    if ((kind >= TEST_KIND.UNLESS && !isUnless) || !isTextAt(test + TEST.NAME)) return false;
    const value = word(test + TEST.VALUE);
    if (isUnless ? !isOptional(value, USE.PLAIN_CONDITION) : !isPart(value, USE.TEXT)) return false;
  }
  return true;
}

function isList(at: u32): bool {
  const bytes = <u64>word(at + NAMES.COUNT) * NAME.BYTES;
  if (!has(at, <u64>NAMES.BYTES + bytes)) return false;
  const first = at + NAMES.BYTES;
  const end = first + <u32>bytes;
  for (let name = first; name < end; name += NAME.BYTES) {
    if (!isTextAt(name + NAME.TEXT)) return false;
  }
  return true;
}

/** Returns the address of an element of a pattern, or where the elements end. */
function elementOf(pattern: u32, index: u32): u32 {
  return pattern + PARTS.BYTES + index * ELEMENT.BYTES;
}

/** Matching must not go back: a run ends at a text, and does not follow a byte that it could hold itself. */
function isPattern(at: u32, isSubstring: bool): bool {
  const count = word(at + PARTS.COUNT);
  if (count - 1 >= LONGEST_PATTERN || !has(at, elementOf(0, count))) return false;
  let before = u32.MAX_VALUE;
  for (let index: u32 = 0; index < count; index++) {
    const element = elementOf(at, index);
    const kind = word(element + ELEMENT.KIND);
    if (kind > ELEMENT_KIND.REST) return false;
    const isTextual = kind === ELEMENT_KIND.TEXT || kind >= ELEMENT_KIND.SEGMENT;
    if (isTextual && !isTextAt(element + ELEMENT.TEXT)) return false;
    if (isSubstring && !isOfSubstring(at, index, kind, before)) return false;
    before = kind;
  }
  return true;
}

function isOfSubstring(at: u32, index: u32, kind: u32, before: u32): bool {
  const firstText = elementOf(at, 0) + ELEMENT.TEXT;
  if (index === 0) return kind === ELEMENT_KIND.TEXT && lengthAt(firstText) > 0;
  if (kind >= ELEMENT_KIND.SEGMENT || before === ELEMENT_KIND.END) return false;
  if (kind === ELEMENT_KIND.TEXT || kind === ELEMENT_KIND.END) return true;
  if (before !== ELEMENT_KIND.TEXT) return false;
  const text = word(elementOf(at, index - 1) + ELEMENT.TEXT);
  const length = word(text + TEXT.LENGTH);
  if (length === 0) return false;
  const last = load<u8>(planStart + <usize>(text + TEXT.BYTES + length - 1));
  const first = load<u8>(planStart + <usize>(word(firstText) + TEXT.BYTES));
  return !isInRun(kind, last) || !isInRun(kind, first);
}

/** Returns whether a template copies captures of the pattern, each once, and can make no URL longer. */
function decreases(pattern: u32, template: u32): bool {
  if (template === 0 || !has(template, PARTS.BYTES)) return false;
  let spare: i64 = 0;
  let captures: u32 = 0;
  const end = elementOf(pattern, word(pattern + PARTS.COUNT));
  for (let element = elementOf(pattern, 0); element < end; element += ELEMENT.BYTES) {
    const kind = word(element + ELEMENT.KIND);
    const isTextual = kind === ELEMENT_KIND.TEXT || kind >= ELEMENT_KIND.SEGMENT;
    if (isTextual) spare += <i64>lengthAt(element + ELEMENT.TEXT);
    if (kind === ELEMENT_KIND.TEXT || kind === ELEMENT_KIND.END) continue;
    spare += shortestOf(element);
    captures++;
  }
  const count = word(template + PARTS.COUNT);
  const first = template + PARTS.BYTES;
  const bytes = <u64>count * PIECE.BYTES;
  if (count > LONGEST_PATTERN || !has(template, <u64>PARTS.BYTES + bytes)) return false;
  let copied: u32 = 0;
  const stop = first + <u32>bytes;
  for (let piece = first; piece < stop; piece += PIECE.BYTES) {
    const number = word(piece + PIECE.CAPTURE);
    if (number === 0) {
      const text = piece + PIECE.TEXT;
      if (!isTextAt(text)) return false;
      spare -= <i64>lengthAt(text);
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
  let element = elementOf(pattern, 0);
  while (true) {
    const kind = word(element + ELEMENT.KIND);
    const isCapture = kind !== ELEMENT_KIND.TEXT && kind !== ELEMENT_KIND.END;
    if (isCapture && ++capture === number) return shortestOf(element);
    element += ELEMENT.BYTES;
  }
}

/** Returns the fewest bytes of what an element with a mark matches. */
function shortestOf(element: u32): i64 {
  const kind = word(element + ELEMENT.KIND);
  if (kind === ELEMENT_KIND.REST) return 0;
  const length: i64 = kind === ELEMENT_KIND.SEGMENT ? 0 : <i64>word(element + ELEMENT.LENGTH);
  return length > 0 ? length : kind === ELEMENT_KIND.HEX ? SHORTEST_HEX : 1;
}
