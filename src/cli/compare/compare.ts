import { createNormalizer, UrlmillError } from "../../index.ts";
import { type NormalizerOptions, PRESETS, SITE_OPTIONS } from "../../options/catalog.generated.ts";
import { resolveOptions } from "../../options/options.ts";
import { parseAliases, writeAliases } from "../../site-rules/aliases/alias-file.ts";
import { parseRules, RULES_HEADER, writeRules } from "../../site-rules/language/rule-file.ts";
import { splitParts } from "../../url/parts.ts";
import { type Difference, firstDifference } from "./difference.ts";
import { optionCandidates, presetCandidates } from "./option-candidates.ts";
import { optionFlags } from "./option-flags.ts";
import { MOST_RULES, ruleCandidates, siteOf } from "./rule-candidates.ts";
import { isOne, type Keys, smallest } from "./smallest.ts";

/** Says whether two URLs have one key, and if not, why, and what would give them one. */
export interface Comparison {
  /** Holds the keys: the normalized URLs, or null for a text that is not a URL. */
  readonly keys: Keys;
  /** Says whether `dedupe` takes both for one: the keys are equal, or neither text is a URL and both are the same. */
  readonly same: boolean;
  /** Holds the first difference of the keys. Is null if the keys are equal, or if a text is not a URL. */
  readonly difference: Difference | null;
  /** Holds the flags that give the URLs one key on all sites; null if neither a flag, two, nor a preset does. */
  readonly forAllSites: readonly string[] | null;
  /** Holds what gives them one key on their own site: lines of rules, or else flags; null if nothing does. */
  readonly forOneSite: OneSite | null;
}

/** Holds what gives two URLs one key and changes no other site. One of `rules` and `flags` is empty. */
export interface OneSite {
  /** Names the sites of the keys, as rules do: one, or two if they differ. */
  readonly sites: readonly string[];
  /** Lists the lines to add at the end of the file of `--rules`. */
  readonly rules: readonly string[];
  readonly flags: readonly string[];
}

/** Compares two URLs under options. All that it returns has been tried: both URLs were normalized with it. */
export function compareUrls(
  urls: readonly [string, string],
  base: string | undefined,
  options: NormalizerOptions,
): Comparison {
  const keysWith = (added: NormalizerOptions): Keys | null =>
    keysUnder({ ...options, ...added }, urls, base);
  const keys = keysWith({}) as Keys;
  const same = isOne(keys) || (keys.every((key) => key === null) && urls[0] === urls[1]);
  const bare = { keys, same, difference: null, forAllSites: null, forOneSite: null };
  if (same) return bare;
  // One engine gives the keys of the other. This one is ready at once, and most rules are for other sites.
  const few = { ...options, ...ofDomains(options, keys), engine: "js" } as const;
  const search = new Search((added) => keysUnder({ ...few, ...added }, urls, base), few, keys);
  const proved = <T extends { readonly options: NormalizerOptions }>(found: T | null): T | null =>
    found !== null && isOne(keysWith(found.options) ?? [null, null]) ? found : null;
  const found = search.forAllSites();
  const all = proved(found);
  const [first, second] = keys;
  if (first === null || second === null)
    return { ...bare, forAllSites: all && optionFlags(all.options) };
  const site = proved(search.forOneSite(found?.options ?? null, options.rules));
  return {
    ...bare,
    difference: firstDifference(first, second),
    forAllSites: all && optionFlags(all.options),
    forOneSite: site && {
      sites: [...new Set([first, second].map((key) => siteOf(splitParts(key))))],
      rules: site.rules,
      flags: site.rules.length > 0 ? [] : optionFlags(site.options),
    },
  };
}

/** Lists the options that change a host to another. */
const HOST_OPTIONS = ["trailingDot", "www", "wwwDigits"];

/** Lists the options that remove parameters of which urlmill knows that no value matters. */
const KNOWN_PARAMS = ["trackingParams", "sessionIds"];

interface Found {
  readonly options: NormalizerOptions;
}

type FoundForSite = Found & Pick<OneSite, "rules">;

type Rules = NormalizerOptions["rules"];

/** Tries options and rules on two URLs that have two keys. */
class Search {
  readonly #keysWith: (added: NormalizerOptions) => Keys | null;
  readonly #options: NormalizerOptions;
  readonly #keys: Keys;

  constructor(
    keysWith: (added: NormalizerOptions) => Keys | null,
    options: NormalizerOptions,
    keys: Keys,
  ) {
    this.#keysWith = keysWith;
    this.#options = options;
    this.#keys = keys;
  }

  /** Returns the option that gives the URLs one key, or else two options, a preset, or a preset and an option. */
  forAllSites(): Found | null {
    const candidates = optionCandidates(this.#keys, resolveOptions(this.#options));
    const found = smallest(candidates, 2, (added) => {
      const names = added.flatMap((candidate) => Object.keys(candidate));
      return new Set(names).size < names.length
        ? null
        : this.#keysWith(Object.assign({}, ...added));
    });
    if (found !== null) return { options: Object.assign({}, ...found) };
    const presets = presetCandidates(this.#options.preset).map((preset) => ({ preset }));
    const withPresets = candidates.flatMap((added) => presets.map((own) => ({ ...own, ...added })));
    const options = [...presets, ...withPresets].find((added) => this.#isOneWith(added));
    return options === undefined ? null : { options };
  }

  /**
   * Returns the rule that gives the URLs one key, or else up to three rules, or else what does so on all sites, for their
   * hosts alone. `rules`: the whole text to which the lines are added.
   */
  forOneSite(options: NormalizerOptions | null, rules: Rules): FoundForSite | null {
    const [first, second] = this.#keys as readonly [string, string];
    const candidates = ruleCandidates(first, second, dropsOf(options));
    const lines = smallest(candidates, MOST_RULES, (added) =>
      this.#keysWith({ rules: withLines(this.#options.rules, added) }),
    );
    if (lines !== null) return { options: { rules: withLines(rules, lines) }, rules: lines };
    // Options for these hosts would replace others for them and for their domains.
    if (options === null || this.#options.sites !== undefined) return null;
    const { preset = "safe", ...own } = options;
    const all = Object.entries({ ...PRESETS[preset], ...own });
    let needed = all.filter(([name]) => SITE_OPTIONS.includes(name));
    for (const entry of needed) {
      const fewer = needed.filter((other) => other !== entry);
      if (this.#isOneWith(this.#onHosts(fewer))) needed = fewer;
    }
    return { options: this.#onHosts(needed), rules: [] };
  }

  /** Returns options for the hosts of both keys. The longer of two hosts has only options that lead to the other. */
  #onHosts(entries: readonly (readonly [string, unknown])[]): NormalizerOptions {
    const hosts = new Set(this.#keys.map((key) => splitParts(key as string).host));
    const [host = "", other] = [...hosts].toSorted((a, b) => a.length - b.length);
    if (other === undefined) return { sites: { [host]: Object.fromEntries(entries) } };
    const isOfHost = ([name]: readonly [string, unknown]) => HOST_OPTIONS.includes(name);
    return {
      sites: {
        [other]: Object.fromEntries(entries.filter(isOfHost)),
        [host]: Object.fromEntries(entries.filter((entry) => !isOfHost(entry))),
      },
    };
  }

  #isOneWith(added: NormalizerOptions): boolean {
    const keys = this.#keysWith(added);
    return keys !== null && isOne(keys);
  }
}

/** Returns when rules may remove parameters whatever their values, by what gives the URLs one key on all sites. */
function dropsOf(options: NormalizerOptions | null): "never" | "last" | "first" {
  const names = Object.keys(options ?? {});
  if (names.some((name) => KNOWN_PARAMS.includes(name))) return "first";
  return options === null || names.includes("dropParams") ? "last" : "never";
}

function withLines(rules: Rules, lines: readonly string[]): string {
  return [rules ?? RULES_HEADER, ...lines].join("\n");
}

/** Returns the keys of two URLs, or null for options that do not go together. */
function keysUnder(
  options: NormalizerOptions,
  urls: readonly [string, string],
  base: string | undefined,
): Keys | null {
  try {
    const normalizer = createNormalizer(options);
    const [first, second] = urls;
    return [normalizer.tryNormalize(first, base).url, normalizer.tryNormalize(second, base).url];
  } catch (error) {
    if (error instanceof UrlmillError) return null;
    throw error;
  }
}

/** Returns rules and aliases without those for hosts of domains that neither URL has. */
function ofDomains({ rules, pageAliases }: NormalizerOptions, keys: Keys): NormalizerOptions {
  const domains = keys.map((key) =>
    splitParts(key ?? "")
      .host.split(".")
      .slice(-2)
      .join("."),
  );
  const isNear = ({ site }: { readonly site: string }): boolean => {
    const host = site.replace(/:\d+$/, "");
    return (
      site === "*" ||
      domains.some((domain) => domain.endsWith(host.replace(/^\*\./, "")) || host.endsWith(domain))
    );
  };
  return {
    ...(rules === undefined ? {} : { rules: writeRules(parseRules(rules).filter(isNear)) }),
    ...(pageAliases === undefined
      ? {}
      : { pageAliases: writeAliases(parseAliases(pageAliases).filter(isNear)) }),
  };
}
