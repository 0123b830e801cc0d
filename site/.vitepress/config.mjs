import { readdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitepress";
import { headingAnchor } from "../../tools/heading-anchor.mjs";
import { DOCUMENTS } from "../documents.mjs";
import { REPOSITORY, withSiteLinks } from "../links.mjs";

/** The path of the site on its server, which begins and ends with a slash. */
const base = process.env.URLMILL_SITE_BASE ?? "/";
const path = (name) => fileURLToPath(new URL(`../../${name}`, import.meta.url));

/** Lets the page load nothing from elsewhere. VitePress has small scripts and styles in the page. */
const POLICY = [
  "default-src 'self'",
  "script-src 'self' 'unsafe-inline'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

/** Marks the result after a line of code, so that it moves below the code where the line is too narrow for both. */
const codeResults = {
  name: "code-results",
  span(node, _line, column, _element, token) {
    if (column > 0 && /^\s*(?:\/\/|#) /.test(token.content))
      this.addClassToHast(node, "code-result");
  },
};

/** Says in pages that are opened as files that they need a server: browsers load no modules from files. */
const FILE_NOTE = `if (location.protocol === "file:") addEventListener("DOMContentLoaded", () => document.body.prepend(
  "This site needs a server: run npx vitepress preview in the folder site, and open the address that it prints. The playground needs none."
))`;

const pageLink = (file) => `/${file.replace(/README\.md$/, "").replace(/\.md$/, "")}`;

/** Returns the pages of a folder for the side bar, if a file is the list of one. */
function pagesBelow(file) {
  if (!file.endsWith("/README.md")) return {};
  const folder = dirname(file);
  const names = readdirSync(path(`docs/${folder}`)).filter((name) => name !== "README.md");
  const items = names.map((name) => {
    const [title] = readFileSync(path(`docs/${folder}/${name}`), "utf8").split("\n", 1);
    return { text: title.replace(/^# /, ""), link: pageLink(`${folder}/${name}`) };
  });
  return { collapsed: true, items: items.sort((a, b) => (a.text < b.text ? -1 : 1)) };
}

/**
 * Finds Vue for the documents, which lie beside this folder: no package is installed there. Pages that are rendered in
 * Node import it from where they are, in this folder.
 */
const vueOfSite = {
  name: "vue-of-site",
  enforce: "pre",
  resolveId(id, _, options) {
    if (!/^vue(?:\/|$)/.test(id)) return null;
    if (options.ssr) return { id, external: true };
    return this.resolve(id, fileURLToPath(import.meta.url), { ...options, skipSelf: true });
  },
};

export default defineConfig({
  base,
  title: "urlmill",
  description: "Batch URL normalizer and deduper for crawlers",
  lang: "en",
  srcDir: path("docs"),
  outDir: path("build/site"),
  cacheDir: path("build/site-cache"),
  rewrites: { "README.md": "index.md", "api/README.md": "api/index.md" },
  head: [
    ["meta", { "http-equiv": "Content-Security-Policy", content: POLICY }],
    ["link", { rel: "icon", href: "data:," }],
    ["script", {}, FILE_NOTE],
  ],
  vite: { plugins: [vueOfSite] },
  markdown: {
    anchor: { slugify: headingAnchor },
    theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
    codeTransformers: [codeResults],
    config: (markdown) => withSiteLinks(markdown, base),
  },
  themeConfig: {
    search: { provider: "local", options: { detailedView: true } },
    nav: [
      { text: "Guide", link: "/getting-started" },
      { text: "Options", link: "/options" },
      { text: "API", link: "/api/" },
      { text: "Playground", link: "/playground/index.html", target: "_self" },
      { text: "Source", link: REPOSITORY },
    ],
    sidebar: DOCUMENTS.map(({ title, pages }) => ({
      text: title,
      items: pages.map(([file, text]) => ({ text, link: pageLink(file), ...pagesBelow(file) })),
    })),
    outline: [2, 3],
    docFooter: { prev: "Before", next: "Next" },
    footer: { message: "MIT licence." },
  },
});
