// The theme of VitePress without its fonts, in the colours of the playground, with the field of the home.

import theme from "vitepress/theme-without-fonts";
import { defineAsyncComponent } from "vue";
import "./style.css";

export default {
  extends: theme,
  enhanceApp({ app }) {
    app.component(
      "UrlField",
      defineAsyncComponent(() => import("./url-field.js")),
    );
  },
};
