import type { NormalizerOptions, SiteOptions } from "../../src/index.ts";
import { CHOICES, OPTION_VALUES } from "../../src/options/catalog.generated.ts";

import { Random } from "./random.ts";

const NAMES = ["a", "b", "id", "utm_source", "sid", "page", "q", "x", "é", "%7e", "A"];
const NAME_PATTERNS = ["a;b", "a;*", "utm*", "p*", "a*", "*e", "*d", "*_source", "*C3%A9"];
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
  "com.cn",
  "en.wikipedia.org",
];
const ALIAS_PATTERNS = ["*.example.com", "*.com", "*.b", "*.github.com", "*.wikipedia.org"];
const PATTERNS = [
  "example.com",
  "*.example.com",
  "*.com",
  "a.b",
  "*.github.com",
  "*.org",
  "*.b",
  "*.com.cn",
  "en.wikipedia.org",
];

const SEGMENTS = [
  ..."(S(a1)) (s(B)) (S()) (a) (S(1));jsessionid=2 (A(-_)f(9)) (S(1)B(2)) (lit3py55t21z5v55vlm25s55) (lit3py55t21z5v55vlm25s56) (LIT3PY55t21z5v55vlm25s55) http: HTTPS: a1: %41: %C3%A9: http;x INDEX.PHP Default.do".split(
    " ",
  ),
  ..."a B .. . b;jsessionid=1;c %2F http://b index.html".split(" "),
  "",
  "",
];
const PIECES = [
  ..."a= a=1 A=2 a a=;jsessionid=1 b=x;JSESSIONID=1;jsessionid=2 b_id=1 x;jsessionid=1 utm_source=a CFID cftoken=1".split(
    " ",
  ),
  ..."A=x;y = == id=%2f id=%2F;jsessionid= a=;jsessionid=/ q=%C3%A9 utm_a".split(" "),
  ..."utm_a=1;page=2 jsessionid=1;utm_b=2;id=3 a=1;b=2;A=3 a;b=1 cfid=1;a=2 q=1;CFTOKEN=2 utm_a;CFID=1;;a== x=;b=;page".split(
    " ",
  ),
  "",
];
const FRAGMENTS = [
  ..."# #a #!r #/r #:~:text=a #a:~:text=b #!r:~:x #/:~: #utm_a=1 #UTM_a=1&xtor=2 #utm_a #utm_a=1&b #xtor=1:~:text=a".split(
    " ",
  ),
  ..."#xtor= #utm_=&utm_=1 #utm_=1;xtor=2 #utm_a=1;b=2 #:~ #a%7e #:%7E:x".split(" "),
  ...["", "", "", ""],
];
const AUTHORITIES = [
  ..."http://a.b https://www.a.b http://www2.example.com:8080 HTTP://x.example.com. ftp://www9.a.b:2121".split(
    " ",
  ),
  ..."http://www1.www2.github.com foo://h:80 http://www0.a.b http://www12.a.b http://www001.www.a.b http://www1234.a.b http://www5.com.cn http://www6.www7.co.uk. http://.. http://...a. http://en.wikipedia.org:443 foo: file://".split(
    " ",
  ),
];

/** `count` URLs that are full of what options look for. */
export function optionUrls(seed: number, count: number): string[] {
  const random = new Random(seed);
  const some = (parts: readonly string[], most: number): string[] =>
    Array.from({ length: random.below(most) }, () => random.pick(parts));
  return Array.from({ length: count }, () => {
    const query = random.chance(4) ? "" : `?${some(PIECES, random.chance(20) ? 60 : 6).join("&")}`;
    const path = `/${some(SEGMENTS, 5).join("/")}`;
    return random.pick(AUTHORITIES) + path + query + random.pick(FRAGMENTS);
  });
}

function several<T>(random: Random, choices: readonly T[]): T[] {
  return choices.filter(() => random.chance(3));
}

function siteOptions(random: Random): SiteOptions {
  const options: Record<string, unknown> = {};
  for (const [name, values] of Object.entries(CHOICES)) {
    if (random.chance(3)) options[name] = random.pick(values as readonly unknown[]);
  }
  if (random.chance(6)) options["preset"] = random.pick(OPTION_VALUES.preset);
  if (random.chance(3))
    options["directoryIndex"] = random.chance(2) ? true : several(random, FILES);
  if (random.chance(6)) options["keepParams"] = several(random, [...NAMES, ...NAME_PATTERNS]);
  if (random.chance(4))
    options["dropParams"] = several(random, [
      ...NAMES,
      ...NAME_PATTERNS,
      ...(random.chance(4) ? ["*"] : []),
    ]);
  if (random.chance(4)) {
    const defaults = several(random, NAMES).map((name) => [
      name,
      random.pick(["", "1", "é", "a=b"]),
    ]);
    options["defaultParams"] = Object.fromEntries(defaults);
  }
  return options;
}

/** Returns any options. Some combinations are refused, such as aliases in a circle. */
export function randomOptions(random: Random): NormalizerOptions {
  const options: Record<string, unknown> = { ...siteOptions(random) };
  if (random.chance(6))
    options["allowedSchemes"] = [
      "http",
      "https",
      ...several(random, ["ftp", "file", "foo", "urn"]),
    ];
  if (random.chance(3)) {
    const aliases = several(random, [...HOSTS, ...ALIAS_PATTERNS]).map((host) => [
      host,
      random.pick(HOSTS),
    ]);
    const labels = several(random, ["m.*", "www.*", "a.*", "x.*"]).map((label) => [label, "*"]);
    options["hostAliases"] = Object.fromEntries(
      random.chance(3) ? [...aliases, ...labels] : aliases,
    );
  }
  if (random.chance(2)) {
    const sites = several(random, PATTERNS).map((pattern) => [pattern, siteOptions(random)]);
    options["sites"] = Object.fromEntries(sites);
  }
  if (random.chance(8)) options["maxLength"] = 40 + random.below(60);
  if (random.chance(8)) options["defaultScheme"] = random.pick(["http", "https", "ftp"]);
  return options as NormalizerOptions;
}
