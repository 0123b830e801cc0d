import { type ListedName, SESSION_PARAMS } from "../lists/session-ids.ts";
import { TRACKING_PARAMS } from "../lists/tracking-params.ts";
import {
  ENTRY,
  HEADER,
  hashBackward,
  hashForward,
  KIND,
  LISTED,
  longest,
  PLAN_VERSION,
  PROFILE,
  TABLE,
} from "./layout.ts";
import { CHOICES, type ChoiceName, type Profile } from "./profile.ts";
import { DEFAULT_SCHEMES, type DefaultScheme, type Rules } from "./rules.ts";

interface Entry {
  readonly name: string;
  readonly kind: number;
  readonly value: number;
}

/** Compiles rules to a plan. The same rules give the same bytes, in whatever order they were given. */
export function encodePlan(rules: Rules): Uint8Array {
  const writer = new PlanWriter();
  const header = writer.reserve(HEADER.WORDS);
  const set = (word: number, value: number) => writer.set(header + 4 * word, value);
  const aliases = [...rules.hostAliases].toSorted(byName);
  set(HEADER.VERSION, PLAN_VERSION);
  set(HEADER.MAX_LENGTH, rules.maxLength);
  set(HEADER.DEFAULT_SCHEME, DEFAULT_SCHEMES.indexOf(rules.defaultScheme as DefaultScheme) + 1);
  set(HEADER.SCHEMES, rules.schemes === null ? 0 : writer.table(rules.schemes.map(exact)));
  set(
    HEADER.ALIASES,
    writer.optionalTable(
      aliases.map(([host, target]) => ({ ...exact(host), value: writer.text(target) })),
      hashBackward,
    ),
  );
  set(HEADER.LONGEST_ALIAS, longest(aliases.map(([, target]) => target)));
  set(HEADER.PROFILE, writer.profile(rules.profile));
  const sites = rules.sites.map(({ host, subdomains, profile }) => ({
    name: host,
    kind: subdomains ? KIND.SUBDOMAINS : KIND.EXACT,
    value: writer.profile(profile),
  }));
  set(HEADER.SITES, writer.optionalTable(sites, hashBackward));
  return writer.bytes();
}

function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function exact(name: string): Entry {
  return { name, kind: KIND.EXACT, value: 0 };
}

function nameOrPrefix(name: string): Entry {
  return name.endsWith("*")
    ? { name: name.slice(0, -1), kind: KIND.PREFIX, value: 0 }
    : exact(name);
}

function listed(names: readonly ListedName[], value: number): Entry[] {
  return names.map(({ name }) => ({ ...nameOrPrefix(name), value }));
}

/** Words written one behind the other. */
class PlanWriter {
  #words: number[] = [];

  reserve(words: number): number {
    const at = this.#words.length * 4;
    for (let word = 0; word < words; word++) this.#words.push(0);
    return at;
  }

  set(address: number, value: number): void {
    this.#words[address / 4] = value;
  }

  bytes(): Uint8Array {
    const bytes = new Uint8Array(this.#words.length * 4);
    const view = new DataView(bytes.buffer);
    for (const [word, value] of this.#words.entries()) view.setUint32(word * 4, value, true);
    return bytes;
  }

  text(text: string): number {
    const at = this.reserve(1);
    this.set(at, text.length);
    this.#characters(text);
    return at;
  }

  profile(profile: Profile): number {
    const at = this.reserve(PROFILE.WORDS);
    const builtIn = [
      ...(profile.sessionIds === "remove" ? listed(SESSION_PARAMS, LISTED.SESSION) : []),
      ...(profile.trackingParams === "remove" ? listed(TRACKING_PARAMS, LISTED.TRACKING) : []),
    ];
    const defaults = Object.entries(profile.defaultParams).toSorted(byName);
    const set = (word: number, value: number) => this.set(at + 4 * word, value);
    set(PROFILE.FLAGS, packChoices(profile));
    set(
      PROFILE.KEEP_PARAMS,
      profile.keepParams === null ? 0 : this.table(profile.keepParams.map(exact)),
    );
    set(PROFILE.DROP_PARAMS, this.optionalTable(profile.dropParams.map(nameOrPrefix)));
    set(PROFILE.LISTED_PARAMS, this.optionalTable(builtIn, hashForward, true));
    set(
      PROFILE.DEFAULT_PARAMS,
      this.optionalTable(
        defaults.map(([name, value]) => ({ ...exact(name), value: this.text(value) })),
      ),
    );
    set(PROFILE.DIRECTORY_INDEX, this.optionalTable(profile.directoryIndex.map(exact)));
    return at;
  }

  optionalTable(entries: readonly Entry[], hash = hashForward, ignoreCase = false): number {
    return entries.length === 0 ? 0 : this.table(entries, hash, ignoreCase);
  }

  /** An entry that stands twice is written once. */
  table(given: readonly Entry[], hash = hashForward, ignoreCase = false): number {
    const entries = [
      ...new Map(given.map((entry) => [`${entry.kind} ${entry.name}`, entry])).entries(),
    ]
      .toSorted(byName)
      .map(([, entry]) => entry);
    const slots = 2 ** Math.ceil(Math.log2(2 * entries.length + 1));
    const at = this.reserve(TABLE.WORDS + slots);
    let lengths = 0;
    for (const { name, kind, value } of entries) {
      const entry = this.reserve(ENTRY.WORDS);
      const hashed = hash(name);
      this.set(entry + 4 * ENTRY.HASH, hashed);
      this.set(entry + 4 * ENTRY.KIND, kind);
      this.set(entry + 4 * ENTRY.VALUE, value);
      this.set(entry + 4 * ENTRY.LENGTH, name.length);
      this.#characters(name);
      let slot = hashed & (slots - 1);
      const address = () => at + 4 * (TABLE.WORDS + slot);
      while (this.#words[address() / 4] !== 0) slot = (slot + 1) & (slots - 1);
      this.set(address(), entry);
      if (kind === KIND.PREFIX) lengths |= 1 << (Math.min(name.length, 32) - 1);
    }
    this.set(at + 4 * TABLE.MASK, slots - 1);
    this.set(at + 4 * TABLE.IGNORE_CASE, ignoreCase ? 1 : 0);
    this.set(at + 4 * TABLE.PREFIX_LENGTHS, lengths >>> 0);
    this.set(at + 4 * TABLE.LONGEST, longest(entries.map(({ name }) => name)));
    return at;
  }

  #characters(text: string): void {
    for (let at = 0; at < text.length; at += 4) {
      let word = 0;
      for (let byte = 3; byte >= 0; byte--) word = (word << 8) | (text.charCodeAt(at + byte) || 0);
      this.#words.push(word >>> 0);
    }
  }
}

function packChoices(profile: Profile): number {
  let flags = 0;
  for (const [index, name] of (Object.keys(CHOICES) as ChoiceName[]).entries()) {
    const values: readonly string[] = CHOICES[name];
    flags |= values.indexOf(profile[name]) << (2 * index);
  }
  return flags >>> 0;
}
