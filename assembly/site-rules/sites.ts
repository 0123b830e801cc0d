/*
 * Finds the rules for the site of the ruled URL.
 *
 * Memory: reads the site (ruled-url.ts) and the plan region.
 */
import { anyRules, siteRulesTable } from "../plan";
import { findHost, isNameOf, targetOf } from "../tables";
import { factsOf } from "./block";
import { siteEnd, siteStart } from "./ruled-url";

/**
 * The entries of the two sites found last. URLs of one site often come together, and so does the site it
 * moves to.
 */
let lastSite: usize = 0;
let otherSite: usize = 0;

/** The block of the site's own rules, or 0. The rules for every site (plan.ts) come after them. */
export let ownRules: usize = 0;
/** The facts of a URL that both blocks need. */
export let facts: u32 = 0;

/** Forgets the sites of another plan. */
export function prepareSites(): void {
  lastSite = 0;
  otherSite = 0;
}

/** Finds the rules for the current site; returns whether there are any. */
export function findRules(): bool {
  const entry: usize = siteRulesTable === 0 ? 0 : findEntry();
  ownRules = entry === 0 ? 0 : targetOf(entry);
  facts = factsOf(ownRules) | factsOf(anyRules);
  return (ownRules | anyRules) !== 0;
}

function findEntry(): usize {
  if (lastSite !== 0 && isNameOf(lastSite, siteStart, siteEnd)) return lastSite;
  const isOther = otherSite !== 0 && isNameOf(otherSite, siteStart, siteEnd);
  const entry = isOther ? otherSite : findHost(siteRulesTable, siteStart, siteEnd);
  if (entry !== 0) {
    otherSite = lastSite;
    lastSite = entry;
  }
  return entry;
}
