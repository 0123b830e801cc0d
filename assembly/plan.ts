/*
 * Memory: the plan region, as src/plan/layout.ts lays it out: a header of 32-bit words, then profiles and
 * tables (tables.ts) at the addresses in the header. Addresses count from the start of the plan; 0 means that
 * the plan has no such part. A profile has choices, two a byte (numbers of values; choiceOf), then tables.
 */
import {
  ANY_PARAMS_PLAN_VERSION,
  changesPlain,
  changesQueries,
  FORM,
  HEADER,
  LISTS_PLAN_VERSION,
  PROFILE,
  UNWRAP_PLAN_VERSION,
} from "./catalog.generated";
import { LONGEST_RULED, planStart } from "./memory";

/** The choice of CASE_CHOICE that writes the query in lower case too. */
export const LOWER_QUERY: u32 = 2;

/** The choices of REPEATED_PARAMS that keep the last, and the first of those with one value; 1 keeps the first of one name. */
export const KEEP_LAST: u32 = 2;
export const KEEP_EQUAL: u32 = 3;

/** The choice of SORT_QUERY that compares values too. */
export const SORT_BY_VALUE: u32 = 2;

// What the last readPlan read. Tables, profiles and blocks are addresses; 0 means that the plan has none.

/** Bytes of the longest URL, in and out. */
export let maxLength: usize = 0;
/** The number of the scheme that a URL without one gets (scheme.ts); 0 if such a URL is an error. */
export let defaultScheme: i32 = 0;
/** The table of the schemes that pass; 0 if all pass. */
export let schemesTable: usize = 0;
/** Table of host aliases; values are texts. */
export let aliasTable: usize = 0;
/** Whether it may have first labels that go from hosts. */
export let hasLabels: bool = false;
/** Table of hosts with a profile of their own. */
export let siteTable: usize = 0;
/** The profile of all other hosts. */
export let defaultProfile: usize = 0;
/** Bytes of the longest host that an alias writes. */
export let longestAlias: usize = 0;
/** Table of sites with rules; values are blocks of rules. */
export let siteRulesTable: usize = 0;
/** Whether that table may have domains, whose rules are for their hosts too. */
export let hasDomains: bool = false;
/** The block of rules for every site. */
export let anyRules: usize = 0;
/** The filter of sites with rules or aliases (scan/site-filter.ts). */
export let ruleFilter: usize = 0;
/** Table of sites with aliases of URLs; values are tables of URLs. */
export let pageAliases: usize = 0;
/** Whether some aliases are for any other parameters. */
export let hasAnyParams: bool = false;
/** Bytes that the rules and aliases of a site can add to one row. */
export let ruledBytes: usize = 0;
/** What rows become: a number of FORM. */
export let rowForm: u32 = 0;
/** Whether rows become something else than URLs. */
export let writesKeys: bool = false;
/** Whether keys of web archives keep `www.`. */
export let keepsWww: bool = false;
/** Whether rows become keys of web archives as they are: no option, rule or alias changes them first. */
export let readsAsGiven: bool = false;
/** Whether any option can change a URL that preset `safe` leaves as it is. */
export let hasOptions: bool = false;
/** Whether the options leave a URL of a scheme that passes as it is if it has no `?`, `#` or `;`. */
export let plainUnaffected: bool = false;
/**
 * Whether they also leave a query in normal form that is sorted and has no listed names or empty parameters.
 */
export let queriesUnaffected: bool = false;

/** Reads the plan that the host has written to the plan region, which has been checked. */
export function readPlan(): void {
  maxLength = <usize>load<u32>(planStart, HEADER.MAX_LENGTH);
  defaultScheme = <i32>load<u16>(planStart, HEADER.DEFAULT_SCHEME);
  schemesTable = address(planStart + HEADER.SCHEMES);
  aliasTable = address(planStart + HEADER.ALIASES);
  hasLabels = aliasTable !== 0 && load<u32>(planStart, HEADER.VERSION) >= UNWRAP_PLAN_VERSION;
  siteTable = address(planStart + HEADER.SITES);
  defaultProfile = address(planStart + HEADER.PROFILE);
  longestAlias = <usize>load<u32>(planStart, HEADER.LONGEST_ALIAS);
  siteRulesTable = address(planStart + HEADER.SITE_RULES);
  hasDomains = siteRulesTable !== 0 && load<u32>(planStart, HEADER.VERSION) >= LISTS_PLAN_VERSION;
  anyRules = address(planStart + HEADER.ANY_RULES);
  ruleFilter = address(planStart + HEADER.RULE_FILTER);
  pageAliases = address(planStart + HEADER.PAGE_ALIASES);
  hasAnyParams = load<u32>(planStart, HEADER.VERSION) >= ANY_PARAMS_PLAN_VERSION;
  hasOptions = (schemesTable | aliasTable | siteTable) !== 0;
  for (let word: usize = 0; word < PROFILE.BYTES; word += 4) {
    hasOptions = hasOptions || load<u32>(defaultProfile + word) !== 0;
  }
  rowForm = <u32>load<u16>(planStart, HEADER.DEFAULT_SCHEME + 2);
  writesKeys = rowForm !== FORM.URL;
  keepsWww = rowForm === FORM.URLKEY_WWW;
  // Each digit that a rule writes may be a mark of three bytes.
  ruledBytes = ruleFilter === 0 ? 0 : rowForm === FORM.TEMPLATE ? 3 * LONGEST_RULED : LONGEST_RULED;
  readsAsGiven =
    rowForm <= FORM.URLKEY_WWW && !hasOptions && ruleFilter === 0 && defaultScheme === 0;
  plainUnaffected =
    (aliasTable | siteTable | indexTable(defaultProfile)) === 0 && !changesPlain(defaultProfile);
  queriesUnaffected =
    plainUnaffected &&
    (keepTable(defaultProfile) | defaultsTable(defaultProfile)) === 0 &&
    !changesQueries(defaultProfile);
}

export function keepTable(profile: usize): usize {
  return address(profile + PROFILE.KEEP_PARAMS);
}

export function dropTable(profile: usize): usize {
  return address(profile + PROFILE.DROP_PARAMS);
}

export function listedTable(profile: usize): usize {
  return address(profile + PROFILE.LISTED_PARAMS);
}

export function defaultsTable(profile: usize): usize {
  return address(profile + PROFILE.DEFAULT_PARAMS);
}

export function indexTable(profile: usize): usize {
  return address(profile + PROFILE.DIRECTORY_INDEX);
}

/** Returns the address that the word at `at` points to, or 0. */
export function address(at: usize): usize {
  const offset = <usize>load<u32>(at);
  return offset === 0 ? 0 : planStart + offset;
}
