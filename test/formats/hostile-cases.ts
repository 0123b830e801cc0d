import type { FormatName } from "../../src/formats/index.ts";
import type { Random } from "../shared/random.ts";

/** What a plain reader makes of a line: its URL as a byte string, and all else; null without a URL. */
export type Model = (line: string) => { url: string; rest: string } | null;

/** The URL at a place of a list of fields. */
function inList(fields: readonly string[], place: number): ReturnType<Model> {
  const url = fields[place];
  return url === undefined ? null : { url, rest: JSON.stringify(fields.with(place, "")) };
}

/** The URL at a path of a JSON object. */
function inObject(line: string, path: readonly string[]): ReturnType<Model> {
  let object: unknown;
  try {
    object = JSON.parse(Buffer.from(line, "latin1").toString());
  } catch {
    return null;
  }
  let inner = object as Record<string, unknown> | null;
  for (const name of path.slice(0, -1)) inner = (inner?.[name] ?? null) as typeof inner;
  const last = path.at(-1) as string;
  if (typeof inner !== "object" || inner === null || typeof inner[last] !== "string") return null;
  const url = Buffer.from(inner[last]).toString("latin1");
  inner[last] = "";
  return { url, rest: JSON.stringify(object) };
}

const inCapture: Model = (line) => {
  const [, before = "", object = ""] = /^(.*?) (\{.*)$/s.exec(line) ?? [];
  const parts = before.split(" ");
  if (parts[0] === "" || parts.length < 2 || parts.length > 3) return null;
  const found = inObject(object, ["url"]);
  return found === null ? null : { url: found.url, rest: before + found.rest };
};

const texts = ["a", "http://a/", "é", "\\", '"', "", "{", "}", "[", ",", ":", "K", "%", "\r", "\0"];
const json = [
  '"url"',
  '"a"',
  '"page"',
  "{",
  "}",
  "[",
  "]",
  ",",
  ":",
  "1",
  "null",
  " ",
  '"\\""',
  '"é"',
  '"\\u0075rl"',
];

export interface Case {
  readonly field?: string;
  /** What lines are made of. */
  readonly parts: readonly string[];
  /** Lines that have a URL; a part is put into some of them. */
  readonly good?: readonly string[] | undefined;
  readonly model: Model;
  /** Shapes that a scan which looks back or ahead takes long for. */
  readonly shapes: readonly string[];
}

const whole = (members: string) => `{"n":1,${members},"z":"}"}`;
/** Lines that are hard to read, by their format. */
export const CASES: Partial<Record<FormatName, Case>> = {
  lines: { parts: texts, model: (line) => ({ url: line, rest: "" }), shapes: ["\n", "a\n", "a"] },
  tsv: {
    field: "2",
    parts: [...texts, "\t", "\t", "\t"],
    model: (line) => inList(line.split("\t"), 1),
    shapes: ["\t", "\n", "\t\n", "a\tb\n", "\r"],
  },
  TSVRaw: {
    field: "2",
    parts: [...texts, "\t", "\t", "\\\t", "\\N"],
    model: (line) => inList(line.split("\t"), 1),
    shapes: ["\t", "\\\t", "\\\n"],
  },
  jsonl: {
    field: "page.url",
    parts: [...json, whole('"page":{"url":"é"}'), whole('"page":{"a":[],"url" : "\\u00e9"}')],
    good: [
      '{"page":{"url":"é"}}',
      ' { "a" : "}" , "page" : { "a":[{"url":1}], "url" : "\\u00e9\\\\" } } ',
      '{"page":{"url":"x","url":"y"},"z":{"page":{"url":"no"}}}',
    ],
    model: (line) => inObject(line, ["page", "url"]),
    shapes: ['{"page":', "[", '"', '\\"', '{"page":{"url":"x"}}\n', '{"page":[', ",", '{"a":"b",'],
  },
  cdx: {
    parts: [
      ...texts.filter((text) => text !== "\0"),
      " ",
      " ",
      "com,a)/ 1 http://a/ t 200 D 9",
      " x y",
    ],
    model: (line) => {
      const fields = line.split(" ");
      return [7, 9, 10, 11].includes(fields.length) ? inList(fields, 2) : null;
    },
    shapes: [" ", "\n", " \n", "a b c d e f g\n", " CDX", "CDX a "],
  },
  cdxj: {
    parts: [...json, "com,a)/ 1 ", "com,a)/ 1 r ", '{"url":"x"}', '{"x":"{", "url" : "é"}', " {"],
    good: ['com,a)/ 1 {"url":"x"}', 'com,a)/{ 1 r {"x":"{", "url" : "é", "y":{"url":"no"}} '],
    model: inCapture,
    shapes: [" {", "a ", '{"url":"x"}', 'a 1 {"url":"x"}\n', "a 1 {{", '"', "!"],
  },
  "crawl-log": {
    parts: [
      ...texts.filter((text) => text !== "\0"),
      " ",
      "  ",
      "2011 200 9 http://a/ L r t #1 2 sha1:A - -",
      "1 2 3 4 5",
    ],
    model: (line) => {
      const fields = line.split(" ").filter((field) => field !== "");
      return fields.length >= 10 ? inList(fields, 3) : null;
    },
    shapes: [" ", "a ", "a  b\n", "\n", "1 2 3 4 5 6 7 8 9 10\n"],
  },
};

/** A list of records whose URL is in a field. */
export interface Table {
  readonly name: FormatName;
  readonly field?: string | undefined;
  /** The character between fields, if it is another one. */
  readonly delimiter?: string;
  readonly header?: string;
  readonly parts: readonly string[];
  readonly good?: readonly string[];
}

const fields = [
  "a",
  "http://a/",
  "é",
  "\\",
  '"',
  "'",
  "",
  ",",
  "\t",
  "\n",
  "\r",
  " ",
  "\0",
  "\\N",
  "\\t",
];
const csv = [
  "a,http://a/,b",
  'a,"http://a/",b',
  '"a\n,",http://a/,""',
  'a,"http://""/",b',
  '"a"b,c,d',
];
const withSemicolons = (row: string): string => row.replaceAll(",", ";");
const tsv = ["a\thttp://a/\tb", "\thttp://a/\t", "a\thttp://a/?'\tb", "a\thttp://\\t/\tb\\"];
/** Tables that are hard to read. */
export const TABLES: readonly Table[] = [
  { name: "csv", field: "2", parts: fields, good: csv },
  { name: "csv", field: "url", header: "id,url,x", parts: fields, good: csv },
  { name: "csv", field: "url", header: 'id,x,"url"', parts: fields, good: csv },
  {
    name: "csv",
    field: "2",
    delimiter: ";",
    parts: [...fields, ";"],
    good: csv.map(withSemicolons),
  },
  { name: "tsv", field: "url", header: "id\turl\tx", parts: fields, good: tsv },
  { name: "tsv", field: "3", parts: fields, good: tsv },
  { name: "TabSeparated", field: "2", parts: fields, good: tsv },
  { name: "TabSeparated", field: "url", header: "id\turl\tx", parts: fields, good: tsv },
  {
    name: "cdx",
    field: "a",
    header: " CDX N b a m s k S",
    parts: [...fields, "N 1 http://a/ m 200 k 9", " CDX N b a m s k S", "CDX"],
    good: ["N 1 http://a/ m 200 k 9"],
  },
  { name: "cdx", field: "S", parts: fields, good: ["N 1 http://a/ m 200 k 9"] },
  { name: "cdx", field: "3", parts: fields, good: ["N 1 http://a/ m 200 k 9", "a b c"] },
  {
    name: "jsonl",
    field: "links.1.url",
    parts: ['"', "1", ",", "{", "]", '"url":', "\\u00e9", "é", "\t"],
    good: [
      '{"links":[{},{"url":"http://a/","n":[1.5e3,-0,true,false,null]}]}',
      '{"links":{"1":{"url":"é"}},"x":{"links":[0,{"url":"no"}]}}',
      '{"links.1":{"url":"http://a/"},"links":[]}',
      '{ "links" : [ [ ] , { "url" : "a\\/b" } ] }\t',
    ],
  },
  {
    name: "jsonl",
    field: "url",
    parts: [
      '"',
      "01",
      "-",
      "tru",
      "NaN",
      "Infinity",
      "{",
      "}",
      '"url":"b"',
      "\\",
      "\xff",
      "\ud800",
    ],
    good: [
      '{"url":"http://a/"}',
      '{"id":1,"url":"http://a/é","n":[1,{"url":2}]}',
      '{"id":[]}',
      '{"url":null}',
      '{"n":[NaN,-Infinity],"url":"http://a/"}',
      '{"u\\u0072l":"x"}',
    ],
  },
];
/** The lines of CASES as tables. */
export const LINES: readonly Table[] = Object.entries(CASES).map(
  ([name, { field, parts, good }]) => {
    const format = name as FormatName;
    return { name: format, field, parts, ...(good === undefined ? {} : { good }) };
  },
);

/** Returns a list of lines of a format, as a byte string. Half of them are damaged. */
export function hostileList({ parts, good }: Pick<Case, "parts" | "good">, random: Random): string {
  const randomLine = () =>
    Array.from({ length: random.below(9) }, () => random.pick(parts)).join("");
  const line = () => {
    if (good === undefined || random.chance(3)) return randomLine();
    const text = random.pick(good);
    const at = random.below(text.length + 1);
    return random.chance(2) ? text : text.slice(0, at) + random.pick(parts) + text.slice(at);
  };
  const lines = Array.from(
    { length: 1 + random.below(5) },
    () => line() + random.pick(["\n", "\n", "\r\n"]),
  );
  return Buffer.from(lines.join("")).toString("latin1");
}
