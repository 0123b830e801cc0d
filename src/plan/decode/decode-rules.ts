import {
  type Action,
  ANY_BYTES,
  ANY_SITE,
  type Condition,
  DOMAIN,
  type Element,
  type Rule,
  type Template,
  type Unless,
} from "../../site-rules/rule.ts";
import { HEADER, KIND } from "../layout.ts";
import {
  ACTIONS,
  BLOCK,
  ELEMENTS,
  firstRule,
  LOCAL,
  MOST_DOMAINS,
  NAME,
  NAMES,
  RULE,
  TEST,
  TESTS,
  UNLESS,
  VALUE_PATTERN,
  WHOLE,
} from "../rule-layout.ts";
import type { PlanReader } from "./plan-reader.ts";
import { urlEntries } from "./url-entries.ts";

/** Holds the rules of sites. The rules of a site are followed by those for every site. */
export interface LoadedSiteRules {
  readonly bySite: Pick<ReadonlyMap<string, readonly Rule[]>, "get" | "has">;
  /** Lists the rules of all other sites. */
  readonly anySite: readonly Rule[];
}

/** Reads the rules of a plan, without their evidence; returns null if it has none. */
export function readSiteRules(reader: PlanReader): LoadedSiteRules | null {
  const table = reader.word(4 * HEADER.SITE_RULES);
  const any = reader.word(4 * HEADER.ANY_RULES);
  if (table === 0 && any === 0) return null;
  const anySite = any === 0 ? [] : readBlock(reader, any, ANY_SITE);
  return { bySite: new RulesBySite(reader, table, anySite), anySite };
}

/** Holds the rules of each site, which are read when they are first asked for. */
class RulesBySite {
  readonly #reader: PlanReader;
  readonly #anySite: readonly Rule[];
  /** The address of the block of each host, and of each domain and its hosts. */
  readonly #hosts = new Map<string, number>();
  readonly #domains = new Map<string, number>();
  readonly #rules = new Map<string, readonly Rule[]>();
  /** The rules of the sites that have the same blocks. */
  readonly #joined = new Map<string, readonly Rule[]>();

  constructor(reader: PlanReader, table: number, anySite: readonly Rule[]) {
    this.#reader = reader;
    this.#anySite = anySite;
    for (const { name, kind, value } of reader.entries(table)) {
      if (kind === KIND.EXACT) this.#hosts.set(name, value);
      if (kind === KIND.SUBDOMAINS && reader.isOfLists) this.#domains.set(name, value);
    }
  }

  has(site: string): boolean {
    return this.#hosts.has(site) || (this.#domains.size > 0 && this.#domainsOf(site).length > 0);
  }

  get(site: string): readonly Rule[] | undefined {
    const own = this.#hosts.get(site);
    const domains = this.#domainsOf(site);
    if (own === undefined && domains.length === 0) return undefined;
    const key = `${own} ${domains.join(" ")}`;
    let rules = this.#joined.get(key);
    if (rules === undefined) {
      rules = [
        ...(own === undefined ? [] : this.#blockAt(own, site)),
        ...domains.flatMap((domain) =>
          this.#blockAt(this.#domains.get(domain) as number, DOMAIN + domain),
        ),
        ...this.#anySite,
      ];
      this.#joined.set(key, rules);
    }
    return rules;
  }

  #blockAt(block: number, site: string): readonly Rule[] {
    const rules = this.#rules.get(site) ?? readBlock(this.#reader, block, site);
    this.#rules.set(site, rules);
    return rules;
  }

  /** Returns the domains of a site that have rules, the closest first. Of more than MOST_DOMAINS it takes the longest away. */
  #domainsOf(site: string): string[] {
    const found: string[] = [];
    if (this.#domains.size === 0) return found;
    for (let at = site.length; at > 0 && found.length < MOST_DOMAINS; ) {
      at = site.lastIndexOf(".", at - 1) + 1;
      const domain = site.slice(at);
      if (this.#domains.has(domain)) found.unshift(domain);
      at--;
    }
    return found;
  }
}

function readBlock(reader: PlanReader, block: number, site: string): Rule[] {
  const count = reader.word(block + 4 * BLOCK.COUNT);
  const first = block + 4 * firstRule(count);
  return Array.from({ length: count }, (_, index) =>
    readRule(reader, first + 4 * RULE.WORDS * index, site),
  );
}

function readRule(reader: PlanReader, rule: number, site: string): Rule {
  const { unless, ...condition } = readCondition(reader, reader.word(rule + 4 * RULE.CONDITION));
  return {
    site,
    condition,
    action: readAction(reader, rule),
    evidence: null,
    ...(unless.length === 0 ? {} : { unless }),
    ...readExceptions(reader, reader.word(rule + 4 * RULE.EXCEPTIONS)),
  };
}

/** Reads exceptions, in the order of their bytes. */
function readExceptions(reader: PlanReader, exceptions: number): Pick<Rule, "except"> {
  if (exceptions === 0) return {};
  const read = () =>
    new Set(
      urlEntries(reader, exceptions, 1)
        .map((at) => reader.textAt(at))
        .toSorted(),
    );
  return { except: reader.once("exceptions", exceptions, read) };
}

/** A condition of a rule, and the URLs that the rule leaves alone. */
interface ReadCondition extends Condition {
  readonly unless: readonly Unless[];
}

function readCondition(reader: PlanReader, condition: number): ReadCondition {
  if (condition === 0) return { path: null, params: [], unless: [] };
  return reader.once("condition", condition, () => readOwnCondition(reader, condition));
}

function readOwnCondition(reader: PlanReader, condition: number): ReadCondition {
  const path = reader.word(condition);
  const tests = records(reader, condition + 4, TEST.WORDS);
  const isUnless = (test: number) => reader.word(test + 4 * TEST.KIND) === UNLESS;
  const params = tests
    .filter((test) => !isUnless(test))
    .map((test) => ({
      is: TESTS[reader.word(test + 4 * TEST.KIND)] as (typeof TESTS)[number],
      name: reader.textAt(test + 4 * TEST.NAME),
      value: reader.textAt(test + 4 * TEST.VALUE),
    }));
  const unless = tests.filter(isUnless).map((test) => readUnless(reader, test));
  return { path: path === 0 ? null : readPattern(reader, path), params, unless };
}

function readUnless(reader: PlanReader, test: number): Unless {
  const kind = reader.word(test + 4 * TEST.HASH);
  const name = reader.textAt(test + 4 * TEST.NAME);
  const { path, params } = readCondition(reader, reader.word(test + 4 * TEST.VALUE));
  const site = kind === KIND.SUBDOMAINS ? DOMAIN + name : kind === 0 ? ANY_SITE : name;
  return { site, condition: { path, params } };
}

function readAction(reader: PlanReader, rule: number): Action {
  const type = ACTIONS[reader.word(rule + 4 * RULE.ACTION) % LOCAL] as (typeof ACTIONS)[number];
  const subject = rule + 4 * RULE.SUBJECT;
  const object = rule + 4 * RULE.OBJECT;
  const marks = reader.word(rule + 4 * RULE.ACTION);
  const whole = (marks & WHOLE) === 0 ? {} : ({ whole: true } as const);
  switch (type) {
    case "drop":
    case "keep":
      return { type, params: readNames(reader, reader.word(subject)), ...whole };
    case "dropif": {
      const [param = ""] = readNames(reader, reader.word(subject));
      const isPattern = (marks & VALUE_PATTERN) !== 0;
      const value = isPattern ? readPattern(reader, reader.word(object)) : reader.textAt(object);
      return { type, param, value, ...whole };
    }
    case "unwrap":
      return { type, params: readNames(reader, reader.word(subject)) };
    case "set": {
      const [param = ""] = readNames(reader, reader.word(subject));
      return { type, param, value: reader.textAt(object) };
    }
    case "sub":
    case "path":
      return {
        type,
        from: readPattern(reader, reader.word(subject)),
        to: readTemplate(reader, reader.word(object)),
      };
    case "cut":
      return { type, segment: reader.textAt(subject) };
    case "host":
      return { type, to: reader.textAt(subject) };
    case "sink":
      return { type, target: reader.textAt(subject) };
    case "scheme":
      return { type, to: "https" };
    case "sort":
    case "lower":
    case "slash":
      return { type };
  }
}

function readNames(reader: PlanReader, names: number): string[] {
  return reader.once("list", names, () =>
    records(reader, names, NAME.WORDS, NAMES.WORDS).map((name) => {
      const hash = reader.word(name + 4 * NAME.HASH);
      const text = reader.textAt(name + 4 * NAME.TEXT);
      if (hash === KIND.PREFIX) return text + ANY_BYTES;
      return hash === KIND.SUFFIX ? ANY_BYTES + text : text;
    }),
  );
}

function readPattern(reader: PlanReader, pattern: number): Element[] {
  return records(reader, pattern, 2).map((element): Element => {
    const kind = ELEMENTS[reader.word(element)] as (typeof ELEMENTS)[number];
    if (kind === "text") return { kind, text: reader.textAt(element + 4) };
    if (kind === "segment" || kind === "rest") return { kind, suffix: reader.textAt(element + 4) };
    const length = reader.word(element + 4);
    return kind === "end" || length === 0 ? { kind } : { kind, length };
  });
}

function readTemplate(reader: PlanReader, template: number): Template {
  return records(reader, template, 2).map((piece) => {
    const capture = reader.word(piece);
    return capture === 0 ? reader.textAt(piece + 4) : capture;
  });
}

/** Returns the addresses of records of `words` words each, which follow their number, or a head of so many words. */
function records(reader: PlanReader, at: number, words: number, head = 1): number[] {
  return Array.from({ length: reader.word(at) }, (_, index) => at + 4 * (head + words * index));
}
