import { expect, test } from "vitest";
import { atLength, sampleOf } from "../shared/length.ts";
import { Random } from "../shared/random.ts";
import { keyed, sitemap, urlsOf } from "./documents.ts";
import { cutAtRandom, START } from "./whole.ts";

// What is quadratic takes minutes, so it ends at the time limit of a test.

const rss = (body: string): string =>
  `<?xml version="1.0"?>\n<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel><link>http://c/</link>${body}</channel></rss>\n`;
const rdf = (body: string, prefix = ""): string =>
  `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns${prefix}='http://purl.org/rss/1.0/'>${body}</rdf:RDF>`;
const atom = (body: string, attributes = ""): string =>
  `<feed xmlns="http://www.w3.org/2005/Atom"${attributes}><link href="http://f/"/>${body}</feed>`;

test.each([
  ["an item", rss("<item><title>t</title><link>http://a/</link></item>"), ["http://a/"]],
  ["CDATA", rss("<item><link> <![CDATA[http://a/?b&c]]> </link></item>"), ["http://a/?b&c"]],
  ["references", rss("<item><link>http://a/?b&amp;c&#x64;</link></item>"), ["http://a/?b&cd"]],
  [
    "links of other namespaces",
    rss(
      "<item><atom:link href='http://s/'/><x:link>http://x/</x:link><link>http://a/</link></item>",
    ),
    ["http://a/"],
  ],
  [
    "other elements with URLs",
    rss(
      "<image><url>http://i/</url><link>http://c/</link></image><textInput><link>http://t/</link></textInput><item><guid>http://g/</guid><enclosure url='http://e/'/><source url='http://r/'>r</source><link>http://a/</link></item>",
    ),
    ["http://a/"],
  ],
  ["an item without a link", rss("<item><guid>http://g/</guid></item><item/>"), [null, null]],
  ["an empty link before", rss("<item><link/><link>http://a/</link></item>"), ["http://a/"]],
  [
    "an item in CDATA",
    rss("<item><description><![CDATA[</item><item>]]></description><link>http://a/</link></item>"),
    ["http://a/"],
  ],
  ["elements that other kinds have", rss("<url><loc>http://n/</loc></url><entry/>"), []],
])("RSS 2.0, %s", (_, text, urls) => {
  expect(urlsOf(text)).toEqual(urls);
});

test.each([
  [rdf("<channel rdf:about='http://c/'><link>http://c/</link><items/></channel>"), []],
  [rdf("<item rdf:about='http://a/'><link>http://b/</link></item>"), ["http://b/"]],
  [rdf("<r:item><link>http://n/</link><r:link>http://a/</r:link></r:item>", ":r"), ["http://a/"]],
  [rdf("<item><r:link>http://a/</r:link></item>", ":r"), []],
  [
    "<x:RDF xmlns='http://my.netscape.com/rdf/simple/0.9/'><item><link>http://a/</link></item></x:RDF>",
    ["http://a/"],
  ],
])("RSS 1.0: %s", (text, urls) => {
  expect(urlsOf(text)).toEqual(urls);
});

test.each([
  ["no rel", '<link href="http://a/"/>', "http://a/"],
  ["alternate", "<link rel='alternate' type='text/html' href='http://a/'></link>", "http://a/"],
  [
    "alternate as an IRI",
    '<link href="http://a/" rel=" http://www.iana.org/assignments/relation/alternate"/>',
    "http://a/",
  ],
  [
    "other links before",
    '<link rel="self" href="http://s/"/><link rel="enclosure" href="http://e/"/><link href="http://a/"/>',
    "http://a/",
  ],
  ["the first of two", '<link href="http://a/"/><link href="http://b/"/>', "http://a/"],
  ["white space and references", "<link\n href = ' http://a/?b&amp;c&#100; '/>", "http://a/?b&cd"],
  [
    "an attribute that names it",
    "<link title=\" href='http://n/'\" href='http://a/'/>",
    "http://a/",
  ],
  [
    "other attributes",
    "<link x:href='http://n/' hrefs='http://n/' href='http://a/'/>",
    "http://a/",
  ],
  ["a link of its source", "<source><link href='http://n/'/></source>", null],
  ["other relations alone", '<link rel="self" href="http://s/"/>', null],
  ["another namespace", '<x:link href="http://x/"/>', null],
  ["a link as text", "<link>http://n/</link>", null],
  [
    "an entry in its content",
    "<content type='application/xml'><entry><link href='http://n/'/></entry><entry/></content><link href='http://a/'/>",
    "http://a/",
  ],
  [
    "an entry in another element",
    "<m:inline><feed><entry></entry></feed></m:inline><link href='http://a/'/>",
    "http://a/",
  ],
  ["a page in its content", "<content><div><link href='http://n/'/></div></content>", null],
])("Atom, %s", (_, body, url) => {
  expect(urlsOf(atom(`<entry>${body}</entry>`))).toEqual([url]);
  const prefixed = body.replaceAll(/(<\/?)(link|source|content|entry|feed)\b/g, "$1a:$2");
  const text = `<a:feed xmlns:a="http://www.w3.org/2005/Atom"><entry/><a:entry>${prefixed}</a:entry></a:feed>`;
  expect(urlsOf(text)).toEqual([url]);
});

test("an entry whose child is not closed takes no other entry along", () => {
  const open = "<entry><x:y><link href='http://n/'/></entry>";
  const text = atom(
    `${open}<entry><link href='http://a/'/><entry><link href='http://b/'/></entry>`,
  );
  expect(urlsOf(text)).toEqual([null, "http://a/", "http://b/"]);
});

test.each([
  [" xml:base='http://b/'", ""],
  ["", " xml:base='http://b/'"],
])(
  "a relative link of Atom is not read by another base than its own: feed%s, entry%s",
  (feed, entry) => {
    const text = (link: string) => atom(`<entry${entry}><link href="${link}"/></entry>`, feed);
    expect(urlsOf(text("a/b"))).toEqual([null]);
    expect(urlsOf(text("http://a/"))).toEqual(["http://a/"]);
    expect(urlsOf(atom('<entry x="xml:base"><link href="a/b"/></entry>'))).toEqual(["a/b"]);
    expect(urlsOf(atom('<entry><link href="a" xml:base="/b"/></entry>'))).toEqual([null]);
  },
);

test("a relative link of RSS is not read by another base than that of its channel", () => {
  const based = (body: string) => `<rss><channel xml:base="http://b/">${body}</channel></rss>`;
  const link = (url: string) => `<item><link>${url}</link></item>`;
  const text = based(
    `<image xml:base="/i"></image>${[1, 2, 3].map((at) => link(`a/${at}`)).join("")}`,
  );
  expect(urlsOf(text + based(link("http://a/")))).toEqual([null, null, null, "http://a/"]);
  // A later chunk has the header alone.
  const header = sitemap.headerOf(Buffer.from(text)) as string;
  expect(urlsOf(link("a/4"), header)).toEqual([null]);
  const apart = rdf(`<channel xml:base="/c"></channel><r xml:base="/r"/>${link("a/b")}`);
  expect(urlsOf(apart)).toEqual(["a/b"]);
  expect(urlsOf(link("a/b"), sitemap.headerOf(Buffer.from(apart)))).toEqual(["a/b"]);
});

test.each([
  [rss("<item/>"), rss("<item/>").replace("<rss", "<rss xml:base='/b'")],
  [rss("<item/>"), rss("<item/>").replace("<channel", "<channel xml:base='/b'")],
  [atom("<entry/>", " xml:base='/b'"), atom("<entry/>")],
  [rss("<item/>").replace("</rss>", ""), "<channel xml:base='/b'><item/></channel></rss>"],
])("entries with a base and without one are not read as one input: %s%s", (...documents) => {
  const text = documents.join("");
  const error = { code: "BAD_OPTION", message: expect.stringContaining("xml:base") };
  const bytes = Buffer.from(text);
  expect(() => urlsOf(text)).toThrow(expect.objectContaining(error));
  expect(() => sitemap.boundary()(bytes, 0)).toThrow(expect.objectContaining(error));
  expect(urlsOf(documents[0] + documents[0])).toHaveLength(2);
  expect(sitemap.agree?.("<feed>", "<feed xml:base='/b'>")).toBe(false);
});

test.each([
  rss("\t<item ><link\n>\n@ </link ><guid isPermaLink='true'>http://g/?a&amp;b</guid></item>\r\n"),
  rss("<!-- <item><link>http://n/</link></item> --><item><link>@</link></item>"),
  rdf("<item rdf:about='http://a/'><link>@</link></item>"),
  atom("<entry><id>http://i/</id><link rel='alternate' href='@' title='@&quot;'></link></entry>"),
  atom('<entry><link\thref= "@" /><link rel="related" href="http://r/"/></entry>'),
])("only the link of an entry is written anew: %s", (text) => {
  expect(keyed(text.replace("@", "http://a/?b&amp;c"))).toBe(text.replace("@", "K"));
});

test.each([
  ["<opml version='2.0'><body/></opml>", '"opml" (OPML)'],
  ["<svg xmlns='http://www.w3.org/2000/svg'/>", '"svg" (an SVG image)'],
  ["<?xml version='1.0'?><!DOCTYPE html><html></html>", '"html" (an XHTML page)'],
  ["<!-- <urlset> --><kml:kml xmlns:kml='x'></kml:kml>", '"kml:kml"'],
  ["<rdf:RDF xmlns:rdf='x' xmlns:c='http://purl.org/rss/1.0/modules/content/'/>", '"rdf:RDF"'],
  ["<rss2></rss2>", '"rss2"'],
  ["<\u00e9\u009b></\u00e9\u009b>", `"\u00e9\u009b"`],
  ["<RSS></RSS>", '"RSS"'],
  ["<item><link>http://a/</link></item>", '"item"'],
])("another document is refused by the name of its root: %s", (text, name) => {
  const error = {
    code: "BAD_OPTION",
    message: expect.stringContaining(`root element is ${name},`),
  };
  const bytes = Buffer.from(text);
  expect(() => sitemap.headerOf(bytes)).toThrow(expect.objectContaining(error));
  expect(() => sitemap.boundary()(bytes, 0)).toThrow(expect.objectContaining(error));
  expect(() => sitemap.read(bytes.toString("latin1"), START)).toThrow(
    expect.objectContaining(error),
  );
});

test.each([
  ["text", "http://a/\nhttp://b/\n", "does not begin as XML"],
  ["text after a comment", "<!-- c --> x <urlset/>", "does not begin as XML"],
  ["no root", "<?xml version='1.0'?>\n", "has no root element"],
  ["a root that is cut", "<rss version='2.0'", "has no root element"],
])("a document with %s is refused", (_, text, message) => {
  expect(() => sitemap.headerOf(Buffer.from(text))).toThrow(
    expect.objectContaining({ code: "BAD_OPTION", message: expect.stringContaining(message) }),
  );
});

test("white space alone, and a byte order mark before a document, are none", () => {
  expect(sitemap.headerOf(Buffer.from(" \n"))).toBeUndefined();
  for (const cut of [0, 1, 2, 3, 4]) {
    const bytes = Buffer.from("\ufeff<rss><item><link>http://a/</link></item></rss>");
    const boundary = sitemap.boundary();
    expect(boundary(bytes.subarray(0, cut), 0)).toBe(0);
    expect(boundary(bytes, cut)).toBe(bytes.indexOf("</rss>"));
  }
});

test("a document of the same kind may follow, one of another kind is refused", () => {
  const first = rss("<item><link>http://a/</link></item>");
  const again = rss("<item><link>http://b/</link></item>");
  expect(urlsOf(first + again)).toEqual(["http://a/", "http://b/"]);
  expect(
    urlsOf(`<urlset/>${"<sitemapindex><sitemap><loc>http://a/</loc></sitemap></sitemapindex>"}`),
  ).toEqual(["http://a/"]);
  for (const other of ["<urlset></urlset>", atom(""), "<opml/>", "<html>", rdf("", ":r")]) {
    const message = expect.stringContaining(' follows the document "rss": give each');
    expect(() => urlsOf(first + other)).toThrow(
      expect.objectContaining({ code: "BAD_OPTION", message }),
    );
  }
});

test.each([
  "<script>x</script>",
  "<script src='x'/>",
  "<div><b>Warning</b>: x<br></div>",
  "<item><link>http://n/</link></item>",
  "x </rss>",
])("what follows a document and is none is left as it is: %s", (other) => {
  const [first, again] = ["a", "b"].map((host) => rss(`<item><link>http://${host}/</link></item>`));
  const text = `${first}${other}${again}${other}`;
  expect(urlsOf(text)).toEqual(["http://a/", "http://b/"]);
  for (let cut = 0; cut < text.length; cut++) {
    const boundary = sitemap.boundary();
    const bytes = Buffer.from(text);
    const end = Math.max(boundary(bytes.subarray(0, cut), 0), 0);
    expect(end + boundary(bytes.subarray(end), cut - end)).toBe(
      text.lastIndexOf("</item>", text.lastIndexOf("</channel>")) + 7,
    );
  }
});

test("records are the same however the bytes come", () => {
  const random = new Random(58);
  const parts = [
    "<item><link>http://a/</link></item>",
    "<entry><link href='http://a/'/></entry>",
    "<entry><content><entry></entry></content><link rel='self' href='x'/></entry>",
    "<entry><x:y>",
    "<link rel = 'alternate' href=\"http://b/?a&amp;'\"/>",
    "<link>",
    "http://b/",
    "</link>",
    "</entry>",
    "<item>",
    "</item>",
    "<![CDATA[ http://b/ ]]>",
    "<content>",
    "</content>",
    "<!-- <entry> -->",
    "<link href='",
    "\"'>",
  ];
  let records = 0;
  for (let round = 0; round < atLength(300, 6_000); round++) {
    const some = Array.from({ length: random.below(12) }, () => random.pick(parts));
    const root = random.pick([rss, rdf, atom]);
    const text = root(some.join(""));
    const header = sitemap.headerOf(Buffer.from(text)) as string;
    const found = cutAtRandom(sitemap, text, random);
    found.push(text.slice(found.join("").length));
    const urls = found.flatMap((part, at) => urlsOf(part, at === 0 ? null : header));
    expect(urls).toEqual(urlsOf(text));
    records += urls.length;
  }
  expect(records).toBeGreaterThan(atLength(100, 2_000));
});

test.each(
  sampleOf(
    [
      ["<item>", rss],
      ["<item><link>", rss],
      ["<item><link><![CDATA[", rss],
      ["<item><x:y>", rss],
      ["<entry>", atom],
      ["<entry><content>", atom],
      ["<entry><link href='", atom],
      ["<entry><link href='x'/></entry>", atom],
      ["</entry>", atom],
    ] as const,
    3,
  ),
)("many %s are read once", (part, root) => {
  const text = root(part.repeat(atLength(60_000, 200_000)));
  const boundary = sitemap.boundary();
  boundary(Buffer.from(text), 0);
  const header = sitemap.headerOf(Buffer.from(text)) as string;
  expect(sitemap.read(text, { header, isStart: false }).at(-1)?.end).toBe(text.length);
});

test.each(
  sampleOf(["a", " a", " a ", " a='b'", " a='b", " =", " a=", "\t", "xml:base", ' "\'"'], 3),
)("a tag of many %j is read once", (part) => {
  const tag = (name: string) => `<${name} ${part.repeat(atLength(200_000, 2_000_000))}>`;
  for (const text of [atom(`<entry>${tag("link")}</entry>`), `${tag("rdf:RDF")}</rdf:RDF>`]) {
    try {
      sitemap.read(text, START);
    } catch (error) {
      expect(error).toMatchObject({ code: "BAD_OPTION" });
    }
  }
});
