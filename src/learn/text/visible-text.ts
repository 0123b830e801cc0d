import { checkText } from "../../base/errors.ts";
import { TextHandler } from "./text-handler.ts";
import { readTokens } from "./tokenizer.ts";

/**
 * Returns what a reader sees of an HTML page, as one line. Tags of block-level elements and `<br>` separate words,
 * other tags do not. Character references are decoded. Every run of white space, no-break spaces included, becomes one
 * space. Comments, script, style, template, noscript, iframe, noembed and noframes are left out. The title is the only
 * visible part of the head: as in a browser, any other element there is hidden or ends the head.
 *
 * Takes any string, and reads every character a bounded number of times. The tokenizer is that of the package
 * `htmlparser2`, which is loaded at the first call; rejects with `PACKAGE_MISSING` where it is not installed. An
 * unclosed comment, script or tag takes the rest of the page.
 *
 * It differs from a browser in these points. A `<script>` inside a comment inside a script is not known. CDATA sections
 * are comments in SVG too. A `>` in a quoted value ends an end tag. Style sheets and `hidden` are ignored. The fallback
 * of `object`, `video` and `canvas` is visible.
 *
 * @example
 * await visibleText("<p>1 &lt; 2</p><script>x</script>&nbsp;ok"); // "1 < 2 ok"
 */
export async function visibleText(html: string): Promise<string> {
  checkText(html, "html");
  const { text } = await readTokens(html, new TextHandler(html));
  return text.replace(/\s{2,}|[^\S ]/g, " ").trim();
}
