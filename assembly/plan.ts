/*
 * Memory: the plan region, as src/plan/layout.ts lays it out: a header of 32-bit words, then profiles
 * and tables (tables.ts) at the addresses they tell, relative to the plan. 0 is none.
 *
 *    0  version of the layout           16  aliases: table of hosts, values are texts
 *    4  maxLength, bytes, in and out    20  sites: table of hosts, values are profiles
 *    8  defaultScheme, of scheme.ts     24  the profile of all other hosts
 *   12  schemes that pass: table        28  bytes of the longest alias text
 *   32  rules of sites: table           36  rules for every site: block (rule-block.ts)
 *   40  filter of sites with rules (rule-filter.ts)
 *
 * A profile: flags (two bits a choice, in the order below), then tables: keepParams, dropParams, names
 * listed by the package, defaultParams (values are texts), directoryIndex.
 */
import { LONGEST_RULED, planStart } from "./memory";

const PLAN_VERSION: u32 = 3;

// The choices of a profile, by the bit of its flags that they begin at.
export const SCHEME_CHOICE: u32 = 0;
export const TRAILING_DOT: u32 = 2;
export const WWW: u32 = 4;
export const USERINFO_CHOICE: u32 = 6;
export const SESSION_IDS: u32 = 8;
export const DUPLICATE_SLASHES: u32 = 10;
export const TRAILING_SLASH: u32 = 12;
export const EMPTY_PARAMS: u32 = 16;
export const VALUELESS_PARAMS: u32 = 18;
export const SORT_QUERY: u32 = 20;
export const EMPTY_QUERY: u32 = 22;
export const FRAGMENT_CHOICE: u32 = 24;

/** The choice of SORT_QUERY that looks at values. */
export const SORT_BY_VALUE: u32 = 2;

/** Flags of choices that can change a URL without `?`, `#` and `;`. */
const ALWAYS: u32 =
  (3 << SCHEME_CHOICE) | (3 << WWW) | (3 << DUPLICATE_SLASHES) | (3 << TRAILING_SLASH);

export let maxLength: usize = 0;
export let defaultScheme: i32 = 0;
/** Tables and profiles by address, 0 where there is none. */
export let schemesTable: usize = 0;
export let aliasTable: usize = 0;
export let siteTable: usize = 0;
export let defaultProfile: usize = 0;
export let longestAlias: usize = 0;
/** Table of sites, values are blocks of rules; the block for every site; the filter of sites. */
export let siteRulesTable: usize = 0;
export let anyRules: usize = 0;
export let ruleFilter: usize = 0;
/** Bytes that rules of sites can make one row longer. */
export let ruledBytes: usize = 0;
/** Whether any rule can change a URL that preset `safe` leaves as it is. */
export let hasRules: bool = false;
/** Whether a URL of a scheme that passes is left as it is where it has no `?`, `#` or `;`. */
export let sparesPlain: bool = false;
/** Whether a query in normal form, in order, without listed names and empty parameters, is left too. */
export let sparesQueries: bool = false;

/** Reads the plan the host has written to the plan region; false when its version is another. */
export function readPlan(): bool {
  if (load<u32>(planStart) !== PLAN_VERSION) return false;
  maxLength = <usize>load<u32>(planStart, 4);
  defaultScheme = load<i32>(planStart, 8);
  schemesTable = address(planStart + 12);
  aliasTable = address(planStart + 16);
  siteTable = address(planStart + 20);
  defaultProfile = address(planStart + 24);
  longestAlias = <usize>load<u32>(planStart, 28);
  siteRulesTable = address(planStart + 32);
  anyRules = address(planStart + 36);
  ruleFilter = address(planStart + 40);
  ruledBytes = ruleFilter === 0 ? 0 : LONGEST_RULED;
  hasRules = (schemesTable | aliasTable | siteTable) !== 0;
  for (let word: usize = 0; word < 24; word += 4) {
    hasRules = hasRules || load<u32>(defaultProfile + word) !== 0;
  }
  const flags = load<u32>(defaultProfile);
  sparesPlain =
    (aliasTable | siteTable | indexTable(defaultProfile)) === 0 && (flags & ALWAYS) === 0;
  sparesQueries =
    sparesPlain &&
    (keepTable(defaultProfile) | defaultsTable(defaultProfile)) === 0 &&
    choiceOf(defaultProfile, VALUELESS_PARAMS) === 0 &&
    choiceOf(defaultProfile, SORT_QUERY) !== SORT_BY_VALUE;
  return true;
}

/** The choice of a profile's flags that begins at `bit`: the number of its value, 0 for `safe`'s. */
export function choiceOf(profile: usize, bit: u32): u32 {
  return (load<u32>(profile) >> bit) & 3;
}

export function keepTable(profile: usize): usize {
  return address(profile + 4);
}

export function dropTable(profile: usize): usize {
  return address(profile + 8);
}

export function listedTable(profile: usize): usize {
  return address(profile + 12);
}

export function defaultsTable(profile: usize): usize {
  return address(profile + 16);
}

export function indexTable(profile: usize): usize {
  return address(profile + 20);
}

/** The address of what the word at `at` points to, or 0. */
export function address(at: usize): usize {
  const offset = <usize>load<u32>(at);
  return offset === 0 ? 0 : planStart + offset;
}
