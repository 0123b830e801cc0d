import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import {
  createNormalizer,
  explainStatus,
  isError,
  Status,
  type UrlErrorCode,
} from "../../src/index.ts";
import { OPTION_VALUES } from "../../src/options/catalog.generated.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const read = (path: string): string => readFileSync(`${root}/${path}`, "utf8");

test.each(["go/kernel.go", "rust/src/kernel.rs"])(
  "%s speaks this version of the kernel's interface",
  (path) => {
    const versionIn = (text: string): string =>
      /ABI_?VERSION(?:: u32)? = (\d+)/i.exec(text)?.[1] ?? "none";
    expect(versionIn(read(path))).toBe(versionIn(read("src/engine/wasm/instance.ts")));
  },
);

test.each(["go", "rust"])("the data of %s is of this build", (folder) => {
  const data = `${root}/${folder}/data`;
  expect(readFileSync(`${data}/kernel.wasm`).equals(readFileSync(`${root}/dist/kernel.wasm`))).toBe(
    true,
  );
  for (const preset of OPTION_VALUES.preset) {
    const plan = Uint8Array.from(readFileSync(`${data}/plans/${preset}.plan`));
    expect(plan).toEqual(createNormalizer({ preset }).plan);
  }
  const statuses = [
    ...read(`${folder}/data/versions.properties`).matchAll(/^status\.(\w+)=(.*)$/gm),
  ];
  const meaningOf = (name: string, status: number): string =>
    isError(status) ? explainStatus(name as UrlErrorCode) : "";
  expect(statuses.map(([, name, meaning]) => [name, meaning])).toEqual(
    Object.entries(Status)
      .slice(0, Status.TOO_LONG + 1)
      .map(([name, status]) => [name, meaningOf(name, status)]),
  );
});

test("the crate has each preset, and the version of the Node package", () => {
  const presets = [...read("rust/src/release.rs").matchAll(/\("(\w+)", include_bytes!/g)];
  expect(presets.map(([, name]) => name)).toEqual(OPTION_VALUES.preset);
  const { version } = JSON.parse(read("package.json"));
  expect(read("rust/Cargo.toml")).toContain(`name = "urlmill"\nversion = "${version}"\n`);
  expect(read("rust/Cargo.lock")).toContain(`name = "urlmill"\nversion = "${version}"\n`);
});

test.each(["go/README.md", "docs/go.md"])(
  "each block of Go in %s is an example that Go runs",
  (path) => {
    const examples = [
      ...read("go/example_test.go").matchAll(/^func Example\w*\(\) \{\n(.*?)^\}/gms),
    ];
    const bodies = examples.map(([, body = ""]) => body.replaceAll(/^\t/gm, ""));
    const blocks = [...read(path).matchAll(/^```go\n(.*?)^```$/gms)].map(([, block]) => block);
    expect(blocks.length).toBeGreaterThan(0);
    expect(blocks.filter((block) => !bodies.includes(block as string))).toEqual([]);
  },
);
