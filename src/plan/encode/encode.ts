import { type ListedName, SESSION_PARAMS } from "../../base/lists/session-ids.ts";
import { TRACKING_PARAMS } from "../../base/lists/tracking-params.ts";
import {
  CHOICES,
  type ChoiceName,
  type DefaultScheme,
  OPTION_VALUES,
} from "../../options/catalog.generated.ts";
import type { Alias, CompiledOptions, Profile, Site } from "../../options/compiled-options.ts";
import {
  choiceBits,
  HEADER,
  hashBackward,
  hashForward,
  KIND,
  LISTED,
  longest,
  PLAN_VERSION,
  PROFILE,
  UNWRAP_PLAN_VERSION,
} from "../layout.ts";
import type { AliasNormalizer, writeSiteRules } from "./encode-rules.ts";
import { byName, type Entry, PlanWriter } from "./plan-writer.ts";

/** Holds what writes the rules and aliases of sites: few options need it. */
export interface SiteWriters {
  readonly writeSiteRules: typeof writeSiteRules;
  readonly normalizeAliases: AliasNormalizer;
}

/**
 * Compiles options to a plan. Equal options give equal bytes, in whatever order they were given; the order of
 * a site's rules counts. `siteWriters` is called only if there are rules or aliases of URLs.
 */
export function encodePlan(rules: CompiledOptions, siteWriters: () => SiteWriters): Uint8Array {
  const writer = new PlanWriter();
  const set = (word: number, value: number) => writer.setHeader(word, value);
  set(HEADER.VERSION, PLAN_VERSION);
  set(HEADER.MAX_LENGTH, rules.maxLength);
  set(
    HEADER.DEFAULT_SCHEME,
    OPTION_VALUES.defaultScheme.indexOf(rules.defaultScheme as DefaultScheme) + 1,
  );
  set(HEADER.SCHEMES, rules.schemes === null ? 0 : writer.table(rules.schemes.map(exact)));
  set(
    HEADER.ALIASES,
    writer.optionalTable(
      rules.hostAliases.toSorted(byAlias).map(({ host, below, isLabel, target }) => ({
        name: host,
        kind: isLabel ? KIND.PREFIX : below ? KIND.SUBDOMAINS : KIND.EXACT,
        value: writer.text(target),
      })),
      hashBackward,
    ),
  );
  if (rules.hostAliases.some(({ isLabel }) => isLabel)) writer.needVersion(UNWRAP_PLAN_VERSION);
  set(HEADER.LONGEST_ALIAS, longest(rules.hostAliases.map(({ target }) => target)));
  set(HEADER.PROFILE, writeProfile(writer, rules.profile));
  const sites = rules.sites.toSorted(bySite).map(({ host, subdomains, profile }) => ({
    name: host,
    kind: subdomains ? KIND.SUBDOMAINS : KIND.EXACT,
    value: writeProfile(writer, profile),
  }));
  set(HEADER.SITES, writer.optionalTable(sites, hashBackward));
  if (rules.siteRules.size + rules.pageAliases.size > 0) {
    const { writeSiteRules, normalizeAliases } = siteWriters();
    writeSiteRules(writer, rules, normalizeAliases);
  }
  return writer.bytes();
}

function byAlias(a: Alias, b: Alias): number {
  const rank = ({ below, isLabel }: Alias): number => Number(below) + 2 * Number(isLabel);
  return byName([a.host, a], [b.host, b]) || rank(a) - rank(b);
}

function bySite(a: Site, b: Site): number {
  return byName([a.host, a], [b.host, b]) || Number(a.subdomains) - Number(b.subdomains);
}

function exact(name: string): Entry {
  return { name, kind: KIND.EXACT, value: 0 };
}

/** Returns the entry of `name`, `prefix*` or `*suffix`. */
function pattern(name: string): Entry {
  if (name.endsWith("*")) return { name: name.slice(0, -1), kind: KIND.PREFIX, value: 0 };
  return name.startsWith("*") ? { name: name.slice(1), kind: KIND.SUFFIX, value: 0 } : exact(name);
}

function listed(names: readonly ListedName[], value: number): Entry[] {
  return names.map(({ name }) => ({ ...pattern(name), value }));
}

function writeProfile(writer: PlanWriter, profile: Profile): number {
  const { keepParams, dropParams, defaultParams, directoryIndex } = profile;
  const isFolded = profile.paramCase === "ignore";
  const builtIn = `${profile.sessionIds} ${profile.trackingParams}`;
  const tables = [
    keepParams === null
      ? 0
      : writer.once(keepParams, () => writer.table(keepParams.map(pattern), hashForward, isFolded)),
    writer.once(dropParams, () =>
      writer.optionalTable(dropParams.map(pattern), hashForward, isFolded),
    ),
    writer.once(builtIn, () => writer.optionalTable(listedNames(profile), hashForward, true)),
    writer.once(defaultParams, () =>
      writer.optionalTable(writeDefaults(writer, defaultParams), hashForward, isFolded),
    ),
    writer.once(directoryIndex, () =>
      writer.optionalTable(directoryIndex.map(exact), hashForward, true),
    ),
  ];
  const words = [...packChoices(profile), ...tables];
  return writer.once(words.join(" "), () => {
    const at = writer.reserve(PROFILE.WORDS);
    for (const [word, value] of words.entries()) writer.set(at + 4 * word, value);
    return at;
  });
}

/** Returns the names of the package's lists, each with the kind of list. */
function listedNames({ sessionIds, trackingParams }: Profile): Entry[] {
  return [
    ...(sessionIds === "remove" ? listed(SESSION_PARAMS, LISTED.SESSION) : []),
    ...(trackingParams === "remove" ? listed(TRACKING_PARAMS, LISTED.TRACKING) : []),
  ];
}

function writeDefaults(writer: PlanWriter, defaults: Profile["defaultParams"]): Entry[] {
  return Object.entries(defaults)
    .toSorted(byName)
    .map(([name, value]) => ({ ...exact(name), value: writer.text(value) }));
}

function packChoices(profile: Profile): number[] {
  const words = new Array<number>(PROFILE.CHOICE_WORDS).fill(0);
  for (const [place, name] of (Object.keys(CHOICES) as ChoiceName[]).entries()) {
    const values: readonly (string | boolean)[] = CHOICES[name];
    const [word, bit] = choiceBits(place);
    words[word] = ((words[word] as number) | (values.indexOf(profile[name]) << bit)) >>> 0;
  }
  return words;
}
