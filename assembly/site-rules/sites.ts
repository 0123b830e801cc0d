/*
 * Finds the rules for the site of the ruled URL.
 *
 * Memory: reads the site (ruled-url.ts) and the plan region. BLOCKS, static data, has the addresses of the blocks in the
 * order of their rules, at its end: that of the site, those of its domains from the closest one on, that for every site.
 */
import { MOST_DOMAINS } from "../catalog.generated";
import { anyRules, hasDomains, siteRulesTable } from "../plan";
import { findHost, isNameOf, targetOf, writeDomains } from "../tables";
import { factsOf } from "./block";
import { siteEnd, siteStart } from "./ruled-url";

const BLOCKS: usize = memory.data((32 + 2) * 4, 16);
export const BLOCKS_END: usize = BLOCKS + (MOST_DOMAINS + 2) * 4;

/**
 * The entries of the two sites found last. URLs of one site often come together, and so does the site it
 * moves to.
 */
let lastSite: usize = 0;
let otherSite: usize = 0;

/** Where the first block is; BLOCKS_END if there are none. */
export let firstBlock: usize = BLOCKS_END;
/** The facts of a URL that all blocks need. */
export let facts: u32 = 0;

/** Forgets the sites of another plan. */
export function prepareSites(): void {
  lastSite = 0;
  otherSite = 0;
}

/** Finds the rules for the current site; returns whether there are any. */
export function findRules(): bool {
  firstBlock = BLOCKS_END;
  if (anyRules !== 0) addBlock(anyRules);
  if (hasDomains) {
    firstBlock = writeDomains(siteRulesTable, siteStart, siteEnd, MOST_DOMAINS, firstBlock);
  }
  const entry: usize = siteRulesTable === 0 ? 0 : findEntry();
  if (entry !== 0) addBlock(targetOf(entry));
  facts = 0;
  for (let at = firstBlock; at < BLOCKS_END; at += 4) facts |= factsOf(<usize>load<u32>(at));
  return firstBlock < BLOCKS_END;
}

/** Adds a block before the others. */
function addBlock(block: usize): void {
  firstBlock -= 4;
  store<u32>(firstBlock, <u32>block);
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
