// Writes docs/dependencies.md: each package with its reason, version, size and last release. Asks the registry for dates.
// `npm run docs:dependencies`
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { DEVELOPED_WITH, PYTHON, USED } from "./dependencies.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const { dependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

/** Returns the bytes of the files of an installed package, without packages that are installed in it. */
function sizeOf(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => name !== "node_modules")
    .map((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? sizeOf(path) : statSync(path).size;
    })
    .reduce((sum, size) => sum + size, 0);
}

function rowOf([name, reason]) {
  const folder = join(root, "node_modules", name);
  const { version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const times = JSON.parse(
    execFileSync("npm", ["view", name, "time", "--json"], { encoding: "utf8" }),
  );
  // The newest release, whichever version it is of.
  const last = Object.entries(times)
    .filter(([key]) => key !== "created" && key !== "modified")
    .map(([, date]) => date)
    .toSorted()
    .at(-1);
  const size = Math.ceil(sizeOf(folder) / 1000).toLocaleString("en-US");
  return `| \`${name}\` | ${version} | ${reason} | ${license} | ${size} KB | ${last.slice(0, 10)} |`;
}

const HEAD =
  "| package | version | why | licence | unpacked | last release |\n|---|---|---|---|---:|---|";
const table = (packages) => [HEAD, ...packages.map(rowOf)].join("\n");
const used = Object.entries(USED);
const text = `# Dependencies

Each package that urlmill uses, with its reason. \`npm run docs:dependencies\` writes this page; versions are those of the lock file.

## Installed with urlmill

${table(used.filter(([name]) => name in dependencies))}

## Loaded where you ask for it

You install these yourself. Without one, its format or store is \`PACKAGE_MISSING\`, and everything else works.

${table(used.filter(([name]) => !(name in dependencies)))}

## Python

The package \`urlmill\` needs \`wasmtime\`, which ${PYTHON.wasmtime.split(";")[0]}. Install engines such as pandas and Spark yourself.

## Java

The jar needs the runtime of Chicory (\`com.dylibso.chicory:runtime\`, Apache-2.0), which runs the kernel as bytecode. Install Spark, Nutch, StormCrawler and Flink yourself.

## Go and Rust

The module for Go needs \`wazero\` (Apache-2.0) and, through it, \`golang.org/x/sys\` (BSD-3-Clause). The crate needs \`wasmtime\` (Apache-2.0 with the LLVM exception) and what that needs. Both run the kernel. \`go.sum\` and \`Cargo.lock\` have all versions with their digests. Benchmarks alone take purell and \`url\`.

## Known faults

\`security.yml\` asks npm and PyPI each week, with \`npm audit\` and \`pip-audit\`, and fails if they report a package.

## Only to build and test

${table(Object.entries(DEVELOPED_WITH))}
`;
writeFileSync(join(root, "docs/dependencies.md"), text);
