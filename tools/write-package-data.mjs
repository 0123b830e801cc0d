// Writes what the packages for Java, Go and Rust take from the build to java/data, go/data and rust/data: a kernel, the
// plans of the presets, versions, and the statuses of URLs in their order.
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createNormalizer, explainStatus, isError, Status } from "../dist/index.js";
import { importSource } from "./import-source.mjs";

/** The kernel of each package. Runtimes in pure Java have no SIMD. */
const KERNELS = { java: "kernel-scalar.wasm", go: "kernel.wasm", rust: "kernel.wasm" };

const root = new URL("../", import.meta.url);
const { OPTION_VALUES } = await importSource("options/catalog.generated.ts");
const { PLAN_VERSIONS } = await importSource("plan/layout.ts");
const { SPEC_VERSION } = await importSource("plan/profile-id.ts");
const { UNICODE_VERSION } = await importSource("url/idna/unicode-version.ts");

const { version } = JSON.parse(readFileSync(new URL("package.json", root), "utf8"));
/** Those that the kernel gives; the others come from hosts in JavaScript. */
const statuses = Object.entries(Status).filter(([, status]) => status <= Status.TOO_LONG);
const properties = [
  ["urlmill", version],
  ["plans", PLAN_VERSIONS],
  ["spec", SPEC_VERSION],
  ["unicode", UNICODE_VERSION],
  ["presets", OPTION_VALUES.preset],
  ...statuses.map(([name, status]) => [
    `status.${name}`,
    isError(status) ? explainStatus(name) : "",
  ]),
]
  .map(([name, value]) => `${name}=${value}\n`)
  .join("");

for (const [folder, kernel] of Object.entries(KERNELS)) {
  const data = new URL(`${folder}/data/`, root);
  rmSync(data, { recursive: true, force: true });
  mkdirSync(new URL("plans/", data), { recursive: true });
  copyFileSync(new URL(`dist/${kernel}`, root), new URL("kernel.wasm", data));
  for (const preset of OPTION_VALUES.preset) {
    const { plan } = createNormalizer({ preset });
    writeFileSync(new URL(`plans/${preset}.plan`, data), plan);
  }
  writeFileSync(new URL("versions.properties", data), properties);
  // Maven takes them from the root. The kernel has data of Unicode, whose licence is in NOTICE.
  if (folder === "java") continue;
  for (const file of ["LICENSE", "NOTICE"]) copyFileSync(new URL(file, root), new URL(file, data));
}
