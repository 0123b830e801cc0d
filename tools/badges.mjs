// Draws the badges of the README from package.json. They are files of the repository, so nobody is asked to draw them.
import { readFileSync } from "node:fs";

const { license, types, engines } = JSON.parse(
  readFileSync(new URL("../package.json", import.meta.url), "utf8"),
);
const HEIGHT = 20;
/** Pixels that a character takes at most, at 11 px. */
const CHARACTER = 6.9;

/** Returns the badges by the names of their files in docs/badges. */
export function badges() {
  if (!types.endsWith(".d.ts")) throw new Error("the package has no types, so it gets no badge");
  return {
    "licence.svg": badge("licence", license),
    "types.svg": badge("types", "included"),
    "node.svg": badge("node", engines.node.replaceAll(/ \|\| /g, ", ").replaceAll("^", "")),
  };
}

function badge(name, value) {
  const [left, right] = [name, value].map((text) => Math.ceil(text.length * CHARACTER) + 12);
  const label = (x, fill, text) =>
    `<text x="${x}" y="14" fill="${fill}" text-anchor="middle">${text.replaceAll(">", "&gt;")}</text>`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="${HEIGHT}" role="img" aria-label="${name}: ${value.replaceAll(">", "&gt;")}">`,
    `<rect width="${left + right}" height="${HEIGHT}" rx="3" fill="#0b6b58"/>`,
    `<path d="M3 0h${left - 3}v${HEIGHT}h-${left - 3}a3 3 0 0 1-3-3v-14a3 3 0 0 1 3-3z" fill="#33393d"/>`,
    '<g font-family="system-ui,sans-serif" font-size="11">',
    label(left / 2, "#fff", name),
    label(left + right / 2, "#fff", value),
    "</g></svg>\n",
  ].join("\n");
}
