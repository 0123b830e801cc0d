import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { codeSpans, readTables } from "../shared/spec-document.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
/** How to work on the project: CONTRIBUTING.md, and the proofs that it names. */
const text = ["CONTRIBUTING.md", "test/proofs/README.md"]
  .map((path) => readFileSync(`${root}/${path}`, "utf8"))
  .join("\n");
const scripts: Readonly<Record<string, string>> = JSON.parse(
  readFileSync(`${root}/package.json`, "utf8"),
).scripts;

const NAMED = new Map<string, readonly string[]>();

test("each npm script, proof and benchmark that CONTRIBUTING.md names is there", () => {
  const run = [...text.matchAll(/npm run ([a-z:-]*[a-z])(?: ([a-z][a-z0-9-]*))?/g)];
  const missing = run.filter(
    ([, script = "", name]) =>
      !Object.hasOwn(scripts, script) ||
      (name !== undefined && ["proof", "bench"].includes(script) && !named(script).includes(name)),
  );
  expect(run.length).toBeGreaterThan(15);
  expect(missing.map(([command]) => command)).toEqual([]);
});

test("npm runs no script of ours when packages are installed", () => {
  const itself = /^(?:pre|post)?(?:install|prepare|dependencies)$/;
  expect(Object.keys(scripts).filter((name) => itself.test(name))).toEqual([]);
});

/** Returns the names of a script's runs, which it is asked for once. */
function named(script: string): readonly string[] {
  const known = NAMED.get(script) ?? askNames(script);
  NAMED.set(script, known);
  return known;
}

/** Returns the names that `npm run proof` or `bench` lists where it is given an unknown one. */
function askNames(script: string): string[] {
  const file = script === "proof" ? "test/proofs/main.mjs" : "bench/run.mjs";
  const { stderr, status } = spawnSync(process.execPath, [file, "x"], {
    cwd: root,
    encoding: "utf8",
  });
  expect(status).toBe(2);
  return [...stderr.matchAll(/^ {2}npm run \w+ (\S+)$/gm)].map(([, name]) => name as string);
}

test("each proof has a row in CONTRIBUTING.md", () => {
  const table = readTables(text).find(({ columns }) => columns.includes("what it proves"));
  const rows = table?.rows.map(({ command = "" }) => codeSpans(command)[0]);
  expect(rows).toEqual(named("proof").map((name) => `npm run proof ${name}`));
});

test("each file that CONTRIBUTING.md names is there", () => {
  const paths = codeSpans(text).filter((span) =>
    /^(?:assembly|bench|docs|src|test|tools)\/[\w/.-]*$/.test(span),
  );
  expect(paths.length).toBeGreaterThan(40);
  expect(paths.filter((path) => !existsSync(`${root}/${path}`))).toEqual([]);
});

test("each environment variable that people are told of is read", () => {
  const files = ["corpus", "fuzz", "learn-thresholds", "options", "reasons", "tasks"].map(
    (name) => `${name}.proof.ts`,
  );
  const sources = [
    ...files.map((name) => readFileSync(`${root}/test/proofs/${name}`, "utf8")),
    readFileSync(`${root}/src/options/options.ts`, "utf8"),
    readFileSync(`${root}/test/shared/length.ts`, "utf8"),
    readFileSync(`${root}/test/cli/interleavings.test.ts`, "utf8"),
  ].join("\n");
  const named = new Set(text.match(/URLMILL_[A-Z_]+/g));
  expect(named.size).toBeGreaterThan(5);
  expect([...named].filter((name) => !sources.includes(`"${name}"`))).toEqual([]);
});

const READMES = readdirSync(`${root}/src`, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith("README.md"))
  .map((file) => `src/${file}`);

test("each file that ARCHITECTURE.md and the README of a folder name is there", () => {
  const files = [
    "src",
    "assembly",
    "test",
    "tools",
    "site",
    "playground",
    "python/src/urlmill",
    "java/src/main/java/io/github/urlmill",
    "go",
    "rust",
  ].flatMap((folder) => [
    `/${folder}`,
    ...readdirSync(`${root}/${folder}`, { recursive: true }).map((file) => `/${folder}/${file}`),
  ]);
  const texts = ["ARCHITECTURE.md", ...READMES].map((path) =>
    readFileSync(`${root}/${path}`, "utf8"),
  );
  const named = codeSpans(texts.join("\n")).filter((span) =>
    /^[\w/.-]+(?:\.ts|\.mjs|\/)$/.test(span),
  );
  expect(READMES.length).toBeGreaterThan(15);
  expect(named.length).toBeGreaterThan(80);
  const isThere = (span: string): boolean =>
    files.some((file) => file.endsWith(`/${span.replace(/\/$/, "")}`));
  expect(named.filter((span) => !isThere(span))).toEqual([]);
});

test("docs/dependencies.md has each package with its version, and no other", () => {
  const document = readFileSync(`${root}/docs/dependencies.md`, "utf8");
  const listed = [...document.matchAll(/^\| `([^`]+)` \| (\S+) \| (\S.*?) \|/gm)].map(
    ([, name, version]) => [name, version],
  );
  const { packages } = JSON.parse(readFileSync(`${root}/package-lock.json`, "utf8"));
  const { dependencies, devDependencies, peerDependencies } = packages[""];
  const names = Object.keys({ ...dependencies, ...devDependencies, ...peerDependencies });
  const expected = names.map((name) => [name, packages[`node_modules/${name}`].version]);
  expect(listed.toSorted()).toEqual(expected.toSorted());
});
