import { expect, test } from "vitest";
import { createNormalizer, statusName } from "../../src/index.ts";
import { fromSetup, prepare } from "../../src/normalizers.ts";
import { planOfForm } from "../../src/plan/form.ts";
import { toByteString } from "../../src/url/bytes.ts";
import { describeEngines } from "../shared/engines.ts";
import { linesOf, readCorpus, readJsonFixture } from "../shared/fixtures.ts";
import { atLength } from "../shared/length.ts";
import { Random } from "../shared/random.ts";

type Case = readonly [url: string, key: string | { readonly error: string }];

const CASES = readJsonFixture<readonly Case[]>("urlkeys.json");

/** Makes a normalizer whose results are keys. */
function keysBy(engine: "wasm" | "js", options = {}, form: "urlkey" | "urlkey-www" = "urlkey") {
  const { setup } = prepare({ ...options, engine });
  return fromSetup({ ...setup, plan: planOfForm(setup.plan, form) });
}

/** Returns keys of byte strings, or names of errors as objects. */
function keysOf(normalizer: ReturnType<typeof keysBy>, urls: readonly string[]): Case[1][] {
  const bytes = urls.map((url) => Buffer.from(url, "latin1"));
  const offsets = new Int32Array(urls.length + 1);
  for (const [row, { length }] of bytes.entries())
    offsets[row + 1] = (offsets[row] as number) + length;
  const column = normalizer.normalizeColumn({ data: Buffer.concat(bytes), offsets });
  return urls.map((_, row) => {
    const code = statusName(column.status[row] as number);
    if (code !== "CHANGED" && code !== "UNCHANGED") return { error: code };
    return toByteString(
      column.data.subarray(column.offsets[row] as number, column.offsets[row + 1] as number),
    );
  });
}

const PIECES =
  "%|%25|%2f|%2e|..|.|/|//|/../|?|#|&|=|%26|%3F|@|:|:80|:8080|:x|www.|www12.|http://|https://|HTTP:|http:|dns:|\xc3\xa9|\xff|\xe2\x82|%C3%A9|%c3|\xe3\x80\x82|\xef\xbc\x8e|\xef\xbd\xa1|\xef\xbd\xa2|\xc3\x9f|\xcf\x82|\xe2\x80\x8d| |\n|\t|\0|\x7f|[::1]|1.2.3.4|017.1|4294967297|1.2|sid=|jsessionid=0123456789abcdef0123456789ABCDEF|phpsessid=0123456789abcdef0123456789ABCDEF&|cfid=1&cftoken=2|/(0123456789abcdefghijklmn)/x.aspx|/(s(0123456789abcdefghijklmn)f(0123456789abcdefghijklmn))/x.aspx|xn--|a|B|;".split(
    "|",
  );

/** Returns a real URL with some pieces put in, or pieces alone. */
function made(random: Random, urls: readonly string[]): string {
  const piece = () => random.pick(PIECES);
  if (random.chance(3)) return Array.from({ length: 1 + random.below(8) }, piece).join("");
  let url = random.pick(urls);
  for (let more = 1 + random.below(4); more > 0; more--) {
    const at = random.below(url.length + 1);
    url = url.slice(0, at) + piece() + url.slice(at);
  }
  return url;
}

describeEngines("urlkey", (create) => {
  const { engine } = create();

  test("keys are those of the Internet Archive's canonicalizer, and its exceptions are errors", () => {
    const keys = keysOf(
      keysBy(engine),
      CASES.map(([url]) => url),
    );
    expect(CASES.map(([url], row) => [url, keys[row]])).toEqual(CASES);
  });

  test.each([
    [
      "an address with a line end after it, which Python's inet_aton takes",
      "http://1.2.3.4%0a/",
      "4%0a,3,2,1)/",
    ],
    ["a label that Unicode of 2003 did not know", "http://\ua7b5.com/", "com,xn--968a)/"],
  ])("%s is kept as a host", (_, url, key) => {
    expect(create().urlkey(url)).not.toBe("");
    expect(keysOf(keysBy(engine), [Buffer.from(url).toString("latin1")])).toEqual([key]);
  });

  test("the three wide dots of IDNA end labels, and what is beside them does not", () => {
    const keyOf = (dot: string) => {
      const url = Buffer.from(`http://a%ff${dot}b/`).toString("latin1");
      return keysOf(keysBy(engine), [url])[0];
    };
    const key = keyOf("。");
    expect(key).toMatch(/^b,a.*\)\/$/);
    expect(["．", "｡"].map(keyOf)).toEqual([key, key]);
    for (const other of ["、", "－", "｢"]) expect(keyOf(other)).not.toMatch(/^b,/);
  });

  test("sessions of ASP.NET go where each has a letter, parentheses and 24 characters", () => {
    const id = "(0123456789abcdefghijklmn)";
    const segments = [`(s${id})`, `(s${id}f${id})`];
    const others = [
      ...[`(1${id})`, `(s${id}1${id})`, `(s${id}f${id}`, `xs${id})`, `(s${id}x`, `(s${id}f)`],
      ...[`(s${id.slice(1)})`, `(s(${id.slice(2)})`, `s${id}`, `(-${id})`],
    ];
    const written = (some: readonly string[]) =>
      keysOf(
        keysBy(engine),
        some.map((segment) => `http://a/b/${segment}/x.aspx`),
      );
    expect(written(segments)).toEqual(segments.map(() => "a)/b/x.aspx"));
    expect(written(others)).toEqual(others.map((segment) => `a)/b/${segment}/x.aspx`));
  });

  test("options, rules and a base come first", () => {
    const crawl = create({ preset: "crawl" });
    expect(crawl.urlkey("http://a.b/?utm_source=x&b")).toBe("b,a)/?b");
    expect(create().urlkey("http://a.b/?utm_source=x&b")).toBe("b,a)/?b&utm_source=x");
    expect(create().urlkey("../C", "http://a.b/d/e/")).toBe("b,a)/d/c");
    expect(keysOf(keysBy(engine, { preset: "crawl" }), ["http://a.b/?utm_source=x&b"])).toEqual([
      "b,a)/?b",
    ]);
  });

  test("`www.` stays if it is asked to", () => {
    expect(create().urlkey("http://www3288.com/")).toBe("com)/");
    expect(create().urlkey("http://www3288.com/", undefined, "urlkey-www")).toBe("com,www3288)/");
    expect(keysOf(keysBy(engine, {}, "urlkey-www"), ["http://www.a/"])).toEqual(["a,www)/"]);
  });

  test("wrong URLs and options have codes", () => {
    const normalizer = create({ maxLength: 20 });
    const codes: readonly (readonly [string, () => string])[] = [
      ["EMPTY", () => normalizer.urlkey(" ")],
      ["BAD_PORT", () => normalizer.urlkey("http://a:b/")],
      ["TOO_LONG", () => normalizer.urlkey(`http://a/${"b".repeat(12)}`)],
      // The key is longer than the URL.
      ["TOO_LONG", () => normalizer.urlkey(`http://a/${"\x7f".repeat(8)}`)],
      ["NOT_A_STRING", () => normalizer.urlkey(1 as never)],
      ["BAD_OPTION", () => normalizer.urlkey("http://a/", undefined, "surt" as never)],
      ["BAD_BASE", () => normalizer.urlkey("a", "b")],
    ];
    for (const [code, call] of codes) expect(call).toThrow(expect.objectContaining({ code }));
  });

  test("long hostile rows take time in proportion to their length", () => {
    const long = atLength(200_000, 2_000_000);
    const rows = [
      `http://a/%${"25".repeat(long / 2)}41`,
      `http://a/?${"cfid=".repeat(long / 5)}`,
      `http://a/?${"sid=&".repeat(long / 5)}`,
      `http://a/${"(0123456789abcdefghijklmn)/".repeat(long / 27)}`,
      `http://${"http://".repeat(long / 7)}a`,
      `http://a${"/..".repeat(long / 3)}`,
      `http://${"\xef\xb7\xba.".repeat(long / 4)}/`,
    ];
    const keys = keysOf(keysBy(engine, { maxLength: 3 * long }), rows);
    expect(keys.every((key) => typeof key === "string")).toBe(true);
    expect(keys[0]).toBe("a)/a");
  });
});

test("both engines have equal keys of real and of made-up URLs", () => {
  const random = new Random(40);
  const real = linesOf(readCorpus()).slice(0, atLength(1_500, 50_000));
  const urls = [
    ...real,
    ...Array.from({ length: atLength(5_000, 400_000) }, () => made(random, real)),
  ];
  expect(keysOf(keysBy("wasm"), urls)).toEqual(keysOf(keysBy("js"), urls));
});

test("a batch has the keys of single URLs, and a fingerprint is of the key", () => {
  const keys = keysBy("wasm");
  const normalizer = createNormalizer();
  const urls = ["http://www.a.b/C?d&c", "https://a.b:443/c/?c&d#e"];
  expect(keys.normalizeBatch(urls).urls).toEqual(urls.map((url) => normalizer.urlkey(url)));
  const { fingerprints } = keys.fingerprintBatch(urls);
  expect(fingerprints.subarray(0, 16)).toEqual(fingerprints.subarray(16));
  expect(keys.profileId).not.toBe(normalizer.profileId);
});
