import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { Status } from "../../src/index.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const read = (path: string): string => readFileSync(`${root}/${path}`, "utf8");
const java = (name: string): string => read(`java/src/main/java/io/github/urlmill/${name}.java`);

test("Java's statuses are those of the kernel, in their order", () => {
  const names = [...java("Status").matchAll(/^ {2}([A-Z][A-Z0-9_]+)\("/gm)].map(([, name]) => name);
  const ofKernel = Object.entries(Status).filter(([, code]) => code <= Status.TOO_LONG);
  expect(names).toEqual(ofKernel.map(([name]) => name));
});

test("Java speaks this version of the kernel's interface", () => {
  const versionIn = (text: string): string => /ABI_VERSION = (\d+)/.exec(text)?.[1] ?? "none";
  expect(versionIn(java("Kernel"))).toBe(versionIn(read("src/engine/wasm/instance.ts")));
});

test("the Java package has the version of the Node package", () => {
  const { version } = JSON.parse(read("package.json"));
  expect(read("java/pom.xml")).toContain(
    `<artifactId>urlmill</artifactId>\n  <version>${version}</version>`,
  );
});
