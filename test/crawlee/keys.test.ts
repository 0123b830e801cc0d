import { normalizeUrl } from "@apify/utilities";
import { describe, expect, test } from "vitest";
import { createUniqueKey, uniqueKey } from "../../src/crawlee/index.ts";
import { createNormalizer } from "../../src/index.ts";
import { linesOf, readCorpus } from "../shared/fixtures.ts";
import { atLength } from "../shared/length.ts";
import { Random } from "../shared/random.ts";

// Crawlee warns of requests that it merges, unless this is set before it is loaded.
process.env["APIFY_LOG_LEVEL"] = "ERROR";
const { Request } = await import("@crawlee/cheerio");

const keyOf = createUniqueKey({ preset: "crawlee" });

describe("a key of preset crawlee is Crawlee's", () => {
  test.each([
    ["the home page", "http://a.org/"],
    ["the home page with a query", "http://a.org/?b"],
    ["a path", "https://a.org/b"],
    ["a final slash", "https://a.org/b/"],
    ["case and default port", "HTTP://WWW.A.org:80/B"],
    ["another port", "http://a.org:8080/"],
    ["a dot at the end of the host", "http://a.org./b"],
    ["an international host", "http://faß.de/ü"],
    ["an IP address", "http://[2001:DB8:0::1]/b"],
    ["utm_ parameters", "http://a.org/?utm_source=b&c=1&utm_x=2&%75tm_y"],
    ["utm_ in upper case, which stays", "http://a.org/?UTM_Source=b"],
    ["nothing but utm_ parameters", "http://a.org/b?utm_source=c"],
    ["other trackers, which stay", "http://a.org/?gclid=1&fbclid=2"],
    ["session ids, which stay", "http://a.org/b;jsessionid=1?PHPSESSID=2"],
    ["the order of parameters", "http://a.org/?c=1&b=2&a=3"],
    ["parameters of one name, which keep their order", "http://a.org/?b&a=2&a=1"],
    ["names in triplets, sorted as decoded", "http://a.org/?a%5B%5D=1&a1=2&é=3&z=4"],
    ["names beyond the first plane, sorted by UTF-16", "http://a.org/?\u{ff5e}=1&\u{1f600}=2"],
    ["parameters without a value", "http://a.org/?a&b=&=c&="],
    ["empty parameters", "http://a.org/?&a&&b&"],
    ["an empty query", "http://a.org/b?"],
    ["a query that begins with ?", "http://a.org/??a=1"],
    ["space as + and as %20", "http://a.org/?q=a+b%20c"],
    ["encoded delimiters", "http://a.org/?q=a%26b%3Dc%2Bd%23e"],
    ["delimiters that need no triplet", "http://a.org/?q=(a/b:c@d,e;f!g'h~i*j)"],
    ["an encoded U+FFFD", "http://a.org/?q=%EF%BF%BD"],
    ["a byte order mark in a value", "http://a.org/?q=%EF%BB%BFa"],
    ["stray percent signs", "http://a.org/?q=100%&r=%zz"],
    ["a fragment", "http://a.org/b#c"],
    ["a route in the fragment", "http://a.org/#!/b"],
    ["a file", "file:///b/"],
  ])("for %s: %s", (_, url) => {
    expect(keyOf(url)).toBe(normalizeUrl(url));
    expect(keyOf(url)).toBe(new Request({ url }).uniqueKey);
  });

  test.each([
    "http://a.org/#b",
    "http://a.org/#",
    "http://a.org/b/?c#!/d",
    "http://a.org/#:~:text=b",
  ])("with keepUrlFragment: %s", (url) => {
    const request = { keepUrlFragment: true };
    expect(keyOf(url, request)).toBe(new Request({ url, ...request }).uniqueKey);
  });

  test.each([
    { method: "POST", payload: "a=1" },
    { method: "post", payload: '{"é":"\\n"}' },
    { method: "PUT", payload: "" },
    { method: "DELETE" },
    { method: "GET" },
    {},
  ] as const)("with useExtendedUniqueKey: %j", (request) => {
    const url = "http://a.org/b/?d&c";
    const extended = { ...request, useExtendedUniqueKey: true };
    expect(keyOf(url, extended)).toBe(new Request({ url, ...extended }).uniqueKey);
  });
});

test("keys of preset crawlee are Crawlee's for any query in UTF-8", () => {
  const texts = [
    "a b utm_ UTM_ %75tm_ = & + %20 %2B %26 %3D % %zz é %C3%A9 %EF%BF%BD ~ %7E ' %27 * ( / ? ; : @ [",
    '{ | \\ ^ " < \u{ff5e} \u{1f600} %F0%9F%98%80 \u0001 %00',
  ];
  const pieces = [" ", ...texts.join(" ").split(" ")];
  const random = new Random(41);
  for (let round = 0; round < atLength(400, 30_000, 100_000); round++) {
    const query = Array.from({ length: random.below(14) }, () => random.pick(pieces)).join("");
    const url = `http://a.org/b?${query}!`;
    // A lone % and two letters make a byte that is not UTF-8.
    const isInUtf8 = !/%[ab][ab]/.test(url);
    // What follows a tracker after a `;` is a parameter of its own here.
    const isParted = /[?&](?:u|%75)tm_[^&]*;[^&;=]+=/.test(url);
    if (isInUtf8 && !isParted) expect([url, keyOf(url)]).toEqual([url, normalizeUrl(url)]);
  }
});

describe("a key of preset crawlee keeps apart what Crawlee merges", () => {
  test.each([
    ["user names", "http://u:p@a.org/", "http://v:p@a.org/"],
    ["pages after a tracker", "http://a.org/?utm_id=x;page=1", "http://a.org/?utm_id=x;page=2"],
    ["pages with and without a user name", "http://u@a.org/", "http://a.org/"],
    ["bytes that are not UTF-8", "http://a.org/?q=caf%E9", "http://a.org/?q=caf%E8"],
    ["a text in another charset", "http://a.org/?q=%CF%F0%E8", "http://a.org/?q=%EC%E8%F0"],
    ["such bytes and U+FFFD", "http://a.org/?q=%E9", "http://a.org/?q=%EF%BF%BD"],
    ["such bytes in a name", "http://a.org/?%E9=1", "http://a.org/?%E8=1"],
    ["data: with and without a final slash", "data:,a", "data:,a/"],
  ])("%s: %s and %s", (_, first, second) => {
    expect(normalizeUrl(first)).toBe(normalizeUrl(second));
    expect(keyOf(first)).not.toBe(keyOf(second));
  });

  test("forms that are sent to one URL", () => {
    const url = "http://a.org/search";
    const forms = ["q=1", "q=2"].map((payload) => ({ method: "POST", payload }) as const);
    expect(new Set(forms.map((form) => new Request({ url, ...form }).uniqueKey)).size).toBe(1);
    expect(new Set(forms.map((form) => keyOf(url, form))).size).toBe(2);
    const merged = forms.map((form) => keyOf(url, { ...form, useExtendedUniqueKey: false }));
    expect(merged).toEqual([url, url]);
  });
});

describe("a key of preset crawlee is another than Crawlee's", () => {
  test.each([
    ["an unreserved triplet in the path", "http://a.org/%7Eb", "http://a.org/~b"],
    ["a triplet in lower case", "http://a.org/%e9", "http://a.org/%E9"],
    ["a character that RFC 3986 does not allow", "http://a.org/[b]", "http://a.org/%5Bb%5D"],
    ["several final slashes", "http://a.org/b//", "http://a.org/b"],
    ["a scheme without //", "mailto:b@a.org", "mailto:b@a.org"],
  ])("for %s: %s", (_, url, key) => {
    expect(keyOf(url)).toBe(key);
    expect(keyOf(url)).not.toBe(new Request({ url }).uniqueKey);
  });

  test("for what is not a URL, which is an error", () => {
    expect(new Request({ url: "http://1.2.3.256/" }).uniqueKey).toBe("http://1.2.3.256/");
    expect(() => keyOf("http://1.2.3.256/")).toThrow(expect.objectContaining({ code: "BAD_IPV4" }));
  });
});

test("of real URLs all keys of preset crawlee are Crawlee's, but for the differences that its doc comment lists", () => {
  const urls = linesOf(readCorpus()).slice(0, atLength(1_000, 50_000));
  const normalizer = createNormalizer();
  const differing = urls.filter((url) => {
    const isUrl = normalizer.tryNormalize(url).url !== null;
    return isUrl && keyOf(url) !== normalizeUrl(url);
  });
  const isListed = (url: string): boolean => {
    const { protocol, pathname, search, username } = new URL(url);
    const isPathOther =
      createNormalizer().normalize(`http://a${pathname}`) !== `http://a${pathname}`;
    return (
      username !== "" ||
      !protocol.startsWith("http") ||
      isPathOther ||
      pathname.endsWith("//") ||
      normalizeUrl(`http://a/${search}`)?.includes("%EF%BF%BD") === true
    );
  };
  expect(differing.filter((url) => !isListed(url))).toEqual([]);
  expect(differing.length).toBeLessThan(urls.length / 500);
});

describe("a key of another preset", () => {
  test("is the normalized URL", () => {
    const url = "http://a.org/index.html;jsessionid=1?c&b&gclid=2#d";
    expect(uniqueKey(url)).toBe(createNormalizer({ preset: "crawl" }).normalize(url));
    expect(createUniqueKey({ preset: "safe" })(url)).toBe(createNormalizer().normalize(url));
    const options = { preset: "crawl", directoryIndex: true } as const;
    expect(createUniqueKey(options)(url)).toBe("http://a.org/?b&c");
    expect(createUniqueKey({ directoryIndex: true })(url)).toBe("http://a.org/?b&c");
  });

  test("has method and payload where they are given", () => {
    expect(uniqueKey("http://A/#b", { method: "post", payload: "c" })).toBe(
      `POST(${Request.hashPayload("c")}):http://a/`,
    );
    expect(uniqueKey("http://A/", { method: "HEAD" })).toBe("HEAD():http://a/");
    expect(uniqueKey("http://A/", { payload: new TextEncoder().encode("c") })).toBe(
      `GET(${Request.hashPayload("c")}):http://a/`,
    );
  });

  test("keeps the fragment where the request asks for it and the options do not say", () => {
    const request = { keepUrlFragment: true };
    expect(uniqueKey("http://a/#b", request)).toBe("http://a/#b");
    const routes = createUniqueKey({ fragment: "keep-route" });
    expect(routes("http://a/#b", request)).toBe("http://a/");
  });

  test("of what is not a URL is an error", () => {
    expect(() => uniqueKey("mailto:a@b")).toThrow(
      expect.objectContaining({ code: "SCHEME_NOT_ALLOWED" }),
    );
  });
});
