// Writes what the Java package takes from the build to java/data: the scalar kernel, the plans of the presets, and their
// versions.
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createNormalizer } from "../dist/index.js";
import { importSource } from "./import-source.mjs";

const data = new URL("../java/data/", import.meta.url);
const { OPTION_VALUES } = await importSource("options/catalog.generated.ts");
const { PLAN_VERSIONS } = await importSource("plan/layout.ts");
const { SPEC_VERSION } = await importSource("plan/profile-id.ts");
const { UNICODE_VERSION } = await importSource("url/idna/unicode-version.ts");

const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));

rmSync(data, { recursive: true, force: true });
mkdirSync(new URL("plans/", data), { recursive: true });
copyFileSync(new URL("../dist/kernel-scalar.wasm", import.meta.url), new URL("kernel.wasm", data));
for (const preset of OPTION_VALUES.preset) {
  writeFileSync(new URL(`plans/${preset}.plan`, data), createNormalizer({ preset }).plan);
}
const versions = {
  urlmill: version,
  plans: PLAN_VERSIONS,
  spec: SPEC_VERSION,
  unicode: UNICODE_VERSION,
  presets: OPTION_VALUES.preset,
};
writeFileSync(
  new URL("versions.properties", data),
  Object.entries(versions)
    .map(([name, value]) => `${name}=${value}\n`)
    .join(""),
);
