// The theme of VitePress without its fonts, in the colours of the playground.
import theme from "vitepress/theme-without-fonts";
import "./style.css";

export default theme;
