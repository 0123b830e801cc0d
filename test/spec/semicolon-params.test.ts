import { expect, test } from "vitest";
import type { NormalizerOptions } from "../../src/index.ts";
import { describeEngines } from "../shared/engines.ts";
import { atLength } from "../shared/length.ts";
import { Random } from "../shared/random.ts";

describeEngines("a `;` after a parameter that is dropped", (create) => {
  const queryOf = (query: string, options: NormalizerOptions) =>
    create(options).normalize(`http://a/list?${query}`).slice("http://a/list".length);

  test("begins another one, so crawl keeps pages apart", () => {
    for (const mark of ["jsessionid", "PHPSESSID", "utm_source", "fbclid", "ASPSESSIONIDX"]) {
      const options = { preset: "crawl" } as const;
      expect(queryOf(`${mark}=A;page=1`, options)).toBe("?page=1");
      expect(queryOf(`${mark}=A;page=2`, options)).toBe("?page=2");
      expect(queryOf(`z=1&${mark}=A;page=2&b`, options)).toBe("?b&page=2&z=1");
      expect(queryOf(`${mark}=A;x;y`, options)).toBe("");
      expect(queryOf(`${mark}=A;=1;;page=2;x=3`, options)).toBe("?page=2;x=3");
    }
  });

  test("begins one that is judged like others, until one stays", () => {
    const options = { preset: "crawl" } as const;
    expect(queryOf("utm_source=a;utm_medium=b;page=2", options)).toBe("?page=2");
    expect(queryOf("utm_source=a;jsessionid=b;gclid=c", options)).toBe("");
    expect(queryOf("page=2;utm_source=a", options)).toBe("?page=2;utm_source=a");
    expect(queryOf("utm_source;page=2", options)).toBe("?page=2");
  });

  test("is seen by keepParams, dropParams and repeatedParams", () => {
    expect(queryOf("x=1;page=2&x=3", { keepParams: ["page"] })).toBe("?page=2");
    expect(queryOf("x=1;page=2&y_id=3;z=4", { dropParams: ["x", "*_id"] })).toBe("?page=2&z=4");
    const pages = "a=1&b=2&a=3;page=4&a=5;b=6;c=7";
    expect(queryOf(pages, { repeatedParams: "first" })).toBe("?a=1&b=2&page=4&c=7");
    expect(queryOf(pages, { repeatedParams: "last" })).toBe("?b=2&page=4&a=5;b=6;c=7");
    const folded = { repeatedParams: "first", paramCase: "ignore" } as const;
    expect(queryOf("a=1&A=2;B=3&b=4", folded)).toBe("?a=1&B=3");
  });

  test("is part of a name that dropParams has, and of a value that defaultParams has", () => {
    expect(queryOf("amp;b=1;c=2", { dropParams: ["amp;b"] })).toBe("?c=2");
    expect(queryOf("amp;b=1", { dropParams: ["amp;*"] })).toBe("");
    expect(queryOf("a;b=1", { dropParams: ["a*"] })).toBe("?b=1");
    expect(queryOf("a;b=1", { dropParams: ["a;b", "a*"] })).toBe("?b=1");
    expect(queryOf("a=1;b=2", { defaultParams: { a: "1;b=2" } })).toBe("");
    expect(queryOf("a=1;b=2", { defaultParams: { a: "1" } })).toBe("?a=1;b=2");
  });

  test("can end one of CFID and CFTOKEN, before or after others go", () => {
    const options = { sessionIds: "remove", trackingParams: "remove" } as const;
    expect(queryOf("CFID=1;page=2&CFTOKEN=3", options)).toBe("?page=2");
    expect(queryOf("utm_a=1;CFID=2&b&CFTOKEN=3;page=4", options)).toBe("?b&page=4");
    expect(queryOf("utm_a=1;CFID=2&b", options)).toBe("?CFID=2&b");
    expect(queryOf("x=1;CFID=2&CFTOKEN=3", options)).toBe("?x=1;CFID=2&CFTOKEN=3");
  });

  test("keeps a fragment that names more than a campaign", () => {
    const n = create({ trackingParams: "remove" });
    expect(n.normalize("http://a/#utm_source=a;page=2")).toBe("http://a/#utm_source=a;page=2");
    expect(n.normalize("http://a/#utm_source=a;xtor=2;b")).toBe("http://a/");
  });

  test("is found by long ways in time that grows with their length", () => {
    const options = { preset: "crawl", repeatedParams: "first" } as const;
    const long = 40_000;
    expect(queryOf(`${"utm_a=1;jsessionid=2;".repeat(long)}page=3`, options)).toBe("?page=3");
    expect(queryOf(`utm_a=1${";".repeat(long)}page=3`, options)).toBe("?page=3");
    expect(queryOf(`utm_a=1${";x".repeat(long)}`, options)).toBe("");
    expect(queryOf(`a=1&b=1&a=1${";b=1;a=1".repeat(long)};c=1`, options)).toBe("?a=1&b=1&c=1");
  });
});

describeEngines("parameters after `;`", (create) => {
  test("are what a slow model of the specification says", () => {
    const random = new Random(58);
    for (let set = 0; set < atLength(10, 300); set++) {
      const options = randomOptions(random);
      const n = create(options);
      for (let at = 0; at < 60; at++) {
        const query = Array.from({ length: 1 + random.below(5) }, () =>
          Array.from({ length: 1 + random.below(4) }, () => random.pick(PARAMS)).join(";"),
        ).join("&");
        const expected = model(query, options);
        const url = n.normalize(`http://a/?${query}`);
        expect([query, options, url]).toEqual([query, options, `http://a/${expected}`]);
        expect(n.normalize(url)).toBe(url);
      }
    }
  });
});

const PARAMS = [
  ..."a=1 b=2 c a b= A=3 =4 utm_a=5 utm_b a==6 PHPSESSID=7 CFID=8 cftoken=9 jsessionid=0".split(
    " ",
  ),
  "",
];
const NAMES = ["a", "b", "c", "A", "utm_b;a", "a;b", "a;"];

interface ModelOptions extends NormalizerOptions {
  keepParams?: string[];
  dropParams?: string[];
}

function randomOptions(random: Random): ModelOptions {
  const some = (names: readonly string[]) => names.filter(() => random.chance(3));
  const patterns = () => [...some(NAMES), ...some(NAMES.map((name) => `${name}*`))];
  return {
    sessionIds: random.pick(["keep", "remove"]),
    trackingParams: random.pick(["keep", "remove"]),
    emptyParams: random.pick(["keep", "remove"]),
    emptyValues: random.pick(["keep", "remove"]),
    repeatedParams: random.pick(["keep", "first", "last", "equal"]),
    ...(random.chance(4) ? { keepParams: patterns() } : {}),
    ...(random.chance(2) ? { dropParams: patterns() } : {}),
  };
}

/** Applies docs/spec.md 4 to a query, a parameter at a time. */
function model(query: string, options: ModelOptions): string {
  const nameOf = (param: string) => param.split("=")[0] as string;
  const rest = (param: string, from: number) =>
    /;([^;=]+=.*)$/s.exec(param.slice(Math.max(0, from)).replace(/^.*?(?=;[^;=]+=)/s, ""))?.[1] ??
    null;
  const dropEnd = (param: string, isPaired: boolean): number => {
    const name = nameOf(param);
    if (options.sessionIds === "remove") {
      if (/^(?:phpsessid|jsessionid)$/i.test(name)) return 0;
      if (isPaired && /^(?:cfid|cftoken)$/i.test(name)) return 0;
    }
    const textEnd = (names: readonly string[]) => {
      const prefixes = names.flatMap((each) => (each.endsWith("*") ? [each.slice(0, -1)] : []));
      const fitting = prefixes.filter((each) => name.startsWith(each)).map((each) => each.length);
      if (fitting.length > 0) return Math.min(...fitting);
      return names.includes(name) ? name.length : -1;
    };
    if (options.keepParams !== undefined && textEnd(options.keepParams) < 0) return 0;
    const dropped = textEnd(options.dropParams ?? []);
    if (dropped >= 0) return dropped;
    if (options.trackingParams === "remove" && name.startsWith("utm_")) return 0;
    if (options.emptyParams === "remove" && param === "") return 0;
    const isEmptyValue = param.endsWith("=") && param.indexOf("=") === param.length - 1;
    return options.emptyValues === "remove" && isEmptyValue ? param.length : -1;
  };
  const pieces = query
    .split("&")
    .map((piece) =>
      options.sessionIds === "remove"
        ? piece.replace(/^([^=]*=.*?)(?:;jsessionid=[^;/?]*)+$/is, "$1")
        : piece,
    );
  const leave = (isPaired: boolean): string[] => {
    const isLast = options.repeatedParams === "last";
    const left: string[] = [];
    for (const piece of isLast ? pieces.toReversed() : pieces) {
      let param: string | null = piece;
      while (param !== null) {
        let end = dropEnd(param, isPaired);
        const name = nameOf(param);
        const isPair = options.repeatedParams === "equal";
        const own = param;
        const isSeen = left.some(
          (each) => each !== "" && (isPair ? each === own : nameOf(each) === name),
        );
        if (end < 0 && options.repeatedParams !== "keep" && param !== "" && isSeen)
          end = isPair ? param.length : name.length;
        if (end < 0) break;
        param = rest(param, end);
      }
      if (param !== null) left.push(param);
    }
    return isLast ? left.toReversed() : left;
  };
  const hasBoth = (params: readonly string[]) =>
    ["cfid", "cftoken"].every((name) => params.some((each) => nameOf(each).toLowerCase() === name));
  const drops = options.sessionIds === "remove";
  let left = leave(drops && hasBoth(pieces));
  if (drops && hasBoth(left)) left = leave(true);
  const text = left.join("&");
  return query === "" || text !== "" ? `?${text}` : "";
}
