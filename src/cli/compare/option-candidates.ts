import {
  CHOICES,
  type NormalizerOptions,
  PRESETS,
  type PresetName,
} from "../../options/catalog.generated.ts";
import type { ResolvedOptions } from "../../options/options.ts";
import { type Parts, splitParts } from "../../url/parts.ts";
import { differentParams } from "./difference.ts";
import type { Keys } from "./smallest.ts";

/** Orders values of options whose catalog has a larger one first. */
const SMALLEST_FIRST: Readonly<Record<string, readonly string[]>> = {
  fragment: ["remove-empty", "remove-text", "keep-route", "remove"],
  repeatedParams: ["equal", "first", "last"],
};

/**
 * Returns options that each could give two URLs one key, with one option in each, the smallest first: what preset `crawl`
 * sets, as it loses no pages, then what `aggressive` sets, then the other choices, then what removes whole parameters.
 */
export function optionCandidates(keys: Keys, options: ResolvedOptions): NormalizerOptions[] {
  const [first, second] = keys;
  if (first === null || second === null) {
    return ["https", "http"].map((scheme) => ({ defaultScheme: scheme }) as NormalizerOptions);
  }
  const [a, b] = [splitParts(first), splitParts(second)];
  const { inCrawl, inAggressive, others } = choiceCandidates(options);
  return [
    ...inCrawl,
    ...defaultParams(a, b, options),
    ...directoryIndex(a, b),
    ...inAggressive,
    ...firstLabel(a, b, options),
    ...others,
    ...dropParams(a, b, options),
    ...otherHost(a, b, options),
  ];
}

/** Returns the presets that set at least what the given one sets, those with fewest options first. */
export function presetCandidates(preset: PresetName = "safe"): PresetName[] {
  const own = Object.keys(PRESETS[preset]);
  return (Object.keys(PRESETS) as PresetName[])
    .filter((name) => name !== preset && own.every((option) => option in PRESETS[name]))
    .toSorted((a, b) => Object.keys(PRESETS[a]).length - Object.keys(PRESETS[b]).length);
}

type Group = "inCrawl" | "inAggressive" | "others";

/** Returns each value that an option with a few values does not have yet. */
function choiceCandidates(options: ResolvedOptions): Record<Group, NormalizerOptions[]> {
  const groups: Record<Group, NormalizerOptions[]> = { inCrawl: [], inAggressive: [], others: [] };
  const { crawl, aggressive }: Record<string, Readonly<Record<string, unknown>>> = PRESETS;
  for (const [name, choices] of Object.entries<readonly (string | boolean)[]>(CHOICES)) {
    const preferred = crawl?.[name] ?? aggressive?.[name];
    const values = SMALLEST_FIRST[name] ?? [
      ...choices.filter((value) => value === preferred),
      ...choices.slice(1).filter((value) => value !== preferred),
    ];
    const isSet = (options as Readonly<Record<string, unknown>>)[name];
    const group = name in PRESETS.crawl ? "inCrawl" : preferred ? "inAggressive" : "others";
    for (const value of values) if (value !== isSet) groups[group].push({ [name]: value });
  }
  return groups;
}

/** Removes the parameters that only one of the URLs has, where they have the value that they have in it. */
function defaultParams(a: Parts, b: Parts, { defaultParams }: ResolvedOptions) {
  const values: Record<string, string> = { ...defaultParams };
  for (const { name, first, second } of differentParams(a, b)) {
    const [param = "", ...more] = first.length === 0 ? second : first;
    const isInBoth = first.length > 0 && second.length > 0;
    if (isInBoth || more.length > 0 || !param.includes("=")) return [];
    values[name] = param.slice(name.length + 1);
  }
  return [{ defaultParams: values }];
}

/** Removes all parameters in which the URLs differ. A name with a comma or `*` would mean others on the command line. */
function dropParams(a: Parts, b: Parts, { dropParams = [] }: ResolvedOptions) {
  const names = differentParams(a, b).map(({ name }) => name);
  const isPlain = names.every((name) => name !== "" && !/,|^\*|\*$/.test(name));
  return isPlain && names.length > 0 ? [{ dropParams: [...dropParams, ...names] }] : [];
}

/** Removes the file name at the end of a path, if the other path does not have it. */
function directoryIndex(a: Parts, b: Parts): NormalizerOptions[] {
  const names = [a, b].map(({ path }) => path.slice(path.lastIndexOf("/") + 1));
  return names
    .filter((name, at) => name !== names[1 - at] && /^[\w.-]+\.\w+$/.test(name))
    .map((name) => ({ directoryIndex: [name] }));
}

/** Takes off the first label of the host that has one more. Adds none to other aliases, which can be a file of thousands. */
function firstLabel(a: Parts, b: Parts, { hostAliases }: ResolvedOptions): NormalizerOptions[] {
  const [shorter = "", longer = ""] = [a.host, b.host].toSorted((x, y) => x.length - y.length);
  const label = longer.slice(0, longer.indexOf("."));
  if (hostAliases !== undefined || `${label}.${shorter}` !== longer) return [];
  return [{ hostAliases: { [`${label}.*`]: "*" } }];
}

/** Writes the shorter host for the longer. */
function otherHost(a: Parts, b: Parts, { hostAliases }: ResolvedOptions): NormalizerOptions[] {
  if (hostAliases !== undefined || a.host === b.host) return [];
  const [to = "", from = ""] = [a.host, b.host].toSorted((x, y) => x.length - y.length);
  return [{ hostAliases: { [from]: to } }];
}
