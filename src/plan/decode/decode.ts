import {
  CHANGES_PLAIN,
  CHOICES,
  type Choices,
  type DefaultScheme,
  OPTION_VALUES,
} from "../../options/catalog.generated.ts";

import { choiceBits, HEADER, KIND, PROFILE } from "../layout.ts";
import { type LoadedAliases, readPageAliases } from "./decode-aliases.ts";
import { type LoadedSiteRules, readSiteRules } from "./decode-rules.ts";
import { type NameTable, readNames } from "./name-table.ts";
import { PlanReader } from "./plan-reader.ts";

/** Holds a profile for the JavaScript engine; a table is null if it would be empty. */
export interface LoadedProfile extends Choices {
  readonly keepParams: NameTable | null;
  readonly dropParams: NameTable | null;
  readonly listedParams: NameTable | null;
  readonly defaultParams: ReadonlyMap<string, string> | null;
  readonly directoryIndex: NameTable | null;
}

/** Holds the lengths that domains in a table have, so that only ends of a host with such a length are looked up. */
export interface DomainLengths {
  readonly all: ReadonlySet<number>;
  readonly longest: number;
}

function lengthsOf(names: Iterable<string>): DomainLengths {
  const all = new Set([...names].map(({ length }) => length));
  return { all, longest: [...all].reduce((most, length) => Math.max(most, length), 0) };
}

/** Holds a plan for the JavaScript engine. */
export interface LoadedPlan {
  readonly maxLength: number;
  readonly defaultScheme: DefaultScheme | "";
  readonly schemes: NameTable | null;
  /** Maps hosts, and domains whose subdomains share an alias, to the host to write. */
  readonly aliases: ReadonlyMap<string, string>;
  readonly domainAliases: ReadonlyMap<string, string>;
  /** Holds the first labels that go from hosts. */
  readonly labels: Pick<ReadonlyMap<string, string>, "has" | "size">;
  readonly aliasDomainLengths: DomainLengths;
  readonly profile: LoadedProfile;
  /** Maps hosts, and domains whose subdomains share a profile, to profiles. */
  readonly exactSites: ReadonlyMap<string, LoadedProfile>;
  readonly domainSites: ReadonlyMap<string, LoadedProfile>;
  readonly domainLengths: DomainLengths;
  /** What rows become: a number of FORM. */
  readonly form: number;
  /** Says whether any option can change a URL that preset `safe` leaves as it is. */
  readonly rewrites: boolean;
  /** Says whether http and https URLs that pass and have no `?`, `#`, `;` or `/(` stay as they are. */
  readonly plainUnaffected: boolean;
  /** Holds the rules of sites, which apply after all options; null if there are none. */
  readonly siteRules: LoadedSiteRules | null;
  /** Holds the aliases of URLs, which apply after the rules of sites; null if there are none. */
  readonly pageAliases: LoadedAliases | null;
}

/** Reads a plan. Throws `ENGINE_FAILED` if it is of another version. */
export function decodePlan(bytes: Uint8Array): LoadedPlan {
  const reader = new PlanReader(bytes);
  const header = (word: number) => reader.word(word * 4);
  const sites = reader.entries(header(HEADER.SITES));
  const domains = sites.filter(({ kind }) => kind === KIND.SUBDOMAINS);
  const profiles = (kind: number) =>
    new Map(
      sites
        .filter((site) => site.kind === kind)
        .map(({ name, value }) => [name, readProfile(reader, value)]),
    );
  const profile = readProfile(reader, header(HEADER.PROFILE));
  const aliasTable = header(HEADER.ALIASES);
  const domainAliases = reader.texts(aliasTable, KIND.SUBDOMAINS) ?? new Map<string, string>();
  return {
    maxLength: header(HEADER.MAX_LENGTH),
    defaultScheme: OPTION_VALUES.defaultScheme[(header(HEADER.DEFAULT_SCHEME) & 0xffff) - 1] ?? "",
    schemes: readNames(reader, header(HEADER.SCHEMES)),
    aliases: reader.texts(aliasTable) ?? new Map(),
    domainAliases,
    labels: (reader.hasLabels ? reader.texts(aliasTable, KIND.PREFIX) : null) ?? new Map(),
    aliasDomainLengths: lengthsOf(domainAliases.keys()),
    profile,
    exactSites: profiles(KIND.EXACT),
    domainSites: profiles(KIND.SUBDOMAINS),
    domainLengths: lengthsOf(domains.map(({ name }) => name)),
    form: header(HEADER.DEFAULT_SCHEME) >>> 16,
    rewrites: rewrites(reader),
    plainUnaffected: aliasTable === 0 && sites.length === 0 && plainUnaffected(profile),
    siteRules: readSiteRules(reader),
    pageAliases: readPageAliases(reader),
  };
}

/** Returns whether a profile never changes a URL without query, fragment, path parameter and `/(`. */
function plainUnaffected(profile: LoadedProfile): boolean {
  const isKept = CHANGES_PLAIN.every((name) => profile[name] === CHOICES[name][0]);
  return isKept && profile.directoryIndex === null;
}

function readProfile(reader: PlanReader, address: number): LoadedProfile {
  return reader.once("profile", address, () => {
    const word = (index: number) => reader.word(address + 4 * index);
    return {
      ...unpackChoices(reader, address),
      keepParams: readNames(reader, word(PROFILE.KEEP_PARAMS)),
      dropParams: readNames(reader, word(PROFILE.DROP_PARAMS)),
      listedParams: readNames(reader, word(PROFILE.LISTED_PARAMS)),
      defaultParams: reader.texts(word(PROFILE.DEFAULT_PARAMS)),
      directoryIndex: readNames(reader, word(PROFILE.DIRECTORY_INDEX)),
    };
  });
}

function rewrites(reader: PlanReader): boolean {
  const profile = reader.word(4 * HEADER.PROFILE);
  const addresses = [HEADER.SCHEMES, HEADER.ALIASES, HEADER.SITES].map((word) => 4 * word);
  for (let word = 0; word < PROFILE.WORDS; word++) addresses.push(profile + 4 * word);
  return addresses.some((address) => reader.word(address) !== 0);
}

function unpackChoices(reader: PlanReader, profile: number): Choices {
  return Object.fromEntries(
    Object.entries(CHOICES).map(([name, values], place) => {
      const [word, bit] = choiceBits(place);
      return [name, values[(reader.word(profile + 4 * word) >>> bit) & 15]];
    }),
  ) as unknown as Choices;
}
