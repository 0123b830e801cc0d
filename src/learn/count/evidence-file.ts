import { UrlmillError } from "../../base/errors.ts";
import { escapeColumn, unescapeColumn } from "../../io/text/line-escape.ts";
import { parseRule, writeRule } from "../../site-rules/language/rule-line.ts";
import type { Rule } from "../../site-rules/rule.ts";
import { NO_STATEMENTS } from "../aliases/statements.ts";
import type { Hash } from "../site/hash.ts";
import type { HashIndex } from "../site/hash-index.ts";
import { CONTRADICTION, NOTHING } from "../site/known.ts";
import { Nodes } from "../site/nodes.ts";
import { compareUrls, type HostPair, splitUrl } from "../site/site.ts";
import { ChangeList, type Changes } from "./change-list.ts";
import type { SiteEvidence } from "./evidence.ts";

/** Holds the first line of a file of evidence; the number is the version of its form. */
export const EVIDENCE_HEADER = "#urlmill-evidence 2";

/**
 * Yields the evidence of a site as lines, TAB between columns, without the header. Files of
 * evidence add up by standing one after the other.
 *
 *     url   site, URL, smallest and largest size, hash declared or `-` or `!`, fingerprints as
 *           `escapeColumn` writes them
 *     host  site, site declared, declarations of the same path and query, and of another
 *     rule  site, condition, action; the lines `to` up to the next rule are its changes
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
  for (const [node, target] of nodes.targets.entries()) {
    const declared = known.declared[node] as number;
    const to = declared === NOTHING ? "-" : declared < 0 ? "!" : (hashes[declared] as string);
    const sizes = [known.smallest[node] as number, known.largest[node] as number].map(writeSize);
    yield [
      "url",
      site,
      `${nodes.isHttps[node] ? "https" : "http"}://${site}${target}`,
      ...sizes,
      to,
      ...(known.fingerprints[node] ?? []).map(escapeColumn),
    ].join("\t");
  }
  for (const { to, same, other } of hosts) yield `host\t${site}\t${to}\t${same}\t${other}`;
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
  readonly #sites = new Map<string, SiteDraft>();
  #rule: RuleDraft | null = null;

  /**
   * Adds one line that `writeEvidenceLines` wrote; leave the header out. Throws `BAD_RULES` for any
   * other line, without its place.
   */
  add(line: string): void {
    const [kind, ...columns] = line.split("\t");
    if (kind === "to" && this.#rule !== null && columns.length === 2) {
      const [from, to] = columns as [string, string];
      this.#rule.changes.set(checkHash(from), checkHash(to));
    } else if (kind === "url" && columns.length >= 5) {
      const [site, ...rest] = columns as [string, ...string[]];
      this.#site(site).addUrl(rest.map(unescapeColumn));
    } else if (kind === "host" && columns.length === 4) {
      const [site, to, same, other] = columns as [string, string, string, string];
      this.#site(site).addHost(to, count(same), count(other));
    } else if (kind === "rule") {
      const rule = parseRule(columns.join("\t"));
      this.#rule = this.#site(rule.site).rule(rule);
    } else {
      throw badEvidence(`"${line.slice(0, 80)}"`);
    }
  }

  /**
   * Yields the evidence of each site, by name. Each site is built when it is asked for, and
   * forgotten here. Throws `BAD_RULES` if a hash is not the hash of a URL of the site.
   */
  *sites(): Generator<SiteEvidence> {
    for (const name of [...this.#sites.keys()].toSorted()) {
      yield (this.#sites.get(name) as SiteDraft).build();
      this.#sites.delete(name);
    }
  }

  #site(name: string): SiteDraft {
    let site = this.#sites.get(name);
    if (site === undefined) {
      site = new SiteDraft(name);
      this.#sites.set(name, site);
    }
    return site;
  }
}

interface RuleDraft {
  readonly rule: Rule;
  readonly changes: Map<string, string>;
}

interface UrlDraft {
  readonly target: string;
  readonly isHttps: boolean;
  fingerprints: string[];
  smallest: number;
  largest: number;
  declared: string;
}

class SiteDraft {
  readonly #name: string;
  readonly #urls = new Map<string, UrlDraft>();
  readonly #rules = new Map<string, RuleDraft>();
  readonly #hosts = new Map<string, HostPair>();

  constructor(name: string) {
    this.#name = name;
  }

  addUrl([url = "", smallest, largest, declared, ...fingerprints]: readonly string[]): void {
    const sizes = [readSize(smallest), readSize(largest)] as const;
    const target = declared === "-" || declared === "!" ? declared : checkHash(declared);
    const known = this.#urls.get(url);
    if (known === undefined) {
      const place = splitUrl(url);
      if (place?.site !== this.#name) throw badEvidence(`"${url}" is not a URL of ${this.#name}`);
      const [least, most] = sizes;
      this.#urls.set(url, {
        ...place,
        fingerprints,
        smallest: least,
        largest: most,
        declared: target,
      });
      return;
    }
    for (const fingerprint of fingerprints) known.fingerprints.push(fingerprint);
    known.smallest = Number.isNaN(known.smallest) ? sizes[0] : Math.min(known.smallest, sizes[0]);
    known.largest = Number.isNaN(known.largest) ? sizes[1] : Math.max(known.largest, sizes[1]);
    if (known.declared === "-") known.declared = target;
    else if (target !== "-" && target !== known.declared) known.declared = "!";
  }

  addHost(to: string, same: number, other: number): void {
    const pair = this.#hosts.get(to) ?? { from: this.#name, to, same: 0, other: 0 };
    pair.same += same;
    pair.other += other;
    this.#hosts.set(to, pair);
  }

  rule(rule: Rule): RuleDraft {
    const line = writeRule(rule);
    let draft = this.#rules.get(line);
    if (draft === undefined) {
      draft = { rule, changes: new Map() };
      this.#rules.set(line, draft);
    }
    return draft;
  }

  build(): SiteEvidence {
    const urls = [...this.#urls.values()].toSorted(compareUrls);
    const nodes = new Nodes(
      urls.map(({ target }) => target),
      urls.map(({ isHttps }) => isHttps),
    );
    const { index } = nodes;
    const rules = [...this.#rules].toSorted(([a], [b]) => (a < b ? -1 : 1));
    return {
      site: this.#name,
      nodes,
      known: {
        fingerprints: urls.map(({ fingerprints }) => fingerprints),
        declared: Int32Array.from(urls, ({ declared }) =>
          declared === "-" ? NOTHING : declared === "!" ? CONTRADICTION : find(index, declared),
        ),
        smallest: Float64Array.from(urls, ({ smallest }) => smallest),
        largest: Float64Array.from(urls, ({ largest }) => largest),
        failed: null,
        statements: NO_STATEMENTS,
      },
      rules: rules.map(([, { rule, changes }]) => ({ rule, changes: changesOf(changes, index) })),
      ruledOut: [],
      hosts: [...this.#hosts.values()],
    };
  }
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

function readHash(text: string): Hash {
  return {
    high: Number.parseInt(text.slice(0, 8), 16) | 0,
    low: Number.parseInt(text.slice(8), 16) | 0,
  };
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
