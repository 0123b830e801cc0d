// Imports a TypeScript file of src/, for build steps that run before the build.
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

/** Returns the module of a file; `name` is its path in src/. */
export async function importSource(name) {
  const build = await rolldown({
    input: fileURLToPath(new URL(`../src/${name}`, import.meta.url)),
    platform: "node",
  });
  const { output } = await build.generate({ format: "esm" });
  return import(`data:text/javascript,${encodeURIComponent(output[0].code)}`);
}
