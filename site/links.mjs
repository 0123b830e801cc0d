// Links of the documents, which lead to the right place on GitHub and on the site.
import { existsSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const docs = join(root, "docs");

/** Where the repository is, and the source of the playground in it. */
export const REPOSITORY = "https://github.com/urlmill/urlmill";
const PLAYGROUND = "playground/index.html";

/**
 * Returns a link of a document as the site needs it. A file outside of docs is one of the repository, but for the playground;
 * the site is at `base`. `file` is the document's path. Throws for a link to a file that is not there.
 */
export function siteLink(href, file, base) {
  if (/^(?:\w+:|#)/.test(href)) return href;
  const [path, anchor] = href.split("#");
  const target = join(dirname(file), path);
  if (!existsSync(target)) throw new Error(`${relative(root, file)} links to ${href}`);
  // The site has the playground that is built from it.
  if (relative(root, target) === PLAYGROUND) return base + PLAYGROUND;
  const end = anchor === undefined ? "" : `#${anchor}`;
  const inDocs = relative(docs, target);
  if (inDocs.startsWith("..") || !/\.(?:md|svg)$/.test(target))
    return `${REPOSITORY}/blob/main/${relative(root, target)}${end}`;
  return `${path.replace(/README\.md$/, "index.md")}${end}`;
}

/** The comment in whose place the site has a field that normalizes. */
const FIELD = "<!-- the site has a field here -->";

/** Makes markdown-it, which VitePress reads documents with, write links as `siteLink` does, and the field. */
export function withSiteLinks(markdown, base) {
  markdown.core.ruler.push("site_links", ({ tokens, env }) => {
    for (const token of tokens)
      if (token.content.trim() === FIELD) token.content = "<UrlField />\n";
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      if (token.type !== "link_open") continue;
      const href = siteLink(token.attrGet("href"), env.realPath ?? env.path, base);
      token.attrSet("href", href);
      // The playground is no page of VitePress: the browser must open it.
      if (href.startsWith(`${base}playground/`)) token.attrSet("target", "_self");
    }
  });
}
