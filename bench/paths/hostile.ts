import type { NormalizerOptions } from "urlmill";
import { fresh } from "../fresh.ts";
import { each, lines, type MakePath } from "../path.ts";

const HEAD = /^(\w+:\/\/)([^/?#]*)/;

/** Makes a path of the corpus with one thing in every URL that keeps it from the fast path. */
function hostile(
  name: string,
  spoil: (url: string, row: number) => string,
  note: string,
  options: NormalizerOptions = {},
  target = 2,
): MakePath {
  return ({ urls }) => {
    const spoiled = fresh(urls.map(spoil));
    return {
      name,
      contestants: [
        ...lines(spoiled, options),
        each("new URL().href", spoiled, (url) => new URL(url).href),
      ],
      reference: "new URL().href",
      target,
      note,
    };
  };
}

const head = (url: string, insert: string): string => url.replace(HEAD, `$&${insert}`);

export const upperCaseHosts = hostile(
  "hosts in upper case",
  (url) => url.replace(HEAD, (_, scheme: string, host: string) => scheme + host.toUpperCase()),
  "the exact path with a host to rewrite",
);
export const tildes = hostile(
  "a %7e in each path",
  (url) => head(url, "/%7euser"),
  "the exact path with a triplet to decode",
);
export const dotSegments = hostile(
  "a /a/../ in each path",
  (url) => head(url, "/a/../b"),
  "the exact path with segments to remove",
);

/** Adds twenty unsorted parameters. */
function unsorted(url: string, row: number): string {
  const pieces = Array.from(
    { length: 20 },
    (_, index) =>
      `${String.fromCharCode(97 + ((index * 7 + row) % 20))}${index}=${(row * 31 + index) % 1000}`,
  );
  return `${url.split(/[?#]/)[0]}?${pieces.join("&")}`;
}

export const unsortedParameters = hostile(
  "20 unsorted parameters",
  unsorted,
  "safe leaves a query in its order, as new URL() does",
);
export const sortedParameters = hostile(
  "20 unsorted parameters, crawl",
  unsorted,
  "we sort, new URL() does not",
  { preset: "crawl" },
  1.1,
);

const SCRIPTS = [
  [0xdf, 0xf6],
  [0x430, 0x44f],
  [0x3b1, 0x3c9],
  [0x4e00, 0x9000],
  [0x3041, 0x3093],
  [0xac00, 0xd7a0],
  [0x905, 0x939],
  [0xe01, 0xe2e],
  [0x5d0, 0x5ea],
] as const;

/** Returns a URL whose host has two labels in one of nine scripts, the same for a row in each run. */
function international(_: string, row: number): string {
  const [first, last] = SCRIPTS[row % SCRIPTS.length] as readonly [number, number];
  const label = (seed: number): string =>
    Array.from({ length: 3 + (seed % 8) }, (_, at) =>
      String.fromCodePoint(first + ((seed * 7919 + at * at * 104_729) % (last - first))),
    ).join("");
  return `https://${label(row)}.${label(row * 3 + 1)}/pfad/seite-${row}.html`;
}

export const internationalHosts = hostile(
  "international hosts",
  international,
  "UTS #46, NFC and Punycode for two labels of each host",
);
