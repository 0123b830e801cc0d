import { expect, test } from "vitest";
import { formatOf, urlField } from "../../src/formats/index.ts";
import { RecordReader } from "../../src/learn/records/read-records.ts";
import { atLength } from "../shared/length.ts";
import { Random } from "../shared/random.ts";
import { START } from "./whole.ts";

/** The URL of a line by a path, and the line with `K` in its place; null without a URL. */
function read(line: string, field: string, name: "jsonl" | "cdxj" = "jsonl") {
  const [record] = formatOf(name, urlField(name, { field })).read(line, START);
  if (record?.kind !== "url") return null;
  return [record.url, `${line.slice(0, record.from)}"K"${line.slice(record.to)}`];
}

test.each<[string, string, string, string]>([
  [
    "a member of a member",
    "page.url",
    '{"url":"x","page":{"url":"a"}}',
    '{"url":"x","page":{"url":"K"}}',
  ],
  ["three members deep", "a.b.c", '{"a": {"b" : { "c" : "a" } }}', '{"a": {"b" : { "c" : "K" } }}'],
  ["an element of an array", "links.1", '{"links":["x", "a" ,"y"]}', '{"links":["x", "K" ,"y"]}'],
  [
    "a member of an element",
    "links.1.url",
    '{"links":[{"url":"[,]"}, {"n":1,"url":"a"}]}',
    '{"links":[{"url":"[,]"}, {"n":1,"url":"K"}]}',
  ],
  ["a member whose name is a number", "a.0", '{"a":{"0":"a"}}', '{"a":{"0":"K"}}'],
  [
    "an escaped name",
    "page.url",
    '{"p\\u0061ge":{"\\u0075rl":"a"}}',
    '{"p\\u0061ge":{"\\u0075rl":"K"}}',
  ],
  [
    "the last of two members of one name",
    "p.u",
    '{"p":{"u":"x"},"p":{"u":"y","u":"a"}}',
    '{"p":{"u":"x"},"p":{"u":"y","u":"K"}}',
  ],
  ["the member __proto__", "__proto__.u", '{"__proto__":{"u":"a"}}', '{"__proto__":{"u":"K"}}'],
])("a path finds %s", (_, field, line, replaced) => {
  expect(read(line, field)).toEqual(["a", replaced]);
});

test("a member whose own name has dots wins over the members that its parts name", () => {
  const line = '{"page":{"url":"nested"},"page.url":"own"}';
  expect(read(line, "page.url")?.[0]).toBe("own");
  expect(read('{"a.b":{"c":"own"},"a":{"b":{"c":"nested"}}}', "a.b.c")?.[0]).toBe("own");
  expect(read('{"a":{"b.c":"own","b":{"c":"nested"}}}', "a.b.c")?.[0]).toBe("own");
});

test.each([
  ["page.url", '{"page":"url"}'],
  ["page.url", '{"page":null}'],
  ["page.url", '{"page.url":null,"page":{"url":"a"}}'],
  ["page.url", '{"page":{"url":{"url":"a"}}}'],
  ["a.length", '{"a":["x"]}'],
  ["a.01", '{"a":["x","y"]}'],
  ["a.1", '{"a":["x"]}'],
  ["a.0", '{"a":[]}'],
  ["a.0", '{"a":"xy"}'],
  ["a.toString", '{"a":{}}'],
  ["a.", '{"a":"x"}'],
])("the path %s leads to no text in %s", (field, line) => expect(read(line, field)).toBeNull());

test("CDXJ has paths too, and learning finds what dedupe finds", () => {
  const capture = 'com,a)/ 2020 {"page":{"url":"a"}}';
  expect(read(capture, "page.url", "cdxj")?.[0]).toBe("a");
  for (const [format, line] of [
    ["jsonl", '{"page":{"url":"a"}}'],
    ["cdxj", capture],
  ] as const) {
    const reader = new RecordReader(format, { field: "page.url" });
    expect(reader.push(Buffer.from(line), true).map(({ url }) => url)).toEqual(["a"]);
  }
});

/** A random value, and the path of each text in it. */
function grow(random: Random, depth: number, path: string, paths: Map<string, string>): unknown {
  const kind = random.below(depth > 3 ? 2 : 4);
  if (kind === 0) return random.pick([1, null, true, -1e30]);
  if (kind === 1) {
    const text = `${random.pick(["http://a/", '"', "\\", "],}", "", "é"])}#${paths.size}`;
    paths.set(path, text);
    return text;
  }
  const names = Array.from({ length: random.below(5) }, (_, at) =>
    kind === 2 ? String(at) : `${random.pick(["u", '"', "{", ",", "é", "\\", "\n"])}${at}`,
  );
  const values = names.map((name) =>
    grow(random, depth + 1, path === "" ? name : `${path}.${name}`, paths),
  );
  return kind === 2 ? values : Object.fromEntries(names.map((name, at) => [name, values[at]]));
}

test("a path finds each text of random objects, and only that text is replaced", () => {
  const random = new Random(6901);
  let found = 0;
  for (let round = 0; round < atLength(250, 1_000); round++) {
    const paths = new Map<string, string>();
    const object = { root: grow(random, 0, "root", paths) };
    const line = JSON.stringify(object).replaceAll(":", random.pick([":", " : "]));
    if (JSON.stringify(JSON.parse(line)) !== JSON.stringify(object)) continue;
    for (const [path, text] of paths) {
      const bytes = Buffer.from(line).toString("latin1");
      const [url, replaced] = read(bytes, path) as [string, string];
      expect(Buffer.from(url, "latin1").toString()).toBe(text);
      const whole = Buffer.from(replaced, "latin1").toString();
      expect(JSON.stringify(JSON.parse(whole))).toBe(
        JSON.stringify(object).replace(JSON.stringify(text), '"K"'),
      );
      found++;
    }
  }
  expect(found).toBeGreaterThan(atLength(250, 1_000));
});

test("deep paths and long arrays take time by their length", () => {
  const depth = 20_000;
  const line = `{"a":${'{"a":'.repeat(depth)}"x"${"}".repeat(depth)}}`;
  expect(read(line, "a.a")).toBeNull();
  const many = `{"a":[${'"",'.repeat(500_000)}"x"]}`;
  expect(read(many, "a.500000")?.[0]).toBe("x");
});
