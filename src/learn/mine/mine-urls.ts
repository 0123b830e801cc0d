import type { Rule } from "../../site-rules/rule.ts";
import { AMPERSAND, COLON, EQUALS, QUESTION, SEMICOLON, SLASH } from "../../url/chars.ts";
import { type Hash, LONGEST_TEXT, PrefixHashes } from "../site/hash.ts";
import type { Nodes } from "../site/nodes.ts";
import { Buckets } from "./buckets.ts";
import { Candidates } from "./candidates.ts";
import { addDifferences } from "./differences.ts";
import { tokenPlaces } from "./tokens.ts";

/** Tokens that may be left out, and pairs that must differ so before a rule is counted. */
const LONGEST = 35;
const FEWEST_PAIRS = 10;
const MOST = 150;
/** URLs, and buckets, of which all are looked at; of more every second, third and so on is. */
const LOOKED_AT = 100_000;

/**
 * Returns rules that URLs alone suggest (Bar-Yossef, Keidar, Schonfeld, TWEB 2009): what makes one
 * URL of the list another when tokens are left out of it, and what URLs differ in that are the same
 * around it.
 */
export function mineUrls(site: string, nodes: Nodes): Rule[] {
  const candidates = new Candidates();
  const buckets = new Buckets(4 * nodes.count);
  const step = stepOf(nodes.count);
  const places = new Int32Array(LONGEST_TEXT + 1);
  const hashes = new PrefixHashes();
  for (let node = 0; node < nodes.count; node++) {
    const target = nodes.targets[node] as string;
    if (target.length > LONGEST_TEXT) continue;
    const count = tokenPlaces(target, places);
    hashes.read(target, places, count, nodes.isHttps[node] ? 1 : 0);
    if (node % step === 0) addDeletions(node, count, hashes, nodes, candidates);
    addToBuckets(node, count, places, hashes, target, buckets);
  }
  for (const members of buckets.lists(stepOf(buckets.count))) {
    for (const [index, a] of members.entries()) {
      for (const b of members.slice(index + 1)) {
        addDifferences(nodes.targets[a] as string, nodes.targets[b] as string, a, candidates);
      }
    }
  }
  return candidates.list(site, FEWEST_PAIRS, MOST);
}

function stepOf(count: number): number {
  return Math.max(1, Math.ceil(count / LOOKED_AT));
}

function addDeletions(
  node: number,
  count: number,
  hashes: PrefixHashes,
  nodes: Nodes,
  candidates: Candidates,
): void {
  const hash: Hash = { low: 0, high: 0 };
  for (let start = 1; start < count; start++) {
    const last = Math.min(count, start + LONGEST);
    for (let end = start + 1; end <= last; end++) {
      hashes.without(start, end, hash);
      const shorter = nodes.index.find(hash);
      if (shorter < 0) continue;
      addDifferences(
        nodes.targets[node] as string,
        nodes.targets[shorter] as string,
        shorter,
        candidates,
      );
    }
  }
}

/** Puts a URL into a bucket for all of it but one segment, value or name, for each of these. */
function addToBuckets(
  node: number,
  count: number,
  places: Int32Array,
  hashes: PrefixHashes,
  target: string,
  buckets: Buckets,
): void {
  const hash: Hash = { low: 0, high: 0 };
  for (let start = 1; start < count; ) {
    let end = start;
    while (end < count && !isDelimiter(target.charCodeAt(places[end] as number))) end++;
    if (end > start) {
      hashes.without(start, end, hash);
      hash.low ^= Math.imul(start, 0x9e3779b1);
      buckets.add(hash, node);
    }
    start = end + 1;
  }
}

/** A delimiter is always a token of its own. */
function isDelimiter(code: number): boolean {
  return (
    code === SLASH ||
    code === QUESTION ||
    code === AMPERSAND ||
    code === EQUALS ||
    code === SEMICOLON ||
    code === COLON
  );
}
