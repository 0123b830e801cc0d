import { expect, test } from "vitest";
import type { NormalizerOptions } from "../../src/index.ts";
import { fromSetup, prepare } from "../../src/normalizers.ts";
import { planOfForm, type RowForm } from "../../src/plan/form.ts";
import { describeEngines } from "../shared/engines.ts";
import { linesOf, readCorpus } from "../shared/fixtures.ts";
import { atLength } from "../shared/length.ts";
import { Random } from "../shared/random.ts";

/** Makes a normalizer whose rows have a form. */
function inForm(engine: "wasm" | "js", form: RowForm, options: NormalizerOptions = {}) {
  const { setup } = prepare({ ...options, engine });
  return fromSetup({ ...setup, plan: planOfForm(setup.plan, form) });
}

/** Returns what URLs become as lines, by an engine; a failed one is "". */
function linesBy(
  engine: "wasm" | "js",
  form: RowForm,
  urls: readonly string[],
  options: NormalizerOptions = {},
): string[] {
  const { bytes } = inForm(engine, form, options).normalizeLines(
    Buffer.from(`${urls.join("\n")}\n`, "latin1"),
  );
  return Buffer.from(bytes).toString("latin1").split("\n").slice(0, -1);
}

const UUID = "123e4567-e89b-12d3-a456-426614174000";
const HEX = "0123456789abcdef";

/** Does what the text of `template` says, a character at a time, to a URL of preset `safe`. */
function model(url: string): string {
  const isHex = (text: string) => text !== "" && /^[0-9A-Fa-f]+$/.test(text);
  const marked = (text: string): string => {
    let out = "";
    for (let at = 0; at < text.length; ) {
      if (text[at] === "%" && text.length >= at + 3 && isHex(text.slice(at + 1, at + 3))) {
        out += text.slice(at, at + 3);
        at += 3;
        continue;
      }
      let end = at;
      while (end < text.length && isHex(text[end] as string)) end++;
      const groups = text.slice(at, at + 36).split("-");
      const isUuid =
        groups.length === 5 &&
        groups.every((group, i) => isHex(group) && group.length === [8, 4, 4, 4, 12][i]);
      const run = text.slice(at, end);
      if (run === "") out += text[at++];
      else if (isUuid && !isHex(text.slice(at + 36, at + 37))) {
        out += "<U>";
        at += 36;
      } else {
        if (!/[A-Fa-f]/.test(run)) out += "<N>";
        else out += run.length > 15 ? "<H>" : run.split(/\d+/).join("<N>");
        at = end;
      }
    }
    return out;
  };
  const [rest = "", ...fragments] = url.split("#");
  const fragment = fragments.join("#");
  const [before = "", ...queries] = rest.split("?");
  const names = queries
    .join("?")
    .split("&")
    .map((param) => param.split("=")[0] as string);
  const kept = names
    .filter((name) => name !== "")
    .map((name) => {
      const mark = marked(name);
      return mark === "<N>" || mark === "<H>" || mark === "<U>" ? mark : name;
    });
  const head = /^[a-z][^:]*:(?:\/\/[^/]*)?/.exec(before)?.[0] as string;
  const query = [...new Set(kept)].sort().join("&");
  const route = "!/".includes(fragment[0] ?? " ") ? `#${marked(fragment)}` : "";
  return head + marked(before.slice(head.length)) + (query === "" ? "" : `?${query}`) + route;
}

describeEngines("template", (create) => {
  const { engine } = create();

  test.each([
    ["HTTP://A.example/Item/123", "http://a.example/Item/<N>"],
    ["http://a/2024/05/12/x-7.html", "http://a/<N>/<N>/<N>/x-<N>.html"],
    ["http://u1:p2@h3.a:8080/", "http://u1:p2@h3.a:8080/"],
    ["http://1.2.3.4/5", "http://1.2.3.4/<N>"],
    ["http://a/%D0%90%31", "http://a/%D0%90<N>"],
    ["http://a/%00x7", "http://a/%00x<N>"],
    ["http://a/%zz12", "http://a/%25zz<N>"],
    [`http://a/${HEX}/${HEX}0/${HEX.slice(1)}`, "http://a/<H>/<H>/<N>abcdef"],
    [`http://a/x${HEX}z`, "http://a/x<H>z"],
    ["http://a/1234567890123456/deadbeefdeadbeef", "http://a/<N>/<H>"],
    [`http://a/${UUID}/${UUID.toUpperCase()}.json`, "http://a/<U>/<U>.json"],
    [`http://a/${UUID}0`, "http://a/<N>e<N>-e<N>b-<N>d<N>-a<N>-<N>"],
    [`http://a/0${UUID}`, "http://a/<N>e<N>-e<N>b-<N>d<N>-a<N>-<N>"],
    [`http://a/${UUID}-1`, "http://a/<U>-<N>"],
    [`http://a/${UUID.replace("-", "_")}`, "http://a/<N>e<N>_e<N>b-<N>d<N>-a<N>-<N>"],
    ["http://a/?z=1&a=2&z=3&&b", "http://a/?a&b&z"],
    ["http://a/?12345", "http://a/?<N>"],
    [`http://a/?12&${HEX}=1&7=x&${UUID}`, "http://a/?<H>&<N>&<U>"],
    ["http://a/?q1=2&ab=3", "http://a/?ab&q1"],
    ["http://a/?&=1&=", "http://a/"],
    ["http://a/?a%5B%5D=1&a%5B0%5D=2", "http://a/?a%5B%5D&a%5B0%5D"],
    ["http://a/x#top7", "http://a/x"],
    ["http://a/x#/user/7?tab=2", "http://a/x#/user/<N>?tab=<N>"],
    ["http://a/x#!7", "http://a/x#!<N>"],
    ["mailto:a7@b?subject=1", "mailto:a<N>@b?subject"],
    ["file:///C:/2/", "file:///C:/<N>/"],
    ["urn:isbn:0451450523", "urn:isbn:<N>"],
    ["foo:/12/3", "foo:/<N>/<N>"],
    ["foo:1/2", "foo:<N>/<N>"],
  ])("%s is of %s", (url, template) => {
    expect(create().template(url)).toBe(template);
    expect(linesBy(engine, "template", [url])).toEqual([template]);
    expect(model(create().normalize(url))).toBe(template);
  });

  test("options, rules, aliases of hosts and a base come first", () => {
    const rules = "#urlmill-rules 1\na.b\t/long/<N>\tpath /long/<N> => /p/<1>/2\n";
    const options = { preset: "crawl", rules, hostAliases: { "m.a.b": "a.b" } } as const;
    const urls = ["http://m.a.b/long/3?utm_source=1", "http://a.b/q/4?b=1&a=2#x", "http://c/5"];
    const templates = ["http://a.b/p/<N>/<N>", "http://a.b/q/<N>?a&b", "http://c/<N>"];
    const n = create(options);
    expect(urls.map((url) => n.template(url))).toEqual(templates);
    expect(linesBy(engine, "template", urls, options)).toEqual(templates);
    expect(create().template("../7", "http://a/b/1/2")).toBe("http://a/b/<N>");
  });

  test("rows of digits that aliases write have room for their marks", () => {
    const lines = ["#urlmill-aliases 1", `a\t/x\t${"/1".repeat(900)}\tfingerprint`];
    const options = { pageAliases: lines.join("\n") };
    const urls = Array.from({ length: 300 }, () => "http://a/x");
    const template = `http://a${"/<N>".repeat(900)}`;
    expect(new Set(linesBy(engine, "template", urls, options))).toEqual(new Set([template]));
  });

  test("a template that is too long is an error, and so is a row that is not a URL", () => {
    const n = create({ maxLength: 20 });
    expect(n.template("http://a/1/2")).toBe("http://a/<N>/<N>");
    for (const [code, url] of [
      ["TOO_LONG", "http://a/1/2/3/4"],
      ["NO_SCHEME", "a"],
      ["EMPTY", ""],
      ["NOT_A_STRING", 1 as never],
    ] as const) {
      expect(() => n.template(url)).toThrow(expect.objectContaining({ code }));
    }
  });

  test("real and made-up URLs have the templates that a slow model has", () => {
    const random = new Random(60);
    const pieces = [
      ..."0a-f%/?&=#!.;",
      "%41",
      "%E9",
      UUID,
      HEX,
      "12",
      "<",
      "//",
      "&&",
      "#/",
      "\xe9",
    ];
    const real = linesOf(readCorpus());
    const made = Array.from({ length: atLength(500, 100_000) }, () => {
      const url = random.pick(real);
      const at = random.below(url.length + 1);
      const added = Array.from({ length: random.below(6) }, () => random.pick(pieces)).join("");
      return url.slice(0, at) + added + url.slice(at);
    });
    for (const options of [{}, { preset: "crawl" }] as const) {
      const urls = [...real.slice(0, atLength(1000, 1e6)), ...made];
      const normalized = linesBy(engine, "url", urls, options);
      const templates = linesBy(engine, "template", urls, options);
      const hosts = linesBy(engine, "host", urls, options);
      expect(templates).toEqual(normalized.map((url) => (url === "" ? "" : model(url))));
      const authority = /^[a-z][^:]*:\/\/(?:[^/?#@]*@)?(\[[^\]]*\]|[^/?#:]*)/;
      expect(hosts).toEqual(normalized.map((url) => authority.exec(url)?.[1] ?? ""));
    }
  });
});

describeEngines("host", (create) => {
  test.each([
    ["HTTP://U:P@A.Example.:8080/x@y", "a.example."],
    ["http://[::1]:81/", "[::1]"],
    ["http://0x7f.1?x", "127.0.0.1"],
    ["mailto:a@b", ""],
    ["file:///x", ""],
    ["foo:/x/y", ""],
    ["foo:x/y/z", ""],
  ])("of %s is %j", (url, host) => {
    expect(linesBy(create().engine, "host", [url])).toEqual([host]);
  });

  test.each([
    [" mailto:a@b", "host", "BAD_HOST", {}],
    ["file:\t///x", "host", "BAD_HOST", {}],
    ["http://a/1/2/3/4", "template", "TOO_LONG", { maxLength: 20 }],
    ["http://a/1\t/2/3/4/5/6?gclid=1", "template", "TOO_LONG", { preset: "crawl", maxLength: 31 }],
  ] as const)("%j fails in form %s with %s at its start", (url, form, code, options) => {
    const normalizer = inForm(create().engine, form, options);
    expect(() => normalizer.normalize(url)).toThrow(expect.objectContaining({ code, offset: 0 }));
  });
});
