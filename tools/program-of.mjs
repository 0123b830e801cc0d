import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The packages of programs that Node runs. npm's own names for them are scripts, which Windows starts only in a shell. */
const PACKAGES = {
  vitest: "vitest",
  tsc: "typescript",
  rolldown: "rolldown",
  biome: "@biomejs/biome",
};

/** Returns the words that start a program. */
export function programOf(name) {
  if (name === "node") return [process.execPath];
  if (PACKAGES[name] === undefined) return [name];
  const folder = new URL(`../node_modules/${PACKAGES[name]}/`, import.meta.url);
  const { bin } = JSON.parse(readFileSync(new URL("package.json", folder), "utf8"));
  return [process.execPath, fileURLToPath(new URL(bin[name], folder))];
}
