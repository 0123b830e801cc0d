import type { NormalizerOptions, SiteOptions } from "../../src/index.ts";
import { PRESET_NAMES } from "../../src/options/presets.ts";
import { CHOICES } from "../../src/plan/profile.ts";
import type { Random } from "./random.ts";

const NAMES = ["a", "b", "id", "utm_source", "sid", "page", "q", "x", "é", "%7e", "A"];
const NAME_PATTERNS = ["utm*", "p*", "a*", "*e", "*d", "*_source", "*C3%A9"];
const FILES = ["index.html", "a", "b", "index.php", "default.asp", "x;"];
const HOSTS = [
  "example.com",
  "www.example.com",
  "a.b",
  "www.a",
  "1.2.3.4",
  "[::1]",
  "github.com",
  "bücher.de",
  "com",
  "en.wikipedia.org",
];
const PATTERNS = [
  "example.com",
  "*.example.com",
  "*.com",
  "a.b",
  "*.github.com",
  "*.org",
  "*.b",
  "en.wikipedia.org",
];

function several<T>(random: Random, choices: readonly T[]): T[] {
  return choices.filter(() => random.chance(3));
}

function siteOptions(random: Random): SiteOptions {
  const options: Record<string, unknown> = {};
  for (const [name, values] of Object.entries(CHOICES)) {
    if (random.chance(3)) options[name] = random.pick(values as readonly string[]);
  }
  if (random.chance(6)) options["preset"] = random.pick(PRESET_NAMES);
  if (random.chance(3))
    options["directoryIndex"] = random.chance(2) ? true : several(random, FILES);
  if (random.chance(6)) options["keepParams"] = several(random, [...NAMES, ...NAME_PATTERNS]);
  if (random.chance(4)) options["dropParams"] = several(random, [...NAMES, ...NAME_PATTERNS]);
  if (random.chance(4)) {
    const defaults = several(random, NAMES).map((name) => [
      name,
      random.pick(["", "1", "é", "a=b"]),
    ]);
    options["defaultParams"] = Object.fromEntries(defaults);
  }
  return options;
}

/** Any options; some combinations are refused (aliases that go in circles). */
export function randomOptions(random: Random): NormalizerOptions {
  const options: Record<string, unknown> = { ...siteOptions(random) };
  if (random.chance(6))
    options["schemes"] = ["http", "https", ...several(random, ["ftp", "file", "foo", "urn"])];
  if (random.chance(3)) {
    const aliases = several(random, HOSTS).map((host) => [host, random.pick(HOSTS)]);
    options["hostAliases"] = Object.fromEntries(aliases);
  }
  if (random.chance(2)) {
    const sites = several(random, PATTERNS).map((pattern) => [pattern, siteOptions(random)]);
    options["sites"] = Object.fromEntries(sites);
  }
  if (random.chance(8)) options["maxLength"] = 40 + random.below(60);
  if (random.chance(8)) options["defaultScheme"] = random.pick(["http", "https", "ftp"]);
  return options as NormalizerOptions;
}
