import type { Rule } from "../../site-rules/rule.ts";
import { AMPERSAND, COLON, EQUALS, QUESTION, SEMICOLON, SLASH } from "../../url/chars.ts";
import { type Hash, LONGEST_TEXT, PrefixHashes } from "../hashes/hash.ts";
import type { Nodes } from "../site/nodes.ts";
import { Buckets } from "./buckets.ts";
import { Candidates } from "./candidates.ts";
import { addDifferences } from "./differences.ts";
import { tokenPlaces } from "./tokens.ts";

/**
 * Limits the tokens that are left out. A rule is counted if this many pairs of URLs speak for it, and at most `MOST`
 * rules are.
 */
const LONGEST = 35;
const MIN_PAIRS = 10;
const MOST = 150;
/** Up to this many URLs, and buckets, all are read; of more every second, third and so on is. */
const LOOKED_AT = 100_000;

/**
 * Returns rules that URLs alone suggest (Bar-Yossef, Keidar, Schonfeld, TWEB 2009). A rule leaves tokens out of a URL,
 * and another URL of the list is what remains. Or it replaces the one piece in which two URLs differ.
 */
export function mineUrls(site: string, nodes: Nodes): Rule[] {
  const candidates = new Candidates();
  const buckets = new Buckets(4 * nodes.count);
  const step = stepOf(nodes.count);
  const places = new Int32Array(LONGEST_TEXT + 1);
  const hashes = new PrefixHashes();
  for (let node = 0; node < nodes.count; node++) {
    const target = nodes.targets[node] as string;
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
  return candidates.list(site, MIN_PAIRS, MOST);
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

/** Puts a URL into one bucket for each of its segments, values and names: that of the rest of the URL. */
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

/** Returns whether a byte is a delimiter, which is always a token of its own. */
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
