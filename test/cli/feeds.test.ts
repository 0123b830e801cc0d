import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { runCli } from "../shared/cli.ts";
import { ENGINES } from "../shared/engines.ts";
import { atLength, IS_LONG, oneOf, sampleOf } from "../shared/length.ts";
import { Random } from "../shared/random.ts";
import { tempFolder } from "../shared/temp-folder.ts";

const folder = tempFolder();
const file = (name: string, data: string | Uint8Array): string => {
  const path = join(folder, name);
  writeFileSync(path, data);
  return path;
};

/** Documents by the ends of their names: the beginning, an entry with a link, and the end. */
const KINDS = {
  xml: ["<urlset>", (url) => `<url><loc>${url}</loc></url>`, "</urlset>"],
  rss: [
    '<rss version="2.0"><channel><link>HTTP://C</link><image><url>HTTP://I</url></image>',
    (url) => `<item><guid>HTTP://G</guid><link>${url}</link></item>`,
    "</channel></rss>",
  ],
  rdf: [
    '<?xml version="1.0"?>\n<rdf:RDF xmlns:rdf="x" xmlns:r="http://purl.org/rss/1.0/">',
    (url) =>
      `<r:item rdf:about="${url}"><r:link><![CDATA[${url.replace("&amp;", "&")}]]></r:link></r:item>`,
    "</rdf:RDF>",
  ],
  atom: [
    '<feed xmlns="http://www.w3.org/2005/Atom"><link rel="self" href="HTTP://S"/>',
    (url) => `<entry><link rel="self" href="${url}"/><link href="${url}"/></entry>`,
    "</feed>",
  ],
} as const satisfies Record<string, [string, (url: string) => string, string]>;
type Kind = keyof typeof KINDS;
const NAMES = Object.keys(KINDS) as Kind[];

/** A document of some entries, with text between them. */
function documentOf(kind: Kind, urls: readonly (string | null)[], between = "\n "): string {
  const [head, entry, end] = KINDS[kind];
  const entries = urls.map((url) => (url === null ? "" : entry(url)));
  return `${head}${between}${entries.join(between)}${between}${end}\n`;
}

/** The same with the links of entries normalized. */
function normalized(kind: Kind, text: string): string {
  const written = (url: string): string => url.replace("HTTP://A", "http://a");
  if (kind === "atom") return text.replaceAll(/<link href="[^"]*"/g, written);
  if (kind === "rdf") {
    return text.replaceAll(/<!\[CDATA\[(.*?)\]\]>/g, (_, url: string) =>
      written(url).replace("&", "&amp;"),
    );
  }
  return text.replaceAll(/(?:<item>.*?<link>|<loc>)[^<]*/g, written);
}

const URLS = ["HTTP://A/?b&amp;c", "http://a/?b&amp;c", "HTTP://A/2", "http://a/2", "http://a/3"];
const FIRST = [URLS[0], null, URLS[2], null, URLS[4]] as (string | null)[];

describe.each(sampleOf(ENGINES, 2))("feeds (%s)", (engine) => {
  const run = (input: string | Uint8Array, ...args: string[]) =>
    runCli([...args, "--engine", engine], input);

  describe.each(NAMES)("%s", (kind) => {
    const text = documentOf(kind, URLS);
    /** Short runs try with two kinds what is the same for all. */
    const isSampled = IS_LONG || NAMES.indexOf(kind) < 2;

    const ways: readonly [string, string[], boolean][] = [
      ["by its first line", [], false],
      ["by --format", ["--format", "sitemap"], false],
      ["by its name", [], true],
    ];
    test.each(oneOf(ways, NAMES.indexOf(kind)))(
      "links are written anew and items are taken out, known %s",
      async (_, flags, isNamed) => {
        const inputs = [
          file(`list.${isNamed ? kind : "list"}`, text),
          file(`l.${kind}.gz`, gzipSync(text)),
        ];
        const calls = [[text], [gzipSync(text)], ["", inputs[0]], ["", inputs[1]]] as const;
        for (const [input, ...files] of isNamed ? calls.slice(2) : calls) {
          const args = [...flags, ...(files as string[])];
          const { code, stdout } = await run(input, "normalize", ...args);
          expect({ code, stdout }).toEqual({ code: 0, stdout: normalized(kind, text) });
          const deduped = await run(input, "dedupe", ...args);
          expect(deduped).toMatchObject({ code: 0, stdout: documentOf(kind, FIRST) });
        }
      },
    );

    test.runIf(isSampled)(
      "a document of many chunks is one, on one thread and on two",
      async () => {
        const random = new Random(8);
        const urls = Array.from(
          { length: atLength(4_000, 20_000, 60_000) },
          () => `HTTP://A/${random.below(10_000)}`,
        );
        const seen = new Set<string>();
        const first = urls.map((url) => (seen.size < seen.add(url).size ? url : null));
        const name = file(`many.${kind}`, documentOf(kind, urls));
        // Short runs take one number of threads with a kind, and the other with the next kind.
        const one = NAMES.indexOf(kind) % 2 === 0 ? "2" : "1";
        for (const threads of atLength([one], ["1", "2"])) {
          const args = ["-j", threads, name];
          const deduped = await run("", "dedupe", ...args);
          expect(deduped.stdout === documentOf(kind, first)).toBe(true);
          const { stdout } = await run("", "normalize", ...args);
          expect(stdout === normalized(kind, documentOf(kind, urls))).toBe(true);
        }
      },
    );

    test("blank lines before it, or no line end at all, do not hide it", async () => {
      const [head, entry, end] = KINDS[kind];
      const long = `${head}${entry("HTTP://A/1")}<!-- ${"x".repeat(1 << 17)} -->${entry("http://a/1")}${end}`;
      for (const document of [`\n \n${text.replace(/<\?.*\n/, "")}`, long]) {
        const { stdout } = await run(document, "normalize");
        expect(stdout).toBe(normalized(kind, document));
      }
    });

    test.runIf(isSampled)(
      "--emit normalized, --keep last, --exclude and a set on disk read it",
      async () => {
        const name = file(`kept.${kind}`, text);
        const emitted = await run("", "dedupe", "--emit", "normalized", name);
        expect(emitted.stdout).toBe(normalized(kind, documentOf(kind, FIRST)));
        const kept = [null, URLS[1], null, URLS[3], URLS[4]] as (string | null)[];
        expect((await run("", "dedupe", "--keep", "last", name)).stdout).toBe(
          documentOf(kind, kept),
        );
        const rest = await run(
          "http://a/3\nhttp://a/4\n",
          "dedupe",
          "--exclude",
          name,
          "--format",
          "lines",
        );
        expect(rest.stdout).toBe("http://a/3\nhttp://a/4\n"); // --format is that of both
        expect((await run("http://a/3\nhttp://a/4\n", "dedupe", "--exclude", name)).stdout).toBe(
          "http://a/4\n",
        );
        const set = join(folder, `set-${kind}-${engine}`);
        expect(await run("", "seen", "import", set, name)).toMatchObject({ code: 0 });
        expect((await run(text, "dedupe", "--seen", set)).stdout).toBe(
          documentOf(
            kind,
            URLS.map(() => null),
          ),
        );
      },
    );
  });

  test.each([
    ["opml", '<opml version="2.0"><body><outline xmlUrl="http://a/"/></body></opml>', "(OPML)"],
    ["svg", "<svg xmlns='http://www.w3.org/2000/svg'></svg>", "(an SVG image)"],
    ["xhtml", "<?xml version='1.0'?>\n<html></html>", "(an XHTML page)"],
    ["kml", "<?xml version='1.0'?>\n<kml></kml>", '"kml"'],
  ])("%s is refused by name", async (end, text, said) => {
    const name = file(`other.${end}`, text);
    const set = join(folder, `none-${end}`);
    for (const args of sampleOf([["dedupe"], ["normalize"], ["seen", "import", set]], 2)) {
      const named = await run("", ...args, name);
      expect(named).toMatchObject({ code: 2, stdout: "" });
      expect(named.stderr).toContain(`${name}: its root element is`);
      expect(named.stderr).toContain(said);
      const given = await run("", ...args, "--format", "sitemap", name);
      expect(given).toMatchObject({ code: 2, stdout: "" });
      if (args.length < 2) expect(await run(text, ...args)).toMatchObject({ code: 2, stdout: "" });
    }
  });
});

test("learn reads feeds, and refuses other documents by name", async () => {
  const pages = Array.from(
    { length: 40 },
    (_, page) => `http://a/p?id=${page}&amp;sid=${page * 7}`,
  );
  for (const kind of NAMES) {
    const { code, stderr } = await runCli([
      "learn",
      file(`learn.${kind}`, documentOf(kind, pages)),
    ]);
    expect([code, stderr]).toEqual([0, expect.stringContaining("40 URLs of 1 site")]);
  }
  const name = file("learn.xml", "<opml version='1.0'></opml>");
  const { code, stderr } = await runCli(["learn", name]);
  expect([code, stderr]).toEqual([
    2,
    expect.stringContaining(`${name}: its root element is "opml"`),
  ]);
});

test("a plain list that is called a sitemap is refused", async () => {
  const { code, stdout, stderr } = await runCli(["dedupe", "--format", "sitemap"], "http://a/\n");
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toContain("standard input: it does not begin as XML");
});

test("a base resolves links, unless the feed names its own", async () => {
  const feed = (base: string) =>
    documentOf("atom", ["b", "HTTP://A/b"]).replace("<feed", `<feed${base}`);
  const { stdout } = await runCli(["dedupe", "--base", "http://a/"], feed(""));
  expect(stdout).toBe(documentOf("atom", ["b", null]));
  const own = feed(' xml:base="http://other/"');
  expect((await runCli(["dedupe", "--base", "http://a/"], own)).stdout).toBe(own);
});

test("the base of a channel is that of items in later chunks", async () => {
  const items = Array.from({ length: 4_000 }, (_, at) => (at % 2 ? `p/${at}` : `HTTP://A/${at}`));
  const text = documentOf("rss", items).replace("<channel", '<channel xml:base="http://other/"');
  for (const threads of sampleOf(["1", "2"], 2)) {
    const args = ["normalize", "--base", "http://a/", "-j", threads];
    const { code, stdout } = await runCli(args, text);
    expect([code, stdout === normalized("rss", text)]).toEqual([0, true]);
  }
});

test("URLs of a feed in another encoding are written in UTF-8, and its records as they are", async () => {
  const urls = ["HTTP://A/\xe9", "http://a b/\xe9"];
  const text = `<?xml version="1.0" encoding="ISO-8859-1"?>${documentOf("rss", urls)}`;
  const name = file("latin1.rss", Buffer.from(text, "latin1"));
  const other = file("utf8.rss", documentOf("rss", ["http://a/é", "http://a/%E9"]));
  const emitted = async (emit: string) =>
    (await runCli(["dedupe", "--emit", emit, name, other])).stdout;
  const refused = "http://a b/\xc3\xa9\n";
  expect(await emitted("normalized-url")).toBe(`http://a/%C3%A9\n${refused}http://a/%E9\n`);
  expect(await emitted("url")).toBe(`HTTP://A/\xc3\xa9\n${refused}http://a/%E9\n`);
  const written = await runCli(["normalize", name]);
  expect(written.stdout).toBe(text.replace("HTTP://A/\xe9", "http://a/%C3%A9"));
  expect((await runCli(["learn", name])).stderr).toContain("1 URL of 1 site");
});

test("a note says that several documents are not written as one", async () => {
  const names = [
    file("one.xml", documentOf("xml", URLS)),
    file("two.rss", documentOf("rss", URLS)),
  ];
  const note =
    "urlmill: the output has 2 XML documents, which is not one document; --emit url writes only their URLs\n";
  const { code, stderr } = await runCli(["dedupe", ...names]);
  expect([code, stderr]).toEqual([0, note]);
  const others = [["-q", ...names], ["--emit", "url", ...names], names.slice(1)];
  for (const args of others) expect((await runCli(["normalize", ...args])).stderr).toBe("");
});
