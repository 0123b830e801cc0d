import { expect, test } from "vitest";
import { describeEngines } from "../shared/engines.ts";

describeEngines("parameters by name", (create) => {
  test("dropParams takes a name by its beginning or its end", () => {
    const n = create({ dropParams: ["utm_*", "*_id", "x"] });
    expect(n.normalize("http://a/?utm_a=1&session_id=2&x=3&_id&y_idx&id")).toBe(
      "http://a/?y_idx&id",
    );
  });

  test("keepParams takes the same patterns", () => {
    const n = create({ keepParams: ["p*", "*_key", "q"] });
    expect(n.normalize("http://a/?page=1&z=2&a_key=3&q=4&keys=5")).toBe(
      "http://a/?page=1&a_key=3&q=4",
    );
  });

  test("a suffix is found in names of any length", () => {
    const n = create({ dropParams: ["*b", "*-a-suffix-of-more-than-thirty-two-bytes"] });
    expect(n.normalize("http://a/?ab&b&bc&x-a-suffix-of-more-than-thirty-two-bytes=1")).toBe(
      "http://a/?bc",
    );
  });

  test("a suffix of one site does not work on others", () => {
    const n = create({ sites: { "a.b": { dropParams: ["*_id"] } } });
    expect(n.normalize("http://a.b/?x_id=1&y")).toBe("http://a.b/?y");
    expect(n.normalize("http://c.d/?x_id=1&y")).toBe("http://c.d/?x_id=1&y");
  });

  test("names are compared with their ASCII case unless paramCase is ignore", () => {
    const options = {
      dropParams: ["Drop", "P*", "*_ID"],
      defaultParams: { Sort: "asc" },
      repeatedParams: "first",
    } as const;
    const url = "http://a/?drop=1&pX=2&x_Id=3&sort=asc&Z=4&z=5";
    expect(create(options).normalize(url)).toBe(url);
    expect(create({ ...options, paramCase: "ignore" }).normalize(url)).toBe("http://a/?Z=4");
  });

  test("keepParams compares without case where paramCase is ignore", () => {
    const n = create({ keepParams: ["ID"], paramCase: "ignore" });
    expect(n.normalize("http://a/?id=1&Id=2&x")).toBe("http://a/?id=1&Id=2");
  });

  test("keepParams keeps named parameters only, so empty pieces go", () => {
    expect(create({ keepParams: ["a"] }).normalize("http://a/?&a=1&&b&")).toBe("http://a/?a=1");
  });

  test("a rule that removes the last named parameter removes the ?", () => {
    const n = create({ trackingParams: "remove" });
    expect(n.normalize("http://a/?utm_source=x")).toBe("http://a/");
    expect(n.normalize("http://a/?utm_source=x&#f")).toBe("http://a/#f");
    expect(n.normalize("http://a/?")).toBe("http://a/?");
  });

  test("name-value sorts by name, then value, and the piece's bytes break ties", () => {
    const n = create({ sortQuery: "name-value" });
    expect(n.normalize("http://a/?b=&a=2&b&a=10")).toBe("http://a/?a=10&a=2&b&b=");
  });
});

/** Texts of each length up to 50, and each with another byte at one place. */
const CHANGED = Array.from({ length: 50 }, (_, more) =>
  Array.from({ length: more + 1 }, (_, at) => {
    const text = "b".repeat(more + 1);
    return [`${text.slice(0, at)}a${text.slice(at + 1)}`, text] as const;
  }),
).flat();

describeEngines("sorting", (create) => {
  test("compares names and values to their ends, at each byte", () => {
    const n = create({ sortQuery: "name-value" });
    for (const part of [(text: string) => text, (text: string) => `v=${text}`]) {
      const sorted = CHANGED.map(([less, more]) => `http://a/?${part(less)}&${part(more)}`);
      const unsorted = CHANGED.map(([less, more]) => `http://a/?${part(more)}&${part(less)}`);
      expect(n.normalizeBatch(unsorted).urls).toEqual(sorted);
      expect(n.normalizeBatch(sorted).urls).toEqual(sorted);
    }
  });

  test("tells names apart by each byte, with and without ASCII case", () => {
    for (const paramCase of ["keep", "ignore"] as const) {
      const n = create({ repeatedParams: "first", paramCase });
      const urls = CHANGED.map(([less, more]) => `http://a/?${less}&${more}&${less}=2`);
      const kept = CHANGED.map(([less, more]) => `http://a/?${less}&${more}`);
      expect(n.normalizeBatch(urls).urls).toEqual(kept);
    }
  });

  test.each([1, 2, 3, 7, 8, 9, 16, 63, 64, 65, 66, 67, 128, 129])(
    "puts %i parameters in order, wherever the last one was",
    (count) => {
      const n = create({ sortQuery: "name" });
      const names = Array.from({ length: count }, (_, at) => String.fromCharCode(0x4e00 + at));
      const pieces = names.map((name) => encodeURIComponent(name));
      const sorted = `http://a/?${pieces.join("&")}`;
      const moved = pieces.flatMap((piece, at) => {
        const others = pieces.toSpliced(at, 1);
        return [
          [piece, ...others],
          [...others, piece],
        ].map((all) => `http://a/?${all.join("&")}`);
      });
      expect(new Set(n.normalizeBatch(moved).urls)).toEqual(new Set([sorted]));
    },
  );
});

describeEngines("emptyValues", (create) => {
  test("removes a parameter whose value is empty", () => {
    const n = create({ emptyValues: "remove" });
    expect(n.normalize("http://a/?x=&y=1&z&=&&w==")).toBe("http://a/?y=1&z&&w==");
    expect(n.normalize("http://a/?x=")).toBe("http://a/");
  });

  test("removes a parameter that would get an empty value", () => {
    const n = create({ emptyValues: "remove", valuelessParams: "add-equals" });
    expect(n.normalize("http://a/?x&y=1")).toBe("http://a/?y=1");
  });

  test("leaves them alone by default", () => {
    expect(create().normalize("http://a/?x=")).toBe("http://a/?x=");
  });
});

describeEngines("repeatedParams", (create) => {
  const url = "http://a/?b=1&a=1&b=2&&a&c&&b=1";

  test("keeps the first parameter of each name, in their order", () => {
    expect(create({ repeatedParams: "first" }).normalize(url)).toBe("http://a/?b=1&a=1&&c&");
  });

  test("keeps the last parameter of each name, in their order", () => {
    expect(create({ repeatedParams: "last" }).normalize(url)).toBe("http://a/?&a&c&&b=1");
  });

  test("keeps the first parameter of each name and value, in their order", () => {
    const n = create({ repeatedParams: "equal" });
    expect(n.normalize(url)).toBe("http://a/?b=1&a=1&b=2&&a&c&");
    expect(n.normalize("http://a/?=&&=&a=b=c&a=b&a=b=c")).toBe("http://a/?=&&a=b=c&a=b");
    const folded = create({ repeatedParams: "equal", paramCase: "ignore", sortQuery: "name" });
    expect(folded.normalize("http://a/?b=1&LongName=x&longname=X&LONGNAME=x&B=1")).toBe(
      "http://a/?LongName=x&b=1&longname=X",
    );
  });

  test("takes a for a= where = is added, so that a second run changes nothing", () => {
    const n = create({ repeatedParams: "equal", valuelessParams: "add-equals" });
    expect(n.normalize("http://a/?a&a=&b=&b&a=1")).toBe("http://a/?a=&b=&a=1");
    expect(create({ repeatedParams: "equal" }).normalize("http://a/?a&a=")).toBe("http://a/?a&a=");
  });

  test("chooses before parameters are sorted", () => {
    const n = create({ repeatedParams: "last", sortQuery: "name-value" });
    expect(n.normalize("http://a/?b=2&a=9&b=1&a=3")).toBe("http://a/?a=3&b=1");
  });

  test("chooses among parameters that other rules leave", () => {
    const n = create({ repeatedParams: "first", emptyValues: "remove" });
    expect(n.normalize("http://a/?a=&a=1&a=2")).toBe("http://a/?a=1");
  });

  test.each([2, 7, 33, 5_000])("finds repeated names among %i parameters", (count) => {
    const names = Array.from({ length: count }, (_, at) => `name${(at * 7) % 13}`);
    const pieces = names.map((name, at) => `${name}=${at}`);
    const first = pieces.filter((_, at) => names.indexOf(names[at] as string) === at);
    const last = pieces.filter((_, at) => names.lastIndexOf(names[at] as string) === at);
    const all = `http://a/?${pieces.join("&")}`;
    expect(create({ repeatedParams: "first" }).normalize(all)).toBe(`http://a/?${first.join("&")}`);
    expect(create({ repeatedParams: "last" }).normalize(all)).toBe(`http://a/?${last.join("&")}`);
    const twice = `${all}&${pieces.toReversed().join("&")}`;
    expect(create({ repeatedParams: "equal" }).normalize(twice)).toBe(all);
  });
});
