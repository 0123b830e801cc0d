// A field whose lines are normalized as one types: below it stands which of them are one page, and what its key leaves out.
import { computed, h, onMounted, ref, useTemplateRef } from "vue";
import { createNormalizer } from "../../../dist/js.js";
import { differingPieces } from "../../../playground/difference.ts";
import { counted } from "../../../playground/dom.ts";

const EXAMPLES = `HTTP://Example.com:80/a/../b?y=2&x=1
http://example.com/b?utm_source=mail&x=1&y=2
http://example.com/b?x=1&y=2#top`;

const normalizer = createNormalizer({ preset: "crawl" });

/** Returns the lines of each page by its key, and lines that are not URLs by what is wrong with them. */
function pagesOf(lines) {
  const pages = new Map();
  for (const line of lines) {
    const { ok, url, message } = normalizer.tryNormalize(line);
    const name = ok ? `→ ${url}` : message;
    if (!pages.has(name)) pages.set(name, []);
    pages.get(name).push({ line, key: url });
  }
  return pages;
}

/** Draws a line, with what its key does not have marked. */
function drawLine({ line, key }) {
  const pieces = differingPieces(line, key ?? line);
  return h(
    "div",
    pieces.map(({ text, isShared }) => (isShared ? text : h("mark", text))),
  );
}

export default {
  setup() {
    const text = ref(EXAMPLES);
    const field = useTemplateRef("field");
    // The page shows the field before this script runs, so that one may have typed already.
    onMounted(() => {
      text.value = field.value.value;
    });
    const lines = computed(() => text.value.split("\n").filter((line) => line.trim() !== ""));
    return () => {
      const pages = [...pagesOf(lines.value)];
      const keys = pages.filter(([, [{ key }]]) => key !== null).length;
      return h("div", { class: "url-field" }, [
        h("label", { for: "url-field" }, "Type or paste URLs, one per line"),
        h("textarea", {
          id: "url-field",
          ref: "field",
          rows: 4,
          spellcheck: false,
          autocapitalize: "off",
          autocomplete: "off",
          value: text.value,
          onInput: ({ target }) => {
            text.value = target.value;
          },
        }),
        h(
          "p",
          { role: "status" },
          `${counted(lines.value.length, "line")} → ${counted(keys, "page")}`,
        ),
        ...pages.map(([name, members]) =>
          h("div", { class: "page" }, [...members.map(drawLine), h("strong", name)]),
        ),
      ]);
    };
  },
};
