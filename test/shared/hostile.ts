import { Random } from "./random.ts";

/**
 * Makes hostile URLs by a grammar. Each part is drawn from what parsers get wrong: delimiters,
 * triplets, dots, ports, brackets, controls, non-ASCII, broken UTF-8. Now and then a byte is put
 * in, left out or doubled anywhere. `\xHH` bytes in the lists below are raw bytes: the strings are
 * byte strings.
 */
const utf8 = (text: string): string => Buffer.from(text, "utf8").toString("latin1");

const SCHEMES = [
  ..."http https ws wss ftp file HTTP hTTps FILE foo urn mailto data javascript a+b-.c about".split(
    " ",
  ),
  ..."http https http https file foo x".split(" "),
  "1x",
  "h ttp",
  "ht\ttp",
  "",
];
const SLASHES = ["//", "//", "//", "//", "", "/", "///", "\\\\", "/\\", "\\", "////", "/\t/"];
const USERINFO = [
  "u",
  "u:p",
  ":p",
  "u:",
  ":",
  "",
  "a%40b",
  "%41:%7e",
  "u:p:q",
  "a@b",
  "a;b=c",
  "[",
  "é",
  "%",
  "u/",
];
const LABELS = [
  ..."example a b com org www localhost xn--bcher-kva xn--a xn-- EXAMPLE a_b a-b -a a--b 1a a1 0x 0xg".split(
    " ",
  ),
  ..."1 2 256 255 0x7f 0X1 017 08 0 4294967295 4294967296 99999999999999999999 0xffffffff 1e2".split(
    " ",
  ),
  utf8("bücher"),
  utf8("ＥＸ"),
  utf8("ß"),
  utf8("日本"),
  utf8("\u00ad"),
  "%61",
  "%2E",
  "%2e",
  "%00",
  "%zz",
  "%C3%BC",
  "%FF",
  "\xff",
  "%",
  "",
  "",
  "a b",
  "a<b",
  'a"b',
  "a{b}",
  "a`b",
  "a^b",
  "a|b",
  "a\x01b",
  "a\x7fb",
  "*",
  "!$&'()*+,;=~",
];
const ADDRESSES = [
  "::1",
  "::",
  "1:2:3:4:5:6:7:8",
  "1:2:3:4:5:6:7::",
  "::2:3:4:5:6:7:8",
  "1::8",
  "0:0:1:0:0:0:1:0",
  "2001:DB8::00a0",
  "::ffff:1.2.3.4",
  "::1.2.3.256",
  "::1.2.3",
  "::01.2.3.4",
  "1:2:3:4:5:6:1.2.3.4",
  "1:2:3:4:5:6:7:1.2.3.4",
  "12345::",
  "1:::2",
  "1::2::3",
  ":1",
  "1:",
  "fe80::1%25eth0",
  "v1.a:b",
  "V1F.A~:!",
  "v.a",
  "v1.",
  "vg.a",
  "",
  "g::",
];
const PORTS = [
  "",
  ":",
  ":80",
  ":443",
  ":21",
  ":0",
  ":00080",
  ":8080",
  ":65535",
  ":65536",
  ":99999999999",
  ":a",
  ":8a",
  ":-1",
  ": 80",
];
const SEGMENTS = [
  ..."a b index.html . .. %2e %2E%2e .%2e %2e. ... .a a. ..a C: c| C| %43: C%7C x; a=b @ : % %4 %41 %7e %7E".split(
    " ",
  ),
  ..."%2f %2F %5c %00 %e9 %C3%a9 %25 %2541 %%341 %zz ! ' ( * ~ + , $ & C:x C:. localhost".split(
    " ",
  ),
  "",
  "",
  "a b",
  utf8("é"),
  utf8("日"),
  "\xe9",
  "\xff\xfe",
  "\x00",
  "\x1f",
  "\x7f",
  "\t",
  '"',
  "<",
  ">",
  "`",
  "{",
  "}",
  "|",
  "^",
  "[",
  "]",
  "\\",
];
const SEPARATORS = ["/", "/", "/", "/", "//", "\\", "/./", "/../", "/.//", "\\..\\"];
const PIECES = [
  "a=1",
  "b",
  "&",
  "&&",
  "=",
  "?",
  "a=%20",
  "a=+",
  "%41",
  "%7e",
  "%2b",
  "%",
  "%e9",
  "'",
  '"',
  "<",
  "#",
  "/../",
  "\\",
  "[",
  utf8("é"),
  "\xe9",
  "|",
  "^",
  "`",
  "{",
  " ",
];
const SPACE = [" ", "\t", "\r", "\x00", "\x1f", "  ", "\x0c"];
const NOISE = ":/?#[]@!$&'()*+,;=%.\\ \t\r\x00\x7f\x80\xff<>\"{}|^`~-_0aZ";

/** Returns `count` byte strings without LF. */
export function hostileUrls(seed: number, count: number): string[] {
  const random = new Random(seed);
  return Array.from({ length: count }, () => mutate(random, hostileUrl(random)));
}

/** Bases that parse, hierarchical and not. */
export const HOSTILE_BASES: readonly string[] = [
  "http://a/b/c/d;p?q#f",
  "https://user:pw@example.com:8080",
  "http://xn--bcher-kva.de/%7Ex/../y",
  "ftp://h/a/b/",
  "file:///C:/a/b",
  "file:///C:",
  "file://host/a/b?q",
  "file:///",
  "foo://H/a/b/../c?q",
  "foo://h",
  "foo:/a/b",
  "foo:/.//a/b",
  "foo:///x",
  "urn:a:b",
  "urn:a/b/c?q",
  "x:",
  "mailto:me@example.com",
];

function hostileUrl(random: Random): string {
  const relative = random.chance(4);
  let url = relative ? "" : `${random.pick(SCHEMES)}:`;
  if (!relative || random.chance(4)) url += random.pick(SLASHES) + authority(random);
  if (!random.chance(6)) url += path(random);
  if (random.chance(2)) url += `?${several(random, PIECES, 5).join("")}`;
  if (random.chance(4)) url += `#${several(random, PIECES, 4).join("")}`;
  if (random.chance(12)) url = random.pick(SPACE) + url;
  if (random.chance(12)) url += random.pick(SPACE);
  return url;
}

function authority(random: Random): string {
  const userinfo = random.chance(6) ? `${random.pick(USERINFO)}@` : "";
  const host = random.chance(6)
    ? `[${random.pick(ADDRESSES)}]`
    : random.chance(2)
      ? "example.com"
      : several(random, LABELS, 4).join(".") + (random.chance(8) ? "." : "");
  return userinfo + host + (random.chance(3) ? random.pick(PORTS) : "");
}

function path(random: Random): string {
  let text = random.chance(8) ? "" : random.pick(SEPARATORS);
  for (const segment of several(random, SEGMENTS, 6)) text += segment + random.pick(SEPARATORS);
  return random.chance(2) ? text.slice(0, -1) : text;
}

function several(random: Random, choices: readonly string[], most: number): string[] {
  return Array.from({ length: 1 + random.below(most) }, () => random.pick(choices));
}

function mutate(random: Random, url: string): string {
  if (!random.chance(4) || url === "") return url;
  const at = random.below(url.length);
  const kind = random.below(3);
  if (kind === 0) return url.slice(0, at) + NOISE[random.below(NOISE.length)] + url.slice(at);
  if (kind === 1) return url.slice(0, at) + url.slice(at + 1);
  return url.slice(0, at + 1) + url.slice(at);
}
