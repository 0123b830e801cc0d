import { expect, test } from "vitest";
import { SECOND_LEVEL_DOMAINS } from "../../src/base/lists/second-levels.ts";
import type { NormalizerOptions } from "../../src/index.ts";
import { describeEngines } from "../shared/engines.ts";
import { sampleOf } from "../shared/length.ts";

describeEngines("explicitPort", (create) => {
  test("removes a port that is not the scheme's default", () => {
    const n = create({ explicitPort: "remove" });
    expect(n.normalize("http://u@a.b:8080/x")).toBe("http://u@a.b/x");
    expect(n.normalize("wss://[::1]:1/")).toBe("wss://[::1]/");
    expect(n.normalize("foo://h:80")).toBe("foo://h");
  });

  test("stays by default, and can be set for one site", () => {
    const n = create({ sites: { "a.b": { explicitPort: "remove" } } });
    expect(n.normalize("http://a.b:81/")).toBe("http://a.b/");
    expect(n.normalize("http://c.d:81/")).toBe("http://c.d:81/");
  });

  test("removes the port that a new scheme would keep", () => {
    const n = create({ explicitPort: "remove", scheme: "https" });
    expect(n.normalize("http://a:8443/")).toBe("https://a/");
  });
});

describeEngines("first labels that go", (create) => {
  const hostAliases = { "m.*": "*", "AMP.*": "*", "m.pin.b": "m.pin.b", "*.c.d": "e.f" };

  test("go from every host of which a name before a public second level remains", () => {
    const n = create({ hostAliases });
    for (const [host, written] of [
      ["m.a.b", "a.b"],
      ["M.Example.co.uk.", "example.co.uk."],
      ["amp.m.a.b", "a.b"],
      ["m.m.a.b", "a.b"],
      ["m.www.a.b", "www.a.b"],
      // Nothing, one label, or a public second level would remain.
      ["m", "m"],
      ["m.b", "m.b"],
      ["m.b.", "m.b."],
      ["m.co.uk", "m.co.uk"],
      ["m.com.au.", "m.com.au."],
      // Another label, or not the first.
      ["mm.a.b", "mm.a.b"],
      ["x.m.a.b", "x.m.a.b"],
      // Aliases of hosts win, also of one to itself.
      ["m.pin.b", "m.pin.b"],
      ["m.c.d", "e.f"],
    ] as const) {
      expect([host, n.normalize(`http://${host}/`)]).toEqual([host, `http://${written}/`]);
      expect(n.normalize(`http://${written}/`)).toBe(`http://${written}/`);
    }
    expect(n.normalize("foo://m.a.b/")).toBe("foo://m.a.b/");
    expect(n.normalize("ftp://u@m.a.b:21/x")).toBe("ftp://u@a.b/x");
  });

  test("of one label in other spellings are one", () => {
    const names = ["B\u00dc.*", "xn--b-eha.*"];
    expect(
      create({ hostAliases: { [names[0] as string]: "*", [names[1] as string]: "*" } }).profileId,
    ).toBe(create({ hostAliases: { [names[1] as string]: "*" } }).profileId);
  });

  test("go before www and a final dot", () => {
    expect(create({ hostAliases, preset: "crawl" }).normalize("http://m.www.a.b./")).toBe(
      "http://www.a.b/",
    );
    const removes = create({ hostAliases, preset: "aggressive" });
    expect(removes.normalize("http://www.m.a.b/")).toBe("https://a.b/");
    expect(create({ hostAliases, www: "add" }).normalize("http://m.a.b/")).toBe("http://www.a.b/");
  });

  test.each([
    [{ hostAliases: { "www.*": "*" }, www: "add" }, "another label where the option www"],
    [{ hostAliases: { "www.*": "*" }, sites: { "a.b": { www: "add" } } }, "another label"],
    [{ hostAliases: { "m.*": "*", "a.b": "m.a.b" } }, "a.b > m.a.b > a.b"],
    [{ hostAliases: { "m.*": "a.b" } }, 'expected "*" as what m.* becomes'],
    [{ hostAliases: { "a.m.*": "*" } }, "one label before .*"],
    [{ hostAliases: { "::1.*": "*" } }, "expected"],
    [{ hostAliases: { ".*": "*" } }, "expected"],
    [{ hostAliases: { "a.b": "*" } }, "expected"],
  ] as const)("%j is refused", (options, reason) => {
    expect(() => create(options as NormalizerOptions)).toThrow(reason);
  });
});

describeEngines("ports", (create) => {
  test("of all numbers are written without zeros before them", () => {
    const ports = Array.from({ length: 65_535 }, (_, at) => at + 1).filter((port) => port !== 80);
    const some = sampleOf(ports, 7).concat(ports.filter((port) => port % 1000 < 2));
    const { urls } = create().normalizeBatch(some.map((port) => `http://a:0${port}/`));
    expect(urls).toEqual(some.map((port) => `http://a:${port}/`));
  });
});

describeEngines("www", (create) => {
  test("takes www and one to three digits for www where wwwDigits is true", () => {
    const n = create({ www: "remove", wwwDigits: true });
    for (const label of ["www", "www0", "www1", "www9", "www12", "www232", "www001", "www2.www"]) {
      expect(n.normalize(`http://${label}.a.b/`)).toBe("http://a.b/");
    }
    for (const host of [
      "www1000.a.b",
      "www-1.a.b",
      "wwwa.a.b",
      "www1a.a.b",
      "www2.a",
      "www2",
      "www22",
      "www123",
    ]) {
      expect(n.normalize(`http://${host}/`)).toBe(`http://${host}/`);
    }
  });

  test("leaves www and digits before a public second level alone, as that is a name below it", () => {
    const n = create({ www: "remove", wwwDigits: true });
    for (const host of [
      "www504.com.cn",
      "www788.com.cn",
      "www2.co.uk",
      "www1.com.br",
      "www12.com.cn.",
    ]) {
      expect(n.normalize(`http://${host}/`)).toBe(`http://${host}/`);
    }
    expect(n.normalize("http://www2.www504.com.cn/")).toBe("http://www504.com.cn/");
    expect(n.normalize("http://www2.a.com.cn/")).toBe("http://a.com.cn/");
    expect(n.normalize("http://www2.com.cn.a.b/")).toBe("http://com.cn.a.b/");
    expect(n.normalize("http://www2.uk.com/")).toBe("http://uk.com/");
  });

  test("moves no host in a circle where a public second level is an alias", () => {
    const n = create({ www: "remove", wwwDigits: true, hostAliases: { "com.cn": "www5.com.cn" } });
    expect(n.normalize("http://www.com.cn/")).toBe("http://www5.com.cn/");
  });

  test("takes plain www before a public second level", () => {
    const n = create({ www: "remove", wwwDigits: true });
    expect(n.normalize("http://www.gov.uk/")).toBe("http://gov.uk/");
    expect(n.normalize("http://www1.www.gov.uk/")).toBe("http://gov.uk/");
  });

  test("tells each public second level of the list on the numbered www alone", () => {
    const n = create({ www: "remove", wwwDigits: true, trailingDot: "remove" });
    for (const domain of SECOND_LEVEL_DOMAINS) {
      expect(n.normalize(`http://www7.${domain}./`)).toBe(`http://www7.${domain}/`);
      expect(n.normalize(`http://www7.x${domain}/`)).toBe(`http://x${domain}/`);
      expect(n.normalize(`http://www.${domain}/`)).toBe(`http://${domain}/`);
    }
  });

  test("leaves www and digits alone by default, and under add", () => {
    expect(create({ www: "remove" }).normalize("http://www2.a.b/")).toBe("http://www2.a.b/");
    expect(create({ www: "add", wwwDigits: true }).normalize("http://www2.a.b/")).toBe(
      "http://www.www2.a.b/",
    );
  });

  test("leaves hosts alone whose first or second label is empty, or that have their www", () => {
    for (const host of [".a.b", "a..b", "www..a.b", "www.a..b"]) {
      expect(create({ www: "remove" }).normalize(`http://${host}/`)).toBe(`http://${host}/`);
    }
    for (const host of [".a.b", "a..b", "www.a"]) {
      expect(create({ www: "add" }).normalize(`http://${host}/`)).toBe(`http://${host}/`);
    }
  });
});

describeEngines("hostAliases", (create) => {
  test("*.host is every host below it, and not itself", () => {
    const n = create({ hostAliases: { "*.example.com": "example.org" } });
    expect(n.normalize("http://a.example.com/")).toBe("http://example.org/");
    expect(n.normalize("http://b.a.example.com:81/x")).toBe("http://example.org:81/x");
    for (const host of ["example.com", "xexample.com", "example.com.x", "example.org"]) {
      expect(n.normalize(`http://${host}/`)).toBe(`http://${host}/`);
    }
  });

  test("the most specific pattern wins", () => {
    const n = create({
      hostAliases: {
        "*.b": "any.x",
        "*.a.b": "below-a.x",
        "c.a.b": "c.x",
        "d.a.b": "d.a.b",
      },
    });
    expect(
      n.normalizeBatch(["http://z.b", "http://z.a.b", "http://c.a.b", "http://d.a.b"]).urls,
    ).toEqual(["http://any.x/", "http://below-a.x/", "http://c.x/", "http://d.a.b/"]);
  });

  test("a pattern leads to a host below its own domain", () => {
    const n = create({ hostAliases: { "*.a.b": "main.a.b" }, www: "remove" });
    expect(n.normalize("http://x.a.b/")).toBe("http://main.a.b/");
    expect(n.normalize("http://main.a.b/")).toBe("http://main.a.b/");
    expect(n.normalize("http://www.a.b/")).toBe("http://main.a.b/");
  });

  test("explain names the alias by pattern", () => {
    const { steps } = create({ hostAliases: { "*.a.b": "c.d" } }).explain("http://x.a.b/");
    expect(steps.map(({ step, after }) => [step, after])).toEqual([["hostAliases", "http://c.d/"]]);
  });

  test("a host may hold letters whose UTF-8 has the byte A0", () => {
    const n = create({ hostAliases: { "a.b": "voilà.fr", "c.d": "你好.cn" } });
    expect(n.normalize("http://a.b/")).toBe(n.normalize("http://voilà.fr/"));
    expect(n.normalize("http://c.d/")).toBe(n.normalize("http://你好.cn/"));
  });

  test.each(["a b", "a\tb", "a\nb", "a\u00a0b", "a\u2003b"])(
    "a host cannot hold space: %j",
    (host) => {
      const refusal = expect.objectContaining({ code: "BAD_OPTION" });
      expect(() => create({ hostAliases: { "a.b": host } })).toThrow(refusal);
    },
  );
});

describeEngines("trailingDot", (create) => {
  test("removes all final dots, and none of a host of dots alone", () => {
    const n = create({ trailingDot: "remove" });
    for (const [host, moved] of [
      ["a.b...", "a.b"],
      ["..a..", "..a"],
      [".", "."],
      ["..", ".."],
      ["....", "...."],
    ]) {
      expect(n.normalize(`http://${host}/`)).toBe(`http://${moved}/`);
    }
  });
});
