import { UrlmillError } from "../../base/errors.ts";
import { entryOf } from "../../base/tallies.ts";
import { escapeColumn, unescapeColumn } from "../../io/text/line-escape.ts";
import { parseAction } from "../../site-rules/language/action-text.ts";
import { parseRule, writeRule } from "../../site-rules/language/rule-line.ts";
import { ANY_SITE, type Rule } from "../../site-rules/rule.ts";
import { buildSite, SiteDraft } from "../collect/site-draft.ts";
import { type Hash, readHash } from "../hashes/hash.ts";
import type { HashIndex } from "../hashes/hash-index.ts";
import { CONTRADICTION, NOTHING } from "../site/known.ts";
import { splitUrl } from "../site/site.ts";
import { ChangeList, type Changes } from "./change-list.ts";
import type { SiteEvidence } from "./counted.ts";

/** Holds the first line of a file of evidence; the number is the version of its form. */
export const EVIDENCE_HEADER = "#urlmill-evidence 3";

/**
 * Yields the evidence of a site as lines, TAB between columns, without the header. Files of evidence add up by standing
 * one after the other.
 *
 *     url   site, URL, smallest and largest size, hash declared, `-` for nothing, `!` for a contradiction, or `=` for
 *           a page of its own unless something else is declared; fingerprints as `escapeColumn` writes them
 *     host  site, site declared, declarations of the same path and query, and of another
 *     rule  site, condition, action; the lines `to` up to the next rule are its changes
 *     vary  site, action that does not change the answer of URLs, by their `No-Vary-Search`; lines `to` as for a rule
 *     to    hash of a URL, hash of what the rule makes of it
 *
 * @example
 * const collector = new SiteCollector();
 * collector.add([{ url: "http://a/", fp: "cls:1" }]);
 * const [site] = collector.sites();
 * const [line] = writeEvidenceLines(countSite(site, []));
 * line.split("\t").at(-1); // "cls:1"
 */
export function* writeEvidenceLines(evidence: SiteEvidence): Generator<string> {
  const { site, nodes, known, rules, hosts } = evidence;
  const hashes = Array.from({ length: nodes.count }, (_, node) => writeHash(nodes.index.at(node)));
  const declaredBy = (node: number): string => {
    const declared = known.declared[node] as number;
    if (declared < 0) return declared === NOTHING ? "-" : "!";
    return known.apart.has(node) ? "=" : (hashes[declared] as string);
  };
  for (const [node, target] of nodes.targets.entries()) {
    const sizes = [known.smallest[node] as number, known.largest[node] as number].map(writeSize);
    yield [
      "url",
      site,
      `${nodes.isHttps[node] ? "https" : "http"}://${site}${target}`,
      ...sizes,
      declaredBy(node),
      ...(known.fingerprints[node] ?? []).map(escapeColumn),
    ].join("\t");
  }
  for (const { to, same, other } of hosts) yield `host\t${site}\t${to}\t${same}\t${other}`;
  for (const [action, targets] of known.variations) {
    yield `vary\t${site}\t${action}`;
    for (const [node, to] of targets) yield `to\t${hashes[node]}\t${hashes[to]}`;
  }
  for (const { rule, changes } of rules) {
    yield `rule\t${writeRule(rule)}`;
    for (const [at, node] of changes.nodes.entries()) {
      const target = { low: changes.low[at] as number, high: changes.high[at] as number };
      yield `to\t${hashes[node]}\t${writeHash(target)}`;
    }
  }
}

function writeHash({ low, high }: Readonly<Hash>): string {
  const lane = (value: number) => (value >>> 0).toString(16).padStart(8, "0");
  return lane(high) + lane(low);
}

function writeSize(size: number): string {
  return Number.isNaN(size) ? "-" : String(size);
}

/**
 * Adds up the lines of files of evidence.
 *
 * @example
 * const reader = new EvidenceReader();
 * reader.add("url\ta\thttp://a/\t-\t-\t-\tcls:1");
 * [...reader.sites()].map(({ site }) => site); // ["a"]
 */
export class EvidenceReader {
  readonly #sites = new Map<string, EvidenceDraft>();
  /** Takes the hashes of a line `to`, after a line that they belong to. */
  #take: ((from: string, to: string) => void) | null = null;

  /**
   * Adds one line that `writeEvidenceLines` wrote; leave the header out. Throws `BAD_RULES` for any other line, without
   * its place.
   */
  add(line: string): void {
    const [kind, ...columns] = line.split("\t");
    if (kind === "to" && this.#take !== null && columns.length === 2) {
      const [from, to] = columns as [string, string];
      this.#take(checkHash(from), checkHash(to));
    } else if (kind === "url" && columns.length >= 5) {
      const [site, ...rest] = columns as [string, ...string[]];
      this.#site(site).addUrl(rest.map(unescapeColumn));
    } else if (kind === "host" && columns.length === 4) {
      const [site, to, same, other] = columns as [string, string, string, string];
      this.#site(site).addHost(to, count(same), count(other));
    } else if (kind === "rule") {
      const rule = parseRule(columns.join("\t"));
      const { changes } = this.#site(rule.site).rule(rule);
      this.#take = (from, to) => changes.set(from, to);
    } else if (kind === "vary" && columns.length === 2) {
      const [site, action] = columns as [string, string];
      parseAction(action, ANY_SITE);
      const pairs = this.#site(site).variation(action);
      this.#take = (from, to) => pairs.push([from, to]);
    } else {
      throw badEvidence(`"${line.slice(0, 80)}"`);
    }
  }

  /**
   * Yields the evidence of each site, by name. Each site is built when it is asked for, and forgotten here. Throws
   * `BAD_RULES` if a hash is not the hash of a URL of the site.
   */
  *sites(): Generator<SiteEvidence> {
    for (const name of [...this.#sites.keys()].toSorted()) {
      yield (this.#sites.get(name) as EvidenceDraft).build();
      this.#sites.delete(name);
    }
  }

  #site(name: string): EvidenceDraft {
    return entryOf(this.#sites, name, () => new EvidenceDraft(name));
  }
}

interface RuleDraft {
  readonly rule: Rule;
  readonly changes: Map<string, string>;
}

/** Holds the evidence of a site while its lines come in. */
class EvidenceDraft {
  readonly #site: SiteDraft;
  /** Holds the hash of the URL that each URL is declared to be, by its number; `-`, `=` or `!`. */
  readonly #declared = new Map<number, string>();
  /** Holds hashes of URLs and of what an action makes of them, by the action. */
  readonly #variations = new Map<string, [from: string, to: string][]>();
  readonly #rules = new Map<string, RuleDraft>();

  constructor(name: string) {
    this.#site = new SiteDraft(name);
  }

  addUrl([url = "", smallest, largest, declared, ...fingerprints]: readonly string[]): void {
    const sizes = [readSize(smallest), readSize(largest)];
    const to = /^[-=!]$/.test(declared ?? "") ? (declared as string) : checkHash(declared);
    const place = splitUrl(url);
    const { name } = this.#site;
    if (place?.site !== name) throw badEvidence(`"${url}" is not a URL of ${name}`);
    const node = this.#site.node(place.target, place.isHttps);
    for (const size of sizes) if (!Number.isNaN(size)) this.#site.addRecord(node, { size });
    for (const fp of fingerprints) this.#site.addRecord(node, { fp });
    this.#declared.set(node, joined(this.#declared.get(node) ?? "-", to));
  }

  addHost(to: string, same: number, other: number): void {
    const pair = this.#site.hostPair(to);
    pair.same += same;
    pair.other += other;
  }

  rule(rule: Rule): RuleDraft {
    return entryOf(this.#rules, writeRule(rule), () => ({ rule, changes: new Map() }));
  }

  variation(action: string): [from: string, to: string][] {
    return entryOf(this.#variations, action, () => []);
  }

  build(): SiteEvidence {
    const { name, nodes, known, hosts } = buildSite(this.#site.gathered());
    const { index } = nodes;
    const declared = new Int32Array(nodes.count).fill(NOTHING);
    const hash = { low: 0, high: 0 };
    for (const [number, to] of this.#declared) {
      if (to === "-") continue;
      nodes.hashTarget(this.#site.targetOf(number), this.#site.isHttps(number), hash);
      const node = index.find(hash);
      declared[node] = to === "=" ? node : to === "!" ? CONTRADICTION : find(index, to);
    }
    const variations = Array.from(this.#variations, ([action, pairs]) => {
      const targets = new Map<number, number>();
      for (const [from, to] of pairs) {
        const node = find(index, from);
        // URLs are in the order of their texts: of two, the first counts, as in a site that is counted as a whole.
        targets.set(node, Math.min(targets.get(node) ?? Infinity, find(index, to)));
      }
      return [action, targets] as const;
    });
    const rules = [...this.#rules].toSorted(([a], [b]) => (a < b ? -1 : 1));
    return {
      site: name,
      nodes,
      known: { ...known, declared, variations: new Map(variations), failed: null },
      rules: rules.map(([, { rule, changes }]) => ({ rule, changes: changesOf(changes, index) })),
      ruledOut: [],
      hosts,
    };
  }
}

/** Returns what two parts declare of one URL: that one is its own page, without more, counts less than anything else. */
function joined(known: string, other: string): string {
  if (known === "-" || (known === "=" && other !== "-")) return other;
  return other === known || other === "-" || other === "=" ? known : "!";
}

function changesOf(targets: ReadonlyMap<string, string>, index: HashIndex): Changes {
  const changes = new ChangeList();
  for (const [from, to] of targets) {
    changes.add(find(index, from), readHash(to));
  }
  return changes.take();
}

function find(index: HashIndex, hash: string): number {
  const node = index.find(readHash(hash));
  if (node < 0) throw badEvidence(`${hash} is not a URL of the site`);
  return node;
}

function checkHash(text: string | undefined): string {
  if (text === undefined || !/^[0-9a-f]{16}$/.test(text))
    throw badEvidence(`"${text}" is not a hash`);
  return text;
}

function readSize(text: string | undefined): number {
  return text === "-" ? Number.NaN : count(text);
}

function count(text: string | undefined): number {
  if (text === undefined || !/^\d{1,15}$/.test(text))
    throw badEvidence(`"${text}" is not a number`);
  return Number(text);
}

function badEvidence(what: string): UrlmillError {
  return new UrlmillError("BAD_RULES", `no line of evidence: ${what}`);
}
