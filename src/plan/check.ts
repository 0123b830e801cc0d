import { CHOICES, LARGEST_MAX_LENGTH, OPTION_VALUES } from "../options/catalog.generated.ts";

import { LONGEST_PATTERN } from "../site-rules/rule.ts";
import { FORM } from "./form.ts";
import {
  CHOICE_BYTES,
  ENTRY,
  FNV_PRIME,
  HASH_START,
  HEADER,
  KIND,
  LATEST_PLAN_VERSION,
  LISTS_PLAN_VERSION,
  PLAN_VERSION,
  PROFILE,
  TABLE,
  TEXT,
  UNWRAP_PLAN_VERSION,
  URLS,
} from "./layout.ts";

import {
  ACTIONS,
  BLOCK,
  CONDITION,
  ELEMENT,
  ELEMENTS,
  FACT,
  FILTER,
  firstRule,
  LOCAL,
  MASK_WORDS,
  NAME,
  NAMES,
  PAIR,
  PARTS,
  PIECE,
  RULE,
  TEST,
  TESTS,
  UNLESS,
  VALUE_PATTERN,
  WHOLE,
} from "./rule-layout.ts";

// assembly/check-plan.ts does the same in the kernel: what one refuses, the other refuses.

/** Marks what a word of the plan was found to begin, as bits, so that each part is checked once for each use. */
const USE_TEXT = 1;
const USE_PROFILE = 2;
const USE_NAMES = 4;
const USE_DEFAULTS = 8;
const USE_ALIASES = 16;
const USE_SITES = 32;
const USE_SITE_RULES = 64;
const USE_PAGE_ALIASES = 128;
const USE_BLOCK = 256;
const USE_CONDITION = 512;
const USE_PATH = 1024;
const USE_SUBSTRING = 2048;
const USE_LIST = 4096;
const USE_EXCEPTIONS = 8192;
const USE_URLS = 16_384;
const USE_PLAIN_CONDITION = 32_768;

/** Tables of hosts hash names from their last byte on; the value of an entry is the address of a part. */
const OF_HOSTS = USE_ALIASES | USE_SITES | USE_SITE_RULES | USE_PAGE_ALIASES;

/** Parts that overlap would be read often; a plan of ours reads each byte a few times at most. */
const READINGS = 16;
/** Captures that a match keeps. */
const MAX_CAPTURES = 9;
const SHORTEST_HEX = 16;
/** The bytes that texts have: `!` to `~`. */
const FIRST = 0x21;
const LAST = 0x7e;
const DIGIT = 1;
const HEX_DIGIT = 2;
const WORD = 4;

/** Gives the numbers of actions and elements. */
const numbered = <Name extends string>(names: readonly Name[]) =>
  Object.fromEntries(names.map((name, number) => [name, number])) as Record<Name, number>;
const ACTION = numbered(ACTIONS);
const ELEMENT_KIND = numbered(ELEMENTS);
const LARGEST = Object.values(CHOICES).map(({ length }) => length - 1);
/** Returns the largest number of a choice by its place: 0 if no choice has it. */
const largest = (place: number) => LARGEST[place] ?? 0;

/**
 * Returns whether bytes are a plan that an engine can read without an end or an access outside of it. A plan that was
 * changed by somebody can still make results wrong. Host aliases that lead in a circle are found when the plan is
 * read.
 */
export function isSound(bytes: Uint8Array): boolean {
  return bytes.length % 4 === 0 && bytes.length >= 4 * HEADER.WORDS && new PlanCheck(bytes).run();
}

class PlanCheck {
  readonly #view: DataView;
  readonly #bytes: Uint8Array;
  readonly #end: number;
  readonly #uses: Uint16Array;
  readonly #isOfLists: boolean;
  /** The last action that plans of its version have. */
  readonly #lastAction: number;
  #left: number;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#end = bytes.length;
    this.#uses = new Uint16Array(bytes.length / 4);
    this.#left = READINGS * bytes.length;
    const version = this.#field(0, HEADER.VERSION);
    this.#isOfLists = version >= LISTS_PLAN_VERSION;
    this.#lastAction = version >= UNWRAP_PLAN_VERSION ? ACTION.unwrap : ACTION.slash;
  }

  run(): boolean {
    const header = (field: number) => this.#field(0, field);
    const isRuled =
      (header(HEADER.SITE_RULES) | header(HEADER.ANY_RULES) | header(HEADER.PAGE_ALIASES)) !== 0;
    return (
      header(HEADER.VERSION) >= PLAN_VERSION &&
      header(HEADER.VERSION) <= LATEST_PLAN_VERSION &&
      header(HEADER.MAX_LENGTH) > 0 &&
      header(HEADER.MAX_LENGTH) <= LARGEST_MAX_LENGTH &&
      (header(HEADER.DEFAULT_SCHEME) & 0xffff) <= OPTION_VALUES.defaultScheme.length &&
      header(HEADER.DEFAULT_SCHEME) >>> 16 <= FORM.host &&
      header(HEADER.LONGEST_ALIAS) <= this.#end &&
      isRuled === (header(HEADER.RULE_FILTER) !== 0) &&
      this.#optional(header(HEADER.SCHEMES), USE_NAMES) &&
      this.#part(header(HEADER.PROFILE), USE_PROFILE) &&
      this.#optional(header(HEADER.SITES), USE_SITES) &&
      this.#optional(header(HEADER.ALIASES), USE_ALIASES) &&
      (!isRuled || this.#isFilter(header(HEADER.RULE_FILTER))) &&
      this.#optional(header(HEADER.SITE_RULES), USE_SITE_RULES) &&
      this.#optional(header(HEADER.ANY_RULES), USE_BLOCK) &&
      this.#optional(header(HEADER.PAGE_ALIASES), USE_PAGE_ALIASES)
    );
  }

  #word(at: number): number {
    return this.#view.getUint32(at, true);
  }

  /** Returns a field of a part, such as `RULE.ACTION`. */
  #field(part: number, field: number): number {
    return this.#word(part + 4 * field);
  }

  /** Returns whether so many bytes at an address of a word are within the plan, and not read too often. */
  #has(at: number, bytes: number): boolean {
    this.#left -= bytes;
    return at % 4 === 0 && at + bytes <= this.#end && this.#left >= 0;
  }

  #optional(at: number, use: number): boolean {
    return at === 0 || this.#part(at, use);
  }

  /** Returns whether a part at an address is sound for this use. */
  #part(at: number, use: number): boolean {
    if (at === 0 || !this.#has(at, 4)) return false;
    const uses = this.#uses[at / 4] as number;
    if ((uses & use) !== 0) return true;
    this.#uses[at / 4] = uses | use;
    switch (use) {
      case USE_TEXT:
        return this.#isText(at);
      case USE_PROFILE:
        return this.#isProfile(at);
      case USE_BLOCK:
        return this.#isBlock(at);
      case USE_CONDITION:
        return this.#isCondition(at, this.#isOfLists);
      case USE_PLAIN_CONDITION:
        return this.#isCondition(at, false);
      case USE_PATH:
      case USE_SUBSTRING:
        return this.#isPattern(at, use === USE_SUBSTRING);
      case USE_LIST:
        return this.#isList(at);
      case USE_EXCEPTIONS:
        return this.#isUrlTable(at, 1, 1);
      case USE_URLS:
        return this.#isUrlTable(at, 2, 4);
      default:
        return this.#isTable(at, use);
    }
  }

  #isText(at: number): boolean {
    const length = this.#field(at, TEXT.LENGTH);
    const first = at + 4 * TEXT.WORDS;
    return this.#has(at, 4 * TEXT.WORDS + length) && this.#isPrintable(first, first + length);
  }

  /** Returns whether all bytes are `!` to `~`: no text of a plan can end a line of the output. */
  #isPrintable(start: number, end: number): boolean {
    for (let at = start; at < end; at++) {
      if (((this.#bytes[at] as number) - FIRST) >>> 0 > LAST - FIRST) return false;
    }
    return true;
  }

  #isTextAt(at: number): boolean {
    return this.#part(this.#word(at), USE_TEXT);
  }

  /** Returns the length of the text that the word at an address leads to. */
  #lengthAt(at: number): number {
    return this.#field(this.#word(at), TEXT.LENGTH);
  }

  #isProfile(at: number): boolean {
    if (!this.#has(at, 4 * PROFILE.WORDS)) return false;
    for (let byte = 0; byte < CHOICE_BYTES; byte++) {
      const two = this.#bytes[at + byte] as number;
      if ((two & 15) > largest(byte) || two >> 4 > largest(CHOICE_BYTES + byte)) return false;
    }
    for (let field: number = PROFILE.KEEP_PARAMS; field < PROFILE.WORDS; field++) {
      const use = field === PROFILE.DEFAULT_PARAMS ? USE_DEFAULTS : USE_NAMES;
      if (!this.#optional(this.#field(at, field), use)) return false;
    }
    return true;
  }

  /**
   * Checks that a table has an empty slot, at which look-ups end, and that no empty slot lies between an entry and where
   * its search begins.
   */
  #isTable(table: number, use: number): boolean {
    if (!this.#has(table, 4 * TABLE.WORDS)) return false;
    const mask = this.#field(table, TABLE.MASK);
    const slots = mask + 1;
    const first = table + 4 * TABLE.WORDS;
    if ((mask & slots) !== 0 || !this.#has(first, 4 * slots)) return false;
    let start = 0;
    while (start < slots && this.#word(first + 4 * start) !== 0) start++;
    if (start === slots) return false;
    let longest = 0;
    // From the empty slot on: `run` is the slot after the last empty one.
    let run = start;
    for (let number = start; number < start + slots; number++) {
      const entry = this.#word(first + 4 * (number & mask));
      if (entry === 0) run = number + 1;
      else if (!this.#isEntry(entry, use, mask, number - run, number)) return false;
      else longest = Math.max(longest, this.#field(entry, ENTRY.LENGTH));
    }
    return longest === this.#field(table, TABLE.LONGEST);
  }

  /** `most`: how many slots before its own, `slot`, the search may begin. */
  #isEntry(entry: number, use: number, mask: number, most: number, slot: number): boolean {
    if (!this.#has(entry, 4 * ENTRY.WORDS)) return false;
    const length = this.#field(entry, ENTRY.LENGTH);
    const kind = this.#field(entry, ENTRY.KIND);
    const name = entry + 4 * ENTRY.WORDS;
    if (kind < KIND.EXACT || kind > KIND.SUFFIX || !this.#has(name, length)) return false;
    if (length === 0 && kind !== KIND.EXACT) return false;
    const hash = this.#field(entry, ENTRY.HASH);
    const isBackward = kind === KIND.SUFFIX || (use & OF_HOSTS) !== 0;
    if (hash !== this.#hashOf(name, name + length, isBackward)) return false;
    if (((slot - hash) & mask) > most) return false;
    const value = this.#field(entry, ENTRY.VALUE);
    if (use === USE_ALIASES) {
      const longest = this.#field(0, HEADER.LONGEST_ALIAS);
      return this.#part(value, USE_TEXT) && this.#field(value, TEXT.LENGTH) <= longest;
    }
    return use === USE_NAMES || this.#part(value, useOfValue(use));
  }

  /** Returns the hash of a name (FNV-1a), or -1 if a byte of it is not `!` to `~`. */
  #hashOf(start: number, end: number, isBackward: boolean): number {
    const bytes = this.#bytes;
    const step = isBackward ? -1 : 1;
    let hash = HASH_START | 0;
    let others = 0;
    for (let left = end - start, at = isBackward ? end - 1 : start; left > 0; left--, at += step) {
      const byte = bytes[at] as number;
      hash = Math.imul(hash ^ byte, FNV_PRIME);
      others |= (byte - FIRST) | (LAST - byte);
    }
    return others < 0 ? -1 : hash >>> 0;
  }

  #isFilter(at: number): boolean {
    const head = 4 * FILTER.WORDS;
    return this.#has(at, head) && this.#has(at, head + 4 * (this.#field(at, FILTER.MASK) + 1));
  }

  /** Checks entries of so many words, of which the first are addresses of texts. */
  #isUrlTable(table: number, texts: number, words: number): boolean {
    if (!this.#has(table, 4 * URLS.WORDS)) return false;
    const mask = this.#field(table, URLS.MASK);
    const slots = mask + 1;
    const first = table + 4 * URLS.WORDS;
    if ((mask & slots) !== 0 || !this.#has(first, 4 * (slots + 1))) return false;
    const count = this.#word(first + 4 * slots);
    for (let slot = 0; slot < slots; slot++) {
      if (this.#word(first + 4 * slot) > count) return false;
    }
    const entries = first + 4 * (slots + 1);
    if (!this.#has(entries, 4 * words * count)) return false;
    for (let at = entries; at < entries + 4 * words * count; at += 4 * words) {
      for (let text = 0; text < texts; text++) if (!this.#isTextAt(at + 4 * text)) return false;
    }
    return true;
  }

  #isBlock(block: number): boolean {
    if (!this.#has(block, 4 * BLOCK.WORDS)) return false;
    const count = this.#field(block, BLOCK.COUNT);
    if (count > this.#end) return false;
    const rules = block + 4 * firstRule(count);
    if (!this.#has(block, rules - block + 4 * RULE.WORDS * count)) return false;
    const facts = this.#field(block, BLOCK.FACTS);
    // After an odd number of rules, the second half of the last pair asks for what no URL has.
    const half = rules + 4 * (PAIR.ANY + MASK_WORDS - PAIR.WORDS);
    if (count % 2 === 1 && (this.#word(half) | this.#word(half + 4)) !== 0) return false;
    for (let index = 0; index < count; index++) {
      if (!this.#isRule(rules + 4 * RULE.WORDS * index, facts)) return false;
    }
    return true;
  }

  #isRule(rule: number, facts: number): boolean {
    const condition = this.#field(rule, RULE.CONDITION);
    const marked = this.#field(rule, RULE.ACTION);
    const number = marked % LOCAL;
    const isWhole = this.#isOfLists && number <= ACTION.dropif && (marked & WHOLE) !== 0;
    const action = isWhole ? marked - WHOLE : marked;
    const isLocal = action === number + LOCAL && number === ACTION.sub;
    const isPattern = this.#isOfLists && action === ACTION.dropif + VALUE_PATTERN;
    if (number > this.#lastAction || (action !== number && !isLocal && !isPattern)) return false;
    const isNamed =
      number <= ACTION.sort || number === ACTION.unwrap || this.#testsOf(condition) > 0;
    return (
      (!isNamed || (facts & FACT.NAMES) !== 0) &&
      this.#optional(condition, USE_CONDITION) &&
      this.#optional(this.#field(rule, RULE.EXCEPTIONS), USE_EXCEPTIONS) &&
      this.#isAction(number, rule, isPattern ? USE_PATH : USE_TEXT)
    );
  }

  #testsOf(condition: number): number {
    const isHere = condition !== 0 && this.#has(condition, 4 * CONDITION.WORDS);
    return isHere ? this.#field(condition, CONDITION.TESTS) : 0;
  }

  /** Returns whether a part is a list of one name or more. */
  #isNames(at: number): boolean {
    return this.#part(at, USE_LIST) && this.#field(at, NAMES.COUNT) > 0;
  }

  /** `value`: what the value of a parameter is given as. */
  #isAction(action: number, rule: number, value: number): boolean {
    const subject = this.#field(rule, RULE.SUBJECT);
    const object = rule + 4 * RULE.OBJECT;
    switch (action) {
      case ACTION.drop:
      case ACTION.keep:
        return this.#part(subject, USE_LIST);
      case ACTION.unwrap:
        return this.#isNames(subject) && this.#field(rule, RULE.EXCEPTIONS) === 0;
      case ACTION.dropif:
      case ACTION.set:
        return this.#isNames(subject) && this.#part(this.#word(object), value);
      case ACTION.sub:
        return this.#part(subject, USE_SUBSTRING) && this.#decreases(subject, this.#word(object));
      case ACTION.path:
        return this.#part(subject, USE_PATH) && this.#decreases(subject, this.#word(object));
      case ACTION.cut:
      case ACTION.host:
      case ACTION.sink:
        return this.#part(subject, USE_TEXT);
      default:
        return true;
    }
  }

  /** `takesUnless`: whether tests may say which URLs a rule leaves alone. */
  #isCondition(at: number, takesUnless: boolean): boolean {
    if (!this.#has(at, 4 * CONDITION.WORDS)) return false;
    const first = at + 4 * CONDITION.WORDS;
    const bytes = 4 * TEST.WORDS * this.#field(at, CONDITION.TESTS);
    const path = this.#field(at, CONDITION.PATH);
    if (!this.#has(first, bytes) || !this.#optional(path, USE_PATH)) return false;
    for (let test = first; test < first + bytes; test += 4 * TEST.WORDS) {
      const kind = this.#field(test, TEST.KIND);
      const isUnless = takesUnless && kind === UNLESS;
      if (kind >= TESTS.length && !isUnless) return false;
      if (!this.#isTextAt(test + 4 * TEST.NAME)) return false;
      const value = this.#field(test, TEST.VALUE);
      const isValue = isUnless
        ? this.#optional(value, USE_PLAIN_CONDITION)
        : this.#part(value, USE_TEXT);
      if (!isValue) return false;
    }
    return true;
  }

  #isList(at: number): boolean {
    const count = this.#field(at, NAMES.COUNT);
    const first = at + 4 * NAMES.WORDS;
    if (!this.#has(at, 4 * (NAMES.WORDS + NAME.WORDS * count))) return false;
    for (let index = 0; index < count; index++) {
      if (!this.#isTextAt(first + 4 * (NAME.WORDS * index + NAME.TEXT))) return false;
    }
    return true;
  }

  /** Matching must not go back: a run ends at a text, and does not follow a byte that it could hold itself. */
  #isPattern(at: number, isSubstring: boolean): boolean {
    const count = this.#field(at, PARTS.COUNT);
    if (count < 1 || count > LONGEST_PATTERN) return false;
    if (!this.#has(at, elementOf(0, count))) return false;
    let before = -1;
    for (let index = 0; index < count; index++) {
      const element = elementOf(at, index);
      const kind = this.#field(element, ELEMENT.KIND);
      if (kind > ELEMENT_KIND.rest) return false;
      const isTextual = kind === ELEMENT_KIND.text || kind >= ELEMENT_KIND.segment;
      if (isTextual && !this.#isTextAt(element + 4 * ELEMENT.TEXT)) return false;
      if (isSubstring && !this.#isOfSubstring(at, index, kind, before)) return false;
      before = kind;
    }
    return true;
  }

  #isOfSubstring(at: number, index: number, kind: number, before: number): boolean {
    const firstText = elementOf(at, 0) + 4 * ELEMENT.TEXT;
    if (index === 0) return kind === ELEMENT_KIND.text && this.#lengthAt(firstText) > 0;
    if (kind >= ELEMENT_KIND.segment || before === ELEMENT_KIND.end) return false;
    if (kind === ELEMENT_KIND.text || kind === ELEMENT_KIND.end) return true;
    if (before !== ELEMENT_KIND.text) return false;
    const text = this.#field(elementOf(at, index - 1), ELEMENT.TEXT);
    const length = this.#field(text, TEXT.LENGTH);
    if (length === 0) return false;
    const run = kind === ELEMENT_KIND.digits ? DIGIT : kind === ELEMENT_KIND.hex ? HEX_DIGIT : WORD;
    const last = this.#bytes[text + 4 * TEXT.WORDS + length - 1] as number;
    const first = this.#bytes[this.#word(firstText) + 4 * TEXT.WORDS] as number;
    return (classesOf(last) & classesOf(first) & run) === 0;
  }

  /** Returns whether a template copies captures of the pattern, each once, and can make no URL longer. */
  #decreases(pattern: number, template: number): boolean {
    if (template === 0 || !this.#has(template, 4 * PARTS.WORDS)) return false;
    let spare = 0;
    /** The fewest bytes of each capture that may still be copied, by its number. */
    const captures = new Map<number, number>();
    for (let index = 0; index < this.#field(pattern, PARTS.COUNT); index++) {
      const element = elementOf(pattern, index);
      const kind = this.#field(element, ELEMENT.KIND);
      if (kind === ELEMENT_KIND.text || kind >= ELEMENT_KIND.segment) {
        spare += this.#lengthAt(element + 4 * ELEMENT.TEXT);
      }
      if (kind === ELEMENT_KIND.text || kind === ELEMENT_KIND.end) continue;
      const shortest = this.#shortestOf(element, kind);
      spare += shortest;
      captures.set(captures.size + 1, shortest);
    }
    const count = this.#field(template, PARTS.COUNT);
    const first = template + 4 * PARTS.WORDS;
    const bytes = 4 * PIECE.WORDS * count;
    if (count > LONGEST_PATTERN || !this.#has(template, 4 * PARTS.WORDS + bytes)) return false;
    for (let piece = first; piece < first + bytes; piece += 4 * PIECE.WORDS) {
      const number = this.#field(piece, PIECE.CAPTURE);
      if (number === 0) {
        const text = piece + 4 * PIECE.TEXT;
        if (!this.#isTextAt(text)) return false;
        spare -= this.#lengthAt(text);
        continue;
      }
      const shortest = captures.get(number);
      if (shortest === undefined || number > MAX_CAPTURES) return false;
      spare -= shortest;
      captures.delete(number);
    }
    return spare >= 0;
  }

  /** Returns the fewest bytes of what an element with a mark matches. */
  #shortestOf(element: number, kind: number): number {
    if (kind === ELEMENT_KIND.rest) return 0;
    const length = kind === ELEMENT_KIND.segment ? 0 : this.#field(element, ELEMENT.LENGTH);
    return length > 0 ? length : kind === ELEMENT_KIND.hex ? SHORTEST_HEX : 1;
  }
}

/** Returns the address of an element of a pattern, or where the elements end. */
function elementOf(pattern: number, index: number): number {
  return pattern + 4 * (PARTS.WORDS + ELEMENT.WORDS * index);
}

/** Returns what the value of a table's entry is. */
function useOfValue(use: number): number {
  if (use === USE_SITES) return USE_PROFILE;
  if (use === USE_SITE_RULES) return USE_BLOCK;
  return use === USE_PAGE_ALIASES ? USE_URLS : USE_TEXT;
}

/** Returns the runs that a byte can be in, as bits. */
function classesOf(byte: number): number {
  const isDigit = byte >= 0x30 && byte <= 0x39;
  const isHex = isDigit || ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x66);
  const isDelimiter = "/?&=;:".includes(String.fromCharCode(byte));
  return (isDigit ? DIGIT : 0) | (isHex ? HEX_DIGIT : 0) | (isDelimiter ? 0 : WORD);
}
