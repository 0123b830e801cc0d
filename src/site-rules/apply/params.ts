import { entryOf } from "../../base/tallies.ts";
import type { Pattern } from "../rule.ts";
import { ANY_BYTES, hasAnyBytes } from "../rule.ts";
import { matchPath } from "./match.ts";

/** Holds a parameter of a query with the `&` or `;` before it; the first has none. */
export interface Param {
  readonly name: string;
  /** Holds the value without its `=`; null if there is none. */
  readonly value: string | null;
  readonly separator: string;
}

/** Splits a query into its parameters. */
export function splitParams(query: string): Param[] {
  return splitOwn(query);
}

/** A parameter that rules can take away, or give another value or place. */
interface OwnParam {
  readonly name: string;
  value: string | null;
  separator: string;
  isGone: boolean;
}

function splitOwn(query: string): OwnParam[] {
  const params: OwnParam[] = [];
  let start = 0;
  let separator = "";
  for (let at = 0; at <= query.length; at++) {
    const character = query[at];
    if (at < query.length && character !== "&" && character !== ";") continue;
    params.push(readParam(query.slice(start, at), separator));
    separator = character ?? "";
    start = at + 1;
  }
  return params;
}

function readParam(text: string, separator: string): OwnParam {
  const equals = text.indexOf("=");
  const name = equals < 0 ? text : text.slice(0, equals);
  const value = equals < 0 ? null : text.slice(equals + 1);
  return { name, value, separator, isGone: false };
}

/** Joins parameters to a query; returns null, so that no `?` stays, if there are no parameters. */
export function joinParams(params: readonly Param[]): string | null {
  if (params.length === 0) return null;
  return params
    .map((param, index) => (index === 0 ? "" : param.separator) + paramText(param))
    .join("");
}

/** Returns the text of a parameter, without the separator before it. */
export function paramText({ name, value }: Param): string {
  return value === null ? name : `${name}=${value}`;
}

/**
 * Parameters are found by an index if there are more than these, and after so many look-ups. Many rules then need not
 * read them all, and few rules need no index. Names are, too, if a rule has more than these.
 */
const FEW = 16;

/** Holds the parameters of one key, some of which may be gone. */
interface Group {
  readonly params: readonly OwnParam[];
  /** Counts those that are not. */
  live: number;
}

const NONE: Group = { params: [], live: 0 };

/** Finds parameters by a key: their names, or their texts. */
class Index {
  readonly #keyOf: (param: OwnParam) => string;
  #groups: Map<string, Group & { params: OwnParam[] }> | null = null;
  #lookups = 0;

  constructor(keyOf: (param: OwnParam) => string) {
    this.#keyOf = keyOf;
  }

  /** Forgets all, because parameters have other keys now. */
  clear(): void {
    this.#groups = null;
    this.#lookups = 0;
  }

  /** Returns the parameters with a key; null if they are to be looked for. */
  find(key: string, params: readonly OwnParam[]): Group | null {
    if (params.length <= FEW || this.#lookups++ < FEW) return null;
    this.#groups ??= this.#read(params);
    return this.#groups.get(key) ?? NONE;
  }

  /** Notes that a parameter goes. */
  remove(param: OwnParam): void {
    const group = this.#groups?.get(this.#keyOf(param));
    if (group !== undefined) group.live--;
  }

  #read(params: readonly OwnParam[]): Map<string, Group & { params: OwnParam[] }> {
    const groups = new Map<string, Group & { params: OwnParam[] }>();
    for (const param of params) {
      if (param.isGone) continue;
      const key = this.#keyOf(param);
      const group = groups.get(key);
      if (group === undefined) {
        groups.set(key, { params: [param], live: 1 });
      } else {
        group.params.push(param);
        group.live++;
      }
    }
    return groups;
  }
}

/**
 * Holds the query of a URL while rules work on it. The text is split when a rule asks for a parameter, and written when
 * one asks for the text.
 */
export class RuledQuery {
  /** The text; undefined if it is to be written of the parameters. */
  #text: string | null | undefined;
  /** The parameters, also those that are gone; null if the text is not split. */
  #params: OwnParam[] | null = null;
  readonly #byName = new Index(({ name }) => name);
  readonly #byText = new Index(paramText);
  /** Counts the look-ups in a text that is not split. */
  #lookups = 0;
  /** Counts the parameters that are gone and still listed. */
  #gone = 0;
  #length = 0;
  #isSorted = false;
  /** Whether the text that was split last had a `;`. */
  #hasSemicolon: boolean;
  /** The parameters that are left, but for those next to a `;`; null if they are to be found. */
  #whole: OwnParam[] | null = null;
  readonly #wholeByName = new Index(({ name }) => name);

  constructor(text: string | null) {
    this.#text = text;
    this.#length = text?.length ?? 0;
    this.#hasSemicolon = text?.includes(";") ?? false;
  }

  /** Returns the text, null if there is no query. */
  get text(): string | null {
    if (this.#text === undefined) this.#text = joinParams(this.#left());
    return this.#text;
  }

  set text(text: string | null) {
    this.#text = text;
    this.#length = text?.length ?? 0;
    this.#hasSemicolon = text?.includes(";") ?? false;
    this.#params = null;
    this.#forgetWholes();
    this.#lookups = 0;
  }

  /** Counts the bytes of the query with its `?`; 0 if there is none. */
  get length(): number {
    if (this.#text !== undefined) return this.#text === null ? 0 : 1 + this.#text.length;
    return this.#read().length === this.#gone ? 0 : 1 + this.#length;
  }

  /** Returns whether a parameter has the name; and the value, if one is given. `whole`: one between `&` alone. */
  has(name: string, value?: string, whole = false): boolean {
    const text = this.#text;
    if (text === null) return false;
    if (whole && this.#hasSemicolon) {
      const isOne = (param: OwnParam) =>
        param.name === name && (value === undefined || param.value === value);
      return this.#wholesNamed(name).params.some(isOne);
    }
    if (this.#params === null && text !== undefined && this.#lookups++ < FEW) {
      return isInQuery(text, value === undefined ? name : `${name}=${value}`, value === undefined);
    }
    return this.#group(name, value).live > 0;
  }

  /** Takes away the parameters with these names. Returns whether there were any. `whole`: those between `&` alone. */
  drop(names: readonly string[], whole = false): boolean {
    if (names.length > FEW) {
      const isNamed = testOfMany(names);
      return this.#remove(this.#taken(whole), ({ name }) => isNamed(name));
    }
    let isChanged = false;
    for (const name of names) {
      if (hasAnyBytes(name)) {
        const test = nameTest(name);
        if (this.#remove(this.#taken(whole), (param) => test(param.name))) isChanged = true;
        continue;
      }
      const isWhole = whole && this.#hasSemicolon;
      const { params, live } = isWhole ? this.#wholesNamed(name) : this.#group(name);
      if (live > 0 && this.#remove(params, (param) => param.name === name)) isChanged = true;
    }
    return isChanged;
  }

  /** Takes away the parameters with this name and value. Returns whether there were any. */
  dropIf(name: string, value: string | Pattern, whole = false): boolean {
    const isWhole = whole && this.#hasSemicolon;
    if (typeof value !== "string" || hasAnyBytes(name) || isWhole) {
      const isNamed = nameTest(name);
      const isPlain = isWhole && !hasAnyBytes(name);
      const params = isPlain ? this.#wholesNamed(name).params : this.#taken(whole);
      return this.#remove(params, (param) => isNamed(param.name) && hasValue(param, value));
    }
    const { params, live } = this.#group(name, value);
    const isEqual = (param: OwnParam) => param.name === name && param.value === value;
    return live > 0 && this.#remove(params, isEqual);
  }

  /** Takes away the parameters with other names. Returns whether there were any. */
  keep(names: readonly string[], whole = false): boolean {
    const isKept = testOfMany(names);
    return this.#remove(this.#taken(whole), ({ name }) => !isKept(name));
  }

  /** Gives the parameters with this name a value. Returns whether that changes one. Stops after `longest` bytes. */
  set(name: string, value: string, longest: number): boolean {
    let isChanged = false;
    for (const param of this.#group(name).params) {
      if (param.isGone || param.name !== name || param.value === value) continue;
      this.#length += value.length + 1 - (param.value === null ? 0 : param.value.length + 1);
      param.value = value;
      isChanged = true;
      if (this.#length > longest) break;
    }
    if (isChanged) {
      this.#text = undefined;
      this.#byText.clear();
    }
    return isChanged;
  }

  /** Sorts the parameters by name; separators keep their places. Returns whether that changes anything. */
  sort(): boolean {
    const params = this.#left();
    this.#isSorted ||= params.every(
      ({ name }, at) => at === 0 || (params[at - 1] as OwnParam).name <= name,
    );
    if (this.#isSorted) return false;
    const separators = params.map(({ separator }) => separator);
    params.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
    for (const [at, param] of params.entries()) param.separator = separators[at] as string;
    this.#isSorted = true;
    this.#text = undefined;
    this.#forgetWholes();
    return true;
  }

  /** Returns the parameters that may have this name, and value. */
  #group(name: string, value?: string): Group {
    const params = this.#read();
    const found =
      value === undefined
        ? this.#byName.find(name, params)
        : this.#byText.find(`${name}=${value}`, params);
    if (found !== null) return found;
    const isOne = (param: OwnParam) =>
      !param.isGone && param.name === name && (value === undefined || param.value === value);
    return { params, live: params.some(isOne) ? 1 : 0 };
  }

  /** Returns the parameters, also those that are gone. */
  #read(): OwnParam[] {
    if (this.#params === null) {
      this.#params = this.#text == null ? [] : splitOwn(this.#text);
      this.#byName.clear();
      this.#byText.clear();
      this.#gone = 0;
      this.#isSorted = false;
    }
    return this.#params;
  }

  /** Returns the parameters that are left. */
  #left(): OwnParam[] {
    const params = this.#read();
    if (this.#gone === 0) return params;
    this.#gone = 0;
    this.#params = params.filter(({ isGone }) => !isGone);
    return this.#params;
  }

  /** Returns the parameters that an action may take: all that are left, or those between `&` alone. */
  #taken(whole: boolean): OwnParam[] {
    return whole && this.#hasSemicolon ? this.#wholes() : this.#left();
  }

  /** Returns the parameters that are left, but for those next to a `;`. */
  #wholes(): OwnParam[] {
    const left = this.#left();
    this.#whole ??= left.filter(
      ({ separator }, at) => (at === 0 || separator !== ";") && left[at + 1]?.separator !== ";",
    );
    return this.#whole;
  }

  /** Returns those of them that may have this name. */
  #wholesNamed(name: string): Group {
    const params = this.#wholes();
    return this.#wholeByName.find(name, params) ?? { params, live: params.length };
  }

  #forgetWholes(): void {
    this.#whole = null;
    this.#wholeByName.clear();
  }

  /** Takes away those of these parameters that are to be removed. Returns whether there were any. */
  #remove(params: readonly OwnParam[], isRemoved: (param: OwnParam) => boolean): boolean {
    const before = this.#gone;
    for (const param of params) {
      if (param.isGone || !isRemoved(param)) continue;
      this.#byName.remove(param);
      this.#byText.remove(param);
      param.isGone = true;
      this.#gone++;
      this.#length -= paramText(param).length + 1;
      this.#text = undefined;
    }
    if (this.#gone > before) this.#forgetWholes();
    return this.#gone > before;
  }
}

const tests = new WeakMap<readonly string[], (actual: string) => boolean>();

/** Returns a test for names of a list, which takes as long for many as for few. It is made once for each list. */
export function testOfMany(names: readonly string[]): (actual: string) => boolean {
  return entryOf(tests, names, () => {
    const plain = new Set(names.filter((name) => !hasAnyBytes(name)));
    const others = names.filter(hasAnyBytes).map(nameTest);
    return (actual) => plain.has(actual) || others.some((test) => test(actual));
  });
}

/** Returns a test of names: for one name, or for those that begin or end so. */
export function nameTest(name: string): (actual: string) => boolean {
  if (name.endsWith(ANY_BYTES)) {
    const start = name.slice(0, -ANY_BYTES.length);
    return (actual) => actual.startsWith(start);
  }
  if (!name.startsWith(ANY_BYTES)) return (actual) => actual === name;
  const end = name.slice(ANY_BYTES.length);
  return (actual) => actual.endsWith(end);
}

/** Returns whether a parameter has a value: this one, or one that the pattern matches from end to end. */
function hasValue({ value }: OwnParam, wanted: string | Pattern): boolean {
  if (value === null || typeof wanted === "string") return value === wanted;
  return matchPath(wanted, value) !== null;
}

/** Returns whether a query has a parameter with this text; `isName` asks for its name only. */
function isInQuery(query: string, text: string, isName: boolean): boolean {
  let at = query.indexOf(text);
  while (at >= 0) {
    const end = at + text.length;
    const after = query[end];
    const isWhole = end === query.length || after === "&" || after === ";";
    const isFirst = at === 0 || query[at - 1] === "&" || query[at - 1] === ";";
    if (isFirst && (isWhole || (isName && after === "="))) return true;
    // The empty text is found at the end again and again.
    at = at === query.length ? -1 : query.indexOf(text, at + 1);
  }
  return false;
}
