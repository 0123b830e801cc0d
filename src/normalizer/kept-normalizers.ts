import { checkOptionsObject, tagOf } from "../options/options.ts";
import type { Normalizer } from "./normalizer.ts";

/** How many normalizers are kept: those that were used last. */
const MOST = 8;

/** Holds a normalizer and a copy of the options that it was made of, which nobody can change. */
interface Kept {
  readonly options: Options;
  readonly normalizer: Normalizer;
}

type Options = Readonly<Record<string, unknown>>;

/**
 * Keeps the normalizers of the options that were used last, so that equal options are compiled once. Options are
 * compared by what they hold at the time of the call. Those of the last call are compared first; a long text or
 * list costs little, because its parts are most often the same values.
 */
export class KeptNormalizers<O extends object> {
  readonly #create: (options: O) => Normalizer;
  /** The one that was used last is the first. */
  readonly #kept: Kept[] = [];

  /** `create` makes a normalizer, or throws for options that it cannot take. */
  constructor(create: (options: O) => Normalizer) {
    this.#create = create;
  }

  /** Returns the normalizer of these options. Throws what `create` throws. */
  get(given: O): Normalizer {
    checkOptionsObject(given, '{ preset: "crawl" }');
    const at = this.#kept.findIndex(({ options }) => areEqual(options, given as Options));
    const found = this.#kept[at] ?? this.#make(given);
    if (at !== 0) this.#putFirst(found, at);
    return found.normalizer;
  }

  /** Forgets all normalizers. Call it when `create` would make others. */
  clear(): void {
    this.#kept.length = 0;
  }

  #make(given: O): Kept {
    const normalizer = this.#create(given);
    // Options that were compiled hold only plain values, and do not contain themselves.
    return { options: copyOf(given) as Options, normalizer };
  }

  /** `at`: where it is now; -1 if it is new. */
  #putFirst(kept: Kept, at: number): void {
    if (at > 0) this.#kept.splice(at, 1);
    this.#kept.unshift(kept);
    if (this.#kept.length > MOST) this.#kept.pop();
  }
}

/** Returns whether options are equal. Their order means nothing; one that is undefined counts as absent. */
function areEqual(kept: Options, given: Options): boolean {
  // Options that an object inherits do not count.
  const isSameAt = (name: string): boolean =>
    isSame(kept[name], Object.hasOwn(given, name) ? given[name] : undefined);
  return Object.keys(given).every(isSameAt) && Object.keys(kept).every(isSameAt);
}

/** Returns whether two values hold the same. In a record, the order of names counts. */
function isSame(kept: unknown, given: unknown): boolean {
  if (!hasParts(kept) || !hasParts(given)) return kept === given;
  const names = Object.keys(kept);
  const others = Object.keys(given);
  return (
    Array.isArray(kept) === Array.isArray(given) &&
    names.length === others.length &&
    names.every((name, at) => name === others[at] && isSame(kept[name], given[name]))
  );
}

/** Returns a copy of a value with all lists and records in it. A record of the copy inherits nothing. */
function copyOf(value: unknown): unknown {
  if (!hasParts(value)) return value;
  const copy = Array.isArray(value) ? [] : Object.create(null);
  for (const [name, part] of Object.entries(value)) copy[name] = copyOf(part);
  return copy;
}

/** Returns whether a value is a list or a record. A compiled kernel is neither. */
function hasParts(value: unknown): value is Options {
  return typeof value === "object" && value !== null && !tagOf(value).startsWith("WebAssembly");
}
