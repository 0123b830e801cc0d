import { expect, test } from "vitest";
import {
  createNormalizer,
  isError,
  type Normalizer,
  type NormalizerOptions,
} from "../../src/index.ts";
import { type PageAlias, parseAliases } from "../../src/site-rules/index.ts";
import { fromColumn, toColumn } from "../shared/columns.ts";
import { atLength } from "../shared/length.ts";
import { Random } from "../shared/random.ts";
import { randomAliases, splitSite } from "../shared/random-aliases.ts";
import { randomRules, urlsForRules } from "../shared/random-rules.ts";
import { findReasonFindings } from "../shared/reasons.ts";

const SETS = Number(process.env["URLMILL_ALIAS_SETS"] ?? atLength(1, 40, 100));
const SEED = Number(process.env["URLMILL_ALIAS_SEED"] ?? 22);
const URLS = 160;
const ALIASES = 90;

const OPTIONS: readonly NormalizerOptions[] = [
  {},
  {},
  { preset: "crawl" },
  { preset: "aggressive" },
  { sortQuery: "name-value", valuelessParams: "add-equals", case: "lower-path" },
  { maxLength: 40 },
  { dropParams: ["sid"], emptyQuery: "remove" },
];

/** The site and the target of a URL as a normalizer writes it, with http or else with https. */
function restOf(rest: string, plain: Normalizer): { site: string; target: string } | null {
  const url = plain.tryNormalize(`http${rest}`).url ?? plain.tryNormalize(`https${rest}`).url;
  return url === null ? null : splitSite(url);
}

/** A range of an alias as a normalizer writes it: what is before its number and after it. */
interface Range {
  readonly site: string;
  readonly before: string;
  readonly after: string;
  readonly first: number;
  readonly last: number;
  readonly to: string;
}

/** The range of an alias as a normalizer writes both ends of it; null if they no longer are its ends. */
function rangeOf({ site, from, to }: PageAlias, plain: Normalizer): Range | null {
  const [, before = "", low = "", high = "", after = ""] =
    /^(.*)<(.*)\.\.(.*)>(.*)$/.exec(from) ?? [];
  const end = restOf(`://${site}${to}`, plain);
  const [first, last] = [low, high].map((number) => {
    const place = restOf(`://${site}${before}${number}${after}`, plain);
    const found = /^(.*\D)(\d+)(\D*)$/.exec(place?.target ?? "");
    return place === null || found?.[2] !== number
      ? null
      : { site: place.site, before: found[1] as string, after: found[3] as string };
  });
  if (!first || !last || end?.site !== first.site) return null;
  if (JSON.stringify(first) !== JSON.stringify(last)) return null;
  const range = { ...first, first: Number(low), last: Number(high), to: end.target };
  return isIn(range, end) ? null : range;
}

function isIn(range: Range, { site, target }: { site: string; target: string }): boolean {
  const number = target.slice(range.before.length, target.length - range.after.length);
  return (
    site === range.site &&
    target === `${range.before}${number}${range.after}` &&
    /^(0|[1-9]\d*)$/.test(number) &&
    range.first <= Number(number) &&
    Number(number) <= range.last
  );
}

/** Maps what stands before the `<*>` of aliases, as a normalizer writes it, with its site, to their targets. */
type AnyParams = Map<string, string>;

/** Adds an alias for any other parameters, unless no path, or no path and one parameter, stays. */
function addAny(any: AnyParams, { site, from, to }: PageAlias, plain: Normalizer): void {
  const base = from.slice(0, -"?<*>".length);
  const [start, end] = [base, to].map((target) => restOf(`://${site}${target}`, plain));
  if (!start || !end || start.site !== end.site) return;
  const isLike = base.includes("?")
    ? /^[^?]*\?[^&;]+$/.test(start.target)
    : !start.target.includes("?");
  const key = `${start.site} ${start.target}`;
  if (isLike && !any.has(key)) any.set(key, end.target);
}

/** Returns what such aliases make of a URL, if they do. */
function anyOf(any: AnyParams, { site, target }: { site: string; target: string }) {
  const [path = "", query] = target.split(/\?(.*)/s);
  const params = query === undefined ? [] : query.split(/[&;]/);
  const found = params.map((each) => any.get(`${site} ${path}?${each}`));
  const targets = new Set(found.filter((to) => to !== undefined));
  if (targets.size > 1) return undefined;
  const to = [...targets][0] ?? any.get(`${site} ${path}`);
  return to === target ? undefined : to;
}

function bySiteAndUrl(a: PageAlias, b: PageAlias): number {
  return `${a.site}\t${a.from}` < `${b.site}\t${b.from}` ? -1 : 1;
}

/** Computes what aliases make of a URL by look-ups in a Map, around a normalizer without aliases. */
function expectedOf(url: string, text: string, plain: Normalizer, maxLength = 65_536): string {
  const targets = new Map<string, string>();
  const given: Range[] = [];
  const any: AnyParams = new Map();
  for (const alias of parseAliases(text).toSorted(bySiteAndUrl)) {
    const { site, from, to } = alias;
    if (from.endsWith("<*>")) {
      addAny(any, alias, plain);
      continue;
    }
    if (from.includes("<")) {
      const range = rangeOf(alias, plain);
      if (range !== null) given.push(range);
      continue;
    }
    const [start, end] = [from, to].map((target) => restOf(`://${site}${target}`, plain));
    if (!start || !end || start.site !== end.site || start.target === end.target) continue;
    const key = `${start.site} ${start.target}`;
    if (!targets.has(key)) targets.set(key, end.target);
  }
  const ranges = given.toSorted((a, b) => b.first - a.first || b.last - a.last);
  const first = plain.tryNormalize(url).url ?? "";
  let current = first;
  for (let pass = 0; pass < 8; pass++) {
    const place = splitSite(current);
    if (place === null) return current;
    const begun = ranges.find((each) => isIn({ ...each, last: Infinity }, place));
    const range = begun !== undefined && isIn(begun, place) ? begun : undefined;
    const to = targets.get(`${place.site} ${place.target}`) ?? range?.to ?? anyOf(any, place);
    if (to === undefined) return current;
    const at = current.indexOf(place.target, current.indexOf(place.site) + place.site.length);
    const aliased = current.slice(0, at) + to + current.slice(at + place.target.length);
    const next = plain.tryNormalize(aliased).url;
    if (aliased.length > maxLength || next === null || next.length > maxLength) return first;
    current = next;
  }
  return first;
}

/** Normalizes by both engines, as rows and as lines. Throws where they differ, or the result is not a fixpoint. */
function normalizeAll(options: NormalizerOptions, inputs: readonly string[]): string[] {
  const make = (engine: "wasm" | "js") => createNormalizer({ ...options, engine });
  const [wasm, js] = [make("wasm"), make("js")];
  const [first, second] = [wasm, js].map((each) => each.normalizeColumn(toColumn(inputs)));
  const outputs = fromColumn(first as NonNullable<typeof first>);
  expect(fromColumn(second as NonNullable<typeof second>)).toEqual(outputs);
  expect(second?.status).toEqual(first?.status);
  for (const each of [wasm, js]) {
    const { bytes, status } = each.normalizeLines(Buffer.from(inputs.join("\n"), "latin1"));
    expect(Buffer.from(bytes).toString("latin1").split("\n").slice(0, -1)).toEqual(outputs);
    expect(status).toEqual(first?.status);
  }
  const again = fromColumn(wasm.normalizeColumn(toColumn(outputs)));
  for (const [row, output] of outputs.entries()) {
    if (!isError(first?.status[row] as number)) expect(again[row]).toBe(output);
  }
  return outputs;
}

test("engines give what look-ups in a Map give, for random aliases and URLs", () => {
  const random = new Random(SEED);
  let changed = 0;
  for (let set = 0; set < SETS; set++) {
    const options = random.pick(OPTIONS);
    const inputs = urlsForRules(random, URLS);
    const aliases = randomAliases(random, inputs, ALIASES);
    const outputs = normalizeAll({ ...options, pageAliases: aliases }, inputs);
    const plain = createNormalizer({ ...options, engine: "wasm" });
    for (const [row, input] of inputs.entries()) {
      const expected = expectedOf(input, aliases, plain, options.maxLength);
      expect(outputs[row], `${input} ${JSON.stringify(options)}\n${aliases}`).toBe(expected);
      if (expected !== (plain.tryNormalize(input).url ?? "")) changed++;
    }
  }
  expect(changed).toBeGreaterThan((SETS * URLS) / 10);
});

test("engines agree on random aliases together with random rules", () => {
  const random = new Random(SEED + 1);
  let changed = 0;
  for (let set = 0; set < SETS; set++) {
    const options = { ...random.pick(OPTIONS), rules: randomRules(random) };
    const inputs = urlsForRules(random, URLS);
    // Of URLs as rules leave them, so that rules and aliases meet.
    const ruled = createNormalizer(options)
      .normalizeBatch(inputs)
      .urls.map((url) => url ?? "x:");
    const aliases = randomAliases(random, ruled, ALIASES);
    const outputs = normalizeAll({ ...options, pageAliases: aliases }, inputs);
    changed += outputs.filter((output, row) => output !== "" && output !== ruled[row]).length;
  }
  expect(changed).toBeGreaterThan((SETS * URLS) / 20);
});

test("with aliases, reasons are what explain lists", () => {
  const random = new Random(SEED + 2);
  for (let set = 0; set < SETS / 3; set++) {
    const inputs = urlsForRules(random, atLength(40, 100));
    const aliases = randomAliases(random, inputs, ALIASES);
    for (const more of [{}, { rules: randomRules(random) }]) {
      const found = findReasonFindings(
        { ...random.pick(OPTIONS), ...more, pageAliases: aliases },
        inputs,
      );
      expect(found).not.toBe("refused");
      expect(found).toMatchObject({ findings: [] });
    }
  }
});
