import { expect, test } from "vitest";
import { createNormalizer, type NormalizerOptions } from "../../src/index.ts";
import { describeEngines } from "../shared/engines.ts";
import { atLength } from "../shared/length.ts";

type Row = readonly [input: string, expected: string];

/** Each option with inputs and what becomes of them; every output is a fixpoint. */
const TABLE: readonly (readonly [string, NormalizerOptions, readonly Row[]])[] = [
  [
    "scheme http",
    { scheme: "http" },
    [
      ["https://a:80/", "http://a/"],
      ["https://a:443/", "http://a/"],
      ["https://a:8080/", "http://a:8080/"],
      ["ftp://a/", "ftp://a/"],
      ["wss://a/", "wss://a/"],
    ],
  ],
  [
    "scheme https",
    { scheme: "https" },
    [
      ["http://a:443/x?y#z", "https://a/x?y#z"],
      ["http://u@a/", "https://u@a/"],
    ],
  ],
  [
    "trailingDot",
    { trailingDot: "remove" },
    [
      ["http://a.b./", "http://a.b/"],
      ["http://a.b../", "http://a.b/"],
      ["http://./", "http://./"],
      ["http://a.1../", "http://a.1../"],
      ["foo://a./", "foo://a./"],
    ],
  ],
  [
    "www remove",
    { www: "remove" },
    [
      ["http://www.a.b/", "http://a.b/"],
      ["http://www.www.a.b/", "http://a.b/"],
      ["http://www.com/", "http://www.com/"],
      ["http://www.com./", "http://www.com./"],
      ["http://www.a.b:8080/", "http://a.b:8080/"],
      ["http://www..b/", "http://www..b/"],
      ["file://www.a.b/", "file://www.a.b/"],
      ["http://wwww.a.b/", "http://wwww.a.b/"],
    ],
  ],
  [
    "www add",
    { www: "add" },
    [
      ["http://a.b/", "http://www.a.b/"],
      ["http://www.a.b/", "http://www.a.b/"],
      ["http://localhost/", "http://localhost/"],
      ["http://1.2.3.4/", "http://1.2.3.4/"],
      ["http://[::1]/", "http://[::1]/"],
      ["http://u:p@a.b:81/x", "http://u:p@www.a.b:81/x"],
      ["http://bücher.de/", "http://www.xn--bcher-kva.de/"],
    ],
  ],
  [
    "userinfo",
    { userinfo: "remove" },
    [
      ["http://u:p@a/", "http://a/"],
      ["foo://u@a/", "foo://a/"],
      ["mailto:u@a", "mailto:u@a"],
    ],
  ],
  [
    "sessionIds",
    { sessionIds: "remove" },
    [
      ["http://a/b;jsessionid=1?x", "http://a/b?x"],
      ["http://a/b;JSessionID=1;v=2/c;jsessionid=3", "http://a/b;v=2/c"],
      ["http://a/..;jsessionid=1/b", "http://a/b"],
      ["http://a/b;jsessionid/c", "http://a/b;jsessionid/c"],
      ["http://a/?jsessionid=1&x=2", "http://a/?x=2"],
      ["http://a/?PHPSESSID=1", "http://a/"],
      ["http://a/?ASPSESSIONIDABCD=1&b", "http://a/?b"],
      ["http://a/?CFID=1&b&cftoken=2", "http://a/?b"],
      ["http://a/?CFID=1&b", "http://a/?CFID=1&b"],
      ["http://a/?sid=1", "http://a/?sid=1"],
      ["http://a/b/c;jsessionid=1/../d", "http://a/b/d"],
      ["http://a/x;a;jsessionid=1;jsessionid=2", "http://a/x;a"],
    ],
  ],
  [
    "duplicateSlashes",
    { duplicateSlashes: "collapse" },
    [
      ["http://a//b///c", "http://a/b/c"],
      ["http://a//", "http://a/"],
      ["http://a/b?u=http://x//y", "http://a/b?u=http://x//y"],
      ["foo:/.//a", "foo:/a"],
      ["urn:a//b", "urn:a//b"],
    ],
  ],
  [
    "directoryIndex, default list",
    { directoryIndex: true },
    [
      ["http://a/index.html", "http://a/"],
      ["http://a/b/default.aspx?x", "http://a/b/?x"],
      ["http://a/index.html/", "http://a/index.html/"],
      ["http://a/Index.html", "http://a/"],
      ["http://a/xindex.html", "http://a/xindex.html"],
    ],
  ],
  [
    "directoryIndex, a list",
    { directoryIndex: ["home", "é"] },
    [
      ["http://a/home", "http://a/"],
      ["http://a/é", "http://a/"],
      ["http://a/index.html", "http://a/index.html"],
    ],
  ],
  [
    "trailingSlash add",
    { trailingSlash: "add" },
    [
      ["http://a/b", "http://a/b/"],
      ["http://a/b.c", "http://a/b.c"],
      ["http://a.b/c?d", "http://a.b/c/?d"],
      ["foo://a", "foo://a"],
    ],
  ],
  [
    "trailingSlash remove",
    { trailingSlash: "remove" },
    [
      ["http://a/b//", "http://a/b"],
      ["http://a/", "http://a/"],
      ["http://a//", "http://a/"],
      ["file:///C:/", "file:///C:/"],
    ],
  ],
  [
    "index files revealed",
    { directoryIndex: ["i"], trailingSlash: "remove" },
    [
      ["http://a/x/i/i/", "http://a/x"],
      ["http://a/i/i/i", "http://a/"],
    ],
  ],
  [
    "keepParams",
    { keepParams: ["id", "é"] },
    [
      ["http://a/?x=1&id=2&id=3&y", "http://a/?id=2&id=3"],
      ["http://a/?x", "http://a/"],
      ["http://a/?", "http://a/?"],
      ["http://a/?%C3%A9=1&&ID=2", "http://a/?%C3%A9=1"],
    ],
  ],
  [
    "dropParams",
    { dropParams: ["a", "x_*"] },
    [
      ["http://h/?a=1&b=2&x_y&x_=3&x&aa", "http://h/?b=2&x&aa"],
      ["http://h/?a&a=%20", "http://h/"],
      ["http://h/?a=1&", "http://h/"],
      ["http://h/?%61=1&b=%E9&c=+%2B", "http://h/?b=%E9&c=+%2B"],
    ],
  ],
  [
    "trackingParams",
    { trackingParams: "remove" },
    [
      ["http://a/?utm_source=x&UTM_Medium=y&gclid=1&q=2", "http://a/?q=2"],
      ["http://a/?fbclid=1", "http://a/"],
      ["http://a/?ref=1&source=2&mc=3&sid=4&utm", "http://a/?ref=1&source=2&mc=3&sid=4&utm"],
    ],
  ],
  [
    "defaultParams",
    { defaultParams: { sort: "asc", id: "" } },
    [
      ["http://a/?sort=asc&id=&x", "http://a/?x"],
      ["http://a/?sort=desc&id=1&sort=asc", "http://a/?sort=desc&id=1"],
      ["http://a/?id", "http://a/?id"],
    ],
  ],
  [
    "defaultParams where = is added",
    { defaultParams: { id: "" }, valuelessParams: "add-equals" },
    [["http://a/?id&x", "http://a/?x="]],
  ],
  [
    "emptyParams",
    { emptyParams: "remove" },
    [
      ["http://a/?&a&&b&", "http://a/?a&b"],
      ["http://a/?&", "http://a/"],
      ["http://a/?", "http://a/?"],
      ["http://a/?=", "http://a/?="],
    ],
  ],
  [
    "valuelessParams",
    { valuelessParams: "add-equals" },
    [["http://a/?a&b=&&c=1", "http://a/?a=&b=&&c=1"]],
  ],
  [
    "sortQuery name",
    { sortQuery: "name" },
    [
      ["http://a/?b=1&a=2&b=0&a=1", "http://a/?a=2&a=1&b=1&b=0"],
      ["http://a/?ab&a&a=b", "http://a/?a&a=b&ab"],
      ["http://a/?z&&a", "http://a/?&a&z"],
      ["http://a/?%C3%A9&b", "http://a/?%C3%A9&b"],
    ],
  ],
  [
    "sortQuery name-value",
    { sortQuery: "name-value" },
    [
      ["http://a/?b=1&a=2&b=0&a=1&a", "http://a/?a&a=1&a=2&b=0&b=1"],
      ["http://a/?a=&a", "http://a/?a&a="],
    ],
  ],
  [
    "emptyQuery",
    { emptyQuery: "remove" },
    [
      ["http://a/?", "http://a/"],
      ["http://a/?#f", "http://a/#f"],
      ["foo:a?", "foo:a?"],
    ],
  ],
  [
    "fragment remove",
    { fragment: "remove" },
    [
      ["http://a/#x", "http://a/"],
      ["http://a/#", "http://a/"],
      ["urn:x#y", "urn:x"],
    ],
  ],
  [
    "fragment keep-route",
    { fragment: "keep-route" },
    [
      ["http://a/#!x", "http://a/#!x"],
      ["http://a/#/x", "http://a/#/x"],
      ["http://a/#x", "http://a/"],
      ["http://a/#", "http://a/"],
    ],
  ],
  [
    "hostAliases",
    {
      hostAliases: {
        "208.77.188.166": "www.Example.com",
        "::1": "localhost",
        "a.b": "c.d",
        "c.d": "e.f",
      },
    },
    [
      ["http://208.77.188.166/x", "http://www.example.com/x"],
      ["http://[::1]:81/", "http://localhost:81/"],
      ["https://a.b/", "https://e.f/"],
      ["file://a.b/", "file://a.b/"],
    ],
  ],
  [
    "sites",
    {
      trackingParams: "remove",
      sites: {
        "b.c": { www: "add" },
        "*.x.y": { sortQuery: "name" },
        "z.x.y": { preset: "safe" },
        "*.w.x.y": { fragment: "remove" },
      },
    },
    [
      ["http://b.c/?gclid", "http://www.b.c/"],
      ["http://x.y/?b&a&gclid", "http://x.y/?a&b"],
      ["http://q.x.y/?b&a", "http://q.x.y/?a&b"],
      ["http://z.x.y/?b&a&gclid", "http://z.x.y/?b&a&gclid"],
      ["http://v.w.x.y/?b&a#f", "http://v.w.x.y/?b&a"],
      ["http://xx.y/?b&a#f", "http://xx.y/?b&a#f"],
    ],
  ],
  [
    "crawl",
    { preset: "crawl" },
    [
      ["http://a.b./?b=1&a=2&&utm_id=3#f", "http://a.b/?a=2&b=1"],
      ["http://a.b/#!x", "http://a.b/"],
    ],
  ],
  [
    "aggressive",
    { preset: "aggressive" },
    [["http://u@www.a.b:80//c/index.php?b&a#f", "https://a.b/c?a=&b="]],
  ],
  [
    "a preset and one option on top",
    { preset: "crawl", fragment: "keep-route" },
    [["http://a/#!x", "http://a/#!x"]],
  ],
];

describeEngines("rules", (create) => {
  test.each(TABLE)("%s gives what its table says", (_, options, rows) => {
    const normalizer = create(options);
    for (const [input, expected] of rows) {
      expect(normalizer.normalize(input)).toBe(expected);
      expect(normalizer.normalize(expected)).toBe(expected);
    }
  });

  test("schemes: others are an error where the URL begins", () => {
    const normalizer = create({ allowedSchemes: ["HTTP", "https"] });
    expect(normalizer.normalize("http://a")).toBe("http://a/");
    for (const url of ["ftp://a/", "file:///x", "urn:x"]) {
      expect(() => normalizer.normalize(`  ${url}`)).toThrow(
        expect.objectContaining({ code: "SCHEME_NOT_ALLOWED", offset: 2 }),
      );
    }
  });

  test("no rule changes the base before a reference is resolved", () => {
    const base = "http://www.a.b/x/y/";
    expect(create({ trailingSlash: "remove" }).normalize("z/", base)).toBe("http://www.a.b/x/y/z");
    expect(create({ trailingSlash: "add" }).normalize("z", "http://a/x/y")).toBe("http://a/x/z/");
    expect(create({ directoryIndex: ["y"] }).normalize("?q", "http://a/x/y")).toBe("http://a/x/?q");
    expect(create({ preset: "aggressive" }).normalize("z", base)).toBe("https://a.b/x/y/z");
    expect(create({ preset: "crawl" }).normalize("http://a/", "ftp://b/")).toBe("http://a/");
    expect(create({ preset: "aggressive" }).explain("z", base).url).toBe("https://a.b/x/y/z");
  });

  test("an empty piece sorts before `=`, also where `=` is added to others", () => {
    const normalizer = create({ sortQuery: "name-value", valuelessParams: "add-equals" });
    expect(normalizer.normalize("http://a/?=&&b")).toBe("http://a/?&=&b=");
    expect(normalizer.normalize("http://a/?&=&b")).toBe("http://a/?&=&b=");
  });

  test("a path of one slash after another row is not a `/.//`", () => {
    const normalizer = create({ sessionIds: "remove" });
    const { urls } = normalizer.normalizeBatch(["foo://[v11.a:b]/./C:x\\..\\%2e\\././", "x:/%2e"]);
    expect(urls).toEqual(["foo://[v11.a:b]/C:x%5C..%5C.%5C./", "x:/"]);
  });

  test("a query of 100,000 parameters is sorted like any other", () => {
    const normalizer = create({ sortQuery: "name" });
    const names = Array.from({ length: 100_000 }, (_, index) =>
      ((index * 7919) % 100_003).toString(36),
    );
    const url = `http://a/?${names.join("&")}`;
    expect(normalizer.normalize(url)).toBe(`http://a/?${names.toSorted().join("&")}`);
  });

  test("long lists are looked up, not walked", () => {
    const names = Array.from({ length: atLength(2_000, 50_000) }, (_, index) => `name${index}`);
    const sites = Object.fromEntries(
      names.map((name) => [`*.${name}.org`, { fragment: "remove" as const }]),
    );
    const normalizer = create({ dropParams: names, sites });
    const { urls } = normalizer.normalizeBatch(
      names.map((name) => `http://x.${name}.org/?${name}=1&y#z`),
    );
    expect(urls).toEqual(names.map((name) => `http://x.${name}.org/?y`));
  });
});

test.each([
  ["rules", "rules.tsv"],
  ["rules", "./out/learned.tsv"],
  ["pageAliases", "C:\\\\lists\\\\aliases.tsv"],
])("a file's name where the text of %s belongs is named: %s", (option, name) => {
  expect(() => createNormalizer({ [option]: name })).toThrow(
    expect.objectContaining({
      code: "BAD_RULES",
      message: expect.stringContaining(`: "${name}" is the name of a file; give its text`),
    }),
  );
});
