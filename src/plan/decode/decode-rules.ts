import {
  type Action,
  ANY_SITE,
  type Condition,
  type Element,
  type Rule,
  type Template,
} from "../../site-rules/rule.ts";
import { HEADER } from "../layout.ts";
import {
  ACTIONS,
  BLOCK,
  ELEMENTS,
  firstRule,
  LOCAL,
  NAME,
  NAMES_HEAD,
  RULE,
  TEST,
  TESTS,
} from "../rule-layout.ts";
import { urlEntries } from "../url-table.ts";
import type { PlanReader } from "./plan-reader.ts";

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
  /** The rules of each site, or the address of its block. */
  readonly #sites: Map<string, number | readonly Rule[]>;

  constructor(reader: PlanReader, table: number, anySite: readonly Rule[]) {
    this.#reader = reader;
    this.#anySite = anySite;
    this.#sites = new Map(reader.entries(table).map(({ name, value }) => [name, value]));
  }

  has(site: string): boolean {
    return this.#sites.has(site);
  }

  get(site: string): readonly Rule[] | undefined {
    const known = this.#sites.get(site);
    if (typeof known !== "number") return known;
    const rules = [...readBlock(this.#reader, known, site), ...this.#anySite];
    this.#sites.set(site, rules);
    return rules;
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
  return {
    site,
    condition: readCondition(reader, reader.word(rule + 4 * RULE.CONDITION)),
    action: readAction(reader, rule),
    evidence: null,
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

function readCondition(reader: PlanReader, condition: number): Condition {
  if (condition === 0) return { path: null, params: [] };
  return reader.once("condition", condition, () => readOwnCondition(reader, condition));
}

function readOwnCondition(reader: PlanReader, condition: number): Condition {
  const path = reader.word(condition);
  const params = records(reader, condition + 4, TEST.WORDS).map((test) => ({
    is: TESTS[reader.word(test + 4 * TEST.KIND)] as (typeof TESTS)[number],
    name: reader.textAt(test + 4 * TEST.NAME),
    value: reader.textAt(test + 4 * TEST.VALUE),
  }));
  return { path: path === 0 ? null : readPattern(reader, path), params };
}

function readAction(reader: PlanReader, rule: number): Action {
  const type = ACTIONS[reader.word(rule + 4 * RULE.ACTION) % LOCAL] as (typeof ACTIONS)[number];
  const subject = rule + 4 * RULE.SUBJECT;
  const object = rule + 4 * RULE.OBJECT;
  switch (type) {
    case "drop":
    case "keep":
      return { type, params: readNames(reader, reader.word(subject)) };
    case "dropif":
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
    Array.from({ length: reader.word(names) }, (_, index) =>
      reader.textAt(names + 4 * (NAMES_HEAD + NAME.WORDS * index + NAME.TEXT)),
    ),
  );
}

function readPattern(reader: PlanReader, pattern: number): Element[] {
  return records(reader, pattern, 2).map((element): Element => {
    const kind = ELEMENTS[reader.word(element)] as (typeof ELEMENTS)[number];
    if (kind === "text") return { kind, text: reader.textAt(element + 4) };
    if (kind === "segment" || kind === "rest") return { kind, suffix: reader.textAt(element + 4) };
    return { kind };
  });
}

function readTemplate(reader: PlanReader, template: number): Template {
  return records(reader, template, 2).map((piece) => {
    const capture = reader.word(piece);
    return capture === 0 ? reader.textAt(piece + 4) : capture;
  });
}

/** Returns the addresses of records of `words` words each, which follow their number. */
function records(reader: PlanReader, at: number, words: number): number[] {
  return Array.from({ length: reader.word(at) }, (_, index) => at + 4 + 4 * words * index);
}
