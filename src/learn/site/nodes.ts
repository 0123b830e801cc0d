import type { RuledParts } from "../../site-rules/apply/actions.ts";
import { paramText, splitParams } from "../../site-rules/apply/params.ts";
import { AMPERSAND, QUESTION, SEMICOLON } from "../../url/chars.ts";
import { addByte, addText, type Hash, TextHashes } from "../hashes/hash.ts";
import { HashIndex } from "../hashes/hash-index.ts";
import { NodesByNumber } from "./nodes-by-number.ts";
import { TargetSearch } from "./target-search.ts";

/** Describes a parameter as queries of a site contain it. */
export interface SiteParam {
  /** Gives the number of its name. */
  readonly name: number;
  readonly value: string | null;
}

/** The start value of the hash of an https URL. The hash of any other URL starts from 0. */
const HTTPS = 1;

/**
 * Holds the different URLs of a site, by numbers from 0 on: each a scheme, a path and parameters. Lists of one node
 * after the other are in one array, from `start[node]` to `start[node + 1]`.
 */
export class Nodes {
  /** Lists path and query of each node. */
  readonly targets: readonly string[];
  readonly isHttps: readonly boolean[];
  readonly path: Int32Array;
  readonly paths: string[] = [];
  readonly paramStart: Int32Array;
  readonly paramIds: Int32Array;
  /** Lists the numbers of the parameters' names, where `paramIds` lists those of the parameters. */
  readonly paramNames: Int32Array;
  /** Tells whether `;` precedes a parameter. */
  readonly isBehindSemicolon: Uint8Array;
  readonly params: SiteParam[] = [];
  readonly names: string[] = [];
  /** Lists the nodes that have each name, in order. */
  readonly #nodesOfName: number[][] = [];
  readonly low: Int32Array;
  readonly high: Int32Array;
  readonly index: HashIndex;
  readonly #pathNumbers = new Map<string, number>();
  readonly #pathHashes = new TextHashes();
  readonly #paramHashes = new TextHashes();
  readonly #paramNumbers = new Map<string, number>();
  readonly #nameNumbers = new Map<string, number>();
  /** Undefined until they are first needed. */
  #byParam: NodesByNumber | undefined;
  #byPath: NodesByNumber | undefined;
  #search: TargetSearch | undefined;
  /** Says whether the targets are in the order of their bytes. */
  readonly #isSorted: boolean;

  /** `targets` are different, each with its scheme. */
  constructor(targets: readonly string[], isHttps: readonly boolean[]) {
    const count = targets.length;
    this.targets = targets;
    this.isHttps = isHttps;
    this.path = new Int32Array(count);
    this.paramStart = new Int32Array(count + 1);
    this.low = new Int32Array(count);
    this.high = new Int32Array(count);
    this.index = new HashIndex(count);
    this.#isSorted = targets.every(
      (target, node) => node === 0 || (targets[node - 1] as string) <= target,
    );
    const paramIds: number[] = [];
    const semicolons: number[] = [];
    for (let node = 0; node < count; node++) {
      this.#read(node, targets[node] as string, paramIds, semicolons);
      this.paramStart[node + 1] = paramIds.length;
    }
    this.paramIds = Int32Array.from(paramIds);
    this.paramNames = this.paramIds.map((id) => (this.params[id] as SiteParam).name);
    this.isBehindSemicolon = Uint8Array.from(semicolons);
    const hash: Hash = { low: 0, high: 0 };
    for (let node = 0; node < count; node++) {
      this.hashWithout(node, null, hash);
      this.low[node] = hash.low;
      this.high[node] = hash.high;
      this.index.add(hash);
    }
  }

  get count(): number {
    return this.targets.length;
  }

  /** Writes the hash of a node without the parameters whose names are marked. */
  hashWithout(node: number, names: Uint8Array | null, into: Hash): void {
    into.low = this.isHttps[node] ? HTTPS : 0;
    into.high = into.low;
    this.#pathHashes.addTo(into, this.path[node] as number);
    let isFirst = true;
    const end = this.paramStart[node + 1] as number;
    for (let at = this.paramStart[node] as number; at < end; at++) {
      if (names !== null && names[this.paramNames[at] as number] === 1) continue;
      const separator = this.isBehindSemicolon[at] === 1 ? SEMICOLON : AMPERSAND;
      addByte(into, isFirst ? QUESTION : separator);
      this.#paramHashes.addTo(into, this.paramIds[at] as number);
      isFirst = false;
    }
  }

  /** Writes the hash of any path and query of the site. */
  hashTarget(target: string, isHttps: boolean, into: Hash): void {
    into.low = isHttps ? HTTPS : 0;
    into.high = into.low;
    addText(into, target);
  }

  /** Returns the nodes that have a parameter of this name. */
  nodesOf(name: string): readonly number[] {
    return this.#nodesOfName[this.nameNumber(name)] ?? [];
  }

  /** Returns the nodes with this path, in order. */
  nodesOfPath(path: string): Int32Array {
    const number = this.#pathNumbers.get(path);
    if (number === undefined) return new Int32Array(0);
    this.#byPath ??= new NodesByNumber(null, this.path, this.paths.length);
    return this.#byPath.of(number);
  }

  /** Returns the nodes that have this parameter, in order. */
  nodesOfParam(name: string, value: string): Int32Array {
    const id = this.paramNumber(name, value);
    if (id < 0) return new Int32Array(0);
    this.#byParam ??= new NodesByNumber(this.paramStart, this.paramIds, this.params.length);
    return this.#byParam.of(id);
  }

  /** Yields the nodes whose path and query begin with a text; all nodes if they are not sorted. */
  *nodesWithPrefix(prefix: string): Generator<number> {
    const [from, to] = this.rangeOfPrefix(prefix);
    for (let node = from; node < to; node++) yield node;
  }

  /** Returns the first node whose path and query begin with a text, and the one after the last. */
  rangeOfPrefix(prefix: string): readonly [from: number, to: number] {
    if (!this.#isSorted) return [0, this.count];
    return [this.#firstFrom(prefix), this.#firstFrom(`${prefix}\uffff`)];
  }

  #firstFrom(text: string): number {
    let [low, high] = [0, this.count];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.targets[middle] as string) < text) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Returns the nodes whose path and query have a text, in order. */
  nodesContaining(text: string): Iterable<number> {
    this.#search ??= new TargetSearch(this.targets);
    return this.#search.containing(text);
  }

  /** Returns whether a node has a parameter whose name is marked. */
  hasOne(node: number, names: Uint8Array): boolean {
    const end = this.paramStart[node + 1] as number;
    for (let at = this.paramStart[node] as number; at < end; at++) {
      if (names[this.paramNames[at] as number] === 1) return true;
    }
    return false;
  }

  /** Returns whether a node has a parameter with the name of this number. */
  has(node: number, name: number): boolean {
    const end = this.paramStart[node + 1] as number;
    for (let at = this.paramStart[node] as number; at < end; at++) {
      if (this.paramNames[at] === name) return true;
    }
    return false;
  }

  /** Returns the number of the name of a node's first parameter, or -1 for a node without parameters. */
  firstName(node: number): number {
    const start = this.paramStart[node] as number;
    if (start === this.paramStart[node + 1]) return -1;
    return this.paramNames[start] as number;
  }

  /** Returns the number of a name, or -1 for one that no node has. */
  nameNumber(name: string): number {
    return this.#nameNumbers.get(name) ?? -1;
  }

  /** Returns the number of a parameter, or -1 for one that no node has. */
  paramNumber(name: string, value: string): number {
    return this.#paramNumbers.get(`${name}=${value}`) ?? -1;
  }

  #read(node: number, target: string, paramIds: number[], semicolons: number[]): void {
    const [path, query] = splitTarget(target);
    this.path[node] = this.#pathNumber(path);
    if (query === null) return;
    for (const param of splitParams(query)) {
      const id = this.#paramNumber(paramText(param), param.name, param.value);
      paramIds.push(id);
      semicolons.push(param.separator === ";" ? 1 : 0);
      const nodes = this.#nodesOfName[(this.params[id] as SiteParam).name] as number[];
      if (nodes.at(-1) !== node) nodes.push(node);
    }
  }

  #pathNumber(path: string): number {
    const known = this.#pathNumbers.get(path);
    if (known !== undefined) return known;
    this.#pathNumbers.set(path, this.paths.length);
    this.#pathHashes.push(path);
    return this.paths.push(path) - 1;
  }

  #paramNumber(text: string, name: string, value: string | null): number {
    const known = this.#paramNumbers.get(text);
    if (known !== undefined) return known;
    this.#paramNumbers.set(text, this.params.length);
    this.#paramHashes.push(text);
    return this.params.push({ name: this.#nameNumber(name), value }) - 1;
  }

  #nameNumber(name: string): number {
    const known = this.#nameNumbers.get(name);
    if (known !== undefined) return known;
    this.#nameNumbers.set(name, this.names.length);
    this.#nodesOfName.push([]);
    return this.names.push(name) - 1;
  }
}

/** Splits path and query. The query is null if the URL has no query. */
export function splitTarget(target: string): [path: string, query: string | null] {
  const question = target.indexOf("?");
  return question < 0 ? [target, null] : [target.slice(0, question), target.slice(question + 1)];
}

/** Splits path and query of a URL into the parts that rules read and write. */
export function partsOf(target: string, isHttps: boolean): RuledParts {
  const [path, query] = splitTarget(target);
  return { scheme: isHttps ? "https" : "http", host: "", port: "", path, query };
}
