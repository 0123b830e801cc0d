import { inspect } from "node:util";
import { expect, test } from "vitest";
import { Status, type TryFailure, UrlmillError } from "../../src/index.ts";
import { describeEngines } from "../shared/engines.ts";
import { atLength } from "../shared/length.ts";
import { Random } from "../shared/random.ts";

describeEngines("normalize", (create) => {
  const normalizer = create();

  test("returns the canonical form", () => {
    expect(normalizer.normalize("HTTP://User@Example.COM:80/a/./b/../%7efoo?x=%e9")).toBe(
      "http://User@example.com/a/~foo?x=%E9",
    );
  });

  test.each([
    ["", "EMPTY", 0],
    ["  ", "EMPTY", 2],
    ["//example.com", "NO_SCHEME", 0],
    ["example.com/x", "NO_SCHEME", 0],
    [" 1http://x", "BAD_SCHEME", 1],
    ["ht_tp://x", "BAD_SCHEME", 2],
    ["http://", "BAD_HOST", 7],
    ["http://a b/", "BAD_HOST", 8],
    ["http://é b/", "BAD_IDN", 7],
    ["http://a\t\n b/", "BAD_HOST", 10],
    ["http://1.2.3.256/", "BAD_IPV4", 7],
    ["http://[1::2::3]/", "BAD_IPV6", 13],
    ["http://a:65536/", "BAD_PORT", 13],
    ["http://a:8x/", "BAD_PORT", 10],
    ["file://user@host/", "BAD_USERINFO", 11],
    [`http://a/${"x".repeat(1 << 20)}`, "TOO_LONG", 1 << 20],
  ])("throws for %j: %s at byte %i", (url, code, offset) => {
    const attempt = () => normalizer.normalize(url);
    expect(attempt).toThrow(UrlmillError);
    expect(attempt).toThrow(expect.objectContaining({ code, offset }));
    const status = Status[code as "EMPTY"];
    const result = normalizer.tryNormalize(url);
    expect(result).toMatchObject({ ok: false, url: null, status, code });
    expect(attempt).toThrow(expect.objectContaining({ message: (result as TryFailure).message }));
  });

  test("an error has no member without a value, which would be printed", () => {
    const attempt = (): unknown => {
      try {
        return normalizer.normalize("x");
      } catch (error) {
        return error;
      }
    };
    expect(Object.values(attempt() as object)).not.toContain(undefined);
    expect(inspect(attempt())).not.toContain("answers");
  });

  test("names the base where it is at fault", () => {
    expect(() => normalizer.normalize("x", "y")).toThrow(
      expect.objectContaining({ code: "BAD_BASE" }),
    );
    expect(normalizer.tryNormalize("x", "")).toEqual({
      ok: false,
      url: null,
      status: Status.BAD_BASE,
      code: "BAD_BASE",
      message: "the base is not an absolute URL (EMPTY): ",
    });
  });

  test("takes another base at each call", () => {
    for (const host of ["a", "b", "bücher.de", "a"]) {
      const base = `http://${host}/x/y`;
      expect(normalizer.normalize("z", base)).toBe(normalizer.normalize(`http://${host}/x/z`));
    }
    expect(normalizer.tryNormalize("z").status).toBe(Status.NO_SCHEME);
  });

  test("removes TAB, LF and CR, and the space around", () => {
    expect(normalizer.normalize(" \u0000http://exa\tmple.com/a\r\nb\u001f ")).toBe(
      "http://example.com/ab",
    );
  });
});

describeEngines("normalizeBatch", (create) => {
  const normalizer = create();

  test("gives null and a status for each text that is not a URL", () => {
    const { urls, status } = normalizer.normalizeBatch(["http://A", "x", "http://bücher.de"]);
    expect(urls).toEqual(["http://a/", null, "http://xn--bcher-kva.de/"]);
    expect([...status]).toEqual([Status.CHANGED, Status.NO_SCHEME, Status.CHANGED]);
  });

  test("takes batches of any size, and long URLs among short ones", () => {
    const urls = Array.from(
      { length: 3_000 },
      (_, row) => `http://H/${row % 700 === 0 ? "x".repeat(300_000) : row}`,
    );
    urls.push(`http://H/${"é".repeat(500_000)}`, `http://H/${"é".repeat(1 << 20)}`);
    const result = normalizer.normalizeBatch(urls);
    expect(result.urls.slice(0, 3_000)).toEqual(
      urls.slice(0, 3_000).map((url) => url.toLowerCase()),
    );
    expect([...result.status.slice(3_000)]).toEqual([Status.TOO_LONG, Status.TOO_LONG]);
    expect(normalizer.normalizeBatch([]).urls).toEqual([]);
  });

  test("reads lone surrogates as U+FFFD", () => {
    expect(normalizer.normalizeBatch(["http://a/\ud800?\udc00x#\ud800"]).urls).toEqual([
      "http://a/%EF%BF%BD?%EF%BF%BDx#%EF%BF%BD",
    ]);
  });

  test("resolves against a base", () => {
    const { urls } = normalizer.normalizeBatch(["../c", "http://x"], { base: "http://h/a/b/" });
    expect(urls).toEqual(["http://h/a/c", "http://x/"]);
  });
});

describeEngines("defaultScheme", (create) => {
  const normalizer = create({ defaultScheme: "https" });

  test.each([
    ["example.com/x", "https://example.com/x"],
    ["//example.com/x", "https://example.com/x"],
    ["\\\\example.com", "https://example.com/"],
    ["example.com:8080/", "https://example.com:8080/"],
    ["localhost:3000", "https://localhost:3000/"],
    ["1.2.3.4:80/x", "https://1.2.3.4:80/x"],
    ["[::1]:443/", "https://[::1]/"],
    ["mailto:a@b.c", "mailto:a@b.c"],
    ["tel:5551234", "tel:5551234"],
    ["http://a", "http://a/"],
  ])("reads %j as %s", (input, expected) => {
    expect(normalizer.normalize(input)).toBe(expected);
  });

  test.each(["/path", "?q", "#f", "\\x"])("does not make a host of %j", (input) => {
    expect(normalizer.tryNormalize(input).status).toBe(Status.NO_SCHEME);
  });

  test("takes one to five digits after a colon for a port", () => {
    for (const host of ["a.b", "localhost"]) {
      const outcomes = Array.from({ length: 8 }, (_, digits) => {
        const { url, status } = normalizer.tryNormalize(`${host}:${"1".repeat(digits)}/`);
        return url ?? status;
      });
      const ports = ["1", "11", "111", "1111", "11111"].map((port) => `https://${host}:${port}/`);
      const others = ["", "111111", "1111111"].map((rest) => `${host}:${rest}/`);
      expect(outcomes).toEqual([others[0], ...ports, others[1], others[2]]);
    }
  });

  test("leaves references with a base to the base", () => {
    expect(normalizer.normalize("example.com/x", "http://h/")).toBe("http://h/example.com/x");
  });
});

// Strings are joined to lines, many at a time: what would be another line must not become one.
describeEngines("a batch of many strings", (create) => {
  const normalizer = create({ preset: "crawl", maxLength: 2_000 });
  const PARTS = [
    "http://a.b/c",
    "HTTP://A.b/%7e?b&a#c",
    "http://a.b/\n",
    "http://a.b\r",
    "http://a.b/x\r\ny",
    "\r\n",
    "\n",
    "\r",
    "",
    "http://a.b/\u00e9",
    "http://a.b/\u0416\ud83d\ude00",
    "http://a.b/\ud83d",
    "\ude00http://a.b/",
    "nothing",
    `http://a.b/${"x".repeat(1_989)}`,
    `http://a.b/${"x".repeat(1_990)}`,
    `http://a.b/${"\u00e9".repeat(700)}`,
  ];
  const random = new Random(31);
  const rare = (): string =>
    random.chance(40) ? random.pick(PARTS) : `http://a.b/${random.below(9)}`;

  test.each([
    ["of all kinds", () => random.pick(PARTS)],
    ["most of which are plain", rare],
    [
      "with URL objects and others",
      () => (random.chance(60) ? (new URL("http://A.b/") as unknown as string) : rare()),
    ],
  ])("%s gives what each gives alone", (_, next) => {
    for (const count of [1, 63, 64, 65, 512, 513, atLength(1_000, 3_000)]) {
      const urls = Array.from({ length: count }, next);
      const { urls: results, status } = normalizer.normalizeBatch(urls);
      const alone = urls.map((url) => normalizer.tryNormalize(url));
      expect(results).toEqual(alone.map(({ url }) => url));
      expect([...status]).toEqual(alone.map(({ status }) => status));
      const key = new Uint8Array(16);
      const { fingerprints } = normalizer.fingerprintBatch(urls, { key });
      const single = urls.map((url) => normalizer.fingerprintBatch([url], { key }).fingerprints);
      expect(Buffer.compare(fingerprints, Buffer.concat(single))).toBe(0);
    }
  });
});
