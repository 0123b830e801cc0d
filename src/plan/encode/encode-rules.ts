import type { CompiledOptions } from "../../options/compiled-options.ts";
import type { PageAlias } from "../../site-rules/aliases/alias-file.ts";
import { shortestMatch, textLength } from "../../site-rules/language/pattern.ts";
import { isOfLists } from "../../site-rules/of-lists.ts";
import {
  type Action,
  ANY_BYTES,
  ANY_SITE,
  type Condition,
  DOMAIN,
  isWhole,
  type Pattern,
  type Rule,
  type Template,
  type Unless,
} from "../../site-rules/rule.ts";
import { HEADER, hashBackward, KIND, LISTS_PLAN_VERSION, UNWRAP_PLAN_VERSION } from "../layout.ts";
import {
  ACTIONS,
  ELEMENTS,
  LOCAL,
  nameHash,
  siteHash,
  TESTS,
  UNLESS,
  VALUE_PATTERN,
  WHOLE,
} from "../rule-layout.ts";
import { bitsOf, factsOf, isLocal, masksOf, pathsOf, wakesOf } from "../rule-masks.ts";
import { writePageAliases } from "./encode-aliases.ts";
import { byName, type PlanWriter } from "./plan-writer.ts";
import { writeUrlTable } from "./url-table.ts";

/** Returns aliases by site in the normal form of `plan`, which has all other options. */
export type AliasNormalizer = (
  aliases: ReadonlyMap<string, readonly PageAlias[]>,
  plan: Uint8Array,
) => ReadonlyMap<string, readonly PageAlias[]>;

/**
 * Writes rules and aliases by site, after all other options. The rules of `ANY_SITE` are for all sites. Aliases come
 * last: what is written before them says their normal form.
 */
export function writeSiteRules(
  writer: PlanWriter,
  { siteRules, pageAliases }: Pick<CompiledOptions, "siteRules" | "pageAliases">,
  normalizeAliases: AliasNormalizer,
): void {
  const has = (test: (rule: Rule) => boolean): boolean =>
    [...siteRules.values()].some((rules) => rules.some(test));
  if (has(isOfLists)) writer.needVersion(LISTS_PLAN_VERSION);
  if (has(({ action }) => action.type === "unwrap")) writer.needVersion(UNWRAP_PLAN_VERSION);
  const any = siteRules.get(ANY_SITE);
  const sites = [...siteRules].filter(([site]) => site !== ANY_SITE).toSorted(byName);
  const blocks = sites.map(([site, own]) => ({
    ...siteEntry(site),
    value: writeBlock(writer, own),
  }));
  writer.setHeader(HEADER.SITE_RULES, writer.optionalTable(blocks, hashBackward));
  if (any !== undefined) writer.setHeader(HEADER.ANY_RULES, writeBlock(writer, any));
  const aliases =
    pageAliases.size === 0 ? pageAliases : normalizeAliases(pageAliases, writer.bytes());
  const named = new Set([...siteRules.keys(), ...aliases.keys()]);
  if (named.size === 0) return;
  const passed = [...named].map(lastLabels);
  const isOfAll = any !== undefined || passed.includes("");
  const filter = writeFilter(writer, isOfAll ? null : passed);
  writer.setHeader(HEADER.RULE_FILTER, filter);
  writer.setHeader(HEADER.PAGE_ALIASES, writePageAliases(writer, aliases));
}

/** Returns how a table names a site: a host, or a domain and its hosts. */
function siteEntry(site: string): { name: string; kind: number } {
  return site.startsWith(DOMAIN)
    ? { name: site.slice(DOMAIN.length), kind: KIND.SUBDOMAINS }
    : { name: site, kind: KIND.EXACT };
}

/** Returns what the filter has of a site: all of a host, the last two labels of a domain, "" if a domain has one. */
function lastLabels(site: string): string {
  if (!site.startsWith(DOMAIN)) return site;
  return /[^.]*\.[^.]*$/.exec(site.slice(DOMAIN.length))?.[0] ?? "";
}

/** Bits in the filter for each site: so many that one of a hundred other sites passes by chance. */
const FILTER_BITS = 16;

/** Writes a filter that passes these sites, or all sites if `sites` is null. */
function writeFilter(writer: PlanWriter, sites: readonly string[] | null): number {
  if (sites === null) return writer.words([0, 0xffffffff]);
  const count = Math.max(8, 2 ** Math.ceil(Math.log2((FILTER_BITS * sites.length) / 32)));
  const words = new Array<number>(count).fill(0);
  for (const site of sites) {
    const hash = siteHash(site);
    const word = (hash >>> 10) & (count - 1);
    const two = (1 << (hash & 31)) | (1 << ((hash >>> 5) & 31));
    words[word] = ((words[word] as number) | two) >>> 0;
  }
  return writer.words([count - 1, ...words]);
}

function writeBlock(writer: PlanWriter, rules: readonly Rule[]): number {
  const facts = rules.reduce((bits, rule) => bits | factsOf(rule), 0);
  const all = rules.map(masksOf);
  const asked = all.reduce((bits, [needed = 0n, one = 0n]) => bits | needed | one, 0n);
  const values = all.reduce((bits, masks) => bits | (masks.at(-1) as bigint), 0n);
  if (all.length % 2 === 1) all.push([0n, 0n, 0n, 0n, 0n]);
  const pairs = all.flatMap((masks, index) => {
    const next = all[index + 1] as bigint[];
    return index % 2 === 1 ? [] : masks.flatMap((mask, at) => [mask, next[at] as bigint]);
  });
  const written = rules.flatMap((rule) => writeRule(writer, rule));
  const masks = [asked, values, ...wakesOf(rules), ...pairs].flatMap(wordsOf);
  return writer.words([rules.length, facts, ...masks, ...written]);
}

function writeRule(writer: PlanWriter, rule: Rule): number[] {
  const { action } = rule;
  const patterns = pathsOf(rule);
  return [
    Math.max(0, ...patterns.map(shortestMatch)),
    Math.min(0xffffffff, ...patterns.map(longestMatch)),
    writeCondition(writer, rule),
    ACTIONS.indexOf(action.type) +
      (isLocal(action) ? LOCAL : hasPattern(action) ? VALUE_PATTERN : 0) +
      (isWhole(action) ? WHOLE : 0),
    writeSubject(writer, action),
    writeObject(writer, action),
    rule.except === undefined
      ? 0
      : writeUrlTable(
          writer,
          [...rule.except].map((url) => [url]),
        ),
  ];
}

/** Splits a mask into two words, the low one first. */
function wordsOf(mask: bigint): number[] {
  return [Number(BigInt.asUintN(32, mask)), Number(mask >> 32n)];
}

function hasPattern(action: Action): boolean {
  return action.type === "dropif" && typeof action.value !== "string";
}

function longestMatch(pattern: Pattern): number {
  return pattern.every(({ kind }) => kind === "text") ? textLength(pattern) : 0xffffffff;
}

function writeCondition(
  writer: PlanWriter,
  {
    condition,
    unless = [],
  }: { readonly condition: Condition; readonly unless?: readonly Unless[] },
): number {
  const { path, params } = condition;
  if (path === null && params.length + unless.length === 0) return 0;
  const tests = [
    ...params.map(({ name, is, value }) => [
      TESTS.indexOf(is),
      nameHash(name),
      writer.sharedText(name),
      writer.sharedText(value),
    ]),
    ...unless.map((each) => {
      const { name, kind } = siteEntry(each.site);
      const isAny = each.site === ANY_SITE;
      const text = writer.sharedText(isAny ? "" : name);
      return [UNLESS, isAny ? 0 : kind, text, writeCondition(writer, each)];
    }),
  ];
  const pattern = path === null ? 0 : writePattern(writer, path);
  return writer.words([pattern, tests.length, ...tests.flat()]);
}

function writeSubject(writer: PlanWriter, action: Action): number {
  switch (action.type) {
    case "drop":
    case "keep":
    case "unwrap":
      return writeNames(writer, action.params);
    case "dropif":
    case "set":
      return writeNames(writer, [action.param]);
    case "sub":
    case "path":
      return writePattern(writer, action.from);
    case "cut":
      return writer.sharedText(action.segment);
    case "host":
      return writer.sharedText(action.to);
    case "sink":
      return writer.sharedText(action.target);
    default:
      return 0;
  }
}

function writeObject(writer: PlanWriter, action: Action): number {
  if (action.type === "dropif" && typeof action.value !== "string") {
    return writePattern(writer, action.value);
  }
  if (action.type === "dropif" || action.type === "set") {
    return writer.sharedText(action.value as string);
  }
  return action.type === "sub" || action.type === "path" ? writeTemplate(writer, action.to) : 0;
}

function writeNames(writer: PlanWriter, names: readonly string[]): number {
  const words = names.flatMap((name) => {
    const text = writer.sharedText(name.replace(ANY_BYTES, ""));
    if (name.endsWith(ANY_BYTES)) return [KIND.PREFIX, text];
    return [name.startsWith(ANY_BYTES) ? KIND.SUFFIX : nameHash(name), text];
  });
  return writer.words([names.length, ...wordsOf(bitsOf(names)), ...words]);
}

function writePattern(writer: PlanWriter, pattern: Pattern): number {
  const elements = pattern.flatMap((element) => {
    const text = element.kind === "text" ? element.text : "suffix" in element ? element.suffix : "";
    const isTextual = element.kind === "text" || "suffix" in element;
    const length = "length" in element ? (element.length ?? 0) : 0;
    return [ELEMENTS.indexOf(element.kind), isTextual ? writer.sharedText(text) : length];
  });
  return writer.words([pattern.length, ...elements]);
}

function writeTemplate(writer: PlanWriter, template: Template): number {
  const pieces = template.flatMap((piece) =>
    typeof piece === "number" ? [piece, 0] : [0, writer.sharedText(piece)],
  );
  return writer.words([template.length, ...pieces]);
}
