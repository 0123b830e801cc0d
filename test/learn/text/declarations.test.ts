import { describe, expect, test } from "vitest";
import { declarations } from "../../../src/learn/text/index.ts";
import { atLength } from "../../shared/length.ts";
import { Random } from "../../shared/random.ts";

const URL = "http://a.org/dir/page?x=1";

describe("the head of a page", () => {
  test("names its URL, absolute", async () => {
    const page = `<!doctype html><html><head><LINK Rel="next canonical" HREF=" /t/1&amp;b ">
      <link rel=shortlink href="?p=1"><meta property="og:url" content="http://b.org/t"></head>`;
    expect(await declarations(page, URL)).toEqual({
      canonical: "http://a.org/t/1&b",
      shortlink: "http://a.org/dir/page?p=1",
      og: "http://b.org/t",
    });
  });

  test("counts once and only before the body, and not in comments, scripts and foreign links", async () => {
    const first = '<link rel=canonical href="/1"><link rel=canonical href="/2">';
    expect(await declarations(first, URL)).toEqual({ canonical: "http://a.org/1" });
    for (const page of [
      '<body><link rel=canonical href="/1"><meta property=og:url content="/1">',
      '<!-- <link rel=canonical href="/1"> -->',
      '<script>"<link rel=canonical href=/1>"</script>',
      '<link rel=alternate href="/1"><a rel=canonical href="/1"><meta name=og:url content="/1">',
      '<link rel=canonical href="javascript:x"><link rel=shortlink href="http://[">',
      '<link rel=canonical href=""><link rel=canonical>',
    ]) {
      expect(await declarations(page, URL), page).toEqual({});
    }
  });

  test("is read from the base of the page", async () => {
    const page = '<base href="/other/"><link rel=canonical href="1"><a id=b href="2#b">';
    expect(await declarations(page, URL)).toEqual({
      canonical: "http://a.org/other/1",
      self: ["http://a.org/other/2#b"],
    });
  });
});

describe("the head of a page without a tag of the body", () => {
  const said = `<link rel=canonical href="/1"><link rel=shortlink href="/2"><meta property=og:url content="/3">
    <link rel=alternate hreflang=en href="/4"><meta name=robots content=noindex>
    <meta http-equiv=refresh content="0;url=/5">`;
  const all = {
    canonical: "http://a.org/1",
    shortlink: "http://a.org/2",
    og: "http://a.org/3",
    hreflang: "http://a.org/4",
    robots: "noindex",
    refresh: "http://a.org/5",
  };
  const others = ["<base>", "<basefont>", "<bgsound>", "<LINK>", "<meta>", "<title>t</title>"];
  const hidden = ["script", "style", "noframes", "noscript", "template"];

  test.each([
    "",
    "<!doctype html>\n<!-- t -->",
    "<head>\t&#32;\f\r\n",
    "\uFEFF<head>",
    "</p></div></noscript></title>",
    ...others,
    ...hidden.map((name) => `<${name}>text</${name}>`),
    "<noscript><img src=pixel><p>text</noscript>",
    "<template><p>text</p></template>",
  ])("goes on after %j", async (start) => {
    expect(await declarations(`<html lang=en>${start}${said}`, URL)).toEqual(all);
  });

  test.each([
    "<head><title>t</title></head>",
    "<head><title>t</title></head><p>comment ",
    "<title>t</title><p>",
    "<title>t</title>comment ",
    "&amp;",
    "&nbsp;",
    "< ",
    "<h1>",
    "<article>",
    "<IMG>",
    "<my-element>",
    "<svg/>",
    "<br/>",
    "</br>",
    "</body>",
    "</html>",
    "<frameset>",
    "<noscript></noscript>text",
    "<noscript><body>",
    "<template></head>",
  ])("ends at %j", async (start) => {
    expect(await declarations(`<html lang=en>${start}${said}`, URL)).toEqual({});
  });
});

describe("a refresh of a page", () => {
  const refresh = (content: string, around = (meta: string) => meta) =>
    declarations(around(`<meta http-equiv="Refresh" content="${content}">`), URL).then(
      (found) => found.refresh,
    );

  test.each([
    ["0;url=/b", "http://a.org/b"],
    ["0; URL='/b?c=1' ", "http://a.org/b?c=1"],
    ["1,&quot;b&quot;x", "http://a.org/dir/b"],
    ["00.5 /b", "http://a.org/b"],
    [" ;url = /b", "http://a.org/b"],
  ])("of %j names a URL", async (content, url) => {
    expect(await refresh(content)).toBe(url);
  });

  test.each([
    "2;url=/b",
    "10;url=/b",
    "0",
    "0;",
    "0;url=",
    "x;url=/b",
    "0url=/b",
    "0;url=?x=1",
    "0;url=mailto:a",
  ])("of %j names none: it is late, of the page itself, or no URL", async (content) => {
    expect(await refresh(content)).toBeUndefined();
  });

  test("counts in the head alone, and for readers with scripts", async () => {
    expect(await refresh("0;url=/b", (meta) => `<body>${meta}`)).toBeUndefined();
    const noscript = (meta: string) => `<noscript>${meta}</noscript><noscript/>`;
    expect(await refresh("0;url=/b", noscript)).toBeUndefined();
    expect(await refresh("0;url=/b", (meta) => `<base href="http://b.org/">${meta}`)).toBe(
      "http://b.org/b",
    );
  });
});

describe("a link to the page in its own language", () => {
  const hreflang = (html: string) => declarations(html, URL).then((found) => found.hreflang);
  const links =
    '<link rel="alternate" hreflang="de" href="/de"><link rel="x Alternate" hreflang="en-gb" href="en">';

  test("names its URL", async () => {
    expect(await hreflang(`<html lang="en-GB"><head>${links}`)).toBe("http://a.org/dir/en");
    expect(await hreflang(`<html lang=de><base href="http://b.org/">${links}`)).toBe(
      "http://b.org/de",
    );
  });

  test.each([
    ["another language", `<html lang="en">${links}`],
    ["no language", `<html>${links}<link rel=alternate hreflang="" href="/x">`],
    ["no link of the head", `<html lang=de><body>${links}`],
    ["another relation", '<html lang=de><link rel=next hreflang=de href="/x">'],
  ])("is not one of %s", async (_, html) => {
    expect(await hreflang(html)).toBeUndefined();
  });
});

describe("other headers", () => {
  test("say where the content is and what of the query does not matter", async () => {
    const html = '<base href="http://b.org/x/">';
    const headers = { "Content-Location": "c?1", "NO-VARY-SEARCH": ["key-order", 'params=("a")'] };
    expect(await declarations(html, URL, headers)).toEqual({
      contentLocation: "http://a.org/dir/c?1",
      noVarySearch: 'key-order, params=("a")',
    });
    expect(await declarations("", URL, { "content-location": "mailto:a" })).toEqual({});
  });
});

describe("robots", () => {
  const robots = async (html: string, header?: string | string[]) =>
    (await declarations(html, URL, { "x-robots-tag": header })).robots;
  const meta = "<meta name=robots content=noindex>";

  test("is what the head and the header say to all crawlers", async () => {
    expect(await robots('<META CONTENT="NoIndex, follow" NAME=" Robots ">')).toBe(
      "NoIndex, follow",
    );
    expect(await robots(`${meta}<meta name=robots content=nofollow>`)).toBe("noindex, nofollow");
    expect(await robots(meta, ["noarchive", "unavailable_after: 25 Jun 2026 15:00:00 PST"])).toBe(
      "noindex, noarchive, unavailable_after: 25 Jun 2026 15:00:00 PST",
    );
    expect(await robots("", "max-snippet:-1, none")).toBe("max-snippet:-1, none");
    expect(await robots("", "all, somebot: noindex, none")).toBe("all");
  });

  test.each([
    ["one crawler", "<meta name=googlebot content=noindex>"],
    ["a page without scripts", `<noscript>${meta}</noscript>`],
    ["a tag of the body", `<body>${meta}`],
    ["a comment", `<!-- ${meta} -->`],
    ["an empty tag", '<meta name=robots content=" "><meta name=robots>'],
  ])("is not what is for %s", async (_, html) => {
    expect(await robots(html)).toBeUndefined();
  });

  test("of a page that says much is cut", async () => {
    expect(await robots(meta.repeat(1000))).toHaveLength(1024);
  });
});

describe("the header Link", () => {
  const canonical = (headers: Parameters<typeof declarations>[2], html = "") =>
    declarations(html, URL, headers).then((found) => found.canonical);

  test("names a URL where the page does not", async () => {
    const link =
      '<http://a.org/1>; title="a, <b>; rel=canonical"; rel="next", </2>; rel="x Canonical"';
    expect(await canonical({ LINK: link })).toBe("http://a.org/2");
    expect(await canonical(new Headers({ link }))).toBe("http://a.org/2");
    expect(await canonical({ link: ["</1>; rel=next", "</3>; rel=canonical"] })).toBe(
      "http://a.org/3",
    );
    expect(await canonical({ link }, '<link rel=canonical href="/4">')).toBe("http://a.org/4");
    expect(await declarations("", URL, { link: "</s>;rel=shortlink" })).toEqual({
      shortlink: "http://a.org/s",
    });
  });

  test.each([
    "",
    "</1>",
    "</1>; rel=next",
    "/1; rel=canonical",
    "<>; rel=canonical",
    '</1>; title="rel=canonical"',
  ])("does not name one by %j", async (link) => {
    expect(await canonical({ link })).toBeUndefined();
  });
});

describe("self links", () => {
  const self = (html: string, url = URL) => declarations(html, url).then((found) => found.self);

  test("lead to an id of any element, or to the name of an anchor", async () => {
    const page = `<a href="/t?p=7#p7">1</a><div id=p7></div><area href="/t?p=8#p8"><a name=p8></a>
      <a href="/t?p=9#p%c3%a9">2</a><b id="pé"></b>`;
    expect(await self(page)).toEqual([
      "http://a.org/t?p=7#p7",
      "http://a.org/t?p=8#p8",
      "http://a.org/t?p=9#p%c3%a9",
    ]);
  });

  test.each([
    ["an anchor of another page", '<a href="/t#a"></a><p id=b>'],
    ["the page itself", '<a href="#a"></a><a href="http://a.org/dir/page?x=1#a" id=a>'],
    ["another host", '<a id=a href="http://b.org/t#a"></a><a href="//a.org:81/t#a">'],
    ["the name of a field", '<a href="/t#a"></a><input name=a><meta name=a>'],
    ["no anchor", '<a href="/t#"></a><p id=""><a href="/t" id=t></a>'],
    ["an encoding of nothing", '<a href="/t#%ff" id=a></a><a href="mailto:x#a">'],
  ])("are not those to %s", async (_, page) => {
    expect(await self(page)).toBeUndefined();
  });

  test("are none on a page whose base no server would take", async () => {
    const page = (length: number) => `<base href="/${"b".repeat(length)}/"><a href="?p#a" id=a>`;
    expect(await self(page(8000))).toHaveLength(1);
    expect(await self(page(9000))).toBeUndefined();
  });

  test("are at most a thousand, each once", async () => {
    const link = (n: number) => `<a href="/t?p=${n}#a"></a><a href="/t?p=${n}#a"></a>`;
    const page = Array.from({ length: 1200 }, (_, n) => link(n)).join("");
    expect(await self(`${page}<p id=a>`)).toHaveLength(1000);
  });
});

test("a page without an absolute web URL is refused", async () => {
  for (const url of ["/t", "mailto:a", ""]) {
    await expect(declarations("", url)).rejects.toMatchObject({ code: "BAD_INPUT" });
  }
  await expect(declarations(1 as unknown as string, URL)).rejects.toMatchObject({
    code: "BAD_INPUT",
    message: "html must be a string, not number",
  });
});

test("takes any text", async () => {
  const random = new Random(38);
  const parts = [
    "<a ",
    "<link ",
    "href=",
    "/x#a",
    "'",
    '"',
    ">",
    "id=a",
    "</svg>",
    "<svg/>",
    "&amp",
    "<!--",
    "rel=canonical",
    " ",
    "<body",
    "\u0000",
  ];
  for (let round = 0; round < atLength(200, 5000); round++) {
    const page = Array.from({ length: 30 }, () => random.pick(parts)).join("");
    const { canonical, self = [] } = await declarations(page, URL);
    expect(self.every((link) => link.startsWith("http://a.org/"))).toBe(true);
    expect(canonical === undefined || canonical.startsWith("http")).toBe(true);
  }
});
