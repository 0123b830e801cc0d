// Writes what the Python package takes from the build to python/src/urlmill/_data: the kernels, the plans of the presets,
// and their versions.
import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createNormalizer } from "../dist/index.js";
import { importSource } from "./import-source.mjs";

const data = new URL("../python/src/urlmill/_data/", import.meta.url);
const { OPTION_VALUES } = await importSource("options/catalog.generated.ts");
const { PLAN_VERSIONS } = await importSource("plan/layout.ts");
const { SPEC_VERSION } = await importSource("plan/profile-id.ts");
const { UNICODE_VERSION } = await importSource("url/idna/unicode-version.ts");

const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));

for (const name of ["kernel.wasm", "disk.wasm", "plans", "versions.json"]) {
  rmSync(new URL(name, data), { recursive: true, force: true });
}
mkdirSync(new URL("plans/", data), { recursive: true });
copyFileSync(new URL("../dist/kernel.wasm", import.meta.url), new URL("kernel.wasm", data));
copyFileSync(new URL("../build/disk.wasm", import.meta.url), new URL("disk.wasm", data));
const presets = {};
for (const preset of OPTION_VALUES.preset) {
  const { plan, profileId } = createNormalizer({ preset });
  presets[preset] = { plan: `plans/${preset}.plan`, profileId };
  writeFileSync(new URL(presets[preset].plan, data), plan);
}
const sha256 = Object.fromEntries(
  ["kernel.wasm", "disk.wasm"].map((name) => {
    const bytes = readFileSync(new URL(name, data));
    return [name, createHash("sha256").update(bytes).digest("hex")];
  }),
);
const versions = {
  urlmill: version,
  plans: PLAN_VERSIONS,
  spec: SPEC_VERSION,
  unicode: UNICODE_VERSION,
  sha256,
  presets,
};
writeFileSync(new URL("versions.json", data), `${JSON.stringify(versions, null, 2)}\n`);
