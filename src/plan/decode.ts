import { UrlmillError } from "../errors.ts";
import { ENTRY, HEADER, KIND, longest, PLAN_VERSION, PROFILE, TABLE } from "./layout.ts";
import { CHOICES, type Choices } from "./profile.ts";
import { DEFAULT_SCHEMES, type DefaultScheme } from "./rules.ts";

/** Names looked up by themselves or by a prefix. */
export class NameTable {
  readonly #exact = new Map<string, number>();
  readonly #prefixes = new Map<string, number>();
  readonly #prefixLengths: number[];
  readonly #ignoreCase: boolean;
  /** Of each ASCII character, whether a name or a prefix begins with it; of a "" with all. */
  readonly #begins = new Uint8Array(128);

  constructor(entries: readonly PlanEntry[], ignoreCase: boolean) {
    this.#ignoreCase = ignoreCase;
    for (const { name, kind, value } of entries) {
      (kind === KIND.PREFIX ? this.#prefixes : this.#exact).set(name, value);
      if (name === "") this.#begins.fill(1);
      else this.#begins[name.charCodeAt(0)] = 1;
    }
    this.#prefixLengths = [...new Set([...this.#prefixes.keys()].map(({ length }) => length))];
  }

  has(name: string): boolean {
    return this.valueOf(name) !== undefined;
  }

  /** The value of the entry that a name is, or begins with. */
  valueOf(name: string): number | undefined {
    const first = name.charCodeAt(0);
    const isUpper = this.#ignoreCase && first >= 0x41 && first <= 0x5a;
    if (this.#begins[isUpper ? first | 0x20 : first] === 0) return undefined;
    const folded = this.#ignoreCase ? name.toLowerCase() : name;
    const exact = this.#exact.get(folded);
    if (exact !== undefined) return exact;
    for (const length of this.#prefixLengths) {
      const value = this.#prefixes.get(folded.slice(0, length));
      if (value !== undefined) return value;
    }
    return undefined;
  }
}

/** A profile as the JavaScript engine acts on it; a table is null where it would be empty. */
export interface LoadedProfile extends Choices {
  readonly keepParams: NameTable | null;
  readonly dropParams: NameTable | null;
  readonly listedParams: NameTable | null;
  readonly defaultParams: ReadonlyMap<string, string> | null;
  readonly directoryIndex: NameTable | null;
}

export interface LoadedPlan {
  readonly maxLength: number;
  readonly defaultScheme: DefaultScheme | "";
  readonly schemes: NameTable | null;
  readonly aliases: ReadonlyMap<string, string>;
  readonly profile: LoadedProfile;
  /** Profiles by host, and by the domain that all hosts below it share. */
  readonly exactSites: ReadonlyMap<string, LoadedProfile>;
  readonly domainSites: ReadonlyMap<string, LoadedProfile>;
  /** Length of the longest of these domains. */
  readonly longestDomain: number;
  /** Whether any rule can change a URL that preset `safe` leaves as it is. */
  readonly rewrites: boolean;
  /** Whether an http or https URL that passes is left as it is where it has no `?`, `#` or `;`. */
  readonly sparesPlain: boolean;
}

/** Names and texts in a plan are ASCII. */
const decoder = new TextDecoder();

interface PlanEntry {
  readonly name: string;
  readonly kind: number;
  readonly value: number;
}

/** Reads a plan; throws `ENGINE_UNAVAILABLE` for one of another version. */
export function decodePlan(bytes: Uint8Array): LoadedPlan {
  const reader = new PlanReader(bytes);
  if (reader.word(HEADER.VERSION * 4) !== PLAN_VERSION) {
    throw new UrlmillError("ENGINE_UNAVAILABLE", "the plan is of another version");
  }
  const header = (word: number) => reader.word(word * 4);
  const sites = reader.entries(header(HEADER.SITES));
  const domains = sites.filter(({ kind }) => kind === KIND.SUBDOMAINS);
  const profiles = (kind: number) =>
    new Map(
      sites
        .filter((site) => site.kind === kind)
        .map(({ name, value }) => [name, reader.profile(value)]),
    );
  const profile = reader.profile(header(HEADER.PROFILE));
  const aliases = reader.texts(header(HEADER.ALIASES)) ?? new Map();
  return {
    maxLength: header(HEADER.MAX_LENGTH),
    defaultScheme: DEFAULT_SCHEMES[header(HEADER.DEFAULT_SCHEME) - 1] ?? "",
    schemes: reader.names(header(HEADER.SCHEMES)),
    aliases,
    profile,
    exactSites: profiles(KIND.EXACT),
    domainSites: profiles(KIND.SUBDOMAINS),
    longestDomain: longest(domains.map(({ name }) => name)),
    rewrites: reader.rewrites(),
    sparesPlain: aliases.size === 0 && sites.length === 0 && sparesPlain(profile),
  };
}

/** Whether the profile has nothing to do where there is no query, fragment or path parameter. */
function sparesPlain(profile: LoadedProfile): boolean {
  const { scheme, www, duplicateSlashes, trailingSlash, directoryIndex } = profile;
  const isKept = [scheme, www, duplicateSlashes, trailingSlash].every(
    (choice) => choice === "keep",
  );
  return isKept && directoryIndex === null;
}

class PlanReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #read = new Map<number, unknown>();

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  word(address: number): number {
    return this.#view.getUint32(address, true);
  }

  profile(address: number): LoadedProfile {
    return this.#once(address, () => this.#readProfile(address));
  }

  #readProfile(address: number): LoadedProfile {
    const word = (index: number) => this.word(address + 4 * index);
    return {
      ...unpackChoices(word(PROFILE.FLAGS)),
      keepParams: this.names(word(PROFILE.KEEP_PARAMS)),
      dropParams: this.names(word(PROFILE.DROP_PARAMS)),
      listedParams: this.names(word(PROFILE.LISTED_PARAMS)),
      defaultParams: this.texts(word(PROFILE.DEFAULT_PARAMS)),
      directoryIndex: this.names(word(PROFILE.DIRECTORY_INDEX)),
    };
  }

  rewrites(): boolean {
    const profile = this.word(4 * HEADER.PROFILE);
    const addresses = [HEADER.SCHEMES, HEADER.ALIASES, HEADER.SITES].map((word) => 4 * word);
    for (let word = 0; word < PROFILE.WORDS; word++) addresses.push(profile + 4 * word);
    return addresses.some((address) => this.word(address) !== 0);
  }

  names(table: number): NameTable | null {
    if (table === 0) return null;
    return this.#once(
      table,
      () => new NameTable(this.entries(table), this.word(table + 4 * TABLE.IGNORE_CASE) === 1),
    );
  }

  texts(table: number): Map<string, string> | null {
    if (table === 0) return null;
    return this.#once(
      table,
      () =>
        new Map(
          this.entries(table).map(({ name, value }) => [
            name,
            this.#text(value + 4, this.word(value)),
          ]),
        ),
    );
  }

  entries(table: number): PlanEntry[] {
    if (table === 0) return [];
    const slots = this.word(table + 4 * TABLE.MASK) + 1;
    return Array.from({ length: slots }, (_, slot) => this.word(table + 4 * (TABLE.WORDS + slot)))
      .filter((entry) => entry !== 0)
      .map((entry) => ({
        name: this.#text(entry + 4 * ENTRY.WORDS, this.word(entry + 4 * ENTRY.LENGTH)),
        kind: this.word(entry + 4 * ENTRY.KIND),
        value: this.word(entry + 4 * ENTRY.VALUE),
      }));
  }

  /** What stands at an address, which many sites may share. */
  #once<T>(address: number, read: () => T): T {
    if (!this.#read.has(address)) this.#read.set(address, read());
    return this.#read.get(address) as T;
  }

  #text(start: number, length: number): string {
    return decoder.decode(this.#bytes.subarray(start, start + length));
  }
}

function unpackChoices(flags: number): Choices {
  return Object.fromEntries(
    Object.entries(CHOICES).map(([name, values], index) => [
      name,
      values[(flags >>> (2 * index)) & 3],
    ]),
  ) as unknown as Choices;
}
