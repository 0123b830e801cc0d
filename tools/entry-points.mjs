import { readFileSync } from "node:fs";

const { name, exports, dependencies, peerDependencies } = JSON.parse(
  readFileSync(new URL("../package.json", import.meta.url), "utf8"),
);

/** Lists what programs import: its name, and its file in `src` and in `dist`, without the ending. */
export const ENTRY_POINTS = Object.entries(exports)
  .filter(([, entry]) => entry.default?.endsWith(".js"))
  .map(([path, entry]) => ({
    name: `${name}${path.slice(1)}`,
    file: entry.default.slice("./dist/".length, -".js".length),
  }));

/** Names the packages that the package loads and does not bundle. */
export const LOADED_PACKAGES = Object.keys({ ...dependencies, ...peerDependencies });
