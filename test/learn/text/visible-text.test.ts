import { describe, expect, test } from "vitest";
import { visibleText } from "../../../src/learn/text/index.ts";
import { atLength, sampleOf } from "../../shared/length.ts";
import { Random } from "../../shared/random.ts";

const LENGTH = atLength(60_000, 200_000);

describe("what is seen", () => {
  test("a page is its title and its text", async () => {
    const page = `<!DOCTYPE html><html lang=en><head><meta charset=utf-8><title>A &amp; B</title>
      <style>p { color: red }</style><script>if (a < b) document.write("<p>no</p>")</script></head>
      <body><h1>News</h1><!-- hidden --><p>One<br>two</p><noscript><p>no</p></noscript>
      <template><p>no</p></template></body></html>`;
    expect(await visibleText(page)).toBe("A & B News One two");
  });

  test("block-level tags are word breaks, inline tags and comments are nothing", async () => {
    expect(await visibleText("<p>a</p><p>b</p>c<br>d<br/>e<li>f<td>g<H2>h")).toBe(
      "a b c d e f g h",
    );
    expect(await visibleText("a<b>b</b>c<span>d</span>e<!-- x -->f<wbr>g<script>1</script>h")).toBe(
      "abcdefgh",
    );
    expect(await visibleText("a<custom-element>b<h7>c<paragraph>d")).toBe("abcd");
  });

  test("every run of white space is one space, and none is at the ends", async () => {
    expect(await visibleText(" \n a\t\r\n b&nbsp;&nbsp;c\u00a0\u2003d \u00a0 <p> </p> ")).toBe(
      "a b c d",
    );
  });

  test("text of the head other than the title ends the head, as in a browser", async () => {
    expect(await visibleText("<head><title>t</title>stray")).toBe("t stray");
  });

  test("templates end with the outermost one, and scripts in them hide their end tags", async () => {
    expect(await visibleText("a<template>b<template>c</template>d</template>e")).toBe("ae");
    expect(await visibleText("a<template><script>'</template>'</script>b</template>c")).toBe("ac");
    expect(await visibleText("a</template>b")).toBe("ab");
  });

  test("only the first title is seen, and not an image's", async () => {
    expect(
      await visibleText("<svg><title>icon</title></svg><title>page</title><title>no</title>"),
    ).toBe("page");
  });

  test("an empty element of an SVG image does not take the rest of the page", async () => {
    expect(await visibleText("a<svg><title/><style/><script/></svg> b")).toBe("a b");
    expect(await visibleText("a<script/>b</script>c")).toBe("ac");
  });

  test("text areas and xmp have no tags, and xmp no character references", async () => {
    expect(await visibleText("<textarea><b>&lt;</textarea>x")).toBe("<b>< x");
    expect(await visibleText("<xmp><b>&lt;</xmp>x<plaintext>&lt;</plaintext>")).toBe(
      "<b>&lt; x &lt;</plaintext>",
    );
  });
});

describe("where tokens end", () => {
  test.each([
    ["a<!-->b", "ab"],
    ["a<!--->b", "ab"],
    ["a<!---->b", "ab"],
    ["a<!-- > -- > --!>b", "ab"],
    ["a<!-- --->b", "ab"],
    ["a<!-- b", "a"],
    ["a<!x>b<?php y ?>c</>d</ e>f<![CDATA[g]]>h", "abcdfh"],
  ])("comments end as in a browser: %s", async (html, text) =>
    expect(await visibleText(html)).toBe(text),
  );

  test.each([
    ['a<i title="x>y">b', "ab"],
    ["a<i title = '>'>b", "ab"],
    ["a<i title=x>b", "ab"],
    ["a<i title=/>b", "ab"],
    ["a<i title=x'>'b", "a'b"],
    ['a<i x"y>b', "ab"],
    ["a<i =>b", "ab"],
    ["a<i title=>b", "ab"],
    ['a<i title="x>b', "a"],
    ["a<i title", "a"],
  ])("tags end as in a browser: %s", async (html, text) =>
    expect(await visibleText(html)).toBe(text),
  );

  test.each([
    ["a<script>b</scripts>c</SCRIPT >d", "ad"],
    ["a<style></script></style/>b", "ab"],
    ["a<script>b", "a"],
    ["a<script></script", "a"],
  ])("scripts and styles end as in a browser: %s", async (html, text) =>
    expect(await visibleText(html)).toBe(text),
  );

  test("a > in a quoted value ends an end tag, where a browser goes on", async () => {
    expect(await visibleText("a</i title='>'>b")).toBe("a'>b");
  });

  test("a < that opens no tag is text", async () => {
    expect(await visibleText("1 < 2 <3 << <")).toBe("1 < 2 <3 << <");
    expect(await visibleText("a </")).toBe("a </");
  });
});

describe("character references", () => {
  test.each([
    ["&lt;b&gt; &amp;amp; &quot;&apos;", "<b> &amp; \"'"],
    ["&eacute;&Eacute;&euro;&hellip;&mdash;&bull;", "\u00e9\u00c9\u20ac\u2026\u2014\u2022"],
    ["&iexcl;&szlig;&yuml;&Omega;&rarr;&diams;", "\u00a1\u00df\u00ff\u03a9\u2192\u2666"],
    ["&#65;&#x42;&#X43;&#68 &#x1F600;", "ABCD \u{1f600}"],
    ["&#0;&#xD800;&#x110000;&#99999999999999999999;", "\ufffd\ufffd\ufffd\ufffd"],
    ["&#128;&#150;&#x9f;", "\u20ac\u2013\u0178"],
    ["&copy 2024 AT&T R&D &notit; &ampamp;", "\u00a9 2024 AT&T R&D \u00acit; &amp;"],
    ["&unknown; &alpha &; & &# &#; &#x; &#xg;", "&unknown; &alpha &; & &# &#; &#x; &#xg;"],
    ["&ZeroWidthSpaces; &toString; &constructor;", "&ZeroWidthSpaces; &toString; &constructor;"],
    ["&am<b>p;", "&amp;"],
  ])("are read as in a browser: %s", async (html, text) =>
    expect(await visibleText(html)).toBe(text),
  );
});

describe("hostile pages", () => {
  const UNITS = [
    ..."<>&! /-'\"=\t",
    ..."<! <!- <!-- -- --! <!----! </ <a <a/ <? </a </script </script> <script> <script></".split(
      " ",
    ),
    ..."<title> <title/> <svg> <template> <p> <textarea> &# &#1 &#x &a &amp &amp; &#xd800;".split(
      " ",
    ),
    ..."<a\t <a\tb=' <a\tb=c\t <a\tb\t <!x <b>x".split(" "),
  ];
  const OPENINGS = ["", "<!--", "<script>", "<title>", "<a b="];

  test.each(sampleOf(UNITS, 3))("many bytes of %j are read in one pass", async (unit) => {
    const soup = unit.repeat(Math.ceil(LENGTH / unit.length));
    for (const opening of OPENINGS) {
      expect((await visibleText(opening + soup)).length).toBeLessThanOrEqual(LENGTH + 20);
    }
  });

  test("whatever the pieces, the text is no longer than the page, collapsed and trimmed", async () => {
    const random = new Random(1);
    for (let round = 0; round < atLength(800, 20_000); round++) {
      let page = "";
      for (let left = random.below(12); left >= 0; left--) page += random.pick(UNITS);
      const text = await visibleText(page);
      expect(text.length).toBeLessThanOrEqual(page.length);
      expect(text).toBe(text.replace(/\s+/g, " ").trim());
    }
  });
});
